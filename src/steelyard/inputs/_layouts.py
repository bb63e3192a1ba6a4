"""Lay long lists and texts out anew: a few of their items, in blocks that repeat some of them.

Slow programs often need thousands of one operation, then thousands of another. What has the length
and the items of a valid value is often valid in its place.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

from steelyard.families import Dice, literal
from steelyard.inputs._made import Made
from steelyard.plain import canonical_json

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
_ONCE, _RUNS = 0.2, 0.4
"""Shares: of blocks that come once, if there are others, and of whole numbers that rise or fall."""


def laid_out(value: Sequence[Any], dice: Dice) -> Made:
    """Return a list or text with the length and some items of another, in repeated blocks.

    Blocks of whole numbers may rise or fall in equal steps, between the numbers that there are.

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
    are_numbers = all(type(each) is int for each in value)
    shared, pieces = come_once.count(False), list[tuple[Any, int]]()
    for block, once in zip(blocks, come_once, strict=True):
        if once:
            pieces.append((block, 1))
            continue
        length = left // shared
        left, shared = left - length, shared - 1
        if are_numbers and dice.chance(_RUNS):
            pieces.append((_run(min(value), max(value), length, dice), 1))
        else:
            times, rest = divmod(length, len(block))
            pieces += [(block, times), (block[:rest], 1)]
    return joined(pieces)


def joined(pieces: Sequence[tuple[Any, int]]) -> Made:
    """Return the sum of lists or texts, each of which is repeated so many times.

    Args:
        pieces: Sequences of one type, one or more.
    """
    whole = pieces[0][0][:0]
    some = [(piece, count) for piece, count in pieces if piece and count]
    for piece, count in some:
        whole += piece * count
    return Made(whole, partial(_written, some))


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


def _written(pieces: Sequence[tuple[Any, int]]) -> str:
    """Return an expression of repeated pieces."""

    def written(piece: Any, count: int) -> str:
        text = literal(piece)
        if count == 1:
            return text
        return f"{text} * {count}" if len(piece) <= SHORT else f"({text}) * {count}"

    return " + ".join(written(piece, count) for piece, count in pieces)
