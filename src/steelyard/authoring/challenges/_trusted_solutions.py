"""The stored solutions of a problem: which of them have a vote, and what they answer."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from steelyard.authoring.calls import Args
from steelyard.authoring.challenges.submissions import (
    PYTHON,
    REFERENCES,
    CurrentProblem,
    rank_of,
    reference_of,
)
from steelyard.authoring.references import (
    Ballot,
    SolutionRuns,
    Truth,
    Voice,
    Voting,
    WrittenSolution,
    ballots_of,
    truths_of,
)
from steelyard.sandbox import CellPool
from steelyard.schemas import ReferenceRole, StoredSolution

_MOST_VOICES = 10


@dataclass
class TrustedSolutions:
    """The solutions of a stored problem that are meant to be right, and what each did so far."""

    problem: CurrentProblem
    solutions: Sequence[StoredSolution]
    """All stored solutions of the problem."""
    pool: CellPool
    on_calls: Callable[[str, int], None]
    """Called before a solution runs, with its name and the number of inputs."""
    stored: dict[str, StoredSolution] = field(default_factory=dict)
    """The solutions that are meant to be right, by name, the preferred ones first."""

    def __post_init__(self) -> None:
        self.runs = SolutionRuns(self.problem.spec, self.pool, on_calls=self.on_calls)
        right = [
            each
            for each in sorted(self.solutions, key=rank_of)
            if each.language == PYTHON and each.role in REFERENCES
        ]
        sources = {each.source: each for each in reversed(right)}
        first = [each for each in right if sources[each.source] is each]
        self.stored = {name_of(each): each for each in first[:_MOST_VOICES]}

    @property
    def reference(self) -> StoredSolution | None:
        """The current reference solution; None if there is none."""
        return reference_of(self.solutions)

    @cached_property
    def truths(self) -> list[Truth]:
        """The outputs that are stated: by examples, by people, by accepted challenges.

        Raises:
            UsageError: if the suite expects an output of a wrong type.
        """
        return truths_of(self.runs.answers, self.problem.suite.cases)

    @cached_property
    def voting(self) -> Voting:
        """The solutions that contradict no truth.

        Raises:
            UsageError: if the suite expects an output of a wrong type.
            InfrastructureError: if the machine failed.
        """
        return Voting(self.runs, map(program_of, self.stored.values()), self.truths)

    def add(self, solution: StoredSolution, voice: Voice) -> str:
        """Give a new solution a vote; return its name."""
        name = name_of(solution)
        self.stored[name], self.voting.voices[name] = solution, voice
        return name

    def ballot(self, args: Args) -> Ballot:
        """Return what the solutions with a vote answer.

        Raises:
            InfrastructureError: if the machine failed.
        """
        return ballots_of(self.runs, self.voting.voices.values(), [args])[0]


def name_of(solution: StoredSolution) -> str:
    """Return the name of a solution in evidence and notes."""
    return f"{solution.role} {solution.digest[:12]}"


def program_of(solution: StoredSolution) -> WrittenSolution:
    """Return a stored solution as a voice's program.

    People may store solutions that import modules, so only the roles of time limits differ.
    """
    role: ReferenceRole = "brute-force" if solution.role == "brute-force" else "given"
    return WrittenSolution(name=name_of(solution), role=role, source=solution.source)
