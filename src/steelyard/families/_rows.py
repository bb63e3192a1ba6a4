"""Families of rows: intervals that meet in all ways, and grids that are hard to walk through."""

from collections.abc import Callable
from typing import Any

from steelyard.families._dice import Dice
from steelyard.families._table import family

INTERVALS = (
    "scattered",
    "disjoint",
    "touching",
    "neighbouring",
    "nested",
    "stairs",
    "bridged",
    "covered",
    "points",
)
"""How intervals meet. `neighbouring`: one starts a step after another ends. `bridged`: short ones
join the others. `covered`: one holds all others."""
_Wall = Callable[[int, int, int, int], bool]
_WALLS: dict[str, _Wall] = {
    "serpentine": lambda r, c, rows, width: r % 2 == 1 and c != (width - 1) * (r // 2 % 2 == 0),
    "upright": lambda r, c, rows, width: c % 2 == 1 and r != (rows - 1) * (c // 2 % 2 == 0),
    "rings": lambda r, c, rows, width: min(r, c, rows - 1 - r, width - 1 - c) % 2 == 1,
    "framed": lambda r, c, rows, width: r in (0, rows - 1) or c in (0, width - 1),
    "chequered": lambda r, c, rows, width: (r + c) % 2 == 1,
    "comb": lambda r, c, rows, width: c % 2 == 1 and r > 0,
    "diagonal": lambda r, c, rows, width: r == c,
}
GRIDS = (*_WALLS, "speckled")
"""Where a grid has walls. `serpentine` and `upright`: one path that visits half of all cells."""


@family("form", lambda n, *_: 3 * abs(n))
def intervals(n: int, low: int, high: int, gap: int, form: str, seed: int = 0) -> list[list[int]]:
    """Rows of a start and an end that is at least `gap` larger, in the order of their starts.

    `form` is the way they meet; see `INTERVALS`.
    """
    dice, rows = Dice(seed), list[list[int]]()
    gap = max(0, gap)
    count = max(1, min(n, (high - low) // (gap + 3)))
    width = max(1, (high - low) // count)
    for i in range(n):
        start = low + i % count * width
        end = start + max(gap, dice.below(max(1, width - 2)))
        if form == "touching":
            end = start + width
        elif form == "neighbouring":
            end = start + width - 1
        elif form == "nested":
            start, end = low + i % count, high - i % count
        elif form == "stairs":
            end = start + width + width // 2
        elif form == "points":
            end = start + gap
        elif form == "scattered":
            start = dice.between(low, high)
            end = start + dice.below(2 * width)
        elif form == "bridged":
            at = start - width if i % 2 else start
            start, end = (at + width - 1, at + width) if i % 2 else (start, start + width - 2)
        elif form == "covered" and i == n - 1:
            start, end = low, high
        start = max(low, min(start, high - gap))
        rows.append([start, min(high, max(end, start + gap))])
    if dice.chance(0.5):
        return [[low + high - end, low + high - start] for start, end in reversed(rows)]
    return rows


@family("form", lambda rows, width, *_: abs(rows) * (abs(width) + 1))
def grid(rows: int, width: int, cells: list[Any], form: str, seed: int = 0) -> list[list[Any]]:
    """Rows of one length: the first of the cells is the way, and any of the others is a wall.

    `form` is the place of the walls; see `GRIDS`.
    """
    dice = Dice(seed)
    way, walls, share = cells[0], cells[1:] or cells, dice.pick((0.1, 0.35, 0.6))
    wall: _Wall = _WALLS.get(form, lambda *_: dice.chance(share))
    return [
        [dice.pick(walls) if wall(r, c, rows, width) else way for c in range(width)]
        for r in range(rows)
    ]
