"""Call the stored solutions that have a vote on an output: those that contradict no truth."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from pydantic import JsonValue

from steelyard.authoring.calls import CallOutcome, Fault, shown_call, shown_value
from steelyard.authoring.references import Ballot, SolutionRuns, Voice, WrittenSolution, count
from steelyard.challenges.submissions import (
    PYTHON,
    REFERENCES,
    CurrentProblem,
    rank_of,
    reference_of,
)
from steelyard.errors import UsageError
from steelyard.families import args_of
from steelyard.sandbox import CellPool
from steelyard.schemas import (
    AuthoredCase,
    ReferenceRole,
    StoredSolution,
)

_MOST_VOICES = 10
Args = tuple[JsonValue, ...]


def is_truth(case: AuthoredCase) -> bool:
    """Return True for a case that decides about solutions: stated by somebody, or a challenge."""
    stated = bool(case.evidence.truth) or case.origin.startswith("challenge")
    return stated and case.has_expected and case.trust != "disputed"


@dataclass(frozen=True, slots=True)
class Contradiction:
    """An input on which a solution does not give the right answer."""

    args: Args
    outcome: CallOutcome
    """What the solution does."""
    right: CallOutcome


@dataclass
class TrustedSolutions:
    """The reference solutions of a stored problem, and what each did so far."""

    problem: CurrentProblem
    solutions: Sequence[StoredSolution]
    """All stored solutions of the problem."""
    pool: CellPool
    stored: dict[str, StoredSolution] = field(default_factory=dict)
    """The solutions with a vote, by name."""
    without_vote: dict[str, str] = field(default_factory=dict)
    """The reason why a solution has no vote, by name."""

    def __post_init__(self) -> None:
        self.runs = SolutionRuns(self.problem.spec, self.pool)
        sources: set[str] = set()
        for solution in sorted(self.solutions, key=rank_of):
            new = solution.language == PYTHON and solution.source not in sources
            new = new and solution.role in REFERENCES
            if new and len(self.stored) < _MOST_VOICES:
                sources.add(solution.source)
                self.stored[name_of(solution)] = solution

    @property
    def reference(self) -> StoredSolution | None:
        """The current reference solution; None if there is none."""
        return reference_of(self.solutions)

    @cached_property
    def voting(self) -> dict[str, Voice]:
        """The solutions that answer every example and every truth of the suite rightly.

        Raises:
            UsageError: if the suite expects an output of a wrong type.
            InfrastructureError: if the machine failed.
        """
        found = {}
        for name in self.stored:
            voice = self.voice(name)
            if isinstance(voice, Fault):
                self.without_vote[name] = voice.text
                continue
            wrong = (
                each
                for each in self.contradicted(voice, self.truths)
                if not self.may_abstain(name, each.outcome)
            )
            first = next(wrong, None)
            if first is None:
                found[name] = voice
            else:
                gives = f"{shown_call(first.args)} gives {first.outcome.shown}"
                self.without_vote[name] = gives
        return found

    @cached_property
    def truths(self) -> tuple[tuple[Args, CallOutcome], ...]:
        """The inputs whose outputs are stated, by examples, people or challenges; and the outputs.

        Raises:
            UsageError: if the suite expects an output of a wrong type.
        """
        cases = [case for case in self.problem.suite.cases if is_truth(case)]
        stated = [
            *((each.args, each.expected) for each in self.problem.spec.examples),
            *((args_of(each.input), each.expected) for each in cases),
        ]
        return tuple((args, self.stated(expected)) for args, expected in stated)

    def contradicted(
        self, voice: Voice, truths: Sequence[tuple[Args, CallOutcome]], *, together: bool = False
    ) -> Iterator[Contradiction]:
        """Yield the truths that a solution contradicts.

        Args:
            voice: The solution.
            truths: Inputs, each with its right output.
            together: Calls may share processes.

        Raises:
            InfrastructureError: if the machine failed.
        """
        run = self.runs.together if together else self.runs.outcomes
        outcomes = run(voice, [args for args, _ in truths])
        for (args, right), outcome in zip(truths, outcomes, strict=True):
            if not self.runs.answers.alike(right, outcome):
                yield Contradiction(args, outcome, right)

    def add(self, solution: StoredSolution, voice: Voice) -> str:
        """Give a new solution a vote; return its name."""
        name = name_of(solution)
        self.stored[name], self.voting[name] = solution, voice
        return name

    def stated(self, value: JsonValue) -> CallOutcome:
        """Return the outcome of a solution that gives this answer.

        Raises:
            UsageError: if the value is not of the type that `solve` returns.
        """
        try:
            return self.runs.answers.stated(value)
        except ValueError as error:
            raise UsageError(f"the output {shown_value(value)}: {error}; correct it") from error

    def may_abstain(self, name: str, outcome: CallOutcome) -> bool:
        """Return True if a solution is too slow for an input, and may be."""
        return outcome.met_limit and self.stored[name].role == "brute-force"

    def voice(self, name: str) -> Voice | Fault:
        """Return a solution that can be called, or why it cannot.

        Raises:
            InfrastructureError: if the machine failed.
        """
        return self.runs.voice(program_of(self.stored[name]))

    def ballot(self, args: Args) -> Ballot:
        """Return what the solutions with a vote answer.

        Raises:
            InfrastructureError: if the machine failed.
        """
        return count(
            self.runs.answers,
            {name: self.runs.outcomes(voice, [args])[0] for name, voice in self.voting.items()},
        )


def name_of(solution: StoredSolution) -> str:
    """Return the name of a solution in evidence and notes."""
    return f"{solution.role} {solution.digest[:12]}"


def program_of(solution: StoredSolution) -> WrittenSolution:
    """Return a stored solution as a voice's program.

    People may store solutions that import modules, so only the roles of time limits differ.
    """
    role: ReferenceRole = "brute-force" if solution.role == "brute-force" else "given"
    return WrittenSolution(name=name_of(solution), role=role, source=solution.source)
