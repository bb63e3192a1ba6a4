"""Families of numbers whose ends depend on their position, such as `0 <= parent[i] < i`."""

from steelyard.families._dice import Dice
from steelyard.families._table import family

SLOPES = ("random", "highest", "lowest", "halved", "late", "near")
"""Where a number lies between its ends. `late`: the highest in the first half, and then one
value. If each number names an earlier one: a tree, a chain, a star, a binary tree, a broom."""


@family("form", lambda n, *_: abs(n))
def sloped(
    n: int, low_step: int, low: int, high_step: int, high: int, form: str, seed: int = 0
) -> list[int]:
    """Number i lies between `low_step * i + low` and `high_step * i + high`, if it can.

    `form` is the place between them; see `SLOPES`.
    """
    dice, numbers = Dice(seed), list[int]()
    for i in range(n):
        least = low_step * i + low
        most = max(least, high_step * i + high)
        middle = max(least, min(most, high_step * (n // 2) + high))
        random = dice.between(least, most)
        numbers.append(
            {
                "highest": most,
                "lowest": least,
                "halved": (least + most) // 2,
                "late": most if 2 * i < n else middle,
                "near": max(least, most - dice.below(3)),
            }.get(form, random)
        )
    return numbers
