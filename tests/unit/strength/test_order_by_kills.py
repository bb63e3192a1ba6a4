"""A suite's order: next is always the case that kills most of what is alive."""

import random

from steelyard.schemas import Verdict
from steelyard.strength import KillMatrix
from steelyard.strength._matrix import ProgramVerdicts, order_by_kills


def matrix(kills: list[set[int]], programs: int) -> KillMatrix:
    rows = tuple(
        ProgramVerdicts(f"p{n}", tuple(Verdict.WA if n in each else Verdict.AC for each in kills))
        for n in range(programs)
    )
    return KillMatrix(tuple(f"c{n}" for n in range(len(kills))), rows)


def test_the_order_is_the_greedy_one() -> None:
    chooser = random.Random(3)
    for _ in range(30):
        kills = [
            {n for n in range(12) if chooser.random() < 0.2} for _ in range(chooser.randint(1, 25))
        ]
        left, dead, wanted = list(range(len(kills))), set[int](), list[int]()
        while left:
            best = max(left, key=lambda i: (len(kills[i] - dead), len(kills[i]), -i))
            left.remove(best)
            wanted.append(best)
            dead |= kills[best]
        assert list(order_by_kills([matrix(kills, 12)])) == wanted
