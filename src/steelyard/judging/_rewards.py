"""Rewards: pure functions over a verification's outcome. Any function of that shape will do."""

from collections.abc import Callable

from steelyard.schemas import VerifyResult

__all__ = ["COMPILED_CLEAN", "COMPILED_WITH_WARNINGS", "Reward", "all_or_nothing", "graduated"]

Reward = Callable[[VerifyResult], float]
"""Takes a result whose `reward` is still 0 and gives the reward that it has earned."""

COMPILED_WITH_WARNINGS = 0.3
COMPILED_CLEAN = 0.5


def _base(result: VerifyResult) -> float:
    return COMPILED_WITH_WARNINGS if result.compile.warnings else COMPILED_CLEAN


def graduated(result: VerifyResult) -> float:
    """The ladder: 0 where it did not compile, else base + (1 - base) x pass rate.

    The base is 0.3 with compiler warnings and 0.5 without; where nothing could be run (no tests,
    or a program for another system) it is the whole reward. Clean code thus earns
    0.5 + 0.5 x pass rate.
    """
    if not result.compile.ok:
        return 0.0
    base = _base(result)
    return base + (1 - base) * result.pass_rate


def all_or_nothing(result: VerifyResult) -> float:
    """The ladder without partial credit: 1 where every case passed, else the base alone."""
    if not result.compile.ok:
        return 0.0
    return 1.0 if result.success else _base(result)
