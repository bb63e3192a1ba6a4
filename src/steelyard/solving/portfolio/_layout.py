"""Find the parts of an input that can be rearranged: a long line, or columns of equal rows."""

from collections.abc import Sequence
from dataclasses import dataclass

Item = int | str
"""A whole number, or a character of a word."""

_FEWEST = 8
"""Items of a block: fewer are not worth rearranging."""
_WIDEST_ROW = 6
"""Numbers in a row of a table with columns; longer rows are one block together."""
_LONGEST_NUMBER = 19
"""Digits of a number; a longer word of digits is a word."""


@dataclass(frozen=True)
class Block:
    """The position of the items of an input.

    A block is a line of numbers, the letters of a word, or rows of equal width. The first line
    has number 0.
    """

    line: int
    width: int = 0
    """Columns of a row; 0 for one line of numbers, -1 for the letters of a word."""

    def rows_in(self, lines: Sequence[str]) -> list[tuple[Item, ...]] | None:
        """Return the block's rows in an input; None if the input has none.

        A line of numbers, or a word, has one item a row.
        """
        if self.line >= len(lines):
            return None
        if self.width < 0:
            words = lines[self.line].split()
            return [(letter,) for letter in words[0]] if len(words) == 1 else None
        if self.width == 0:
            numbers = _numbers(lines[self.line].split())
            return None if numbers is None else [(number,) for number in numbers]
        rows: list[tuple[Item, ...]] = []
        for line in lines[self.line :]:
            numbers = _numbers(line.split())
            if numbers is None or len(numbers) != self.width:
                break
            rows.append(tuple(numbers))
        return rows or None

    def put(self, lines: Sequence[str], rows: Sequence[tuple[Item, ...]]) -> str:
        """Return the input with other rows, as many as it has."""
        new = list(lines)
        if self.width > 0:
            new[self.line : self.line + len(rows)] = [" ".join(map(str, row)) for row in rows]
        else:
            between = "" if self.width < 0 else " "
            new[self.line] = between.join(str(item) for (item,) in rows)
        return "\n".join(new)


def block_of(lines: Sequence[str]) -> Block | None:
    """Return the block with the most items; None if no block is long enough."""
    best, most = None, _FEWEST - 1
    start = 0
    while start < len(lines):
        words = lines[start].split()
        width, end = len(words), start + 1
        if 1 <= width <= _WIDEST_ROW and _numbers(words) is not None:
            while end < len(lines) and _is_row(lines[end].split(), width):
                end += 1
            found = Block(start, width)
            size = (end - start) * width if end - start > 1 else 0
            if start == 0 and size:  # the header may have the width of the rows
                found, size = Block(1, width), (end - 1) * width
        elif width == 1:
            found, size = Block(start, -1), len(words[0])
        else:
            found, size = Block(start), width
        if size > most and found.rows_in(lines) is not None:
            best, most = found, size
        start = end
    return best


def whole_number(word: str) -> int | None:
    """Return the number that a word is; None if it is not one, or too long for 64 bits."""
    digits = word.removeprefix("-")
    if digits.isascii() and digits.isdigit() and len(digits) <= _LONGEST_NUMBER:
        return int(word)
    return None


def _is_row(words: Sequence[str], width: int) -> bool:
    return len(words) == width and _numbers(words) is not None


def _numbers(words: Sequence[str]) -> list[int] | None:
    numbers = [whole_number(word) for word in words]
    known = [number for number in numbers if number is not None]
    return known if known and len(known) == len(numbers) else None
