"""Make large inputs from middling ones: whatever is repeated there comes more often."""

from collections.abc import Sequence
from functools import partial
from itertools import product
from typing import Any

from steelyard.errors import SpecificationError
from steelyard.families import expand, literal
from steelyard.inputs._ground import Ground
from steelyard.inputs._layouts import MOST_CHARS
from steelyard.inputs._made import Made, made
from steelyard.inputs._make import as_cases
from steelyard.inputs._pumps import MOST_ITEMS, can_grow
from steelyard.inputs._repeats import numbers_moved, repeated
from steelyard.inputs._workshop import Draft, Input, Workshop
from steelyard.schemas import AuthoredCase, CompactInput, Specification

_MOST_WORK = 2_500_000_000
"""Units of work, as of `make_inputs`."""
_HALVINGS = 5
"""Factors that are tried where the largest one is not valid."""
_LEAST_FACTOR = 1.5
"""A smaller factor is not tried."""

Pair = tuple[Any, str]
"""An argument, and its part of the expression."""


def stretched_inputs(
    spec: Specification, inputs: Sequence[CompactInput], *, count: int
) -> tuple[AuthoredCase, ...]:
    """Make inputs as large as constraints allow from others that repeat parts. All are valid.

    Each block of a list or text that comes again and again comes more often, by one factor for the
    whole input. A number that equals the length of such a list grows with it; so does one that is
    the last position in it, and the span of numbers that advance from row to row, if that is valid.

    Args:
        spec: The specification.
        inputs: Valid inputs. Those without repeated parts give none.
        count: Limit on the new inputs.

    Raises:
        SpecificationError: if a type or a constraint cannot be read, or an input.
    """
    shop = Workshop(spec, 0, _MOST_WORK)
    shop.unreached.clear()
    found: list[Input] = []
    for each in inputs:
        if len(found) == count or shop.meter.spent:
            break
        parts = _largest(shop.parts_of(each), shop)
        new = shop.new(Draft(parts, "stress", "stretched")) if parts else None
        found += [new] if new else []
    return as_cases(found)


def _largest(pairs: Sequence[Pair], shop: Workshop) -> list[Made] | None:
    """Return valid arguments as large as one factor makes them; None if none is larger.

    Where others stay as they are and that is not valid, whole numbers are the largest allowed.
    """
    args = [value for value, _ in pairs]
    growing = [
        at
        for at, (value, text) in enumerate(pairs)
        if can_grow(shop.grounds[at]) and value and repeated(text, 2) != repeated(text, 1)
    ]
    groups = [growing] if growing else []
    if len(growing) > 1:
        groups.append([max(growing, key=lambda at: len(args[at]))])
    raised = [
        (value, str(int(ground.high))) if ground.kind == "int" else (value, text)
        for (value, text), ground in zip(pairs, shop.grounds, strict=True)
    ]
    ways = [pairs, *([raised] if raised != [*pairs] else [])]
    for group, some in product(groups, ways):
        best, reached = _longest(some, group, shop, follow=False)
        if _others_follow(some, group):
            following, how_far = _longest(some, group, shop, follow=True)
            best = following if how_far >= reached else best
        if best:
            return best
    return None


def _others_follow(pairs: Sequence[Pair], group: Sequence[int]) -> bool:
    """Return whether numbers within arguments grow with the length of some."""
    moved = numbers_moved({len(pairs[at][0]): 2 * len(pairs[at][0]) for at in group})
    return any(repeated(text, 2, moved) != repeated(text, 2) for _, text in pairs)


def _longest(
    pairs: Sequence[Pair], group: Sequence[int], shop: Workshop, *, follow: bool
) -> tuple[list[Made] | None, float]:
    """Return valid arguments of which some are stretched by the largest factor, or None.

    With it comes the factor, as a power of the largest one that there is room for.
    """
    most = min(_most_factor(pairs[at][0], shop.grounds[at]) for at in group)
    low, high, power, best = 0.0, 1.0, 1.0, None
    for _ in range(_HALVINGS):
        factor = most**power
        if factor < _LEAST_FACTOR:
            break
        new = _stretched_by(pairs, group, factor, follow=follow)
        if new is not None and shop.can_take([part.value for part in new]):
            best, low = new, power
        else:
            high = power
        if low == high:
            break
        power = (low + high) / 2
    return best, low


def _most_factor(value: Any, ground: Ground) -> float:
    """Return how many times as long a list or text may get."""
    items = min(MOST_ITEMS, ground.longest) / len(value)
    return min(items, MOST_CHARS / (1 + len(repr(value))))


def _stretched_by(
    pairs: Sequence[Pair], group: Sequence[int], factor: float, *, follow: bool
) -> list[Made] | None:
    """Return arguments of which some are stretched, None if the expressions cannot be read.

    Those of one length have one again: their last item is repeated. A number that equals the length
    of one that is stretched becomes the new length. If others follow, so do such numbers and last
    positions within arguments.
    """
    texts = [repeated(text, factor) if at in group else text for at, (_, text) in enumerate(pairs)]
    try:
        values: list[Any] = expand(f"[{', '.join(texts)}]")
        lengths = {
            before: max(len(values[at]) for at in group if len(pairs[at][0]) == before)
            for before in {len(pairs[at][0]) for at in group}
        }
        if follow:
            moved = numbers_moved(lengths)
            texts = [
                repeated(text, factor if at in group else 1, moved)
                for at, (_, text) in enumerate(pairs)
            ]
            values = expand(f"[{', '.join(texts)}]")
    except SpecificationError:
        return None
    for at in group:
        value, missing = values[at], lengths[len(pairs[at][0])] - len(values[at])
        if missing > 0:
            values[at] = value + value[-1:] * missing
            texts[at] = f"{texts[at]} + {literal(value[-1:])} * {missing}"
    return [
        made(lengths[before])
        if type(before) is int and before in lengths
        else Made(value, partial(str, text))
        for (before, _), value, text in zip(pairs, values, texts, strict=True)
    ]
