"""Compute one argument from another, or one item from another item.

Source:
    Research of this project: of all families these inputs find the most wrong programs.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from steelyard.constraints import Domain
from steelyard.families import Dice
from steelyard.inputs._ground import Ground
from steelyard.inputs._pokes import Pokes

Related = Iterator[tuple[str, Any]]
_NUMBERS = ("int", "float")


def relations(value: Any, source: Ground, target: Ground, dice: Dice) -> Related:
    """Yield values for a target that are computed from another value, with their names.

    Values may lie outside what the target may be; the caller checks and repairs.
    """
    if value is None:
        return
    if source.kind in _NUMBERS and target.kind in _NUMBERS:
        yield from _numbers(value, target, dice)
    elif source.is_sized and target.kind == "int":
        yield from _sizes(value)
    if source.kind in ("list", "tuple") and value:
        item = source.items[0]
        if target.kind in _NUMBERS and all(each.kind in _NUMBERS for each in source.items):
            numbers = [each for each in value if each is not None]
            yield from _sums(numbers, dice, whole=target.kind == "int")
        if source.kind == "list" and alike(item, target):
            one = dice.pick(value)
            yield from (("element", one), ("first element", value[0]), ("last element", value[-1]))
            if one is not None:
                yield "nearly an element", Pokes(dice).poked(one, target)
        elif source.kind == "list" and (item.is_sized or item.kind == "tuple"):
            yield from relations(dice.pick(value), item, target, dice)
    if source.kind == "dict" and value:
        yield from relations(list(value), source.listed_keys(), target, dice)
    yield from _texts(value, source, target, dice)
    if source.kind in _NUMBERS and target.kind == "list":
        yield from _lists_for(value, target, dice)


def joint_relations(one: Any, other: Any, target: Ground) -> Related:
    """Yield numbers for a target that are computed from two other numbers, with their names."""
    found = [
        ("sum of both", one + other),
        ("difference of both", one - other),
        ("product of both", one * other),
        ("average of both", (one + other) // 2),
        ("larger and one", max(one, other) + 1),
    ]
    if other:
        found += [("remainder of both", one % other), ("quotient of both", one // other)]
    yield from ((name, int(each) if target.kind == "int" else each) for name, each in found)


def inner_relations(value: Any, ground: Ground, dice: Dice) -> Related:
    """Yield lists in which one item is computed from another, and texts with such letters."""
    if not ground.is_sequence or not value or len(value) < 2:
        return
    if ground.kind == "str":
        item = Ground("str", lengths=Domain.only([1]), letters=ground.letters)
        inside = inner_relations(list(value), Ground("list", items=(item,)), dice)
        yield from ((name, "".join(found)) for name, found in inside)
        return
    item = ground.items[0]
    at, other = dice.below(len(value)), dice.below(len(value))
    if at == other:
        other = (at + 1) % len(value)
    kin = list(relations(value[at], item, item, dice)) if item.kind in _NUMBERS else []
    if item.kind in ("list", "tuple") and value[at] and value[other]:
        kin += _crossed(value[at], value[other], dice)
    if kin:
        name, changed = dice.pick(kin)
        yield f"items {name}", _with(value, other, changed)
    yield "items repeated", _with(value, other, value[at])
    half = value[: len(value) // 2]
    yield "halves equal", [*half, *half, *value[2 * len(half) :]]
    yield "halves mirrored", [*half, *value[len(half) : len(value) - len(half)], *half[::-1]]
    yield "ends equal", [*value[:-1], value[0]]


def _numbers(value: Any, target: Ground, dice: Dice) -> Related:
    whole = target.kind == "int"
    for name, found in (
        ("equal", value),
        ("one more", value + 1),
        ("one less", value - 1),
        ("negated", -value),
        ("doubled", 2 * value),
        ("halved", value // 2),
        ("squared", value * value),
        ("multiple", value * (2 + dice.below(5))),
    ):
        yield name, int(found) if whole else found
    if type(value) is int and whole and 1 < value < 64:
        largest = int(max(2, target.high) ** (1 / value))
        power = dice.between(2, max(2, largest)) ** value
        yield from (("power", power), ("power less one", power - 1), ("power and one", power + 1))
    if type(value) is int and value > 3:
        yield "root", math.isqrt(value)
        yield "digits reversed", int(str(value)[::-1])
        divisors = [each for each in (2, 3, 5, 7, math.isqrt(value)) if value % each == 0]
        if divisors:
            yield "divisor", value // dice.pick(divisors)


def _sizes(value: Any) -> Related:
    yield from (("length", len(value)), ("length less one", len(value) - 1))
    yield from (("length and one", len(value) + 1), ("half the length", len(value) // 2))
    yield "different items", len({str(each) for each in value})


def _sums(numbers: Sequence[Any], dice: Dice, *, whole: bool) -> Related:
    if not numbers:
        return
    one, other = dice.pick(numbers), dice.pick(numbers)
    start = dice.below(len(numbers))
    stop = start + 1 + dice.below(len(numbers) - start)
    total, part = sum(numbers), sum(numbers[start:stop])
    for name, found in (
        ("element", one),
        ("pair sum", one + other),
        ("total", total),
        ("neighbours' sum", sum(numbers[start : start + 2])),
        ("total and one", total + 1),
        ("half the total", total // 2),
        ("start's sum", sum(numbers[:stop])),
        ("end's sum", sum(numbers[start:])),
        ("items added several times", sum(dice.pick(numbers) for _ in range(2 + dice.below(5)))),
        ("some items' sum", sum(each for each in numbers if dice.chance(0.5))),
        ("part's sum", part),
        ("part's sum and one", part + 1),
        ("difference", one - other),
        ("product", one * other),
        ("largest", max(numbers)),
        ("above the largest", max(numbers) + 1),
        ("smallest", min(numbers)),
        ("below the smallest", min(numbers) - 1),
        ("sum of three", one + other + dice.pick(numbers)),
        ("absent", _absent(numbers)),
        ("largest less smallest", max(numbers) - min(numbers)),
        ("length", len(numbers)),
    ):
        yield name, int(found) if whole else found


def _absent(numbers: Sequence[Any]) -> int:
    taken, start = set(numbers), int(min(numbers)) + 1
    return next(n for n in range(start, start + len(numbers) + 1) if n not in taken)


def _texts(value: Any, source: Ground, target: Ground, dice: Dice) -> Related:
    if source.kind == "str" and target.kind == "list" and target.items[0].kind == "str" and value:
        cuts = sorted({0, len(value), *(dice.below(len(value) + 1) for _ in range(3))})
        pieces = [value[a:b] for a, b in pairwise(cuts)]
        yield "pieces", pieces
        yield "pieces reversed", pieces[::-1]
        yield "letters", list(dict.fromkeys(value))
        yield "starts", [value[:end] for end in cuts[1:]]
        yield "pieces but one", pieces[1:] or pieces
    if source.kind == "list" and source.items[0].kind == "str" and target.kind == "str":
        words = [each for each in value if each is not None]
        yield "joined", "".join(words)
        yield "joined shuffled", "".join(dice.shuffled(words))
        yield "joined again", "".join(dice.pick(words) for _ in range(5)) if words else ""
        yield "joined by spaces", " ".join(words)
        yield "first letters", "".join(word[:1] for word in words)


def _lists_for(value: Any, target: Ground, dice: Dice) -> Related:
    item = target.items[0]
    if item.kind not in ("int", "float"):
        return
    fresh = Pokes(dice).fresh(target, always=True)
    whole = item.kind == "int"
    numbers = [each or 0 for each in fresh]
    part = dice.between(0, abs(int(value))) if abs(value) < 10**18 else 0
    yield "holds it", dice.shuffled([*numbers, int(value) if whole else value])
    yield "holds parts of it", dice.shuffled([*numbers, part, value - part])
    yield "holds complements to it", [*numbers, *(value - each for each in numbers)]
    yield "holds its multiples", [*numbers, *(value * (each % 7 - 2) for each in numbers)]
    yield "holds its divisors", [d for d in (1, 2, 3, 5, 7) if value % d == 0] if value else [1]


def _crossed(one: Sequence[Any], other: Sequence[Any], dice: Dice) -> Related:
    """Put a number of one row at another position of the other: touching intervals, shared ends."""
    at, where = dice.below(len(one)), dice.below(len(other))
    if type(one[at]) is type(other[where]):
        yield "touching", _with(other, where, one[at])
    yield "same start", [*one[:1], *other[1:]]
    yield "same end", [*other[:-1], *one[-1:]]
    if all(type(each) is int for each in one):
        yield "inside", [one[0] + 1, *one[1:-1], one[-1] - 1][: len(one)]
        yield "moved", [each + 1 for each in one]


def _with(items: Sequence[Any], at: int, item: Any) -> list[Any]:
    return [*items[:at], item, *items[at + 1 :]]


def alike(one: Ground, other: Ground) -> bool:
    """Return True if two values have the same type, whatever their bounds."""
    if {one.kind, other.kind} <= {"int", "float"}:
        return True
    if one.kind != other.kind or len(one.items) != len(other.items):
        return False
    return all(alike(a, b) for a, b in zip(one.items, other.items, strict=True))
