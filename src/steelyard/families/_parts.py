"""Families that make items or texts from others: mixed, edited, planted, cycled, interleaved."""

from typing import Any

from steelyard.families._dice import Dice
from steelyard.families._table import family


@family("form")
def keys_of(table: Any) -> list[Any]:
    """The keys of a dict."""
    return list(table)


@family("form")
def part(items: list[Any], start: int, stop: int) -> list[Any]:
    """The items from one index to before another."""
    return items[start:stop]


@family("form", lambda items, n, *_: abs(n) * (_items(items) // max(1, len(items)) + 1))
def cycled(
    items: list[Any] | str, n: int, steps: list[int] | None = None, turns: int = 1
) -> list[Any] | str:
    """The items again and again, n in all; each time with `steps` added to the numbers.

    There is a step for each column of rows, or one for numbers. After so many turns the numbers are
    the first ones again.
    """
    copies = n // len(items) + 1 if items else 0
    if not steps or not any(steps):
        return (items * copies)[:n]

    def moved(item: Any, turn: int) -> Any:
        if isinstance(item, list):
            return [a + turn * b if b else a for a, b in zip(item, steps, strict=True)]
        return item + turn * steps[0]

    return [moved(item, turn % turns) for turn in range(copies) for item in items][:n]


@family("form", lambda items, n, *_: abs(n) + len(items))
def overlapped(items: list[Any], n: int, seed: int = 0) -> list[Any]:
    """Copies of the items and of their starts, n items in all, which overlap where they can.

    A search for the items that goes back too far, or not far enough, misses some of the copies.
    """
    dice, found, at = Dice(seed), list[Any](), 0
    borders = _borders(items)
    while items and len(found) < n:
        stop = max(at + 1, dice.pick((len(items), 1 + dice.below(len(items)))))
        found += items[at:stop]
        at = borders[stop - 1]
        while at and dice.chance(0.5):
            at = borders[at - 1]
        if dice.chance(0.3):
            at = dice.below(stop)
        at %= len(items)
    return found[:n]


@family("form")
def renamed(items: list[Any], seed: int = 0) -> list[Any]:
    """Two values that are not equal, each wherever the other was."""
    dice = Dice(seed)
    one = dice.pick(items) if items else None
    other = dice.pick([each for each in items if each != one] or [one])
    return [other if each == one else one if each == other else each for each in items]


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


@family("form", lambda items, others, *_: len(items) + len(others))
def interleaved(items: list[Any], others: list[Any], seed: int = 0) -> list[Any]:
    """Both lists in one, each in its own order, in runs that are short or long."""
    dice, found, at, both = Dice(seed), list[Any](), [0, 0], (items, others)
    longest = dice.pick((1, 1, 3, max(1, len(items))))
    while len(found) < len(items) + len(others):
        left = len(items) - at[0]
        side = int(dice.below(left + len(others) - at[1]) >= left)
        run = both[side][at[side] : at[side] + 1 + dice.below(longest)]
        found += run
        at[side] += len(run)
    return found


@family("form", lambda rows, *_: 2 * sum(len(row) + 1 for row in rows))
def named(rows: list[Any], names: list[Any], most: int) -> list[list[Any]]:
    """Rows of at most so many positions, each replaced by the name that is there."""
    return [[names[at] for at in row[:most]] for row in rows]


@family("form", lambda value, *_: _items(value))
def referring(value: Any, path: list[int], names: list[Any], seed: int = 0) -> Any:
    """The value in which all that is at a path is a name; what was equal stays equal.

    A step of the path is a position, or -1 for each item. An entry of a dict is a key and a value.
    """
    left, known = Dice(seed).shuffled(names), dict[str, Any]()

    def name_of(item: Any) -> Any:
        key = repr(item)
        if key not in known:
            known[key] = left[len(known) % len(left)]
        return known[key]

    def changed(value: Any, path: list[int]) -> Any:
        if value is None or not path:
            return value if value is None else name_of(value)
        step, rest = path[0], path[1:]
        if isinstance(value, dict):
            return {
                key: changed(item, rest[1:]) if rest[:1] == [1] else item
                for key, item in value.items()
            }
        return [changed(item, rest) if step in (-1, at) else item for at, item in enumerate(value)]

    return changed(value, path) if names else value


def _items(value: Any) -> int:
    """Return the number of items inside a value."""
    if isinstance(value, dict):
        return _items([*value, *value.values()])
    return 1 + sum(map(_items, value)) if isinstance(value, list) else 1


def _borders(items: list[Any]) -> list[int]:
    """Return for each item the length of the longest start that ends there, without the whole."""
    lengths = [0] * len(items)
    size = 0
    for at in range(1, len(items)):
        while size and items[at] != items[size]:
            size = lengths[size - 1]
        size += items[at] == items[size]
        lengths[at] = size
    return lengths
