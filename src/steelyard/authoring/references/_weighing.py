"""Run all solutions on examples, on small exhaustive inputs and on the suite; weigh the answers.

1. Examples filter the solutions, and a copy of an earlier one has no vote.
2. The others run on every one of the smallest inputs, and on the suite. `count` puts equal answers
   to an input together; a solution that met a limit has no opinion.
3. A case gets the answer that most solutions give, with the evidence for it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import Field, JsonValue

from steelyard.authoring.calls import Answers, Args, CallOutcome, Fault, shown_call, shown_value
from steelyard.authoring.references._runs import SolutionRuns, Voice, WrittenSolution
from steelyard.families import args_of, as_compact
from steelyard.schemas import (
    AuthoredCase,
    OutputEvidence,
    Reading,
    Record,
    ReferenceSolution,
    Share,
    Specification,
    Trust,
)
from steelyard.values import canonical_json, digest_of

_MOST_SPLITS = 20
_MOST_ADDED = 5


class Smallest(Record):
    """All of the smallest inputs, in order, and how far they reach."""

    inputs: tuple[Args, ...] = ()
    reach: str = ""
    """Such as `len(nums) <= 3, values -1..2`."""


class Split(Record):
    """An input on which solutions differ."""

    args: Args
    readings: tuple[Reading, ...]
    """Answers before failures, then most solutions first."""

    @property
    def winner(self) -> Reading | None:
        """The answer with more solutions than any other; None if there is none."""
        answered = [each for each in self.readings if each.how == "answer"]
        tied = len(answered) > 1 and len(answered[0].solutions) == len(answered[1].solutions)
        return answered[0] if answered and not tied else None

    @property
    def losers(self) -> tuple[str, ...]:
        """The solutions that contradict the winner."""
        winner = self.winner
        return tuple(
            name
            for each in self.readings
            if winner and each is not winner
            for name in each.solutions
        )


class Weighed(Record):
    """The answers of the solutions to examples, small inputs and the suite."""

    cases: tuple[AuthoredCase, ...] = ()
    """The suite's, with outputs and evidence; then small inputs on which solutions differ."""
    solutions: tuple[ReferenceSolution, ...] = ()
    example_faults: dict[str, Split] = Field(default_factory=dict)
    """By solution that answers an example wrongly: the first such example. The first reading is the
    author's."""
    splits: tuple[Split, ...] = ()
    """Inputs on which solutions that answer all examples differ: small ones first."""
    contradicted: Share | None = None
    """Cases on which the optimised solution contradicts the others, of those that both answer."""
    exhaustive_to: str = ""
    """Set if two or more solutions agree on all of the smallest inputs."""


def weigh(
    runs: SolutionRuns,
    programs: Sequence[WrittenSolution],
    cases: Sequence[AuthoredCase],
    smallest: Smallest,
) -> Weighed:
    """Return the outputs of a suite, each with the evidence for it.

    Examples filter the solutions first. Those that are left vote: on every one of the smallest
    inputs, then on the suite.

    Raises:
        InfrastructureError: if the machine failed.
    """
    return _Weighing(runs, programs, cases, smallest).result()


@dataclass(frozen=True, slots=True)
class Side:
    """The solutions that gave one answer."""

    outcome: CallOutcome
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ballot:
    """All answers to one input."""

    sides: tuple[Side, ...]
    """Answers before failures, then most solutions first."""
    abstained: tuple[tuple[str, str], ...]
    """Solutions without an opinion, each with the reason."""

    @property
    def agreed(self) -> bool:
        """True if there is one answer, and nothing contradicts it."""
        return len(self.sides) == 1 and self.sides[0].outcome.answered

    @property
    def voices(self) -> int:
        """The number of solutions with an opinion."""
        return sum(len(side.names) for side in self.sides)

    @property
    def winner(self) -> Side | None:
        """The answer with more solutions than any other; None if there is none."""
        answered = [each for each in self.sides if each.outcome.answered]
        tied = len(answered) > 1 and len(answered[0].names) == len(answered[1].names)
        return answered[0] if answered and not tied else None

    def split(self, args: Sequence[JsonValue]) -> Split:
        """Return the answers as they are shown to people and models."""
        readings = tuple(reading_of(side.outcome, *side.names) for side in self.sides)
        return Split(args=tuple(args), readings=readings)


@dataclass(slots=True)
class _Weighing:
    runs: SolutionRuns
    programs: Sequence[WrittenSolution]
    cases: Sequence[AuthoredCase]
    smallest: Smallest
    spec: Specification = field(init=False)
    answers: Answers = field(init=False)
    voices: list[Voice] = field(default_factory=list)
    faults: dict[str, str] = field(default_factory=dict)
    right: dict[str, int] = field(default_factory=dict)
    example_faults: dict[str, Split] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.spec, self.answers = self.runs.spec, self.runs.answers

    def result(self) -> Weighed:
        self._filter_by_examples()
        voting = self._voting()
        differing, agreed_to = self._on_smallest(voting)
        ballots = self._ballots(voting, [args_of(case.input) for case in self.cases])
        contradicted = _contradicted(voting, ballots)
        compared = sum(ballot.voices > 1 for ballot in ballots)
        evidence = OutputEvidence(
            examples=len(self.spec.examples) if voting else 0,
            inputs=compared + (len(self.smallest.inputs) if agreed_to else 0),
            exhaustive_to=agreed_to,
        )
        splits = [ballot.split(args) for args, ballot in differing]
        splits += self._suite_splits(ballots)
        added = self._added(differing)
        ballots += [ballot for _, ballot in added]
        cases = tuple(
            self._with_output(case, ballot, evidence)
            for case, ballot in zip(
                (*self.cases, *(case for case, _ in added)), ballots, strict=True
            )
        )
        return Weighed(
            cases=cases,
            solutions=tuple(self._solution(each, cases, ballots) for each in self.programs),
            example_faults=self.example_faults,
            splits=tuple(splits[:_MOST_SPLITS]),
            contradicted=contradicted,
            exhaustive_to=agreed_to,
        )

    def _filter_by_examples(self) -> None:
        inputs = [each.args for each in self.spec.examples]
        for program in self.programs:
            if program.fault:
                continue
            voice = self.runs.voice(program)
            if isinstance(voice, Fault):
                self.faults[program.name] = voice.text
                continue
            self.voices.append(voice)
            outcomes = self.runs.outcomes(voice, inputs)
            wanted = [self.answers.stated(each.expected) for each in self.spec.examples]
            pairs = list(zip(inputs, wanted, outcomes, strict=True))
            good = [self.answers.alike(one, other) for _, one, other in pairs]
            self.right[program.name] = sum(good)
            if all(good):
                continue
            args, stated, outcome = pairs[good.index(False)]
            readings = reading_of(stated, "the example"), reading_of(outcome, program.name)
            self.example_faults[program.name] = Split(args=args, readings=readings)
            self.faults[program.name] = (
                f"{shown_call(args)} gives {outcome.shown}; "
                f"the example expects {shown_value(stated.value)}"
            )

    def _voting(self) -> list[Voice]:
        """Return the solutions that answer all examples, without copies of earlier ones."""
        voting: list[Voice] = []
        for voice in self.voices:
            if voice.name in self.example_faults:
                continue
            copied = next(
                (each for each in voting if self.runs.is_copy(each.program, voice.program)), None
            )
            if copied is None:
                voting.append(voice)
            else:
                self.faults[voice.name] = f"a copy of {copied.name} is not a second opinion"
        return voting

    def _on_smallest(self, voting: Sequence[Voice]) -> tuple[list[tuple[Args, Ballot]], str]:
        """Return the smallest inputs on which solutions differ, and how far they agree."""
        inputs = self.smallest.inputs
        if len(voting) < 2 or not inputs:
            return [], ""
        outcomes = {voice.name: self.runs.together(voice, inputs) for voice in voting}
        ballots = [
            count(self.answers, {name: every[index] for name, every in outcomes.items()})
            for index in range(len(inputs))
        ]
        differing = [index for index, ballot in enumerate(ballots) if len(ballot.sides) > 1]
        if differing:
            # Calls that share a process may leave state behind, so the difference is confirmed.
            chosen = differing[:_MOST_SPLITS]
            alone = self._ballots(voting, [inputs[index] for index in chosen])
            confirmed = [
                (inputs[index], ballot)
                for index, ballot in zip(chosen, alone, strict=True)
                if len(ballot.sides) > 1
            ]
            return confirmed, ""
        whole = all(ballot.voices > 1 for ballot in ballots)
        return [], self.smallest.reach if whole else ""

    def _added(self, differing: Sequence[tuple[Args, Ballot]]) -> list[tuple[AuthoredCase, Ballot]]:
        """Return new cases for the first of the smallest inputs on which solutions differ."""
        known = {case.input.digest for case in self.cases}
        first = sum(case.category == "edge" for case in self.cases) + 1
        new = [
            (as_compact(args), ballot)
            for args, ballot in differing[:_MOST_ADDED]
            if digest_of(args) not in known
        ]
        origin = "solutions differ"
        return [
            (AuthoredCase(name=f"edge-{at:03}", category="edge", origin=origin, input=each), ballot)
            for at, (each, ballot) in enumerate(new, start=first)
        ]

    def _suite_splits(self, ballots: Sequence[Ballot]) -> list[Split]:
        """Return the inputs of the suite on which solutions differ: short ones first."""
        found = [
            ballot.split(args_of(case.input))
            for case, ballot in zip(self.cases, ballots, strict=True)
            if len(ballot.sides) > 1 and not case.evidence.truth
        ]
        return sorted(found, key=lambda each: len(canonical_json(list(each.args))))

    def _ballots(self, voting: Sequence[Voice], inputs: Sequence[Args]) -> list[Ballot]:
        """Return the answers to each input; small inputs are run first."""
        order = sorted(range(len(inputs)), key=lambda each: len(canonical_json(list(inputs[each]))))
        found: list[dict[str, CallOutcome]] = [{} for _ in inputs]
        for voice in voting:
            outcomes = self.runs.outcomes(voice, [inputs[index] for index in order])
            for index, outcome in zip(order, outcomes, strict=True):
                found[index][voice.name] = outcome
        return [count(self.answers, each) for each in found]

    def _with_output(
        self, case: AuthoredCase, ballot: Ballot, common: OutputEvidence
    ) -> AuthoredCase:
        """Return a case with its output, if there is one, and what speaks for it."""
        notes = tuple(f"{name} has no answer: {why}" for name, why in ballot.abstained)
        truth, side = case.evidence.truth, ballot.winner
        if truth:
            stated = self.answers.stated(case.expected)
            same = (each for each in ballot.sides if self.answers.alike(stated, each.outcome))
            side = next(same, None)
        agree = len(side.names) if side else 0
        update: dict[str, object] = {
            "trust": "trusted" if truth else _trust(ballot, common.exhaustive_to),
            "evidence": common.model_copy(
                update={"independent": ballot.voices, "agree": agree, "truth": truth}
            ),
            "notes": notes,
        }
        if side is not None and not truth:
            update |= {"expected": side.outcome.value, "has_expected": True}
        return case.model_copy(update=update)

    def _solution(
        self, program: WrittenSolution, cases: Sequence[AuthoredCase], ballots: Sequence[Ballot]
    ) -> ReferenceSolution:
        name = program.name
        fault = program.fault or self.faults.get(name, "")
        agrees = answered = 0
        for case, ballot in zip(cases, ballots, strict=True):
            side = next((each for each in ballot.sides if name in each.names), None)
            if side is None or not case.has_expected:
                continue
            answered += 1
            agrees += self.answers.alike(self.answers.stated(case.expected), side.outcome)
        examples = None
        if name in self.right:
            examples = Share(count=self.right[name], of=len(self.spec.examples))
        return ReferenceSolution(
            name=name,
            role=program.role,
            source=program.source,
            examples=examples,
            agrees=Share(count=agrees, of=answered) if answered else None,
            healed=program.healed,
            fault=fault,
        )


def _trust(ballot: Ballot, exhaustive_to: str) -> Trust:
    if ballot.winner is None:
        return "disputed" if ballot.sides else "provisional"
    if ballot.agreed and ballot.voices > 1 and exhaustive_to:
        return "trusted"
    return "provisional"


def _contradicted(voting: Sequence[Voice], ballots: Sequence[Ballot]) -> Share | None:
    """Return on how many inputs the first solution contradicts the others."""
    if len(voting) < 2:
        return None
    first = voting[0].name
    shared = [
        each
        for each in ballots
        if each.voices > 1 and any(first in side.names for side in each.sides)
    ]
    against = sum(len(each.sides) > 1 for each in shared)
    return Share(count=against, of=len(shared))


def reading_of(outcome: CallOutcome, *names: str) -> Reading:
    """Return the end of a call as it is shown to people and models, with who gave it."""
    how = outcome.how if outcome.answered else f"{outcome.how}: {outcome.message}"
    return Reading(answer=outcome.value, how=how, solutions=names)


def count(answers: Answers, outcomes: Mapping[str, CallOutcome]) -> Ballot:
    """Return the answers to one input, equal ones together.

    Args:
        answers: Compares answers.
        outcomes: What each solution did, by its name.
    """
    sides: list[tuple[CallOutcome, list[str]]] = []
    abstained = []
    for name, outcome in outcomes.items():
        if outcome.met_limit:  # an exception on a valid input is an opinion: it is wrong
            abstained.append((name, outcome.message))
            continue
        same = (each for each in sides if _same(answers, each[0], outcome))
        found = next(same, None)
        if found is None:
            sides.append((outcome, [name]))
        else:
            found[1].append(name)
    sides.sort(key=lambda each: (not each[0].answered, -len(each[1])))
    return Ballot(tuple(Side(each, tuple(names)) for each, names in sides), tuple(abstained))


def _same(answers: Answers, one: CallOutcome, other: CallOutcome) -> bool:
    if one.answered and other.answered:
        return answers.alike(one, other)
    return not one.answered and not other.answered and one.message == other.message
