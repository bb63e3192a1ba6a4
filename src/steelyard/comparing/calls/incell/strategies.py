"""Hypothesis strategies for arguments: from annotations, and from values that were recorded.

Most whole numbers are near to those recorded or near to zero: a function that counts to its
argument would not come back from a number of a hundred bits. Hypothesis is imported when asked for.
"""

from __future__ import annotations

import collections.abc
import dataclasses
import itertools
import math
import random
import typing
from collections.abc import Mapping, Sequence
from typing import Any

from steelyard.comparing.calls.incell.near import Source, near
from steelyard.comparing.calls.incell.oddities import FLOATS, GENERAL, LARGE
from steelyard.comparing.calls.incell.parts import fields, ordered

_SMALL, _LARGE = 6, 40
"""Items of small and of larger containers, at most."""
_MOST_DEPTH, _MOST_VALUES, _MOST_NUMBER = 5, 200, 1_000
_LETTERS = "aAbz019 _-.,:/\n\tßéİ\u0301\u0663\u00a0\u4e2d😀"
_DIGITS = "0159\u0663\u00b2"
_BARE: dict[Any, Any] = {
    list: list[int],
    tuple: tuple[int, ...],
    set: set[int],
    frozenset: frozenset[int],
    dict: dict[str, int],
}
_SEQUENCES = (
    collections.abc.Sequence,
    collections.abc.MutableSequence,
    collections.abc.Iterable,
    collections.abc.Collection,
)
_ONE_IN = 8
"""Of so many whole numbers one is large, and of so many characters one is odd."""
_MOST_NEAR, _MOST_SEEN = 12, 8
"""Of the recorded values so many are drawn again as they are: few enough to meet and tie."""


class Strategies:
    """Strategies for one function's arguments.

    Args:
        source: What the function's source points to.
    """

    def __init__(self, source: Source) -> None:
        from hypothesis import strategies as st

        self._source = source
        for kind in (int, float, str, bytes):
            own: list[Any] = [each for each in source.constants if type(each) is kind]
            if kind in (int, float):
                own += [each + step for each in own for step in (-1, 1)]
            usual = _plain(kind, source.characters)
            st.register_type_strategy(kind, usual | st.sampled_from(own) if own else usual)

    def of_hint(self, hint: Any, *, is_seen: bool) -> Any:
        """A strategy for an annotation; None where it leaves open what a value is.

        Args:
            hint: The annotation.
            is_seen: Whether values of the argument were recorded: they say what a bare `list`
                holds, and how many dimensions an array has.
        """
        from hypothesis import strategies as st

        hint = _spelt_out(hint)
        if _is_open(hint, is_seen=is_seen):
            return None
        made = st.from_type(_BARE.get(hint, hint))
        try:
            made.validate()
        except Exception:  # Hypothesis resolves the project's own types, whose code may raise
            return None
        return made

    def like(self, values: Sequence[Any], depth: int = 0) -> Any:
        """A strategy for values like the given ones: of their types, with their keys and fields.

        Args:
            values: At least one value.
            depth: How deep in another value these lie.
        """
        from hypothesis import strategies as st

        kinds: dict[type, list[Any]] = {}
        for value in values[:_MOST_VALUES]:
            kinds.setdefault(type(value), []).append(value)
        made = []
        for kind, some in kinds.items():
            seen = some[:: -(-len(some) // _MOST_SEEN)]
            inside = self._inside(kind, some, depth) if depth <= _MOST_DEPTH else None
            if inside is None:
                inside = st.builds(
                    self._near, st.sampled_from(seen), st.randoms(use_true_random=True)
                )
                if kind in (int, float, str, bytes):
                    inside = st.one_of(inside, st.from_type(kind))
            made.append(st.one_of(st.sampled_from(seen), inside))
        return st.one_of(made)

    def _near(self, value: Any, rng: random.Random) -> Any:
        made = near(value, self._source, rng)
        return next(itertools.islice(made, rng.randrange(_MOST_NEAR), None), value)

    def _inside(self, kind: type, some: list[Any], depth: int) -> Any:
        """A strategy that draws a value's parts; None where it has none."""
        from hypothesis import strategies as st

        def columns(rows: Sequence[Mapping[Any, Any]]) -> dict[Any, Any]:
            keys = dict.fromkeys(key for row in rows for key in row)
            return {
                key: self.like([row[key] for row in rows if key in row], depth + 1)
                for key in itertools.islice(keys, _LARGE)
            }

        if kind is dict and any(some):
            parts = columns(some)
            common = [key for key in parts if all(key in value for value in some)]
            keys, values = (
                [part for value in some for part in each(value)] for each in (list, dict.values)
            )
            record = st.fixed_dictionaries(
                {key: parts[key] for key in common},
                optional={key: parts[key] for key in parts if key not in common},
            )
            if common and len(some) > 1:
                return record
            table = st.dictionaries(
                self.like(keys, depth + 1), self.like(values, depth + 1), max_size=2 * _SMALL
            )
            return st.one_of(table, record)
        if kind in (list, set, frozenset, tuple) and any(some):
            lists = [ordered(value) if kind in (set, frozenset) else list(value) for value in some]
            items = [item for row in lists for item in row]
            sizes = {len(row) for row in lists}
            if kind is tuple and (len(sizes) == 1 or len({type(item) for item in items}) > 1):
                shapes = [
                    columns([dict(enumerate(row)) for row in lists if len(row) == size])
                    for size in sizes
                ]
                return st.one_of([st.tuples(*shape.values()) for shape in shapes])
            part = self.like(items, depth + 1)
            few = st.lists(part, max_size=_SMALL)
            return st.one_of(few, few, few, st.lists(part, min_size=_SMALL, max_size=_LARGE)).map(
                kind
            )
        if dataclasses.is_dataclass(kind):
            given = [each.name for each in dataclasses.fields(kind) if each.init]
            rows = [
                {name: getattr(value, name) for name in fields(value) if name in given}
                for value in some
            ]
            return st.builds(kind, **columns(rows))
        return None


def _spelt_out(hint: Any) -> Any:
    """The annotation with lists for what may be any iterable: in most calls it is one."""
    origin, inside = typing.get_origin(hint), typing.get_args(hint)
    if hint in _SEQUENCES:
        return list
    return list[_spelt_out(inside[0])] if origin in _SEQUENCES else hint  # type: ignore[misc]


def _is_open(hint: Any, *, is_seen: bool) -> bool:
    """Whether an annotation, or what it holds, leaves open what its values are."""
    origin, inside = typing.get_origin(hint) or hint, typing.get_args(hint)
    if origin in (Any, object) or isinstance(hint, (typing.TypeVar, str)):
        return True
    if is_seen and (hint in _BARE or getattr(origin, "__name__", "") == "ndarray"):
        return True
    return origin is not typing.Literal and any(_is_open(each, is_seen=is_seen) for each in inside)


def _rarely(usual: Any, rare: Sequence[Any]) -> Any:
    from hypothesis import strategies as st

    # Hypothesis favours the first of a few choices; a number has no first.
    return st.integers(1, 1 << 16).flatmap(
        lambda number: usual if number % _ONE_IN else st.just(rare[number // _ONE_IN % len(rare)])
    )


def _plain(kind: type, characters: Sequence[str]) -> Any:
    from hypothesis import strategies as st

    if kind is int:
        usual = st.one_of(st.integers(-3, 10), st.integers(-_MOST_NUMBER, _MOST_NUMBER))
        return _rarely(usual, LARGE)
    if kind is float:
        # What prices and measures look like: few digits, and yet not one that is held exactly.
        decimals = st.integers(-9_999, 9_999).map(lambda number: number / 100)
        other = st.sampled_from((math.nan, math.inf, -math.inf, 0.0, 1.0, 0.5, *FLOATS))
        return st.one_of(decimals, st.floats(-100, 100), other, st.floats())
    if kind is str:
        digits = st.text(st.sampled_from(_DIGITS), max_size=_SMALL)
        plain = st.text(st.sampled_from(_LETTERS), max_size=2 * _SMALL)
        part = _rarely(st.sampled_from(_LETTERS), characters or GENERAL)
        odd = st.lists(part, max_size=2 * _SMALL).map("".join)
        return st.one_of(plain, digits, odd)
    return st.binary(max_size=2 * _SMALL)
