"""Run in a cell: bounded walks over data of the project, whatever in it is shared or mutual.

Classes name each other, lists hold themselves, and thirty lists that each hold the next one twice
unfold to a billion. So nothing of the project's is followed but by these, or by the snapshot's own
walk:

1. `each_once` follows objects. Each is visited once, and the walk ends after so many.
2. `plain_bytes` writes built-in data. Equal values give equal bytes, however often parts of them
   are shared, which means that they are unfolded: first it counts to how much.
3. `pickle_bytes` pickles, and gives up once the pickle is too long.
"""

from __future__ import annotations

import copyreg
import marshal
import operator
import pickle
import re
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any, TypeVar

Item = TypeVar("Item")

_UNFOLDED = 2  # marshal's format that writes equal values alike, however often they are shared
_PICKLE = 5
_ATOMS = frozenset({bool, int, float, complex, str, bytes, bytearray, type(None), type(...)})
_SETS = (set, frozenset)
_WRITTEN_TWICE = 2
"""Each element of a set is written to be sorted, and then once more."""


def each_once(
    items: Iterable[Item],
    inner: Callable[[Item], Iterable[Item]],
    *,
    most: int,
    key: Callable[[Item], Hashable] = id,
) -> Iterator[Item]:
    """Yield items and what they lead to, each once, the nearest first.

    Args:
        items: Where the walk begins.
        inner: What an item leads to.
        most: So many items at most; what lies beyond them is not asked for what it leads to.
        key: What tells an item from others; by default the object itself. Items are kept alive
            until the walk ends, so no other gets the id of one.
    """
    known: dict[Hashable, Item] = {}
    pending = deque(items)
    while pending and len(known) < most:
        item = pending.popleft()
        mark = key(item)
        if mark not in known:
            known[mark] = item
            yield item
            pending.extend(inner(item))


def plain_bytes(value: Any, *, most: int) -> bytes | None:
    """Write a value as bytes if it is built-in data through and through.

    Args:
        value: The value.
        most: So many objects it may unfold to.

    Returns:
        The same bytes for equal values; None where something is no built-in data, or where there
        is more of it.
    """
    if not _unfolds_to(value, most):
        return None
    try:
        return marshal.dumps(value, _UNFOLDED)
    except ValueError:  # it holds objects, or is nested too deeply
        return None


def _unfolds_to(value: object, most: int) -> bool:
    """Whether so many objects at most are in a value, shared ones counted each time."""
    pending: list[tuple[Any, int]] = [(value, 1)]
    while pending:
        each, times = pending.pop()
        kind = type(each)
        if kind is dict:
            held = [*each, *each.values()]
        elif kind in (list, tuple, *_SETS):
            held = each
        else:
            continue
        most -= times * len(held)
        if most < 0:
            return False
        if kind in _SETS:
            times *= _WRITTEN_TWICE
        if not _ATOMS.issuperset(map(type, held)):
            pending += [(one, times) for one in held if type(one) not in _ATOMS]
    return True


def _reduced_match(found: re.Match[Any]) -> tuple[Any, ...]:
    again = operator.methodcaller("match", found.string, found.start(), found.endpos)
    return again, (found.re,)


copyreg.pickle(re.Match, _reduced_match)
"""Functions take matches as arguments: such calls are to be made again, too."""


def pickle_bytes(value: object, *, most: int) -> bytes | None:
    """Pickle a value; None where it cannot be pickled, or takes more than so many bytes."""
    file = _Bounded(most)
    try:
        pickle.Pickler(file, _PICKLE).dump(value)
    except Exception:  # classes say themselves how they are pickled, and may raise anything
        return None
    return b"".join(file.parts)


class _Bounded:
    """A file that takes so many bytes."""

    def __init__(self, most: int) -> None:
        self.parts: list[bytes] = []
        self._left = most

    def write(self, data: Any) -> int:
        """Takes bytes; it raises an OverflowError where they are too many."""
        part = bytes(data)
        self._left -= len(part)
        if self._left < 0:
            raise OverflowError
        self.parts.append(part)
        return len(part)
