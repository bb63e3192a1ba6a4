"""The smallest call that still fails, found by taking away what is not needed."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable
from typing import Any

from steelyard.comparing.calls.incell.parts import (
    Call,
    Path,
    Step,
    at,
    copied,
    digest,
    parts,
    places,
    put,
    twins,
)
from steelyard.comparing.calls.incell.simpler import numbers, simplify, weight
from steelyard.project_runs.incell.real_clock import now

_MOST_PLACES = 400
_MOST_SHIFTED = 64
_MOST_LIFTED = 32
_LIFT_DEPTH = 3


class _Spent(Exception):  # noqa: N818 - the end of the search, no error
    """The time or the tries are used up."""


def shrink(call: Call, differs: Callable[[Call], bool], *, seconds: float, most_tries: int) -> Call:
    """A call on which two functions still differ, as small and plain as a greedy search finds.

    Containers lose what is not needed, numbers go toward 0, strings toward "a", optional keyword
    arguments go, parts take the place of wholes. Equal values are also lowered together, so that
    a failure which needs two alike keeps them.

    Args:
        call: A call on which they differ.
        differs: Says whether they differ on a call. It is given a copy of its own each time.
            What it raises ends the search and is passed on.
        seconds: At most so long, by a clock that the deterministic patches do not touch.
        most_tries: At most so many calls of `differs`.

    Returns:
        A call on which `differs` said yes, never heavier than the given one; the given one
        itself where nothing smaller was found or where it cannot be copied.
    """
    search = _Search(call, differs, seconds, most_tries)
    with contextlib.suppress(_Spent):
        search.run()
    return search.best


class _Search:
    """The best call so far, and what has been tried."""

    def __init__(
        self, call: Call, differs: Callable[[Call], bool], seconds: float, most_tries: int
    ) -> None:
        self.best = call
        self._differs = differs
        self._tries = most_tries
        self._end = now() + seconds
        self._seen: set[bytes] = set()
        self._weight = weight(call)
        self._twins: dict[int, list[Path]] = {}
        self._absent: set[Step] = set()
        """The fields that are None in some object of the call."""

    def run(self) -> None:
        """Runs all passes over all places until none of them finds anything."""
        start = copied(self.best)
        if start is None or not self._fails(start):
            return
        self.best = start
        found = places(start, most=_MOST_PLACES)
        self._twins = twins(found)
        self._absent = {
            path[-1] for path, value in found if value is None and path[-1][0] == "field"
        }
        while True:
            before = self._weight
            self._drop_keywords()
            self._each_place(self._simplify)
            self._each_place(self._lift)
            self._lower_together()
            self._shift_together()
            self._sort()
            if self._weight >= before:
                return

    def accept(self, call: Call) -> bool:
        """Takes a call that is lighter and still fails."""
        if now() > self._end:
            raise _Spent
        heavy = weight(call)
        if heavy >= self._weight:
            return False
        mark = digest(call)
        if mark is not None:
            if mark in self._seen:
                return False
            self._seen.add(mark)
        copy = copied(call)
        if copy is None or not self._fails(copy):
            return False
        self.best, self._weight = call, heavy
        if self._twins:
            self._twins = twins(places(call, most=_MOST_PLACES))
        return True

    def _fails(self, call: Call) -> bool:
        if self._tries <= 0:
            raise _Spent
        self._tries -= 1
        return self._differs(call)

    def _put(self, path: Path, value: object) -> bool:
        """Tries a value in a place; where objects are shared, in each place that shows it."""
        try:
            made = put(self.best, path, value)
            shared = self._in_twins(made, path) if self._twins else made
        except Exception:
            return False  # an object's own checks refuse the value
        return self.accept(shared) or (shared is not made and self.accept(made))

    def _in_twins(self, made: Call, path: Path) -> Call:
        """What was copied on the way to a place, wherever the same object stood before."""
        shared = made
        for length in range(1, len(path) + 1):
            for other in self._twins.get(id(at(self.best, path[:length])), []):
                if other != path[:length]:
                    shared = put(shared, other, at(made, path[:length]))
        return shared

    def _drop_keywords(self) -> None:
        for name in list(self.best[1]):
            args, kwargs = self.best
            self.accept((args, {other: kwargs[other] for other in kwargs if other != name}))

    def _each_place(self, work: Callable[[Path, object], None]) -> None:
        """Works on each place of the call as it is by then, those nearest to the top first."""
        done: set[Path] = set()
        left = True
        while left:
            left = False
            for path, value in places(self.best, most=_MOST_PLACES):
                if path in done:
                    continue
                done.add(path)
                before = self.best
                work(path, value)
                if self.best is not before:
                    left = True
                    break

    def _simplify(self, path: Path, value: object) -> None:
        simplify(value, lambda simple: self._put(path, simple))

    def _lift(self, path: Path, value: object) -> None:
        """A part of the same type in the place of the whole: the left half of a tree; or none."""
        if path[-1] in self._absent and value is not None and self._put(path, None):
            return
        inner = [part for _, part in parts(value)][:_MOST_LIFTED]
        own = {type(part) for part in inner}
        for _ in range(_LIFT_DEPTH):
            for part in inner:
                # Of no other make-up: a list of names is no smaller list of records.
                alike = type(part) is type(value) and {type(each) for _, each in parts(part)} <= own
                if alike and self._put(path, part):
                    return
            inner = [deeper for part in inner for _, deeper in parts(part)][:_MOST_LIFTED]

    def _lower_together(self) -> None:
        """Lowers values that occur more than once, all of them at once."""
        found = [value for _, value in places(self.best, most=_MOST_PLACES)]
        often = Counter(_name(value) for value in found if _is_plain(value))
        for name, count in often.items():
            if count > 1:
                self._lower_all(name)

    def _lower_all(self, name: str) -> None:
        while True:
            same = [
                (path, value)
                for path, value in places(self.best, most=_MOST_PLACES)
                if _is_plain(value) and _name(value) == name
            ]
            if not same:
                return
            value: Any = same[0][1]
            options = iter(("", value[: len(value) // 2])) if type(value) is str else numbers(value)
            for simple in options:
                if self._put_all([(path, simple) for path, _ in same]):
                    name = _name(simple)
                    break
            else:
                return

    def _put_all(self, changes: list[tuple[Path, object]]) -> bool:
        made = self.best
        try:
            for path, value in changes:
                made = put(made, path, value)
        except Exception:
            return False  # an object's own checks refuse a value, or two keys fell together
        return self.accept(made)

    def _shift_together(self) -> None:
        """Moves all whole numbers of a container toward 0 by as much: their distances stay."""
        for path, value in places(self.best, most=_MOST_PLACES):
            inner: list[tuple[Step, Any]] = [
                (step, part) for step, part in parts(value) if type(part) is int
            ]
            if not 1 < len(inner) <= _MOST_SHIFTED:
                continue
            least = min(part for _, part in inner)
            self._put_all([((*path, step), part - least) for step, part in inner])

    def _sort(self) -> None:
        for path, value in places(self.best, most=_MOST_PLACES):
            if type(value) is list and 1 < len(value) <= _MOST_SHIFTED:
                self._put(path, _in_order(value))


def _in_order(items: list[Any]) -> list[Any]:
    try:
        return sorted(items)
    except Exception:
        return items  # they have no order


def _is_plain(value: object) -> bool:
    return type(value) in (int, float, str)


def _name(value: object) -> str:
    return f"{type(value).__name__} {value!r}"
