"""Compute what follows from a decided challenge.

1. The solutions that give the right output are found, and those that are shown wrong.
2. The input is made smaller while the same programs fail on it, or still differ.
3. A model repairs the reference solution if it is wrong; a stored solution that is right may take
   its place.
4. The suite gets the new cases. Its old cases are weighed again if a solution lost its vote.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from pydantic import JsonValue

from steelyard.authoring.calls import Args, CallOutcome, Fault
from steelyard.authoring.challenges._adjudicate import Decision
from steelyard.authoring.challenges._healing import Healing, Wrong
from steelyard.authoring.challenges._trusted_solutions import (
    TrustedSolutions,
    name_of,
    program_of,
)
from steelyard.authoring.challenges.submissions import PYTHON, replacement_of
from steelyard.authoring.references import (
    SUSPICIOUS,
    Ballot,
    Contradiction,
    Smallest,
    Truth,
    Voice,
    WrittenSolution,
    ballots_of,
    contradictions,
    is_truth,
    shrink,
    weigh,
)
from steelyard.constraints import Validator
from steelyard.families import args_of, as_compact
from steelyard.schemas import (
    AuthoredCase,
    AuthoredSuite,
    CompactInput,
    ReferenceChange,
    StoredSolution,
)
from steelyard.values import canonical_json, digest_of

_MOST_SHOWN, _MOST_KILLS = 4, 20
_MOST_NAME, _MOST_CONFIRMED = 200, 20


@dataclass(frozen=True, slots=True)
class Challenged:
    """The input of a challenge, and what is known about it."""

    number: int
    """Of the challenge, among those of its problem."""
    input: CompactInput
    args: Args
    has_claim: bool
    ballot: Ballot
    decision: Decision


@dataclass(frozen=True, slots=True)
class Consequences:
    """A new suite, and whatever else changes with it."""

    suite: AuthoredSuite
    shrunk: Args | None = None
    """The smaller input that shows the same."""
    cases_changed: int = 0
    reference: ReferenceChange | None = None
    replacement: StoredSolution | None = None
    notes: tuple[str, ...] = ()
    """Facts that the report mentions."""


def consequences_of(
    challenged: Challenged,
    trusted: TrustedSolutions,
    validator: Validator,
    submitted: Sequence[StoredSolution],
    smallest: Smallest,
    healing: Healing | None = None,
) -> Consequences:
    """Return what follows from a challenge that is accepted or disputed.

    Args:
        challenged: The challenge, decided.
        trusted: The stored solutions.
        validator: Of the specification.
        submitted: Submissions that pass the current suite.
        smallest: The smallest inputs, on which solutions are compared.
        healing: Asks a model to repair the reference solution; None: no model is asked.

    Raises:
        BudgetError, ModelError: if the model cannot be asked.
        InfrastructureError: if the machine failed.
    """
    return _FollowUp(challenged, trusted, validator, submitted, smallest, healing).done()


@dataclass
class _FollowUp:
    challenged: Challenged
    trusted: TrustedSolutions
    validator: Validator
    submitted: Sequence[StoredSolution]
    smallest: Smallest
    healing: Healing | None
    healed: str = ""
    """The name of the repaired reference solution; empty if there is none."""
    notes: tuple[str, ...] = ()

    def done(self) -> Consequences:
        challenged, suite = self.challenged, self.trusted.problem.suite
        self.winners = self._winners()
        self.losers = self._losers()
        self.failing = dict(self._failing())
        shrunk = self._shrunk()
        self._heal(shrunk)
        new = list(self._new_cases(shrunk))
        digests = {case.input.digest for case in new}
        old = [case for case in suite.cases if case.input.digest not in digests]
        again = self._weighed(old if self.losers or self.healed else [], new)
        cases = [again.get(case.name, case) for case in _in_place(suite.cases, new)]
        before = {case.name: case for case in old}
        changed = sum(_output(case) != _output(before.get(case.name, case)) for case in cases)
        reference, replacement = self._reference()
        return Consequences(
            suite=suite.model_copy(update={"cases": tuple(cases)}),
            shrunk=None if shrunk == challenged.args else shrunk,
            cases_changed=changed,
            reference=reference,
            replacement=replacement,
            notes=self.notes,
        )

    def _winners(self) -> list[str]:
        """Return the solutions that give the right output."""
        right, answers = self.challenged.decision.right, self.trusted.runs.answers
        if right is None:
            return []
        sides = (
            side for side in self.challenged.ballot.sides if answers.alike(right, side.outcome)
        )
        return [name for side in sides for name in side.names]

    def _losers(self) -> list[str]:
        """Return the solutions that are shown wrong: those that could vote, and lose."""
        if self.challenged.decision.right is None:
            return []
        late = {name for name, _ in self.challenged.ballot.abstained}
        may_be_late = {n for n in late if self.trusted.stored[n].role == "brute-force"}
        return [n for n in self.trusted.voting.voices if n not in {*self.winners, *may_be_late}]

    def _failing(self) -> Iterator[tuple[str, Voice]]:
        """Yield the programs that fail on the input, and could not be known to before."""
        right, runs = self.challenged.decision.right, self.trusted.runs
        if right is None:
            return
        yield from ((name, self.trusted.voting.voices[name]) for name in self.losers)
        for solution in self.submitted:
            if solution.language != PYTHON:
                continue  # such a program is judged, and not called
            voice = runs.voice(program_of(solution))
            if isinstance(voice, Fault):
                continue
            outcome = runs.outcomes(voice, [self.challenged.args])[0]
            if not runs.answers.alike(right, outcome):
                yield name_of(solution), voice

    def _shrunk(self) -> Args:
        """Return a smaller input on which the same programs still fail, or still differ."""
        args, voting = self.challenged.args, self.trusted.voting.voices
        if self.challenged.decision.state == "rejected":
            return args
        answered = [side for side in self.challenged.ballot.sides if side.outcome.answered]
        if self.challenged.decision.state == "disputed":
            if self.challenged.has_claim or len(answered) < 2:
                return args
            right, wrong = [voting[answered[0].names[0]]], [voting[answered[1].names[0]]]
        else:
            right = [voting[name] for name in self.winners[:2]]
            # Smaller inputs would not show a program that meets a limit.
            failing, outcomes = self.failing.values(), self.trusted.runs.outcomes
            wrong = [voice for voice in failing if not outcomes(voice, [args])[0].met_limit]
        if not right or not wrong:
            return args
        return _smaller(args, right, wrong[:_MOST_SHOWN], self.trusted, self.validator)

    def _heal(self, shrunk: Args) -> None:
        """Let a model repair a reference solution that is shown wrong; it votes if it is right."""
        right, reference, name = (
            self.challenged.decision.right,
            self.trusted.reference,
            self.current,
        )
        is_right = name in self.trusted.voting.voices and name not in self.losers
        if self.healing is None or right is None or reference is None or not name or is_right:
            return
        # As it will be run from now on, whatever its role was.
        program = program_of(reference).model_copy(update={"role": "given"})
        if isinstance(self.trusted.runs.voice(program), Fault):
            return
        backed = self._backed([shrunk, *self._inputs()])
        challenged = Truth(self.challenged.args, right, is_example=False)
        shown = backed[:1] if backed and backed[0].args == shrunk else []
        stated = [*shown, challenged, *self.trusted.truths, *backed]
        small = self._backed(self.smallest.inputs, together=True)

        def wrong_of(program: WrittenSolution) -> Wrong:
            voice = self.trusted.runs.voice(program)
            assert not isinstance(voice, Fault), "the gate took it"
            on_small = contradictions(self.trusted.runs, voice, small, together=True)
            return Wrong(
                [*contradictions(self.trusted.runs, voice, stated)],
                [*self._confirmed(voice, on_small)],
            )

        found = self.healing.healed(program, wrong_of)
        model = self.healing.model[:_MOST_NAME]
        voice = None if found is None else self.trusted.runs.voice(found)
        if found is None or voice is None or isinstance(voice, Fault):
            self.notes = (f"{model}: no repair is right", *self.healing.notes)
            return
        doubt = self._doubt(voice, [each.args for each in backed])
        if doubt:
            self.notes = (f"{model}: {doubt}",)
            return
        origin = f"{model} repaired it, since challenge {self.challenged.number}"
        solution = replacement_of(
            reference, reference, role="reference", source=found.source, origin=origin
        )
        self.healed = self.trusted.add(solution, voice)
        self.winners.append(self.healed)

    def _inputs(self) -> list[Args]:
        """Return the inputs of the suite, small ones first: these are shown."""
        inputs = (args_of(case.input) for case in self.trusted.problem.suite.cases)
        return sorted(inputs, key=lambda args: len(canonical_json([*args])))

    def _backed(self, inputs: Sequence[Args], *, together: bool = False) -> list[Truth]:
        """Return the outputs on which all right solutions that answer agree."""
        voices = [self.trusted.voting.voices[name] for name in self.winners]
        ballots = ballots_of(self.trusted.runs, voices, inputs, together=together)
        return [
            Truth(args, ballot.sides[0].outcome, is_example=False)
            for args, ballot in zip(inputs, ballots, strict=True)
            if ballot.agreed
        ]

    def _confirmed(self, voice: Voice, found: Iterator[Contradiction]) -> Iterator[Contradiction]:
        """Yield the first contradictions that calls in processes of their own show too."""
        for each in islice(found, _MOST_CONFIRMED):
            backed = self._backed([each.truth.args])
            yield from contradictions(self.trusted.runs, voice, backed)

    def _doubt(self, voice: Voice, backed: Sequence[Args]) -> str:
        """Return why a repaired solution is not taken although it is right where that is known.

        Where no solution that is right answers, the outputs of the suite are those of the version
        before: one fault does not change most of them.
        """
        known = {digest_of(args) for args in backed}
        answers = self.trusted.runs.answers
        outputs = [
            Truth(args_of(case.input), answers.stated(case.expected), is_example=False)
            for case in self.trusted.problem.suite.cases
            if case.has_expected and not is_truth(case) and case.input.digest not in known
        ]
        changed = sum(1 for _ in contradictions(self.trusted.runs, voice, outputs))
        if changed <= SUSPICIOUS * len(outputs):
            return ""
        return f"a repair contradicts {changed} of {len(outputs)} expected outputs, so it stays out"

    @property
    def current(self) -> str:
        """The name of the reference solution; empty if it cannot vote."""
        reference, stored = self.trusted.reference, self.trusted.stored.items()
        same = (n for n, each in stored if reference and each.source == reference.source)
        return next(same, "")

    def _new_cases(self, shrunk: Args) -> Iterator[AuthoredCase]:
        """Yield the challenged input as a case if an output is stated for it; and the smaller."""
        challenged, decision = self.challenged, self.challenged.decision
        suite = self.trusted.problem.suite
        stored = {case.input.digest: case for case in suite.cases}
        known = stored.get(challenged.input.digest)
        own = known or self._case(challenged.input)
        if decision.right is not None:
            own = own.model_copy(update={"expected": decision.right.value, "has_expected": True})
            if decision.truth:
                evidence = own.evidence.model_copy(update={"truth": decision.truth[:200]})
                own = own.model_copy(update={"evidence": evidence, "trust": "trusted"})
        else:
            stated = known is not None and known.evidence.truth
            truth = "" if not challenged.has_claim else stated or "user"
            evidence = own.evidence.model_copy(update={"truth": truth})
            own = _disputed(own.model_copy(update={"evidence": evidence}))
        smaller = as_compact(shrunk)
        is_new = shrunk != challenged.args and smaller.digest not in stored
        if known or decision.truth or challenged.has_claim or not is_new:
            yield own
        if is_new:
            yield self._case(smaller)

    def _case(self, given: CompactInput) -> AuthoredCase:
        decision = self.challenged.decision
        name = f"challenge {self.challenged.number}"
        names = {case.name for case in self.trusted.problem.suite.cases}
        if given.digest != self.challenged.input.digest:
            name += ", smaller"
        if name in names:
            name += f" {given.digest[:8]}"
        case = AuthoredCase(
            name=name,
            category="adversarial",
            origin=f"challenge {self.challenged.number}",
            input=given,
            kills=tuple(self.failing)[:_MOST_KILLS],
        )
        return case if decision.right is not None else _disputed(case)

    def _weighed(
        self, old: Sequence[AuthoredCase], new: Sequence[AuthoredCase]
    ) -> Mapping[str, AuthoredCase]:
        """Return cases with their outputs and evidence, as far as these may have changed."""
        if self.challenged.decision.right is None:
            return {case.name: case for case in new}
        cases = [case for case in (*old, *new) if case.has_expected or not case.evidence.truth]
        programs = [program_of(self.trusted.stored[name]) for name in self.winners]
        weighed = weigh(self.trusted.runs, programs, cases, self.smallest).cases
        return {
            case.name: _disputed(case) if case.trust == "disputed" else case for case in weighed
        } | {case.name: case for case in new if case not in cases}

    def _reference(self) -> tuple[ReferenceChange | None, StoredSolution | None]:
        """Return what becomes of the reference solution, and the solution in its place."""
        reference, name = self.trusted.reference, self.current
        if reference is None or not name:
            return None, None
        disputed = self.challenged.decision.state == "disputed"
        in_doubt = disputed and any(name in side.names for side in self.challenged.ballot.sides)
        votes = name in self.trusted.voting.voices
        if votes and name not in self.losers and not in_doubt:
            return None, None
        if self.healed:
            new = self.trusted.stored[self.healed]
            return ReferenceChange(
                solution=reference.digest, state="replaced", by=new.digest, healed=True
            ), new
        if self.winners:
            first = min(self.winners, key=list(self.trusted.stored).index)
            best = self.trusted.stored[first]
            origin = f"{first}, since challenge {self.challenged.number}"
            new = replacement_of(best, reference, role="reference", origin=origin)
            change = ReferenceChange(solution=reference.digest, state="replaced", by=new.digest)
            return change, new
        newly = ReferenceChange(solution=reference.digest, state="disputed")
        return (newly if votes else None), None


def _smaller(
    args: Args,
    right: Sequence[Voice],
    wrong: Sequence[Voice],
    trusted: TrustedSolutions,
    validator: Validator,
) -> Args:
    """Return a smaller input on which all that are right agree, and none of the others does."""
    runs = trusted.runs

    def still_show(rights: Sequence[CallOutcome], wrongs: Sequence[CallOutcome]) -> bool:
        alike = all(runs.answers.alike(rights[0], each) for each in rights)
        return alike and not any(
            each.met_limit or runs.answers.alike(rights[0], each) for each in wrongs
        )

    def shows(inputs: Sequence[Args], outcomes: Any = runs.together) -> list[bool]:
        found = [outcomes(voice, inputs) for voice in (*right, *wrong)]
        return [
            still_show(each[: len(right)], each[len(right) :]) for each in zip(*found, strict=True)
        ]

    found = shrink(args, shows, validator)
    # Calls that share a process may leave state behind.
    return found if shows([found], runs.outcomes)[0] else args


def _disputed(case: AuthoredCase) -> AuthoredCase:
    """Return a case without an expected output: there are several, and the truths keep them."""
    return case.model_copy(update={"expected": None, "has_expected": False, "trust": "disputed"})


def _in_place(cases: Sequence[AuthoredCase], new: Sequence[AuthoredCase]) -> Iterator[AuthoredCase]:
    """Yield the cases, those with equal inputs in place of the old ones, and then the rest."""
    changed = {case.input.digest: case for case in new}
    for case in cases:
        yield changed.pop(case.input.digest, case)
    yield from changed.values()


def _output(case: AuthoredCase) -> tuple[bool, JsonValue]:
    return case.has_expected, case.expected
