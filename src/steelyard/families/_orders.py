"""Families of orders: the same items, arranged as programs find hard."""

from typing import Any

from steelyard.families._dice import Dice
from steelyard.families._table import family


@family("order")
def shuffled(items: list[Any], seed: int = 0) -> list[Any]:
    """Random order."""
    return Dice(seed).shuffled(items)


@family("order")
def ascending(items: list[Any], seed: int = 0) -> list[Any]:
    """From the lowest to the highest."""
    return sorted(items)


@family("order")
def descending(items: list[Any], seed: int = 0) -> list[Any]:
    """From the highest to the lowest."""
    return sorted(items, reverse=True)


@family("order")
def backwards(items: list[Any], seed: int = 0) -> list[Any]:
    """The last comes first."""
    return items[::-1]


@family("order")
def organ_pipe(items: list[Any], seed: int = 0) -> list[Any]:
    """Up, and down again."""
    ranked = sorted(items)
    return [*ranked[::2], *ranked[1::2][::-1]]


@family("order")
def valley(items: list[Any], seed: int = 0) -> list[Any]:
    """Down, and up again."""
    ranked = sorted(items)
    return [*ranked[1::2][::-1], *ranked[::2]]


@family("order")
def zigzag(items: list[Any], seed: int = 0) -> list[Any]:
    """Low and high in turn."""
    ranked = sorted(items)
    middle = (len(ranked) + 1) // 2
    mixed = [None] * len(ranked)
    mixed[::2], mixed[1::2] = ranked[:middle], ranked[middle:]
    return mixed


@family("order")
def nearly_sorted(items: list[Any], seed: int = 0) -> list[Any]:
    """Sorted, but for one swap."""
    ranked, dice = sorted(items), Dice(seed)
    if ranked:
        one, other = dice.below(len(ranked)), dice.below(len(ranked))
        ranked[one], ranked[other] = ranked[other], ranked[one]
    return ranked


@family("order")
def rotated(items: list[Any], seed: int = 0) -> list[Any]:
    """As it is, from a random item on, and then from the start."""
    start = Dice(seed).below(len(items)) if items else 0
    return items[start:] + items[:start]


@family("order")
def middle_pivot_killer(items: list[Any], seed: int = 0) -> list[Any]:
    """Quicksort with the middle item as pivot takes quadratic time."""
    ranked = sorted(items)
    for index in range(2, len(ranked)):
        ranked[index], ranked[index // 2] = ranked[index // 2], ranked[index]
    return ranked


@family("order")
def three_pivot_killer(items: list[Any], seed: int = 0) -> list[Any]:
    """Quicksort with the median of three as pivot takes quadratic time."""
    ranked = sorted(items)
    k = len(ranked) // 4 * 2
    first = [ranked[i] if i % 2 == 0 else ranked[k + i - 1] for i in range(k)]
    return [*first, *ranked[1 : 2 * k : 2], *ranked[2 * k :]]
