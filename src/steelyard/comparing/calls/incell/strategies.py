"""Hypothesis strategies for arguments: from annotations, and from values that were recorded.

Most whole numbers stay near to those recorded or near to zero: a function that counts to its
argument would not come back from a number of a hundred bits. Hypothesis is imported when asked for.
"""

from __future__ import annotations

import collections.abc
import dataclasses
import datetime as dt
import decimal
import enum
import fractions
import math
import random
import sys
import types
import typing
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from steelyard.comparing.calls.incell.hints import hints_of
from steelyard.comparing.calls.incell.oddities import FLOATS, GENERAL, LARGE, with_odd
from steelyard.comparing.calls.incell.parts import fields, ordered
from steelyard.comparing.calls.incell.plain_variants import edited

_SMALL, _LARGE = 6, 40
"""Items of small and of larger containers, at most."""
_MOST_DEPTH = 5
_MOST_VALUES = 200
_MOST_NUMBER = 1_000
_LETTERS = "aAbz019 _-.,:/\n\tßéİ\u0301\u0663\u00a0\u4e2d😀"
_DIGITS = "0159\u0663\u00b2"
_SEQUENCES = frozenset(
    {
        list,
        collections.abc.Sequence,
        collections.abc.MutableSequence,
        collections.abc.Iterable,
        collections.abc.Collection,
    }
)
_SETS = frozenset({set, collections.abc.Set, collections.abc.MutableSet})
_LIBRARY = frozenset(
    {
        dt.date,
        dt.datetime,
        dt.time,
        dt.timedelta,
        decimal.Decimal,
        fractions.Fraction,
        complex,
        bytearray,
        uuid.UUID,
    }
)
_ODD_FLOATS = (math.nan, math.inf, -math.inf, -0.0, 0.0, 1.0, 0.5, *FLOATS)
_MOST_SEED = 1 << 16
_ONE_IN = 8
"""Of so many whole numbers one is large, and of so many characters one is odd."""
_MOST_SEEN = 8
"""Of the recorded values so many are drawn again as they are: few enough to meet and tie."""
_MAPPINGS = frozenset({dict, collections.abc.Mapping, collections.abc.MutableMapping})
_CONTAINERS = frozenset({*_SEQUENCES, *_SETS, *_MAPPINGS, tuple, frozenset})


@dataclasses.dataclass(frozen=True)
class Near:
    """What a function's source and its recorded calls suggest, beside the values themselves."""

    literals: Mapping[type, Sequence[Any]]
    """By type, the literals of the function with their neighbours: they are drawn too."""
    characters: tuple[str, ...] = ()
    """Odd ones that matter to the function."""
    is_recorded: bool = False
    """Whether calls were recorded: how many dimensions arrays have is to be seen there."""
    is_seen: bool = False
    """Whether values of this argument were: they say what a bare `list` or `tuple` holds."""


def like(values: Sequence[object], near: Near, depth: int = 0) -> Any:
    """A strategy for values like the given ones: of their types, with their keys and fields.

    Args:
        values: At least one value.
        near: Literals to draw besides.
        depth: How deep in another value these lie.
    """
    from hypothesis import strategies as st

    kinds: dict[type, list[Any]] = {}
    for value in values[:_MOST_VALUES]:
        kinds.setdefault(type(value), []).append(value)
    return st.one_of([_like_one(kind, some, near, depth) for kind, some in kinds.items()])


def _edited(text: Any, number: int) -> Any:
    return edited(text, random.Random(number)) if text else text  # noqa: S311 - no secret


def _oddly(texts: Any, pieces: Sequence[str]) -> Any:
    from hypothesis import strategies as st

    def made(text: Any, number: int) -> Any:
        return with_odd(text, pieces, random.Random(number))  # noqa: S311 - no secret

    return st.builds(made, texts, st.integers(0))


def _rarely(usual: Any, rare: Sequence[Any]) -> Any:
    from hypothesis import strategies as st

    def chosen(number: int) -> Any:
        rng = random.Random(number)  # noqa: S311 - no secret
        return st.just(rng.choice(rare)) if rng.randrange(_ONE_IN) == 0 else usual

    # Hypothesis favours the first of a few choices; a seed has no first.
    return st.integers(0, _MOST_SEED).flatmap(chosen)


def _few(some: Sequence[Any]) -> Sequence[Any]:
    """Some of the values, from all over them."""
    return some[:: -(-len(some) // _MOST_SEEN)]


def _like_one(kind: type, some: list[Any], near: Near, depth: int) -> Any:
    from hypothesis import strategies as st

    seen = st.sampled_from(_few(some))
    if depth > _MOST_DEPTH:
        return seen
    if kind is bool or kind is type(None):
        return _plain(kind)
    own = [st.sampled_from(near.literals[kind])] if kind in near.literals else []
    if kind is int:
        top = 2 * max(abs(number) for number in some) + 10
        close = st.integers(min(some) - 3, max(some) + 3)
        usual = st.one_of(close, seen, st.integers(-3, 10), *own, st.integers(-top, top))
        return _rarely(usual, LARGE)
    if kind is float:
        odd = st.sampled_from(_ODD_FLOATS)
        return st.one_of(seen, _plain(float), odd, st.integers(-10, 10).map(float), *own)
    if kind in (str, bytes):
        joined = st.tuples(seen, seen).map(lambda two: two[0] + two[1])
        texts = [seen, _plain(kind, near.characters), joined, *own]
        texts.append(st.builds(_edited, seen, st.integers(0)))
        texts += [_oddly(seen, pieces) for pieces in (GENERAL, near.characters) if pieces]
        return st.one_of(texts)
    if kind in (list, set, frozenset, tuple):
        return _like_sequence(kind, some, near, depth)
    if kind is dict:
        return _like_dict(some, near, depth)
    if issubclass(kind, enum.Enum):
        return st.sampled_from(list(kind))
    if dataclasses.is_dataclass(kind):
        return st.one_of(seen, _like_object(kind, some, near, depth))
    if kind in _LIBRARY:
        return st.one_of(seen, st.from_type(kind))
    return _like_array(kind, some, seen)


def _like_sequence(kind: type, some: list[Any], near: Near, depth: int) -> Any:
    from hypothesis import strategies as st

    inner = [part for value in some for part in (ordered(value) if kind is set else value)]
    if kind is tuple and (len({type(part) for part in inner}) > 1 or len(set(map(len, some))) == 1):
        shapes = {len(value): value for value in some}
        return st.one_of(
            [
                st.tuples(
                    *(
                        like([value[i] for value in some if len(value) == size], near, depth + 1)
                        for i in range(size)
                    )
                )
                for size in shapes
            ]
        )
    if not inner:
        return st.builds(kind)
    # Parts as they were recorded come again and again: what ties and repeats is found with them.
    parts = st.one_of(like(inner, near, depth + 1), st.sampled_from(_few(inner)))
    return _sized(parts).map(kind if kind is not list else _itself)


def _like_dict(some: list[dict[Any, Any]], near: Near, depth: int) -> Any:
    from hypothesis import strategies as st

    inner = [part for value in some for part in value.values()]
    keys = [key for value in some for key in value]
    if not keys:
        return st.builds(dict)
    common = [key for key in some[0] if all(key in value for value in some)]
    if common and len(some) > 1:  # records: the keys that all have, the others now and then
        rest = [key for key in dict.fromkeys(keys) if key not in common]
        return st.fixed_dictionaries(
            {key: like([value[key] for value in some], near, depth + 1) for key in common},
            optional={
                key: like([value[key] for value in some if key in value], near, depth + 1)
                for key in rest
            },
        )
    table = st.dictionaries(
        like(keys, near, depth + 1),
        like(inner, near, depth + 1),
        max_size=max(_SMALL, 2 * len(some[0])),
    )
    fixed = st.fixed_dictionaries(
        {
            key: like([value[key] for value in some if key in value], near, depth + 1)
            for key in keys[:30]
        }
    )
    return st.one_of(table, fixed)


def _like_object(kind: type, some: list[Any], near: Near, depth: int) -> Any:
    from hypothesis import strategies as st

    given = {field.name for field in dataclasses.fields(kind) if field.init}
    return st.builds(
        kind,
        **{
            name: like([getattr(value, name) for value in some], near, depth + 1)
            for name in fields(some[0])
            if name in given
        },
    )


def _like_array(kind: type, some: list[Any], seen: Any) -> Any:
    from hypothesis import strategies as st

    numpy: Any = sys.modules.get("numpy")
    if numpy is None or kind is not numpy.ndarray:
        return seen
    builds = {(each.dtype, each.ndim): None for each in some if each.dtype.kind in "iufbc"}
    return st.one_of(seen, *(_arrays(dtype, dims) for dtype, dims in builds))


def _arrays(dtype: Any, dims: int) -> Any:
    """Arrays of so many dimensions, those without an element among them."""
    from hypothesis.extra import numpy as arrays

    shapes = arrays.array_shapes(min_dims=dims, max_dims=dims, min_side=0, max_side=_SMALL)
    return arrays.arrays(dtype, shapes if dims else ())


def _of_array(numpy: Any, inside: Sequence[Any], near: Near, hint: Any) -> Any:
    """Arrays of an annotation that says how many dimensions they have; most say nothing of them.

    Where calls were recorded, an annotation without a shape adds nothing to what is seen there.
    """
    shape = typing.get_args(inside[0]) if inside else ()
    kinds = typing.get_args(inside[1]) if len(inside) > 1 else ()
    if shape and shape[-1] is not Ellipsis and kinds:
        try:
            return _arrays(numpy.dtype(kinds[0]), len(shape))
        except Exception:  # no one dtype but a family of them
            return None
    return None if near.is_recorded else _of_type(hint)


def of_hint(hint: Any, near: Near, depth: int = 0) -> Any:
    """A strategy for an annotation; None where it says nothing or cannot be drawn from."""
    from hypothesis import strategies as st

    origin, inside = typing.get_origin(hint), typing.get_args(hint)
    if hint in (Any, object, None) or isinstance(hint, (typing.TypeVar, str)):
        return st.none() if hint is None else None
    if depth > _MOST_DEPTH:
        return None
    if hint in (int, float, str, bytes, bool, type(None)):
        own = [st.sampled_from(near.literals[hint])] if hint in near.literals else []
        plain = _plain(hint, near.characters)
        return st.one_of(plain, *own) if own else plain
    if origin is typing.Annotated:
        return of_hint(inside[0], near, depth) if not _constrained(inside[1:]) else _of_type(hint)
    if origin in (typing.Union, types.UnionType):
        known = [made for part in inside if (made := of_hint(part, near, depth + 1)) is not None]
        return st.one_of(known) if known else None
    if origin is tuple and inside and inside[-1] is not Ellipsis:
        known = [of_hint(part, near, depth + 1) for part in inside]
        return None if None in known else st.tuples(*known)
    kind = origin or hint
    numpy: Any = sys.modules.get("numpy")
    if numpy is not None and kind is numpy.ndarray:
        return _of_array(numpy, inside, near, hint)
    if near.is_seen and not inside and kind in _CONTAINERS:
        return None
    if kind in _SEQUENCES or kind in _SETS or kind in (tuple, frozenset):
        part = of_hint(inside[0], near, depth + 1) if inside else _plain(int)
        if part is None:
            return None
        made = kind if kind in (tuple, frozenset) else set if kind in _SETS else _itself
        return _sized(part).map(made)
    if kind in _MAPPINGS:
        key, part = (of_hint(each, near, depth + 1) for each in inside or (str, int))
        if key is None or part is None:
            return None
        return st.dictionaries(key, part, max_size=_SMALL)
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return _of_dataclass(hint, near, depth)
    return _of_type(hint)


def _of_dataclass(kind: type, near: Near, depth: int) -> Any:
    from hypothesis import strategies as st

    hints = hints_of(kind)
    known = {
        field.name: of_hint(hints.get(field.name, Any), near, depth + 1)
        for field in dataclasses.fields(kind)
        if field.init
    }
    needed = {
        field.name
        for field in dataclasses.fields(kind)
        if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
    }
    if any(known.get(name, ...) is None for name in needed):
        return None
    return st.builds(kind, **{name: made for name, made in known.items() if made is not None})


def _of_type(hint: Any) -> Any:
    from hypothesis import strategies as st

    try:
        made = st.from_type(hint)
        made.validate()
    except Exception:  # Hypothesis resolves the project's own types, whose code may raise anything
        return None
    return made


def _constrained(extras: Sequence[object]) -> bool:
    """Whether what an `Annotated` adds narrows its values, so that Hypothesis knows it better."""
    return any(
        type(extra).__module__.startswith(("annotated_types", "pydantic")) for extra in extras
    )


def _plain(kind: type, characters: Sequence[str] = ()) -> Any:
    from hypothesis import strategies as st

    if kind is int:
        usual = st.one_of(st.integers(-3, 10), st.integers(-_MOST_NUMBER, _MOST_NUMBER))
        return _rarely(usual, LARGE)
    if kind is float:
        # What prices and measures look like: few digits, and yet not one that is held exactly.
        decimals = st.integers(-9_999, 9_999).map(lambda number: number / 100)
        return st.one_of(decimals, st.floats(-100, 100), st.sampled_from(_ODD_FLOATS), st.floats())
    if kind is str:
        digits = st.text(st.sampled_from(_DIGITS), max_size=_SMALL)
        plain = st.text(st.sampled_from(_LETTERS), max_size=2 * _SMALL)
        part = _rarely(st.sampled_from(_LETTERS), characters or GENERAL)
        odd = st.lists(part, max_size=2 * _SMALL).map("".join)
        return st.one_of(plain, digits, odd)
    if kind is bytes:
        return st.binary(max_size=2 * _SMALL)
    return st.booleans() if kind is bool else st.none()


def _sized(part: Any) -> Any:
    """Lists of few parts, and now and then of more."""
    from hypothesis import strategies as st

    few = st.lists(part, max_size=_SMALL)
    return st.one_of(few, few, few, st.lists(part, min_size=_SMALL, max_size=_LARGE))


def _itself(items: list[Any]) -> list[Any]:
    return items
