"""Random choices that depend on their seed alone, under every version of Python."""

import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")
_FINE = 1 << 52
"""`random()` has 53 random bits, so that a product with less than this is exact enough."""


class Dice:
    """Random choices.

    Only `random()` is used, whose sequence Python promises to keep: stored inputs are families with
    a seed, and must expand to the same values years later.
    """

    def __init__(self, *seeds: int | str) -> None:
        self.random = random.Random(":".join(map(str, seeds))).random  # noqa: S311 - no secret

    def below(self, n: int) -> int:
        """Return a number from 0 to n - 1."""
        if n <= _FINE:
            return int(self.random() * n)
        number = 0
        for _ in range(n.bit_length() // 52 + 2):
            number = number << 52 | int(self.random() * _FINE)
        return number % n

    def between(self, low: int, high: int) -> int:
        """Return a number from low to high."""
        if high < low:
            raise ValueError(f"no number lies between {low} and {high}")
        return low + self.below(high - low + 1)

    def chance(self, share: float) -> bool:
        """Return True with this probability."""
        return self.random() < share

    def pick(self, items: Sequence[T]) -> T:
        """Return one of the items."""
        return items[self.below(len(items))]

    def numbers(self, n: int, low: int, high: int) -> list[int]:
        """Return n numbers from low to high."""
        span = high - low + 1
        if span > _FINE or span < 1:
            return [self.between(low, high) for _ in range(n)]
        roll = self.random
        return [low + int(roll() * span) for _ in range(n)]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in random order."""
        mixed = list(items)
        roll = self.random
        for last in range(len(mixed) - 1, 0, -1):
            other = int(roll() * (last + 1))
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return mixed

    def sample(self, low: int, high: int, n: int) -> list[int]:
        """Return n different numbers from low to high, in random order.

        Raises:
            ValueError: if there are not as many.
        """
        span = high - low + 1
        if n > span:
            raise ValueError(f"there are no {n} different numbers from {low} to {high}")
        moved: dict[int, int] = {}  # Fisher and Yates on a range that is never written out
        chosen = []
        for last in range(span - 1, span - 1 - n, -1):
            other = self.below(last + 1)
            chosen.append(low + moved.get(other, other))
            moved[other] = moved.pop(last, last) if other != last else last
        return chosen
