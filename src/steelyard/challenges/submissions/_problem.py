"""The current state of a stored problem."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from steelyard.errors import UsageError
from steelyard.schemas import AuthoredCase, AuthoredSuite, Specification, SuiteVersion

if TYPE_CHECKING:
    from steelyard.storage import Reader


@dataclass(frozen=True, slots=True)
class CurrentProblem:
    """A problem's current suite, with the specification that the suite is for."""

    name: str
    spec: Specification
    suite: AuthoredSuite
    version: SuiteVersion

    @classmethod
    def read(cls, reader: "Reader", name: str) -> Self:
        """Return the current state of a problem.

        Raises:
            UsageError: if there is no such problem, or it has no suite.
            DatabaseError: if it is damaged.
        """
        versions = reader.suite_versions(name)
        if not versions:
            raise UsageError(f"problem {name} has no suite; store one first")
        suite = reader.suite(versions[-1].suite)
        return cls(name, reader.spec(suite.spec_digest), suite, versions[-1])

    @property
    def decided(self) -> tuple[AuthoredCase, ...]:
        """The cases with an expected output that is not disputed."""
        return tuple(
            case for case in self.suite.cases if case.has_expected and case.trust != "disputed"
        )
