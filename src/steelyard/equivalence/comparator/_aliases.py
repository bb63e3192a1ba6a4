"""What is one object on one side and two on the other."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from steelyard.equivalence.comparator._document import Document
from steelyard.equivalence.comparator._paths import Path

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
