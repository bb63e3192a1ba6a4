"""Families that make items or texts from others: mixed, edited, planted, cycled."""

from typing import Any

from steelyard.inputs.families._dice import Dice
from steelyard.inputs.families._table import family


@family("form")
def keys_of(table: Any) -> list[Any]:
    """The keys of a dict."""
    return list(table)


@family("form")
def part(items: list[Any], start: int, stop: int) -> list[Any]:
    """The items from one index to before another."""
    return items[start:stop]


@family("form", lambda items, n: abs(n))
def cycled(items: list[Any], n: int) -> list[Any]:
    """The items again and again, n in all."""
    return (items * (n // len(items) + 1))[:n] if items else []


@family("form", lambda items, others, *_: len(items) + len(others))
def mixed(items: list[Any], others: list[Any], seed: int = 0) -> list[Any]:
    """The items, some of them replaced by the others at the same index; all by one share."""
    dice = Dice(seed)
    share = dice.pick((0.05, 0.2, 0.5, 0.8))
    found = [b if dice.chance(share) else a for a, b in zip(items, others, strict=False)]
    return [*found, *items[len(others) :]]


@family("form", lambda items, some, *_: len(items) + len(some))
def planted(items: list[Any], some: list[Any], seed: int = 0) -> list[Any]:
    """As many items, with others written over them in one to five runs, which may overlap."""
    dice, found, width = Dice(seed), list(items), len(some)
    if width and width < len(found):
        at = dice.pick((0, len(found) - width, dice.below(len(found) - width + 1)))
        for _ in range(1 + dice.below(5)):
            found[at : at + width] = some
            step = 1 + dice.below(width) if dice.chance(0.5) else dice.below(len(found))
            at = (at + step) % (len(found) - width + 1)
    return found


@family("form", lambda items, others, *_: len(items) + 2)
def edited(items: list[Any], others: list[Any], seed: int = 0) -> list[Any]:
    """The items with one or two small edits: one dropped, repeated, swapped, or from others."""
    dice, found = Dice(seed), list(items)
    for _ in range(1 + dice.chance(0.3)):
        if not found:
            break
        at = dice.pick((0, len(found) - 1, dice.below(len(found))))
        match dice.below(4):
            case 0:
                del found[at]
            case 1:
                found.insert(at, dice.pick(found))
            case 2:
                other = dice.below(len(found))
                found[at], found[other] = found[other], found[at]
            case _:
                found[at] = dice.pick(others or found)
    return found


@family("form", lambda rows, *_: sum(len(row) + 1 for row in rows))
def reordered(rows: list[Any], seed: int = 0) -> list[Any]:
    """Each text with its characters in random order, each list with its items."""
    dice = Dice(seed)
    mixed_rows = [dice.shuffled(row) for row in rows]
    return [
        "".join(mixed) if isinstance(row, str) else mixed
        for row, mixed in zip(rows, mixed_rows, strict=True)
    ]
