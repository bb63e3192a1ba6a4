"""Collect the names of a whole text, where they are set, and their values; define its loops."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import re2

from steelyard.solving.pruning._sizes import Resolve, Sizes, magnitude
from steelyard.solving.pruning._tree import Block, Line, lines_under

_ASSIGNED = re2.compile(r"(?:^|[\s,;(*&])([A-Za-z_]\w*)\s*(?:=|:=|←|<-)\s*([^=].*)")
_DECLARED = re2.compile(
    r"(?:^|[\s(])(?:const\s+)?(?:auto|bool|char|int|long|ll|double|float|string|std::string|\w*(?:vector|set"
    r"|map|queue|deque|stack|array|pair)<.*>)\s+([A-Za-z_]\w*)\s*(?:;|\(|\{|$)"
)
_ROOTS = re2.compile(r"(?i)\b(?:union|unite|dsu|find_?(?:set|root)?\s*\()")
_DEEPEST = 4
_LARGEST_CONSTANT = 64.0
_MOST_NAMES = 5_000
WORD = re2.compile(r"[A-Za-z_]\w*")
_COMPARED = re2.compile(r"<=|>=|!=|<|>|≤|≥|\bto\b")
_MOST_RESOLVED = 500
_LENGTH_SUFFIXES = (".size", ".length", ".len", ".count")
_MAIN_NAMES = frozenset({"n", "len", "length", "size", "sz"})


@dataclass(frozen=True, slots=True)
class Extent:
    """The number of rounds of a loop each time that it is entered, at the largest input."""

    steps: float
    label: str
    """The loop's collection, in the text's words."""
    kind: Literal["size", "log", "constant", "tests", "exponential", "once"]
    steps_by: str = ""
    """The outer loop's variable that is its step."""
    top: float | None = None
    """The largest value of its variable, where known."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A loop on the way down to a statement."""

    block: Block
    variables: tuple[str, ...]
    extent: Extent


class SizedTree:
    """A tree with the sizes of its input.

    Args:
        root: The tree.
        sizes: The largest sizes of the input.
    """

    def __init__(self, root: Block, sizes: Sizes) -> None:
        self.root = root
        self.sizes = sizes
        self._left = 0
        self._inside: dict[int, frozenset[int]] = {}
        self._lines: dict[int, tuple[Line, ...]] = {}
        self._met: dict[str, tuple[int, int]] = {}
        """The first and last position of each name."""
        self.assigned: dict[str, list[tuple[str, int]]] = {}
        for line in lines_under(root):
            if len(self.assigned) < _MOST_NAMES:
                self._note(line)
        self.finds_roots = any(_ROOTS.search(line.text) for line in lines_under(root))
        """Whether the text uses disjoint sets."""

    def resolver(self, frames: tuple[Frame, ...]) -> Resolve:
        """Return the largest value of a name inside these loops."""
        tops = {name: frame.extent.top for frame in frames for name in frame.variables}

        def resolve(name: str) -> float | None:
            self._left = _MOST_RESOLVED
            return self._resolve(name, tops, _DEEPEST)

        return resolve

    def sized(self, value: float, label: str) -> Extent:
        """Return a loop over this many."""
        shown = label.strip()[:40]
        if value <= _LARGEST_CONSTANT and abs(value - self.sizes.main.value) > 1:
            return Extent(max(1.0, value), shown, "constant", top=value)
        if ("^" in shown or "<<" in shown or "**" in shown) and self._is_power(shown):
            return self.exponential(value, shown)
        return Extent(max(1.0, value), shown, "size", top=value)

    @property
    def whole(self) -> Extent:
        """The loop over the main size."""
        return self.sized(self.sizes.main.value, self.sizes.main.name)

    def exponential(self, value: float, label: str) -> Extent:
        """Return a loop over an enumeration."""
        return Extent(max(1.0, value), label.strip()[:40], "exponential", top=value)

    def literal_length(self, name: str) -> int | None:
        """Return how many items a name's list has, if it is written out."""
        for text, _ in self.assigned.get(name, ()):
            inner = text.strip().rstrip(";")
            if inner[:1] in "[({" and inner[-1:] in "])}" and "," in inner and " for " not in inner:
                return min(inner.count(",") + 1, 64)
        return None

    def lines(self, block: Block) -> tuple[Line, ...]:
        """Return all statements and headers below a block."""
        key = id(block)
        if key not in self._lines:
            self._lines[key] = tuple(lines_under(block))
        return self._lines[key]

    def line_numbers(self, block: Block) -> frozenset[int]:
        """Return where the statements below a block begin."""
        key = id(block)
        if key not in self._inside:
            self._inside[key] = frozenset(line.number for line in self.lines(block))
        return self._inside[key]

    def met_outside(self, name: str, loop: Block) -> bool:
        """Return whether a name occurs before or after a loop, or in its header."""
        first, last = self._met.get(name, (0, 0))
        end = max((line.number for line in self.lines(loop)[-1:]), default=loop.number)
        return name in self._met and (first <= loop.number or last > end)

    def assigned_inside(self, name: str, frames: tuple[Frame, ...]) -> bool:
        """Return whether the innermost loop sets the name."""
        if not frames:
            return False
        inside = self.line_numbers(frames[-1].block)
        return any(number in inside for _, number in self.assigned.get(name, ()))

    def assigned_outside(self, name: str, frames: tuple[Frame, ...]) -> bool:
        """Return whether the name is set, and no loop around does it."""
        return name in self.assigned and not self.assigned_inside(name, frames[:1])

    def _note(self, line: Line) -> None:
        text = line.text
        for name in WORD.findall(text):
            first, last = self._met.get(name, (line.number, line.number))
            self._met[name] = (min(first, line.number), max(last, line.number))
        for _ in range(4):
            found = _ASSIGNED.search(text)
            if found is None:
                break
            right = found.group(2)
            self.assigned.setdefault(found.group(1), []).append((right, line.number))
            text = right
        if found := _DECLARED.search(line.text):
            after = line.text[found.end() - 1 :]
            self.assigned.setdefault(found.group(1), []).append((after, line.number))

    def _resolve(self, name: str, tops: dict[str, float | None], depth: int) -> float | None:
        self._left -= 1
        if self._left < 0:
            return None
        if name.startswith("|"):
            return self._length(name.strip("|"))
        if name.endswith(_LENGTH_SUFFIXES):
            return self._length(name.rsplit(".", 1)[0])
        if name in tops:
            return tops[name]
        size = self.sizes.named(name)
        if size is not None:
            return size.value
        if depth > 0 and name in self.assigned:
            values = [
                self._value(right, name, tops, depth - 1) for right, _ in self.assigned[name][:4]
            ]
            known = [value for value in values if value is not None]
            if known:
                return max(known)
        if name.lower() in _MAIN_NAMES:
            return self.sizes.main.value
        return None

    def _value(
        self, text: str, name: str, tops: dict[str, float | None], depth: int
    ) -> float | None:
        if text[:1] in "[{(\"'" and not text.startswith("(1"):
            return None
        return magnitude(
            text.partition(";")[0],
            lambda other: None if other == name else self._resolve(other, tops, depth),
        )

    def _length(self, name: str) -> float:
        if (count := self.literal_length(name)) is not None:
            return float(count)
        return self.sizes.main.value

    def _is_power(self, label: str) -> bool:
        """Return whether the exponent is a size, as in `2^n`, not a constant, as in `10^18`."""
        for mark in ("^", "<<", "**"):
            _, found, exponent = label.partition(mark)
            if found:
                return any(char.isalpha() for char in exponent)
        return False


def comparisons(condition: str) -> Iterator[tuple[str, str]]:
    """Yield both sides of each comparison that a condition joins by `and`."""
    for part in condition.replace("&&", " and ").split(" and "):
        if found := _COMPARED.search(part):
            yield part[: found.start()], part[found.end() :]


ONCE = Extent(1.0, "", "once")


def logarithm(value: float | None) -> Extent:
    """Return a loop that halves or doubles its variable."""
    steps = 20.0 if value is None else max(1.0, math.log2(value + 2))
    return Extent(steps, "log", "log", top=value)
