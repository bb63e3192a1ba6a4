"""Make large inputs from small ones: parts of them are repeated."""

from collections.abc import Sequence

from steelyard.families import args_of
from steelyard.inputs._make import as_cases
from steelyard.inputs._pumps import MOST_ITEMS, Pumps
from steelyard.inputs._workshop import Draft, Input, Workshop
from steelyard.schemas import AuthoredCase, CompactInput, Specification

_TRIES = 3
"""Attempts for each input that is wanted."""
_MOST_WORK = 300_000_000
"""Units of work, as of `make_inputs`."""


def pumped_inputs(
    spec: Specification,
    inputs: Sequence[CompactInput],
    *,
    seed: int,
    count: int,
    most_items: int = MOST_ITEMS,
) -> tuple[AuthoredCase, ...]:
    """Make large inputs by repeating parts of others, without outputs. All are valid.

    Args:
        spec: The specification.
        inputs: Valid inputs, best small ones. Each has its turn.
        seed: The new inputs depend on the specification, the inputs and the seed alone.
        count: Limit on the new inputs.
        most_items: Limit on the items of a list or text that is repeated.

    Raises:
        SpecificationError: if a type or a constraint cannot be read, or an input.
    """
    shop = Workshop(spec, seed, _MOST_WORK)
    pumps = Pumps(shop.grounds, shop.dice, shop.can_take, most_items)
    found: list[Input] = []
    for turn in range(_TRIES * count if inputs else 0):
        if len(found) == count or shop.meter.spent or not pumps.can_go_on:
            break
        parts = pumps.pumped(args_of(inputs[turn % len(inputs)]))
        new = shop.new(Draft(parts, "stress", "pumped")) if parts else None
        found += [new] if new else []
    return as_cases(found)
