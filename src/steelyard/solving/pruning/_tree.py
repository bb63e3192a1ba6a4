"""Define the tree of blocks and lines that pseudocode, C++ and Python are parsed into."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

DEEPEST = 60
"""Blocks nested deeper than this are read as plain lines: no honest plan needs them."""
MOST_STATEMENTS = 3_000
"""Most statements of a text that are read."""
LONGEST_LINE = 400
"""Most characters of a line or a header that are read."""

Kind = Literal["root", "loop", "branch", "function"]
_KINDS: frozenset[Kind] = frozenset({"loop", "branch", "function"})
_BRANCHES: frozenset[Kind] = frozenset({"branch"})


@dataclass(frozen=True, slots=True)
class Line:
    """A statement that opens no block."""

    text: str
    number: int
    """Its position; each statement of a text has its own."""


@dataclass(slots=True, eq=False)
class Block:
    """A loop, a branch, a function, or the whole text."""

    kind: Kind
    header: str
    number: int
    name: str = ""
    """A function's name."""
    params: tuple[str, ...] = ()
    children: list[Block | Line] = field(default_factory=list)


def readable(text: str, most: int) -> str:
    """Return the first characters of a text, without half surrogates, which no pattern can read."""
    return text[:most].encode("utf-8", errors="replace").decode("utf-8")


def blocks_under(block: Block) -> Iterator[Block]:
    """Yield all blocks below this one, outermost first, in the text's order."""
    return (each for each in _under(block, _KINDS) if isinstance(each, Block))


def lines_under(block: Block) -> Iterator[Line]:
    """Yield all statements and headers below this block, in the text's order."""
    return map(_line, _under(block, _KINDS))


def own_lines(block: Block) -> Iterator[Line]:
    """Yield statements of this block and its branches, without loops and functions inside it."""
    return map(_line, _under(block, _BRANCHES))


def _under(block: Block, entered: frozenset[Kind]) -> Iterator[Block | Line]:
    stack: list[Block | Line] = list(reversed(block.children))
    while stack:
        here = stack.pop()
        yield here
        if isinstance(here, Block) and here.kind in entered:
            stack.extend(reversed(here.children))


def _line(each: Block | Line) -> Line:
    return each if isinstance(each, Line) else Line(each.header, each.number)
