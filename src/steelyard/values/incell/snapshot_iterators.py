"""Iterators in a snapshot: what they say of themselves when they are pickled, never a step."""

from __future__ import annotations

import io
import itertools
import types
import warnings
import weakref
from typing import Any

from steelyard.values.incell import snapshot_plans, snapshot_types, snapshot_walk

Walk = snapshot_walk.Walk
Entry = snapshot_plans.Entry


def _reduce_of(value: object) -> Any:
    """How the type, or the C type that it inherits from, takes its instances apart."""
    for base in snapshot_types.mro(type(value)):
        if id(base) in snapshot_plans.KNOWN:
            return snapshot_types.namespace(base)["__reduce__"]
    raise snapshot_types.HiddenError("no known iterator")


def _reduced(walk: Walk, value: Any) -> Entry:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        make, arguments, *state = _reduce_of(value)(value)
    pairs = [(".<made by>", make), (".<over>", arguments)]
    if state and state[0] is not None:
        pairs.append((".<state>", state[0]))
    return ["o", None, None, walk.fields(pairs)]


def _over_set(walk: Walk, value: Any) -> Entry:
    _, (left,) = _reduce_of(value)(value)
    return (
        ["o", None, None, walk.fields([(".<over>", set(left))])]
        if _plain(left)
        else (snapshot_plans.opaque(value))
    )


def _plain(values: list[object]) -> bool:
    """Whether a set of them can be made without running their `__hash__`."""
    return snapshot_plans.ATOMS.issuperset(map(id, map(type, values)))


def _opaque(_walk: Walk, value: object) -> Entry:
    return snapshot_plans.opaque(value)


async def _coroutine() -> None:
    """Its object shows the type."""


def register() -> None:
    """Makes the walk know these types."""
    empty: list[Any] = [
        iter([]),
        iter(()),
        iter(""),
        iter("\u0100"),
        iter(b""),
        iter(bytearray()),
        iter(range(0)),
        iter(range(1 << 65)),
        reversed([]),
        reversed(()),
        iter({}),
        iter({}.values()),
        iter({}.items()),
        reversed({}),
        reversed({}.values()),
        reversed({}.items()),
        iter(int, 0),
    ]
    kinds: list[type] = [type(one) for one in empty]
    group = next(itertools.groupby([0]))[1]
    kinds += [enumerate, zip, map, filter, reversed, type(group)]
    kinds += [
        itertools.accumulate,
        itertools.chain,
        itertools.combinations,
        itertools.combinations_with_replacement,
        itertools.compress,
        itertools.count,
        itertools.cycle,
        itertools.dropwhile,
        itertools.filterfalse,
        itertools.groupby,
        itertools.islice,
        itertools.permutations,
        itertools.product,
        itertools.repeat,
        itertools.starmap,
        itertools.takewhile,
        itertools.zip_longest,
    ]
    for kind in kinds:
        if "__reduce__" in kind.__dict__:
            snapshot_plans.know(kind, _reduced, inline=False)
    snapshot_plans.know(type(iter(set())), _over_set, inline=False)
    never: list[type] = [
        types.GeneratorType,
        types.CoroutineType,
        types.AsyncGeneratorType,
        types.FrameType,
        types.TracebackType,
        weakref.ProxyType,
        weakref.CallableProxyType,
        io.IOBase,
        io._io._IOBase,  # type: ignore[attr-defined]
    ]
    for kind in never:
        snapshot_plans.know(kind, _opaque, inline=False)
