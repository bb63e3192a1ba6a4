"""Which recorded calls others are made from, and small calls like them.

A change shows best in a small call: one tie among three records is seen in most results, one among
a thousand in few.
"""

from __future__ import annotations

import itertools
import random
from collections import deque
from collections.abc import Sequence
from typing import Any, TypeGuard

from steelyard.comparing.calls.incell.parts import Call, Path, alternated, places, put, rebuilt

_MOST_PLACES = 600
_MOST_DEPTH = 4
_KEPT_ITEMS = (3, 6)
_KEPT_LETTERS = (12, 40)
_SAME_LENGTH = 2
"""Lengths that differ by no more go together: limits, and the rates between and beyond them."""


def sampled(sizes: Sequence[int], groups: Sequence[str], *, most: int) -> list[int]:
    """A fair choice: of each group in turn, by turns a small one and a large one.

    Args:
        sizes: The size of each.
        groups: What each belongs to, such as the test that it was recorded in.
        most: At most so many.

    Returns:
        Their places, in order.
    """
    lanes: dict[str, list[int]] = {}
    for place in sorted(range(len(sizes)), key=lambda place: (sizes[place], place)):
        lanes.setdefault(groups[place], []).append(place)
    turns = [_from_both_ends(lane) for _, lane in sorted(lanes.items(), key=lambda lane: lane[1])]
    return sorted(itertools.islice(alternated(list(map(iter, turns))), most))


def _from_both_ends(lane: list[int]) -> list[int]:
    return [lane[turn // 2] if turn % 2 == 0 else lane[-1 - turn // 2] for turn in range(len(lane))]


def trimmed(call: Call, rng: random.Random) -> Call | None:
    """A call like a given one with short containers and texts; None where there is nothing to cut.

    Containers that are as long as each other, or nearly, lose the same items: what belongs
    together by its index stays together.

    Args:
        call: A recorded call; it stays as it is.
        rng: Picks what is left out.
    """
    made = call
    kept = rng.randint(*_KEPT_ITEMS)
    gone_of: dict[int, set[int]] = {}
    for depth in range(1, _MOST_DEPTH + 1):
        found = places(made, most=_MOST_PLACES)
        long = [
            (path, value) for path, value in found if len(path) == depth and _is_cut(path, value)
        ]
        for group in _alike(long):
            shortest = len(group[0][1])
            if _is_text(group[0][1]):
                gone = _all_but_a_stretch(shortest, rng)
            else:  # at every depth the same: rows and columns of a matrix
                gone = gone_of.setdefault(
                    shortest, set(rng.sample(range(shortest), shortest - kept))
                )
            made = _without(made, group, gone)
    return None if made is call else made


def _is_cut(path: Path, value: object) -> bool:
    """Whether a value is long, and no record: what lacks a field is no record any more."""
    if path[-1][0] in ("key", "element"):
        return False
    if _is_text(value):
        return len(value) > _KEPT_LETTERS[1]
    if not isinstance(value, (list, tuple, deque, dict)) or len(value) <= _KEPT_ITEMS[1]:
        return False
    if isinstance(value, tuple):
        return not hasattr(value, "_fields") and len({type(item) for item in value}) == 1
    if isinstance(value, dict):
        return len(path) == 1 or not all(type(key) is str and key.isidentifier() for key in value)
    return True


def _alike(found: list[tuple[Path, Any]]) -> list[list[tuple[Path, Any]]]:
    """Those of nearly the same length together; texts apart from containers."""
    groups: list[list[tuple[Path, Any]]] = []
    for path, value in sorted(found, key=lambda each: (_is_text(each[1]), len(each[1]))):
        last = groups[-1][-1][1] if groups else None
        if (
            last is not None
            and _is_text(last) == _is_text(value)
            and len(value) - len(last) <= _SAME_LENGTH
        ):
            groups[-1].append((path, value))
        else:
            groups.append([(path, value)])
    return groups


def _is_text(value: object) -> TypeGuard[str | bytes | bytearray]:
    return isinstance(value, (str, bytes, bytearray))


def _all_but_a_stretch(length: int, rng: random.Random) -> set[int]:
    """What stands side by side in a text goes on doing so."""
    kept = rng.randint(*_KEPT_LETTERS)
    start = rng.randrange(length - kept + 1)
    return {*range(start), *range(start + kept, length)}


def _without(call: Call, group: list[tuple[Path, Any]], gone: set[int]) -> Call:
    for path, value in group:
        try:
            call = put(call, path, _left(value, gone))
        except Exception:  # noqa: S112 - an object's own checks refuse the value
            continue
    return call


def _left(value: Any, gone: set[int]) -> Any:
    items: list[Any] = list(value.items() if isinstance(value, dict) else value)
    left = [item for place, item in enumerate(items) if place not in gone]
    if isinstance(value, str):
        return "".join(left)
    return type(value)(left) if isinstance(value, (bytes, bytearray)) else rebuilt(value, left)
