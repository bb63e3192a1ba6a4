"""Facts about the parts of arguments that constraints state: spans, linear relations, marks.

A quantity is a number in the arguments, named by its path: `k`, `nums[]` (each item of nums),
`edges[][0]`, `len(nums)`, `len(grid[])`, `sum(nums)`. A character counts as its code point.

Parts of a text have paths too: `s/44` is its pieces between commas, whose code is 44, `s/` its
words, `s/5:7` a slice, and `int(s/44[])` the number that each piece is.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from os.path import commonprefix
from typing import Literal

from steelyard.constraints._domain import Domain, Number

_INDEX = re.compile(r"\[(-?\d*)\]")


@dataclass(frozen=True, slots=True)
class Within:
    """A quantity is in a domain."""

    quantity: str
    domain: Domain


@dataclass(frozen=True, slots=True)
class Line:
    """A sum of quantities times factors, plus a constant, is at most 0, 0, or not 0."""

    terms: tuple[tuple[str, Number], ...]
    constant: Number
    sign: Literal["<=", "==", "!="]


@dataclass(frozen=True, slots=True)
class Texts:
    """A text is one of some texts."""

    path: str
    values: frozenset[str]
    usual: frozenset[str] = frozenset()
    """Those that are meant, if they are not all: the characters, for `cell in 'abc'`."""


@dataclass(frozen=True, slots=True)
class Letters:
    """Each character at a path passes one of some tests, or more."""

    path: str
    tests: tuple[str | Domain, ...]
    """Methods of `str` such as `isalpha`, and domains of code points."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A list or text has a property: `sorted`, `unique`, `palindrome`."""

    path: str
    name: str
    start: int = 0
    """The first node, or the smallest number of a permutation."""
    nodes: tuple[tuple[tuple[str, Number], ...], Number] | None = None
    """The number of nodes of a graph, as a sum of quantities plus a constant."""


@dataclass(frozen=True, slots=True)
class Link:
    """Two parts are related: `member` (of a list), `permutation`, `subsequence` of another."""

    name: str
    one: str
    other: str


@dataclass(frozen=True, slots=True)
class Either:
    """At least one of several groups of facts holds."""

    branches: tuple[tuple["Fact", ...], ...]

    @property
    def about(self) -> str:
        """The path of the part that all facts are about: of each item, inside of a loop."""
        paths = [
            _path(each) for branch in self.branches for fact in branch for each in _named(fact)
        ]
        found = commonprefix(paths)  # noqa: RUF071 - paths in arguments, character by character
        if any(path[len(found) : len(found) + 1] not in ("", "[", "/") for path in paths):
            found = found[: max(found.rfind("["), found.rfind("/"), 0)]
        return found.rstrip("[/")


Fact = Within | Line | Texts | Letters | Mark | Link | Either


def _named(fact: Fact) -> Iterator[str]:
    match fact:
        case Texts(path=path) | Letters(path=path) | Mark(path=path):
            yield path
        case Link(one=one, other=other):
            yield from (one, other)
        case _:
            yield from quantities_of(fact)


def _path(quantity: str) -> str:
    return quantity.strip("()").rpartition("(")[2]


def containers(quantity: str) -> list[str]:
    """Return the lists whose every item the quantity belongs to: `grid` for `len(grid[])`.

    If one of them is empty, the quantity does not exist.
    """
    if quantity.startswith("sum(") and "(" in quantity[4:]:
        return containers(quantity[4:-1])[:-1]  # a sum over the last list
    paths = [each for part in quantity.split("*") for each in [part.strip("()").split("(")[-1]]]
    return [
        path[: index.start()] for path in paths for index in _INDEX.finditer(path) if not index[1]
    ]


def generalisations(quantity: str) -> Iterator[str]:
    """Yield the quantities that hold for all items: `nums[]` for `nums[0]`."""
    for index in _INDEX.finditer(quantity):
        if index[1]:
            yield f"{quantity[: index.start()]}[]{quantity[index.end() :]}"


def needed_length(path: str) -> Iterator[tuple[str, int]]:
    """Yield the lists that need a length: `nums`, 3 for `nums[2]`."""
    for index in _INDEX.finditer(path):
        if index[1]:
            yield path[: index.start()], max(int(index[1]) + 1, 1)


def quantities_of(fact: Fact) -> Iterator[str]:
    """Yield the quantities that a fact names."""
    match fact:
        case Within(quantity=quantity):
            yield quantity
        case Line(terms=terms):
            yield from (name for name, _ in terms)
        case Mark(nodes=(terms, _)):
            yield from (name for name, _ in terms)
        case Either(branches=branches):
            for branch in branches:
                for each in branch:
                    yield from quantities_of(each)
