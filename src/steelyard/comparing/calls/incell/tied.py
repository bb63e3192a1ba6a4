"""Calls in which several parts change together: elements that tie, values that move, others anew.

A change of one part never makes two records equal in one field and different in the others, nor
does it show in which order such records come out.
"""

from __future__ import annotations

import math
import random
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from steelyard.comparing.calls.incell.parts import Call, Path, Step, build_of, parts, put, rebuilt
from steelyard.comparing.calls.incell.plain_variants import edited, inexact

_MOST_CALLS = 300
_MOST_TIED = 64
"""Of a longer container the first elements get the same part, not all of them."""
_MOST_DEPTH = 2
_MOST_REDRAWN = 64
_MOST_ODD = 6
_MOST_PARTS = 10
_ODD = (math.nan, math.inf, -math.inf, -0.0, 0.0)

Places = Sequence[tuple[Path, object]]


def tied(call: Call, found: Places, rng: random.Random) -> Iterator[Call]:
    """The call with elements of one container that agree in one part and differ in the others.

    A container is a list, a tuple of parts of one type, or a dict by its values. One part of an
    element (an item, a field, a key's value, or that of such a part) is copied to the same place
    in one other element, or in all. The elements come as they stood, reversed or shuffled: what
    a function does with ties shows in some orders only.

    Args:
        call: The call.
        found: Its places.
        rng: Picks.
    """
    groups = [
        (path, value, columns)
        for path, value in found
        if path[-1][0] not in ("key", "element") and (columns := _columns(value))
    ]
    for _ in range(_MOST_CALLS if groups else 0):
        path, value, columns = rng.choice(groups)
        try:
            made = _with_ties(_elements(value), rng.choice(columns), rng)
            order = rng.choice((_as_it_is, _reversed, _shuffled))
            yield put(call, path, _rejoined(value, made, order, rng))
        except Exception:  # noqa: S112 - an object's own checks refuse the value
            continue


def _elements(value: Any) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else list(value)


def _columns(value: object) -> list[Path]:
    """The places that all elements of a container have, as paths from an element on."""
    if isinstance(value, tuple) and (
        hasattr(value, "_fields") or len({type(item) for item in value}) > 1
    ):
        return []
    if not isinstance(value, (list, tuple, deque, dict)) or len(value) < 2:
        return []
    elements = _elements(value)[:_MOST_TIED]
    inner = [{path for path, _ in _inside(element, 1)} for element in elements]
    shared = set.intersection(*inner)
    columns = [path for path, _ in _inside(elements[0], 1) if path in shared]
    # Whole elements that are equal: for a dict, keys with the same value.
    return columns or [()]


def _inside(element: object, depth: int) -> Iterator[tuple[Path, object]]:
    """The parts of an element by name and number, and theirs; a dict's by key."""
    if isinstance(element, (set, frozenset)):
        return
    for step, part in parts(element, ends=_MOST_PARTS):
        if step[0] == "key":
            continue
        yield (step,), part
        if depth < _MOST_DEPTH:
            for path, inner in _inside(part, depth + 1):
                yield (step, *path), inner


def _with_ties(elements: list[Any], column: Path, rng: random.Random) -> list[Any]:
    source, target = rng.sample(range(len(elements)), 2)
    part = _part(elements[source], column)
    targets = range(min(len(elements), _MOST_TIED)) if rng.random() < 0.5 else (target,)
    for i in targets:
        elements[i] = _with_part(elements[i], column, part)
    return elements


def _part(element: Any, column: Path) -> Any:
    for kind, where in column:
        if kind == "field":
            element = getattr(element, where)
        elif kind == "value":
            element = list(element.values())[where]
        else:
            element = element[where]
    return element


def _with_part(element: object, column: Path, part: object) -> object:
    changed, _ = put(((element,), {}), (("arg", 0), *column), part)
    return changed[0]


def _rejoined(value: Any, elements: list[Any], order: Any, rng: random.Random) -> Any:
    if not isinstance(value, dict):
        return rebuilt(value, order(elements, rng))
    return rebuilt(value, order(list(zip(value, elements, strict=True)), rng))


def _as_it_is(items: list[Any], _: random.Random) -> list[Any]:
    return items


def _reversed(items: list[Any], _: random.Random) -> list[Any]:
    return items[::-1]


def _shuffled(items: list[Any], rng: random.Random) -> list[Any]:
    return rng.sample(items, len(items))


def transplanted(call: Call, found: Places, rng: random.Random) -> Iterator[Call]:
    """The call with one part's value also in another place of its type, in any of its arguments.

    Args:
        call: The call.
        found: Its places.
        rng: Picks.
    """
    held: dict[tuple[object, Step], list[tuple[Path, object]]] = {}
    for path, value in found:
        if len(path) > 1:
            held.setdefault((build_of(value), path[0]), []).append((path, value))
    pairs = [(one, two) for one in held for two in held if one[0] == two[0]]
    # An argument's value in another one first: a limit that is met, a key that is there.
    pairs.sort(key=lambda pair: pair[0] == pair[1])
    for turn in range(_MOST_CALLS if pairs else 0):
        one, two = pairs[turn % len(pairs)]
        (_, value), (path, old) = rng.choice(held[one]), rng.choice(held[two])
        if value is not old:
            try:
                yield put(call, path, value)
            except Exception:  # noqa: S112 - an object's own checks refuse the value
                continue


def odd(call: Call, found: Places) -> Iterator[Call]:
    """The call with one floating number that is none, or no finite one, or a zero.

    The first number of each container comes before its others, and NaN before the rest.

    Args:
        call: The call.
        found: Its places.
    """
    numbers = [path for path, value in found if type(value) is float and _keeps_its_place(path)]
    numbers.sort(key=lambda path: path[-1][1] != 0 if path[-1][0] == "item" else False)
    for number in _ODD:
        for path in numbers[:_MOST_ODD]:
            try:
                yield put(call, path, number)
            except Exception:  # noqa: S112 - an object's own checks refuse the value
                continue


def redrawn(call: Call, found: Places, rng: random.Random) -> Iterator[Call]:
    """The call with all its numbers or texts of one type anew, each near to the old one.

    Floating numbers get digits that their sums and products have to round.

    Args:
        call: The call.
        found: Its places.
        rng: Draws.
    """
    plain: list[tuple[Path, Any]] = [
        (path, value)
        for path, value in found
        if type(value) in (int, float, str) and _keeps_its_place(path)
    ]
    kinds = sorted({type(value) for _, value in plain}, key=lambda kind: kind.__name__)
    for turn in range(_MOST_CALLS if kinds else 0):
        kind = kinds[turn % len(kinds)]
        made = call
        try:
            for path, value in plain[:_MOST_REDRAWN]:
                if type(value) is kind:
                    made = put(made, path, _near(value, rng))
        except Exception:  # noqa: S112 - an object's own checks refuse the value
            continue
        yield made


def _keeps_its_place(path: Path) -> bool:
    """Whether a value can change without a change of where others stand."""
    return not {"key", "element"} & {kind for kind, _ in path}


def _near(value: Any, rng: random.Random) -> Any:
    if isinstance(value, str):
        return edited(value, rng) if value else value
    if isinstance(value, int):
        return value + rng.choice((-2, -1, 0, 1, 2))
    return inexact(value, rng)
