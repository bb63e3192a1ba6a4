"""What two snapshots are held against each other with, and what was found on the way."""

from abc import ABC, abstractmethod
from collections import deque
from dataclasses import dataclass
from typing import Literal

from steelyard.equivalence.comparator._aliases import Aliases
from steelyard.equivalence.comparator._document import (
    Document,
    Item,
    type_of,
)
from steelyard.equivalence.comparator._paths import Path
from steelyard.equivalence.comparator._show import brief, cut
from steelyard.equivalence.comparator._tolerance import Tolerance
from steelyard.schemas import ValueDifference

Kind = Literal["value", "type", "missing", "extra", "order", "aliasing", "not-comparable"]
_CHARS = 80


@dataclass(frozen=True, slots=True)
class Rules:
    """What counts as a difference."""

    tolerance: Tolerance | None = None
    dict_order: bool = True
    messages: bool = True
    most: int = 20


@dataclass(frozen=True, slots=True)
class Pair:
    path: Path
    one: Item
    other: Item
    unsure: bool = False


class Findings(ABC):
    """Two documents, the pairs that are still to be compared, and the differences so far."""

    def __init__(self, left: Document, right: Document, rules: Rules, *, nested: int = 0) -> None:
        self._left = left
        self._right = right
        self._rules = rules
        self._nested = nested
        self._waiting: deque[Pair] = deque()
        self._seen: set[tuple[int, int]] = set()
        self._groups: dict[tuple[bool, int], tuple[bool, int]] = {}
        self._aliases = Aliases()
        self._arrays: list[tuple[Path, int, int]] = []
        self._found: list[tuple[Path, ValueDifference]] = []
        self._unsure = False

    @abstractmethod
    def alike(self, one: Item, other: Item) -> bool:
        """Whether two items are equal, whatever else their documents hold."""

    def _later(self, path: Path, one: Item, other: Item) -> None:
        self._waiting.append(Pair(path, one, other, self._unsure))

    def _differ(self, path: Path, kind: Kind, original: str, candidate: str) -> None:
        if self._unsure:
            kind = "not-comparable"
        difference = ValueDifference(
            path=str(path),
            original=cut(original, _CHARS),
            candidate=cut(candidate, _CHARS),
            kind=kind,
        )
        self._found.append((path, difference))

    def _unlike(self, path: Path, kind: Kind, one: Item, other: Item) -> None:
        """Reports two items by what they look like, with their types where that is the same."""
        texts = self._show_left(one), self._show_right(other)
        if texts[0] == texts[1]:
            names = _type_name(self._left, one), _type_name(self._right, other)
            texts = f"{texts[0]} ({names[0]})", f"{texts[1]} ({names[1]})"
        self._differ(path, kind, *texts)

    def _missing(self, path: Path, item: Item) -> None:
        self._differ(path, "missing", self._show_left(item), "")

    def _extra(self, path: Path, item: Item) -> None:
        self._differ(path, "extra", "", self._show_right(item))

    def _aliased(self, path: Path, original: str, candidate: str) -> None:
        self._differ(path, "aliasing", original, candidate)

    def _show_left(self, item: Item) -> str:
        return brief(self._left, item, most_chars=_CHARS)

    def _show_right(self, item: Item) -> str:
        return brief(self._right, item, most_chars=_CHARS)


def same(one: Item, other: Item) -> bool:
    """Whether two items are the same plain value, for sure."""
    return (
        type(one) is not list
        and type(one) is type(other)
        and one == other
        and (one != 0 or type(one) is not float)
    )


def _type_name(document: Document, item: Item) -> str:
    entry, _ = document.entry(item)
    return type(item).__name__ if entry is None else type_of(entry)
