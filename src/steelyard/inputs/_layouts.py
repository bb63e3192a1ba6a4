"""Lay long lists and texts out anew: a few of their items, in blocks that repeat some of them.

Slow programs often need thousands of one operation, then thousands of another. What has the length
and the items of a valid value is often valid in its place.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

from steelyard.families import Dice, literal
from steelyard.inputs._made import Made, call
from steelyard.values import canonical_json

SHORT = 6
"""Items of a short sequence: `literal` writes no more than one summand for them."""
MOST_CHARS = 3_000_000
"""Characters of JSON of a long list or text."""
_TRIED = 64
"""Items of a sequence that are looked at, until there are a few that differ."""
_DIFFERENT = (1, 2, 3, 4, 8)
"""How many items that differ a layout has at most."""
_BLOCKS, _IN_TURN = (1, 2, 2, 3), (1, 1, 2, 3, 4)
"""Blocks of a layout, and the items that a block repeats in turn."""
_ONCE, _RUNS, _ADVANCING = 0.2, 0.4, 0.4
"""Shares: of blocks that come once, if there are others, of whole numbers that rise or fall, and of
rows in which some numbers do."""


def laid_out(value: Sequence[Any], dice: Dice) -> Made:
    """Return a list or text with the length and some items of another, in repeated blocks.

    Whole numbers may rise or fall in equal steps, between the numbers that there are: in blocks of
    such numbers, and in columns of rows. So each row meets the next one.

    Args:
        value: A list or text, not empty.
        dice: Chooses the items, the blocks and their lengths.
    """
    items = _items(value, dice)
    blocks = [_block(items, dice) for _ in range(dice.pick(_BLOCKS))]
    come_once = [len(blocks) > 1 and dice.chance(_ONCE) for _ in blocks]
    come_once[dice.below(len(blocks))] = False
    left = len(value) - sum(len(b) for b, once in zip(blocks, come_once, strict=True) if once)
    chars = max(len(canonical_json(block)) / len(block) for block in blocks)
    if left <= 0 or chars * len(value) > MOST_CHARS:
        return joined([(value, 1)])
    are_numbers = are_whole(value)
    spans = [] if are_numbers else _spans_of(value)
    shared, pieces = come_once.count(False), list[tuple[Any, int]]()
    for block, once in zip(blocks, come_once, strict=True):
        if once:
            pieces.append((block, 1))
            continue
        length = left // shared
        left, shared = left - length, shared - 1
        if are_numbers and dice.chance(_RUNS):
            pieces.append((_run(min(value), max(value), length, dice), 1))
        elif spans and dice.chance(_ADVANCING):
            pieces.append((advancing(block, length, _steps(spans, length, dice), spans), 1))
        else:
            times, rest = divmod(length, len(block))
            pieces += [(block, times), (block[:rest], 1)]
    return joined(pieces)


def joined(pieces: Sequence[tuple[Any, int]]) -> Made:
    """Return the sum of lists or texts, each of which is repeated so many times.

    Args:
        pieces: Sequences of one type, one or more.
    """
    values = [each.value if isinstance(each, Made) else each for each, _ in pieces]
    whole, some = values[0][:0], list[tuple[Any, int]]()
    for value, (piece, count) in zip(values, pieces, strict=True):
        whole += value * count
        if value and count:
            some.append((piece, count))
    return Made(whole, partial(_written, some))


def are_whole(values: Sequence[Any]) -> bool:
    """Return whether all values are whole numbers."""
    return all(type(each) is int for each in values)


def columns_of(rows: Sequence[Any]) -> list[list[Any]]:
    """Return the columns that all rows have; empty if these are not rows of plain values."""
    if not all(isinstance(row, list | tuple) for row in rows):
        return []
    if any(isinstance(cell, list | dict) for row in rows for cell in row):
        return []
    return [[row[at] for row in rows] for at in range(min(map(len, rows), default=0))]


def advancing(
    block: Sequence[Any], length: int, steps: Sequence[int], spans: Sequence[Sequence[int]]
) -> Made:
    """Return rows of a block in turn, whose numbers gain a step each time round."""
    return call("advancing", [*block], length, [*steps], [*spans])


def _items(value: Sequence[Any], dice: Dice) -> list[Any]:
    """Return a few items that differ, as sequences of one."""
    found: dict[str, Any] = {}
    most = dice.pick(_DIFFERENT)
    for _ in range(_TRIED):
        at = dice.below(len(value))
        found.setdefault(canonical_json(value[at]), value[at : at + 1])
        if len(found) == most:
            break
    return [*found.values()]


def _block(items: Sequence[Any], dice: Dice) -> Any:
    """Return some of the items, the same ones more than once or not."""
    block = items[0][:0]
    for _ in range(dice.pick(_IN_TURN)):
        block += dice.pick(items)
    return block


def _run(low: int, high: int, length: int, dice: Dice) -> list[int]:
    """Return whole numbers that rise or fall in equal steps, as large as possible or of 1."""
    most = (high - low) // max(1, length - 1)
    step = dice.pick((most, min(most, 1)))
    start = low + dice.pick((0, high - low - step * (length - 1)))
    run = [start + step * at for at in range(length)]
    return run if dice.chance(0.5) else run[::-1]


def _spans_of(rows: Sequence[Any]) -> list[list[int]]:
    """Return the least and the largest number of each column; 0 and 0 if not all are whole ones.

    Empty if no column has two whole numbers that differ.
    """
    spans = [
        [min(column), max(column)] if are_whole(column) else [0, 0] for column in columns_of(rows)
    ]
    return spans if any(low < high for low, high in spans) else []


def _steps(spans: Sequence[Sequence[int]], length: int, dice: Dice) -> list[int]:
    """Return what each column gains each time round: small steps, or as large as there is room."""
    can_move = [at for at, (low, high) in enumerate(spans) if low < high]
    moving = {at for at in can_move if dice.chance(0.5)} or {dice.pick(can_move)}
    sign = dice.pick((1, 1, -1))
    return [
        sign * dice.pick((1, 1, 1, max(1, (high - low) // max(1, length)))) if at in moving else 0
        for at, (low, high) in enumerate(spans)
    ]


def _written(pieces: Sequence[tuple[Any, int]]) -> str:
    """Return an expression of repeated pieces."""

    def written(piece: Any, count: int) -> str:
        text = piece.write() if isinstance(piece, Made) else literal(piece)
        if count == 1:
            return text
        is_short = not isinstance(piece, Made) and len(piece) <= SHORT
        return f"{text} * {count}" if is_short else f"({text}) * {count}"

    return " + ".join(written(piece, count) for piece, count in pieces)
