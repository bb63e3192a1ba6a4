"""Run all solutions on the truths, on small exhaustive inputs and on the suite; weigh the answers.

1. Those that contradict a truth, and copies of others, have no vote (`Voting`).
2. The others run on every one of the smallest inputs, and on the suite.
3. A case gets the answer that most solutions give, with the evidence for it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from pydantic import Field

from steelyard.authoring.calls import Answers, Args
from steelyard.authoring.references._runs import SolutionRuns, Voice, WrittenSolution
from steelyard.authoring.references._voting import (
    Ballot,
    Contradiction,
    Side,
    Split,
    Voting,
    ballots_of,
    truths_of,
)
from steelyard.families import args_of, as_compact
from steelyard.schemas import (
    AuthoredCase,
    OutputEvidence,
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


class Weighed(Record):
    """The answers of the solutions to examples, small inputs and the suite."""

    cases: tuple[AuthoredCase, ...] = ()
    """The suite's, with outputs and evidence; then small inputs on which solutions differ."""
    solutions: tuple[ReferenceSolution, ...] = ()
    truth_faults: dict[str, Split] = Field(default_factory=dict)
    """By solution that contradicts a truth: the first such input. Its first reading is right."""
    splits: tuple[Split, ...] = ()
    """Inputs on which solutions with a vote differ: small ones first."""
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

    Solutions that contradict an example, or an output of the suite that somebody states, have no
    vote. Those that are left vote: on every one of the smallest inputs, then on the suite.

    Raises:
        InfrastructureError: if the machine failed.
    """
    return _Weighing(runs, programs, cases, smallest).result()


@dataclass(slots=True)
class _Weighing:
    runs: SolutionRuns
    programs: Sequence[WrittenSolution]
    cases: Sequence[AuthoredCase]
    smallest: Smallest
    spec: Specification = field(init=False)
    answers: Answers = field(init=False)
    voting: Voting = field(init=False)

    def __post_init__(self) -> None:
        self.spec, self.answers = self.runs.spec, self.runs.answers

    def result(self) -> Weighed:
        self.voting = Voting(self.runs, self.programs, truths_of(self.answers, self.cases))
        voices = [*self.voting.voices.values()]
        differing, agreed_to = self._on_smallest(voices)
        inputs = [args_of(case.input) for case in self.cases]
        ballots = ballots_of(self.runs, voices, inputs)
        contradicted = _contradicted(voices, ballots)
        compared = sum(ballot.voices > 1 for ballot in ballots)
        evidence = OutputEvidence(
            examples=len(self.spec.examples) if voices else 0,
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
            truth_faults={name: _fault_of(each, name) for name, each in self.voting.wrong.items()},
            splits=tuple(splits[:_MOST_SPLITS]),
            contradicted=contradicted,
            exhaustive_to=agreed_to,
        )

    def _on_smallest(self, voting: Sequence[Voice]) -> tuple[list[tuple[Args, Ballot]], str]:
        """Return the smallest inputs on which solutions differ, and how far they agree."""
        inputs = self.smallest.inputs
        if len(voting) < 2 or not inputs:
            return [], ""
        ballots = ballots_of(self.runs, voting, inputs, together=True)
        differing = [index for index, ballot in enumerate(ballots) if len(ballot.sides) > 1]
        if differing:
            # Calls that share a process may leave state behind, so the difference is confirmed.
            chosen = differing[:_MOST_SPLITS]
            alone = ballots_of(self.runs, voting, [inputs[index] for index in chosen])
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
        fault = self.voting.without_vote.get(name, "")
        agrees = answered = 0
        for case, ballot in zip(cases, ballots, strict=True):
            side = next((each for each in ballot.sides if name in each.names), None)
            if side is None or not case.has_expected:
                continue
            answered += 1
            agrees += self.answers.alike(self.answers.stated(case.expected), side.outcome)
        examples = None
        if name in self.voting.right:
            examples = Share(count=self.voting.right[name], of=len(self.spec.examples))
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


def _fault_of(found: Contradiction, name: str) -> Split:
    """Return a contradiction as it is shown to people and models."""
    sides = Side(found.truth.outcome, (found.truth.by,)), Side(found.outcome, (name,))
    return Ballot(sides).split(found.truth.args)
