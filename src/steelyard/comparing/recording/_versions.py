"""What is run: a version of the project, and the calls that can be made of its function."""

from collections.abc import Mapping
from dataclasses import dataclass

from steelyard.schemas import TestType


@dataclass(frozen=True, slots=True)
class Version:
    """The project's files as one version has them, where it differs from the copy."""

    edits: Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class KnownCall:
    """A call that can be made again."""

    name: str
    test_type: TestType
    pickled: bytes
    test: str = ""
    """The test that it was recorded in, if any."""
    iteration: int = 0
    """Its number among the test's calls."""
    is_known: bool = True
    """Whether its arguments are of kinds that annotations or recorded calls have."""
    shown: str = ""
    """The argument of a neighbour kind, as one would write it."""


@dataclass(frozen=True, slots=True)
class Repeats:
    """Which calls are made once more, beside the second time."""

    pairs: tuple[tuple[int, int], ...] | None = None
    """Places of calls, and of those whose arguments their objects get; None: to be chosen."""
    places: frozenset[int] = frozenset()
    """Of calls that are made in other worlds, beside those that ask for what hangs on them."""


ORIGINAL = Version({})
RECORDED = (TestType.REPLAY_TEST, TestType.INIT_STATE_TEST)
