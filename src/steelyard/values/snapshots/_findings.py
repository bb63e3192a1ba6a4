"""Collect the differences of two snapshots, and the pairs that are still to be compared.

A `Path` names a part of a value, such as `result[3].price`. `Aliases` and `shared_memory` find what
is one object on one side and two on the other.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from steelyard.schemas import ValueDifference
from steelyard.values.snapshots._arrays import Tolerance
from steelyard.values.snapshots._document import (
    Document,
    Item,
    type_of,
)
from steelyard.values.snapshots._show import brief, cut

Kind = Literal["value", "type", "missing", "extra", "order", "aliasing", "not-comparable"]
_CHARS = 80


@dataclass(frozen=True, slots=True)
class Rules:
    """What counts as a difference."""

    tolerance: Tolerance | None = None
    dict_order: bool = True
    messages: bool = True
    most: int = 20


_MOST_LABELS = 24
_MOST_CHARS = 400


@dataclass(slots=True, eq=False)
class Path:
    """A step below another place."""

    parent: "Path | None"
    label: str
    depth: int = 0

    def to(self, label: str) -> "Path":
        """The place one step below."""
        return Path(self, label, self.depth + 1)

    def __str__(self) -> str:
        labels: list[str] = []
        at: Path | None = self
        while at is not None:
            labels.append(at.label)
            at = at.parent
        labels.reverse()
        if len(labels) > _MOST_LABELS:
            half = _MOST_LABELS // 2
            left_out = len(labels) - 2 * half
            labels[half:-half] = [f"...({left_out} steps)..."]
        text = "".join(labels)
        if len(text) > _MOST_CHARS:
            half = _MOST_CHARS // 2
            text = f"{text[:half]}...{text[-half:]}"
        return text

    @property
    def root(self) -> str:
        """The name of the root that it lies in."""
        at = self
        while at.parent is not None:
            at = at.parent
        return at.label


@dataclass(frozen=True, slots=True)
class Pair:
    path: Path
    one: Item
    other: Item
    unsure: bool = False


class Findings:
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


OWN = "a separate object"
_OWN_MEMORY = "on separate memory"


@dataclass
class Aliases:
    """Objects that can change, paired as they were met: each has one partner, or something is off.

    Where the partner hangs on an order that nobody can tell, a conflict proves nothing.
    """

    _left: dict[int, tuple[int, Path, bool]] = field(default_factory=dict)
    _right: dict[int, tuple[int, Path, bool]] = field(default_factory=dict)

    def meet(self, one: int, other: int, path: Path, *, unsure: bool) -> tuple[str, str, bool]:
        """Pairs two objects.

        Returns:
            What each side is, both empty where that fits what was met before; and whether the
            pairing was in doubt.
        """
        left, right = self._left.get(one), self._right.get(other)
        if left is None and right is None:
            self._left[one] = (other, path, unsure)
            self._right[other] = (one, path, unsure)
            return "", "", False
        if left is not None and left[0] == other:
            return "", "", False
        doubt = unsure or bool(left and left[2]) or bool(right and right[2])
        return (
            str(left[1]) if left is not None else OWN,
            str(right[1]) if right is not None else OWN,
            doubt,
        )


def shared_memory(
    one: Document,
    other: Document,
    met: list[tuple[Path, int, int]],
    report: Callable[[Path, str, str], None],
) -> None:
    """Reports arrays that share memory with another on one side only.

    Args:
        one: The original.
        other: The candidate.
        met: The arrays as they were met: where, and their lines in both.
        report: Called with the place and what each side shares.
    """
    if not one.shared and not other.shared:
        return
    left, right = _groups(one.shared), _groups(other.shared)
    first_left: dict[int, tuple[Path, int]] = {}
    first_right: dict[int, tuple[Path, int]] = {}
    for path, left_line, right_line in met:
        said = [
            _said(left.get(left_line), first_left, path),
            _said(right.get(right_line), first_right, path),
        ]
        if said[0] == said[1]:
            continue
        texts = [f"on the memory of {text[0]}" if text else _OWN_MEMORY for text in said]
        if texts[0] == texts[1]:
            texts[1] = f"on other elements of {said[1][0] if said[1] else ''}"
        report(path, *texts)


def _groups(shared: list[Any]) -> dict[int, tuple[int, int, list[int]]]:
    """By line: the group, the offset in it, and the strides."""
    return {
        line: (number, offset, strides)
        for number, group in enumerate(shared)
        for line, offset, strides in group
    }


def _said(
    place: tuple[int, int, list[int]] | None, first: dict[int, tuple[Path, int]], path: Path
) -> tuple[str, int, list[int]] | None:
    """With whom an array shares, how far from it, and its strides; None where it is the first."""
    if place is None:
        return None
    number, offset, strides = place
    known = first.setdefault(number, (path, offset))
    if known[0] is path:
        return None
    return str(known[0]), offset - known[1], strides
