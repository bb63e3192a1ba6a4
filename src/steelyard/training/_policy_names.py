"""Reward policies as configuration files write them: a name, or a name with its arguments."""

import dataclasses
import difflib
from collections.abc import Mapping, Sequence
from typing import Any

from steelyard.errors import UsageError
from steelyard.judging import Reward as RewardPolicy
from steelyard.judging import binary, graduated, pass_rate
from steelyard.training._policies import Annealed, Blend, ByCategory, Efficient, hidden_only

__all__ = ["policy_of"]

_PLAIN: dict[str, RewardPolicy] = {
    policy.__name__: policy for policy in (graduated, pass_rate, binary, hidden_only)
}
_MADE: dict[str, type[Any]] = {
    "annealed": Annealed,
    "blend": Blend,
    "by_category": ByCategory,
    "efficient": Efficient,
}
_POLICIES = ("first", "last")
"""Arguments that are policies themselves."""


def policy_of(given: object) -> RewardPolicy:
    """Return the policy that a text or a mapping names; a function is one already.

    A mapping has one key, the policy, with the policy's arguments:
    `{"annealed": {"first": "pass_rate", "last": "binary", "steps": 5}}`.

    Raises:
        UsageError: for an unknown name or argument, or one that is missing or out of range.
    """
    if isinstance(given, str):
        return _plain(given)
    if isinstance(given, Mapping):
        return _made(given)
    if not callable(given):
        raise UsageError(
            f"reward must be a policy's name or a function, got {given!r}; "
            "name one such as graduated"
        )
    policy: RewardPolicy = given
    return policy


def _plain(name: str) -> RewardPolicy:
    if name in _PLAIN:
        return _PLAIN[name]
    if name in _MADE:
        raise UsageError(
            f"reward policy {name} needs arguments; write {name}: {{...}} under reward"
        )
    raise UsageError(
        f"unknown reward policy {name!r}; use one of {', '.join(sorted(_PLAIN))}, one of "
        f"{', '.join(sorted(_MADE))} with its arguments, or a function"
    )


def _made(given: Mapping[Any, Any]) -> RewardPolicy:
    if len(given) != 1:
        raise UsageError(f"reward must name one policy, got {len(given)} keys; give one key")
    ((name, arguments),) = given.items()
    if name not in _MADE:
        if name in _PLAIN:
            raise UsageError(f"reward policy {name} takes no arguments; write reward: {name}")
        raise UsageError(
            f"unknown reward policy {name!r}; with arguments there are {', '.join(sorted(_MADE))}"
        )
    kind = _MADE[name]
    fields = [each.name for each in dataclasses.fields(kind) if each.name != "step"]
    if not isinstance(arguments, Mapping):
        raise UsageError(f"reward policy {name} must hold arguments: {', '.join(fields)}")
    for each in arguments:
        if each not in fields:
            close = difflib.get_close_matches(str(each), fields, n=1, cutoff=0.0)[0]
            raise UsageError(
                f"reward policy {name} has no argument {each!r}; the nearest is {close!r}"
            )
    values = {each: _argument(each, value) for each, value in arguments.items()}
    missing = [
        each.name for each in dataclasses.fields(kind)
        if each.default is dataclasses.MISSING and each.name not in values
    ]  # fmt: skip
    if missing:
        raise UsageError(f"reward policy {name} lacks {missing[0]}; add it")
    policy: RewardPolicy = kind(**values)
    return policy


def _argument(name: str, value: object) -> object:
    if name in _POLICIES:
        return policy_of(value)
    if name != "parts":
        return value
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise UsageError(
            f"parts must be a list of pairs such as [[1, 'graduated']], got {value!r:.60}"
        )
    pairs = []
    for each in value:
        if not isinstance(each, Sequence) or isinstance(each, str) or len(each) != 2:
            raise UsageError(f"a part is a weight and a policy, got {each!r:.60}")
        pairs.append((each[0], policy_of(each[1])))
    return pairs
