"""Make inputs from others: small changes, changed parts, and two inputs put together."""

from collections.abc import Sequence
from functools import partial

from pydantic import JsonValue

from steelyard.families import Dice
from steelyard.inputs._made import Made, made
from steelyard.inputs._make import LARGE, as_cases
from steelyard.inputs._meter import visits
from steelyard.inputs._workshop import Draft, Input, Workshop
from steelyard.inputs.nodes import Changes, Node, Row, changed_args
from steelyard.schemas import AuthoredCase, CompactInput, Specification

_TRIES = 6
"""Attempts for each input that is wanted."""
_MOST_WORK = 300_000_000
"""Units of work, as of `derive_inputs`."""
_MIXED, _WHOLE = 0.3, 0.3
"""The share of inputs of which one argument comes from another input, and of these of all of it."""
_PARTS = 0.2
"""The share of changes of a list or text that change many of its items at once."""
_MOST_CHANGED = 5_000
"""Items and characters of an argument beyond which it is not changed but taken as a whole."""


def changed_inputs(
    spec: Specification, inputs: Sequence[CompactInput], *, seed: int, count: int
) -> tuple[AuthoredCase, ...]:
    """Make inputs that are close to some others, without outputs.

    All are valid, no two are equal, and none is one of the others. An argument with thousands of
    items stays as it is or comes from another input as a whole.

    Args:
        spec: The specification.
        inputs: Valid inputs to start from.
        seed: The new inputs depend on the specification, the inputs and the seed alone.
        count: Limit on the new inputs.

    Raises:
        SpecificationError: if a type or a constraint cannot be read, or an input.
    """
    shop = Workshop(spec, seed, _MOST_WORK)
    shop.seen.update(each.digest for each in inputs)
    parents = [_parts_of(each, shop) for each in inputs] if shop.names else []
    most = max((visits([part.value for part in parts]) for parts in parents), default=0)
    found: list[Input] = []
    for _ in range(_TRIES * count if parents else 0):
        if len(found) == count or shop.meter.spent:
            break
        draft = Draft(_changed(parents, shop.nodes, shop.dice), "adversarial", "changed")
        if visits(draft.args) <= max(LARGE, most) and shop.is_valid(draft.args):
            new = shop.new(draft)
            found += [new] if new else []
    return as_cases(found)


def _parts_of(given: CompactInput, shop: Workshop) -> list[Made]:
    return [Made(value, partial(str, text)) for value, text in shop.parts_of(given)]


def _changed(parents: Sequence[list[Made]], nodes: Sequence[Node], dice: Dice) -> list[Made]:
    parts = list(dice.pick(parents))
    if dice.chance(_MIXED):
        at = dice.below(len(parts))
        other = dice.pick(parents)[at]
        if max(visits(parts[at].value), visits(other.value)) <= _MOST_CHANGED:
            other = made(_mixed(parts[at].value, other.value, nodes[at], dice))
        parts[at] = other
    small = [at for at, part in enumerate(parts) if visits(part.value) <= _MOST_CHANGED]
    if not small:
        return parts
    args = [part.value for part in parts]
    changes = Changes(dice, [args[at] for at in small], parts=_PARTS)
    new = changed_args(args, nodes, changes, small)
    return [
        part if part.value is value else made(value) for part, value in zip(parts, new, strict=True)
    ]


def _mixed(one: JsonValue, other: JsonValue, node: Node, dice: Dice) -> JsonValue:
    """Return the other value, or the start of one list or text and the end of the other.

    Of two rows the items at each position are as in one of them.
    """
    if dice.chance(_WHOLE):
        return other
    if isinstance(node, Row) and isinstance(one, list) and isinstance(other, list):
        return [dice.pick(each) for each in zip(one, other, strict=True)]
    if isinstance(one, list) and isinstance(other, list):
        return one[: dice.below(len(one) + 1)] + other[dice.below(len(other) + 1) :]
    if isinstance(one, str) and isinstance(other, str):
        return one[: dice.below(len(one) + 1)] + other[dice.below(len(other) + 1) :]
    return other
