"""Give long lists, and columns of rows, a simple order: one value, a run, or blocks.

Slow programs often need two columns that go together, such as times that rise while ranks fall.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from steelyard.families import Dice
from steelyard.inputs._ground import Ground
from steelyard.inputs._layouts import are_whole, columns_of, joined, laid_out
from steelyard.inputs._made import Made, call

_BLOCKS, _OF_GROUND, _ONE, _EVENLY = 0.2, 0.5, 0.4, 0.3
"""Shares: of columns of whole numbers that are laid out in blocks; of others that lie between the
ends of what is allowed, not of what there is; of those of one number; of runs in steps as large as
there is room for, not of 1."""
_MOST_COLUMNS = 8
"""Columns beyond which rows are those of a table."""
_STARTS = (0, 0, 1)
"""Where a run starts among the numbers that there are."""


def ordered(part: Made, ground: Ground, dice: Dice) -> Made:
    """Return a list of which all items, or one column, are one value, a run, or blocks.

    A run rises or falls in equal steps, and starts again where numbers end.

    Args:
        part: A list, not empty. One whose rows have no columns, or lists in them, stays as it is.
        ground: What it may be.
        dice: Chooses the column and its order.
    """
    width = width_of(part.value)
    at = dice.below(width) if width else 0
    return with_columns(part, {at: column_in_order(part, ground, dice, at)}) if width else part


def width_of(value: Any) -> int:
    """Return how many columns a value has that can be put in an order: 1 for a list of items.

    Those of a table have none: its columns are all alike.
    """
    if not isinstance(value, list) or not value:
        return 0
    is_plain = not any(isinstance(each, list | tuple | dict) for each in value)
    width = 1 if is_plain else len(columns_of(value))
    return width if width <= _MOST_COLUMNS else 0


def column_in_order(part: Made, ground: Ground, dice: Dice, at: int) -> Made:
    """Return other items for a column: as many, of one value, a run, or blocks."""
    item = ground.items[0]
    columns = columns_of(part.value)
    if not columns:
        return _column(part.value, item, dice)
    given = [*(item.columns or item.items)[at : at + 1], *item.items, item]
    return _column(columns[at], given[0], dice)


def with_columns(part: Made, columns: Mapping[int, Made]) -> Made:
    """Return a list with other items in some columns."""
    if not columns_of(part.value):
        return columns.get(0, part)
    if len(columns) == max(map(len, part.value)):
        return call("columns", *(columns[at] for at in sorted(columns)))
    return call("with_columns", part, [*columns], *columns.values())


def _column(values: Sequence[Any], ground: Ground, dice: Dice) -> Made:
    """Return as many values in blocks, of one number, or in a run."""
    n = len(values)
    if not are_whole(values) or ground.kind != "int" or dice.chance(_BLOCKS):
        return laid_out(values, dice)
    low, high = min(values), max(values)
    if low == high or dice.chance(_OF_GROUND):
        low, high = int(ground.low), int(ground.high)
    if dice.chance(_ONE):
        return joined([([dice.pick((low, high, dice.pick(values)))], n)])
    step = max(1, (high - low) // max(1, n - 1)) if dice.chance(_EVENLY) else 1
    numbers = range(low, high + 1, step)
    numbers = (numbers if dice.chance(0.5) else numbers[::-1])[: n + max(_STARTS)]
    first = [*numbers[dice.pick(_STARTS) :][:n]]
    times, rest = divmod(n - len(first), len(numbers))
    pieces = [(first, 1)]
    if times:
        pieces.append(([*numbers], times))
    return joined([*pieces, ([*numbers[:rest]], 1)])
