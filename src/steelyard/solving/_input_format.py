"""Derive the format of inputs from the samples, and the properties of their items from examples.

1. Counts that numbers of the first line give, up to a constant, are the format's relations.
2. The items that can be rearranged are found: a long line, a word, or columns of equal rows.
3. A property that all known inputs have, and that random items do not have, is required.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

_MOST_HEADER = 3
"""Numbers on a first line that are sizes, rather than the data themselves."""
_DRAWS = 5
_SEED = 1
_COUNTS: dict[str, Callable[[Sequence[str]], int | None]] = {
    "lines after the first": lambda lines: len(lines) - 1,
    "numbers on the second line": lambda lines: len(lines[1].split()),
    "characters on the second line": lambda lines: (
        len(lines[1].strip()) if len(lines[1].split()) == 1 else None
    ),
    "tokens after the first line": lambda lines: sum(len(line.split()) for line in lines[1:]),
}


@dataclass(frozen=True)
class _Relation:
    """A count that a number of the first line gives, up to a constant."""

    count: str
    ways: tuple[tuple[int, int], ...]
    """The number's index and the constant. Several may explain the samples."""

    def fault(self, lines: Sequence[str]) -> str | None:
        header, made = _header(lines), _COUNTS[self.count](lines) if len(lines) > 1 else 0
        if header is None or made is None:
            return None
        known = [(header[index] + constant) for index, constant in self.ways if index < len(header)]
        if not known or made in known:
            return None
        return (
            f"it has {made:,} {self.count}, and in the samples' format its first line gives "
            f"{known[0]:,}"
        )


Item = int | str
"""A whole number, or a character of a word."""


@dataclass(frozen=True)
class _Property:
    """A property of a block's rows, such as being sorted."""

    name: str
    holds: Callable[[Sequence[tuple[Item, ...]]], bool]


def _rising(rows: Sequence[tuple[Item, ...]]) -> bool:
    return all(one[0] <= other[0] for one, other in pairwise(rows))  # type: ignore[operator]


def _falling(rows: Sequence[tuple[Item, ...]]) -> bool:
    return all(one[0] >= other[0] for one, other in pairwise(rows))  # type: ignore[operator]


def _below_position(rows: Sequence[tuple[Item, ...]]) -> bool:
    return all(
        isinstance(item, int) and item <= index for index, row in enumerate(rows, 1) for item in row
    )


def _not_position(rows: Sequence[tuple[Item, ...]]) -> bool:
    return all(item != index for index, row in enumerate(rows, 1) for item in row)


def _pairs(test: Callable[[Item, Item], bool]) -> Callable[[Sequence[tuple[Item, ...]]], bool]:
    return lambda rows: len(rows[0]) > 1 and all(test(row[0], row[1]) for row in rows)


def _alternating(rows: Sequence[tuple[Item, ...]]) -> bool:
    return all(one != other for one, other in pairwise(rows))


_PROPERTIES = (
    _Property("sorted", _rising),
    _Property("sorted downward", _falling),
    _Property("distinct", lambda rows: len(set(rows)) == len(rows)),
    _Property("neighbours differ", _alternating),
    _Property("at most their position", _below_position),
    _Property("not their position", _not_position),
    _Property("first below second", _pairs(lambda one, other: one < other)),  # type: ignore[operator]
    _Property("first at most second", _pairs(lambda one, other: one <= other)),  # type: ignore[operator]
    _Property("first unlike second", _pairs(lambda one, other: one != other)),
)


@dataclass(frozen=True)
class ItemBlock:
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


class InputFormat:
    """The format of a problem's inputs, as far as examples show it.

    Args:
        samples: Inputs that are known to be valid: those of the unit tests.
    """

    def __init__(self, samples: Sequence[str]) -> None:
        self._samples = [_lines(sample) for sample in samples if sample.strip()]
        self._relations = tuple(_relations(self._samples))

    def fault(self, made: str) -> str | None:
        """Return how an input breaks the relations between its first line and its counts."""
        lines = _lines(made)
        return next((found for each in self._relations if (found := each.fault(lines))), None)

    def observed(self, block: ItemBlock, generated: Sequence[str]) -> "Observed":
        """Return what the samples and generated inputs show of a block."""
        texts = (*self._samples, *map(_lines, generated))
        return Observed([rows for lines in texts if (rows := block.rows_in(lines))])

    def broken(self, made: str, generated: Sequence[str], other: str) -> str:
        """Return the property of an input that another one lacks; empty if it has them all."""
        block = block_of(_lines(made))
        rows = block.rows_in(_lines(other)) if block else None
        if block is None or not rows:
            return ""
        required = self.observed(block, [*generated, made]).required
        return next((each.name for each in required if not each.holds(rows)), "")

    def indexes(self, block: ItemBlock, made: str) -> bool:
        """Tell whether the rows may hold indices: no number is above one of the first line."""
        lines = _lines(made)
        header, rows = _header(lines), block.rows_in(lines)
        if header is None or not rows or block.line == 0 or len(rows[0]) < 2:
            return False
        columns = zip(*rows, strict=True)
        return any(
            all(isinstance(item, int) and 0 <= item <= max(header) for item in column)
            for column in columns
        )


class Observed:
    """The rows of a block in all known inputs.

    Args:
        examples: The rows of each input.
    """

    def __init__(self, examples: Sequence[Sequence[tuple[Item, ...]]]) -> None:
        self._examples = examples

    @cached_property
    def required(self) -> tuple[_Property, ...]:
        """The properties that all known inputs have, not by chance.

        One sample without a property refutes it, even if all generated inputs have it.
        """
        held = [each for each in _PROPERTIES if all(map(each.holds, self._examples))]
        return tuple(each for each in held if any(_shows(each, rows) for rows in self._examples))

    def values(self, column: int) -> range:
        """Return the range of a column's numbers."""
        rows = (row for rows in self._examples for row in rows)
        numbers = {item for row in rows if isinstance(item := row[column], int)}
        return range(min(numbers), max(numbers) + 1) if numbers else range(0)


def _shows(held: _Property, rows: Sequence[tuple[Item, ...]]) -> bool:
    """Tell whether rows have a property that random rows of the same range do not have."""
    source = random.Random(_SEED)  # noqa: S311 - no secret
    columns = list(zip(*rows, strict=True))
    for _ in range(_DRAWS):
        drawn = [_drawn(column, source) for column in columns]
        if held.holds(list(zip(*drawn, strict=True))):
            return False
    return True


def _drawn(column: Sequence[Item], source: random.Random) -> Sequence[Item]:
    numbers = [item for item in column if isinstance(item, int)]
    if len(numbers) < len(column):
        return source.choices(sorted(set(column)), k=len(column))
    return source.choices(range(min(numbers), max(numbers) + 1), k=len(column))


def _lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip()]


def _header(lines: Sequence[str]) -> list[int] | None:
    words = lines[0].split() if lines else []
    numbers = [whole_number(word) for word in words[: _MOST_HEADER + 1]]
    known = [number for number in numbers if number is not None]
    return known if known and len(known) == len(words) <= _MOST_HEADER else None


def _relations(samples: Sequence[Sequence[str]]) -> list[_Relation]:
    """Return the relations that all samples have.

    One sample shows equality only; several with different numbers show a constant as well.
    """
    headers = [_header(lines) for lines in samples]
    if not samples or any(len(lines) < 2 for lines in samples):
        return []
    known = [header for header in headers if header is not None]
    if len(known) < len(samples):
        return []
    relations = []
    for name, count in _COUNTS.items():
        counts = [count(lines) for lines in samples]
        made = [each for each in counts if each is not None]
        if len(made) < len(samples):
            continue
        ways = []
        for index in range(min(map(len, known))):
            sizes = [header[index] for header in known]
            constants = {each - size for each, size in zip(made, sizes, strict=True)}
            if (constants == {0} and max(sizes) > 1) or len(constants) == 1 < len(set(sizes)):
                ways.append((index, constants.pop()))
        if ways:
            relations.append(_Relation(name, tuple(ways)))
    return relations


_FEWEST = 8
"""Items of a block: fewer are not worth rearranging."""
_WIDEST_ROW = 6
"""Numbers in a row of a table with columns; longer rows are one block together."""
_LONGEST_NUMBER = 19
"""Digits of a number; a longer word of digits is a word."""


def block_of(lines: Sequence[str]) -> ItemBlock | None:
    """Return the block with the most items; None if no block is long enough."""
    best, most = None, _FEWEST - 1
    start = 0
    while start < len(lines):
        words = lines[start].split()
        width, end = len(words), start + 1
        if 1 <= width <= _WIDEST_ROW and _numbers(words) is not None:
            while end < len(lines) and _is_row(lines[end].split(), width):
                end += 1
            found = ItemBlock(start, width)
            size = (end - start) * width if end - start > 1 else 0
            if start == 0 and size:  # the header may have the width of the rows
                found, size = ItemBlock(1, width), (end - 1) * width
        elif width == 1:
            found, size = ItemBlock(start, -1), len(words[0])
        else:
            found, size = ItemBlock(start), width
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
