"""Reward policies in addition to `graduated`, `pass_rate` and `binary`: pure functions of a result.

docs/reference/training.md lists what each invites a policy model to game.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Self, cast

from pydantic import (
    BeforeValidator,
    Field,
    ModelWrapValidatorHandler,
    TypeAdapter,
    ValidationError,
    model_validator,
)
from pydantic.dataclasses import dataclass

from steelyard.errors import UsageError
from steelyard.judging import Reward as RewardPolicy
from steelyard.judging import binary, graduated, pass_rate
from steelyard.schemas import Verdict, VerifyResult

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


def policy_of(given: object) -> RewardPolicy:
    """Return the policy that a text or a mapping names; a function is one already.

    A mapping has one key, the policy, with the policy's arguments:
    `{"annealed": {"first": "pass_rate", "last": "binary", "steps": 5}}`.

    Raises:
        UsageError: for an unknown name or argument, or one that is missing or out of range.
    """
    name, arguments = given, None
    if isinstance(given, Mapping) and len(given) == 1:
        ((name, arguments),) = given.items()
    if isinstance(name, str):
        if name in _PLAIN and arguments is None:
            return _PLAIN[name]
        if name in _MADE and arguments is not None:
            return cast("RewardPolicy", TypeAdapter(_MADE[name]).validate_python(arguments))
        fault = f"unknown reward policy {name!r}"
        if name in {**_PLAIN, **_MADE}:
            fault = f"reward policy {name} {'takes no' if name in _PLAIN else 'needs'} arguments"
        raise UsageError(
            f"{fault}; use one of {', '.join(sorted(_PLAIN))}, one of {', '.join(sorted(_MADE))} "
            "with its arguments, or a function"
        )
    if callable(given):
        return cast("RewardPolicy", given)
    raise UsageError(
        f"reward must be a policy's name, a mapping with one such key, or a function, got "
        f"{given!r:.60}; name one such as graduated"
    )


Number = Annotated[float, Field(strict=True, ge=0, allow_inf_nan=False)]
Weight = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Policy = Annotated[RewardPolicy, BeforeValidator(policy_of)]


@dataclass(frozen=True, config={"extra": "forbid", "arbitrary_types_allowed": True})
class _Policy:
    """The base of policies with arguments: what is wrong with an argument is one line."""

    @model_validator(mode="wrap")
    @classmethod
    def _one_line(cls, data: object, handler: ModelWrapValidatorHandler[Self]) -> Self:
        try:
            return handler(data)
        except ValidationError as error:
            fault, names = error.errors()[-1], [*cls.__dataclass_fields__]  # unknown ones come last
            at = fault["loc"]
            if at and isinstance(at[0], int) and at[0] < len(names):  # a positional argument
                at = (names[at[0]], *at[1:])
            raise UsageError(
                f"reward policy {'.'.join(map(str, (cls.__name__, *at)))}: {fault['msg']}, got "
                f"{fault['input']!r:.60}; its arguments are {', '.join(names)}"
            ) from error


@dataclass(frozen=True)
class ByCategory(_Policy):
    """Mean of the categories' pass rates, weighted; 0 if the program did not compile.

    Args:
        weights: A weight of 0 or more for each category of the tests.

    Raises:
        UsageError: for weights that are not numbers of 0 or more, or are all 0; and if a result
            has a category without a weight.
    """

    weights: Mapping[str, Number]

    def __post_init__(self) -> None:
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
class Efficient(_Policy):
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

    reference_cpu_ms: Annotated[Number, Field(gt=0)]
    passing: Annotated[Number, Field(le=1)] = 0.5
    free: Annotated[Number, Field(gt=0)] = 2.0
    limit: Number = 10.0

    def __post_init__(self) -> None:
        if self.free >= self.limit:
            raise UsageError(
                f"free must be below limit, got {self.free!r} and {self.limit!r}; change one"
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
class Blend(_Policy):
    """Sum of other policies, each with a weight.

    Args:
        parts: Pairs of a weight, which may be negative, and a policy.

    Raises:
        UsageError: if a weight is not a finite number.
    """

    parts: Sequence[tuple[Weight, Policy]]

    def at(self, step: int) -> "Blend":
        """Return the policy for a step of training."""
        return Blend([(weight, at_step(policy, step)) for weight, policy in self.parts])

    def __call__(self, result: VerifyResult) -> float:
        """Return the reward."""
        return math.fsum(weight * policy(result) for weight, policy in self.parts)


@dataclass(frozen=True)
class Annealed(_Policy):
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

    first: Policy
    last: Policy
    steps: Annotated[int, Field(strict=True, ge=1)]
    start: Annotated[int, Field(strict=True, ge=0)] = 0
    step: int = 0

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


_PLAIN: dict[str, RewardPolicy] = {
    policy.__name__: policy for policy in (graduated, pass_rate, binary, hidden_only)
}
_MADE: dict[str, Any] = {
    "annealed": Annealed,
    "blend": Blend,
    "by_category": ByCategory,
    "efficient": Efficient,
}
