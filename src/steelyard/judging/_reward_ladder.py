"""Rewards: pure functions of a result."""

import math
from collections.abc import Callable
from typing import SupportsFloat

from steelyard.errors import UsageError
from steelyard.schemas import VerifyResult

Reward = Callable[[VerifyResult], float]
"""Takes a result whose `reward` is still 0, and returns its reward."""

COMPILED_WITH_WARNINGS = 0.3
COMPILED_CLEAN = 0.5


def graduated(result: VerifyResult) -> float:
    """Return the ladder's reward: 0 if it did not compile, else base + (1 - base) x pass rate.

    The base is 0.3 with compiler warnings and 0.5 without; it is the whole reward if nothing was
    run (`compile_only`, or a program for another system). Clean code thus earns
    0.5 + 0.5 x pass rate.
    """
    if not result.compile.ok:
        return 0.0
    base = COMPILED_WITH_WARNINGS if result.compile.warnings else COMPILED_CLEAN
    return base + (1 - base) * result.pass_rate


def pass_rate(result: VerifyResult) -> float:
    """Return the share of cases that passed, in 0..1; 0 if it did not compile."""
    return result.pass_rate


def binary(result: VerifyResult) -> float:
    """Return 1 if it compiled and every case passed, else 0."""
    return 1.0 if result.success else 0.0


def rewarded(result: VerifyResult, policy: Reward) -> VerifyResult:
    """Return the result with the reward that a policy gives it.

    Raises:
        UsageError: if that is not a finite number.
    """
    plain = result.model_copy(update={"reward": 0.0}) if result.reward else result
    given: object = policy(plain)
    value = float(given) if isinstance(given, SupportsFloat) else math.nan
    if not math.isfinite(value):
        raise UsageError(f"a reward must be a finite number, got {given!r}; fix the policy")
    return result.model_copy(update={"reward": value})
