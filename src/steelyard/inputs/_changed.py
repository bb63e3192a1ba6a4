"""Make inputs from others: small changes, and parts of two inputs together."""

from collections.abc import Sequence

from pydantic import JsonValue

from steelyard.families import Dice
from steelyard.inputs._made import made
from steelyard.inputs._make import LARGE, as_cases
from steelyard.inputs._meter import visits
from steelyard.inputs._pokes import changed
from steelyard.inputs._workshop import Draft, Input, Workshop
from steelyard.schemas import AuthoredCase, Specification

_TRIES = 6
"""Attempts for each input that is wanted."""
_MOST_WORK = 40_000_000
"""Units of work, as of `make_inputs`."""
_MIXED = 0.3
"""The share of inputs of which one argument comes from another input, in whole or in part."""
_WHOLE = 0.3
"""The share of these that take the whole argument."""


def changed_inputs(
    spec: Specification,
    inputs: Sequence[Sequence[JsonValue]],
    *,
    seed: int,
    count: int,
) -> tuple[AuthoredCase, ...]:
    """Make small inputs that are close to some others, without outputs.

    All are valid, and no two are equal.

    Args:
        spec: The specification.
        inputs: Valid inputs to start from.
        seed: The new inputs depend on the specification, the inputs and the seed alone.
        count: Limit on the new inputs.

    Raises:
        SpecificationError: if a type or a constraint cannot be read.
    """
    shop = Workshop(spec, seed, _MOST_WORK)
    dice = shop.dice
    found: list[Input] = []
    can_change = bool(inputs) and bool(shop.names)
    for _ in range(_TRIES * count if can_change else 0):
        if len(found) == count or shop.meter.spent:
            break
        args = list(dice.pick(inputs))
        if dice.chance(_MIXED):
            at = dice.below(len(args))
            args[at] = _mixed(args[at], dice.pick(inputs)[at], dice)
        args = changed(args, shop.grounds, dice)
        if visits(args) <= LARGE and shop.is_valid(args):
            new = shop.new(Draft([*map(made, args)], "adversarial", "changed"))
            found += [new] if new else []
    return as_cases(found)


def _mixed(one: JsonValue, other: JsonValue, dice: Dice) -> JsonValue:
    """Return the other value, or the start of one list or text and the end of the other."""
    if dice.chance(_WHOLE):
        return other
    if isinstance(one, list) and isinstance(other, list):
        return one[: dice.below(len(one) + 1)] + other[dice.below(len(other) + 1) :]
    if isinstance(one, str) and isinstance(other, str):
        return one[: dice.below(len(one) + 1)] + other[dice.below(len(other) + 1) :]
    return other
