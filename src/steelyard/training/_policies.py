"""Reward policies in addition to `graduated`, `pass_rate` and `binary`: pure functions of a result.

docs/reference/training.md lists what each invites a policy model to game.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from steelyard.errors import UsageError
from steelyard.judging import Reward as RewardPolicy
from steelyard.schemas import Verdict, VerifyResult

__all__ = ["Annealed", "Blend", "ByCategory", "Efficient", "at_step", "hidden_only"]

VISIBLE = "visible"
"""The category of cases that the prompt shows."""


def hidden_only(result: VerifyResult) -> float:
    """Return the pass rate of the cases that are not in the category `visible`, in 0..1.

    Raises:
        UsageError: if every case is visible.
    """
    cases = [case for case in result.cases if case.category != VISIBLE]
    if not cases:
        raise UsageError(
            f"no case is hidden: all have the category {VISIBLE!r}; add cases of another category"
        )
    return sum(case.verdict is Verdict.AC for case in cases) / len(cases)


@dataclass(frozen=True)
class ByCategory:
    """Mean of the categories' pass rates, weighted; 0 if the program did not compile.

    Args:
        weights: A weight of 0 or more for each category of the tests.

    Raises:
        UsageError: for weights that are not numbers of 0 or more, or are all 0; and if a result
            has a category without a weight.
    """

    weights: Mapping[str, float]

    def __post_init__(self) -> None:
        if not isinstance(self.weights, Mapping):
            raise UsageError(f"weights must map categories to numbers, got {self.weights!r:.60}")
        for name, weight in self.weights.items():
            _check_number(f"the weight of {name!r}", weight)
        if not any(self.weights.values()):
            raise UsageError("no category has a weight above 0; give one")

    def __call__(self, result: VerifyResult) -> float:
        """Return the reward, in 0..1."""
        earned = total = 0.0
        for name, (passed, cases) in result.by_category().items():
            if name not in self.weights:
                known = ", ".join(map(repr, self.weights))
                raise UsageError(f"category {name!r} has no weight; weights are given for {known}")
            earned += self.weights[name] * passed / cases
            total += self.weights[name]
        return earned / total if total else 0.0


@dataclass(frozen=True)
class Efficient:
    """Passing first, then CPU time compared with a reference: 0 unless every case passes.

    A program that passes earns `passing`, and the rest by the ratio of its CPU time to the
    reference's: all of it up to `free`, none from `limit` on, and in between by the ratio's
    logarithm. Differences below `free` are noise, so they earn nothing.

    Args:
        reference_cpu_ms: CPU time of a known good program over all cases, measured by the same
            judge on the same kind of machine.
        passing: Reward for passing, in 0..1.
        free: Ratio up to which a program is as fast as the reference.
        limit: Ratio from which a program earns nothing for its speed.

    Raises:
        UsageError: if a number is out of range.
    """

    reference_cpu_ms: float
    passing: float = 0.5
    free: float = 2.0
    limit: float = 10.0

    def __post_init__(self) -> None:
        for name in ("reference_cpu_ms", "passing", "free", "limit"):
            _check_number(name, getattr(self, name))
        if not self.reference_cpu_ms > 0:
            raise UsageError("reference_cpu_ms is 0; give the CPU time of a known good program")
        if self.passing > 1:
            raise UsageError(f"passing must be in 0..1, got {self.passing!r}")
        if not 0 < self.free < self.limit:
            raise UsageError(
                f"free must be above 0 and below limit, got {self.free!r} and {self.limit!r}; "
                "change one"
            )

    @classmethod
    def against(cls, reference: VerifyResult) -> Self:
        """Return the policy that compares with a judged program.

        Raises:
            UsageError: if that program fails a case.
        """
        if not reference.success:
            raise UsageError(f"the reference fails: {reference.details}; give one that passes")
        return cls(reference_cpu_ms=_cpu_ms(reference))

    def __call__(self, result: VerifyResult) -> float:
        """Return the reward, in 0..1."""
        if not result.success:
            return 0.0
        ratio = max(_cpu_ms(result) / self.reference_cpu_ms, self.free)
        speed = 1 - math.log(ratio / self.free) / math.log(self.limit / self.free)
        return self.passing + (1 - self.passing) * max(speed, 0.0)


@dataclass(frozen=True)
class Blend:
    """Sum of other policies, each with a weight.

    Args:
        parts: Pairs of a weight, which may be negative, and a policy.

    Raises:
        UsageError: if a weight is not a finite number.
    """

    parts: Sequence[tuple[float, RewardPolicy]]

    def __post_init__(self) -> None:
        for weight, _ in self.parts:
            _check_number("a weight", weight, negative=True)

    def at(self, step: int) -> "Blend":
        """Return the policy for a step of training."""
        return Blend([(weight, at_step(policy, step)) for weight, policy in self.parts])

    def __call__(self, result: VerifyResult) -> float:
        """Return the reward."""
        return math.fsum(weight * policy(result) for weight, policy in self.parts)


@dataclass(frozen=True)
class Annealed:
    """One policy that turns into another over the steps of training, along a straight line.

    Args:
        first: The policy at step `start` and before.
        last: The policy from step `start + steps` on.
        steps: Number of steps in between.
        start: Step of the first change.
        step: The step of this policy; `at` returns it for another one.

    Raises:
        UsageError: if a number is out of range.
    """

    first: RewardPolicy
    last: RewardPolicy
    steps: int
    start: int = 0
    step: int = 0

    def __post_init__(self) -> None:
        _check_number("steps", self.steps)
        _check_number("start", self.start)
        if self.steps < 1:
            raise UsageError(f"steps must be 1 or more, got {self.steps!r}")

    def at(self, step: int) -> "Annealed":
        """Return the policy for a step of training."""
        return replace(self, step=step)

    def __call__(self, result: VerifyResult) -> float:
        """Return the reward."""
        share = min(max((self.step - self.start) / self.steps, 0.0), 1.0)
        first, last = at_step(self.first, self.step), at_step(self.last, self.step)
        return (1 - share) * first(result) + share * last(result)


def at_step(policy: RewardPolicy, step: int) -> RewardPolicy:
    """Return what a policy is at a step of training: itself, unless it has a method `at`."""
    at = getattr(policy, "at", None)
    return policy if at is None else at(step)


def _cpu_ms(result: VerifyResult) -> float:
    return math.fsum(case.cpu_ms for case in result.cases)


def _check_number(name: str, value: object, *, negative: bool = False) -> None:
    wanted = "a finite number" if negative else "a number of 0 or more"
    if (
        not isinstance(value, int | float)
        or not math.isfinite(value)
        or (value < 0 and not negative)
    ):
        raise UsageError(f"{name} must be {wanted}, got {value!r}")
