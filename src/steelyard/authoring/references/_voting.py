"""Decide which solutions have a vote, and count what they answer.

A solution has a vote on outputs if it contradicts no truth (an example, or an output that somebody
stated) and does not copy another that votes. A solution that met a limit has no opinion; an
exception on a valid input is one: it is wrong.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from steelyard.authoring.calls import (
    Answers,
    Args,
    CallOutcome,
    Fault,
    shown_call,
    shown_value,
)
from steelyard.authoring.references._runs import SolutionRuns, Voice, WrittenSolution
from steelyard.families import args_of
from steelyard.schemas import AuthoredCase, Reading, Record
from steelyard.values import canonical_json, digest_of


@dataclass(frozen=True, slots=True)
class Truth:
    """An output that is stated to be right."""

    args: Args
    outcome: CallOutcome
    by: str = "the example"
    """Who states it: for people."""
    is_example: bool = True
    """True if the specification states it."""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """An input on which a solution does not give the right answer."""

    truth: Truth
    outcome: CallOutcome
    """What the solution does."""


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


@dataclass(frozen=True, slots=True)
class Side:
    """The solutions that gave one answer."""

    outcome: CallOutcome
    names: tuple[str, ...]

    def reading(self) -> Reading:
        """Return the answer as it is shown to people and models."""
        outcome = self.outcome
        how = outcome.how if outcome.answered else f"{outcome.how}: {outcome.message}"
        return Reading(answer=outcome.value, how=how, solutions=self.names)


@dataclass(frozen=True, slots=True)
class Ballot:
    """All answers to one input."""

    sides: tuple[Side, ...] = ()
    """Answers before failures, then most solutions first."""
    abstained: tuple[tuple[str, str], ...] = ()
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
        return Split(args=tuple(args), readings=tuple(side.reading() for side in self.sides))


def is_truth(case: AuthoredCase) -> bool:
    """Return True for a case that decides about solutions: stated by somebody, or a challenge."""
    stated = bool(case.evidence.truth) or case.origin.startswith("challenge")
    return stated and case.has_expected and case.trust != "disputed"


def truths_of(answers: Answers, cases: Iterable[AuthoredCase]) -> list[Truth]:
    """Return the examples of a specification, and what else is stated in the cases of a suite.

    Raises:
        UsageError: if a stated output is not of the type that `solve` returns.
    """
    examples = answers.spec.examples
    known = {digest_of(each.args) for each in examples}
    stated = [case for case in cases if is_truth(case) and case.input.digest not in known]
    return [
        *(Truth(each.args, answers.stated(each.expected)) for each in examples),
        *(
            Truth(
                args_of(case.input),
                answers.stated(case.expected),
                case.evidence.truth or case.origin,
                is_example=False,
            )
            for case in stated
        ),
    ]


def ballots_of(
    runs: SolutionRuns, voices: Iterable[Voice], inputs: Sequence[Args], *, together: bool = False
) -> list[Ballot]:
    """Return what solutions answer to each input.

    Args:
        runs: Calls the solutions.
        voices: The solutions.
        inputs: Valid inputs; small ones run first, since a slow solution is stopped.
        together: Calls may share processes.

    Raises:
        InfrastructureError: if the machine failed.
    """
    run = runs.together if together else runs.outcomes
    order = sorted(range(len(inputs)), key=lambda each: len(canonical_json([*inputs[each]])))
    ordered = [inputs[index] for index in order]
    outcomes = {voice.name: run(voice, ordered) for voice in voices}
    ballots = {
        index: _count(runs, {name: every[at] for name, every in outcomes.items()})
        for at, index in enumerate(order)
    }
    return [ballots[index] for index in range(len(inputs))]


def _count(runs: SolutionRuns, outcomes: dict[str, CallOutcome]) -> Ballot:
    """Return the answers to one input, equal ones together."""
    sides: list[tuple[CallOutcome, list[str]]] = []
    abstained = []
    for name, outcome in outcomes.items():
        if outcome.met_limit:
            abstained.append((name, outcome.message))
            continue
        same = (names for other, names in sides if _is_same(runs, other, outcome))
        names = next(same, None)
        if names is None:
            sides.append((outcome, [name]))
        else:
            names.append(name)
    sides.sort(key=lambda each: (not each[0].answered, -len(each[1])))
    return Ballot(tuple(Side(each, tuple(names)) for each, names in sides), tuple(abstained))


def _is_same(runs: SolutionRuns, one: CallOutcome, other: CallOutcome) -> bool:
    if one.answered or other.answered:
        return runs.answers.alike(one, other)
    return one.message == other.message


class Voting:
    """The solutions of one specification that have a vote.

    Args:
        runs: Calls the solutions.
        programs: The solutions, the preferred ones first.
        truths: Outputs that no solution with a vote contradicts.

    Raises:
        InfrastructureError: if the machine failed.
    """

    def __init__(
        self, runs: SolutionRuns, programs: Iterable[WrittenSolution], truths: Sequence[Truth]
    ) -> None:
        self.runs = runs
        self.voices: dict[str, Voice] = {}
        """The solutions with a vote, by name."""
        self.without_vote: dict[str, str] = {}
        """The reason why a solution has no vote, by name."""
        self.right: dict[str, int] = {}
        """How many examples a solution answers rightly, by name."""
        self.wrong: dict[str, Contradiction] = {}
        """The first truth that a solution contradicts, by name."""
        for program in programs:
            self._admit(program, truths)

    def _admit(self, program: WrittenSolution, truths: Sequence[Truth]) -> None:
        voice = program.fault or self.runs.voice(program)
        if not isinstance(voice, Voice):
            self.without_vote[program.name] = voice.text if isinstance(voice, Fault) else voice
            return
        wrong = [*contradictions(self.runs, voice, truths)]
        examples = [each for each in truths if each.is_example]
        self.right[program.name] = len(examples) - sum(each.truth.is_example for each in wrong)
        copied = (each for each in self.voices.values() if self.runs.is_copy(each.program, program))
        if counts := [each for each in wrong if not _may_abstain(program, each.outcome)]:
            self.wrong[program.name] = first = counts[0]
            self.without_vote[program.name] = (
                f"{shown_call(first.truth.args)} gives {first.outcome.shown}; "
                f"{first.truth.by} expects {shown_value(first.truth.outcome.value)}"
            )
        elif original := next(copied, None):
            self.without_vote[program.name] = f"a copy of {original.name} is not a second opinion"
        else:
            self.voices[program.name] = voice


def contradictions(
    runs: SolutionRuns, voice: Voice, truths: Sequence[Truth], *, together: bool = False
) -> Iterator[Contradiction]:
    """Yield the truths that a solution contradicts.

    Args:
        runs: Calls the solution.
        voice: The solution.
        truths: Inputs, each with its right output.
        together: Calls may share processes.

    Raises:
        InfrastructureError: if the machine failed.
    """
    run = runs.together if together else runs.outcomes
    outcomes = run(voice, [each.args for each in truths])
    for truth, outcome in zip(truths, outcomes, strict=True):
        if not runs.answers.alike(truth.outcome, outcome):
            yield Contradiction(truth, outcome)


def _may_abstain(program: WrittenSolution, outcome: CallOutcome) -> bool:
    """Return True if a solution is too slow for an input, and may be."""
    return outcome.met_limit and program.role == "brute-force"
