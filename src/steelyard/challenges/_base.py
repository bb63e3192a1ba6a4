"""The state of a problem that a challenge is judged by: it must not change meanwhile."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from steelyard.challenges._deciding import Truth
from steelyard.challenges._voices import Voices
from steelyard.challenges.submissions import CurrentProblem
from steelyard.plain import digest_of
from steelyard.schemas import (
    ChallengeHistory,
    JudgedSolution,
    StoredSolution,
    StoredTruth,
)

if TYPE_CHECKING:
    from steelyard.storage import Reader


@dataclass(frozen=True, slots=True)
class Base:
    """Whatever the consequences of a challenge depend on."""

    problem: CurrentProblem
    solutions: tuple[StoredSolution, ...]
    judged: tuple[JudgedSolution, ...]
    """The judgements on the current suite."""
    outdated: frozenset[str]
    """Submitted solutions that are not judged on the current suite."""
    challenges: tuple[ChallengeHistory, ...]
    truths: tuple[StoredTruth, ...]

    @classmethod
    def read(cls, reader: "Reader", problem: str) -> Self:
        """Return the state of a problem.

        Raises:
            UsageError: if there is no such problem, or it has no suite.
            DatabaseError: if it is damaged.
        """
        current = CurrentProblem.read(reader, problem)
        judged = reader.judgements(problem, suite=current.version.suite)
        done = {each.judgement.solution for each in judged}
        submitted = {each.solution for each in reader.submissions(problem)}
        return cls(
            problem=current,
            solutions=reader.solutions(problem),
            judged=judged,
            outdated=frozenset(submitted - done),
            challenges=reader.challenges(problem),
            truths=reader.truths(problem),
        )

    def truths_of(self, voices: Voices, digest: str, challenge: str) -> list[Truth]:
        """Return the outputs that are stated for an input by others than a challenge.

        Args:
            voices: Checks the types of outputs.
            digest: `CompactInput.digest`.
            challenge: The digest of the challenge; empty if it is not stored.

        Raises:
            UsageError: if one of them is not of the type that `solve` returns.
        """
        cases = self.problem.suite.cases
        known = (case for case in cases if case.input.digest == digest and case.has_expected)
        examples = enumerate(self.problem.spec.examples, 1)
        stated = [
            Truth(voices.stated(each.expected), f"example {i}", is_example=True)
            for i, each in examples
            if digest_of(each.args) == digest
        ]
        found = [
            *((case.expected, case.evidence.truth) for case in known if case.evidence.truth),
            *(
                (each.output, each.by)
                for each in self.truths
                if each.input == digest and each.evidence.truth and each.challenge != challenge
            ),
        ]
        return [*stated, *(Truth(voices.stated(output), by) for output, by in found)]
