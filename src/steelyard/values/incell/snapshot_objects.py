"""Objects by their state in a snapshot: enum members, exceptions, instances of any class."""

from __future__ import annotations

import ast
import enum
from typing import Any

from steelyard.values.incell import snapshot_plans, snapshot_types, snapshot_walk

Walk = snapshot_walk.Walk
Entry = snapshot_plans.Entry
Handler = snapshot_plans.Handler

_ARGS = BaseException.__dict__["args"].__get__
_CAUSE = BaseException.__dict__["__cause__"].__get__
_CONTEXT = BaseException.__dict__["__context__"].__get__
_SUPPRESSED = BaseException.__dict__["__suppress_context__"].__get__
_HINTS = frozenset({".name_from", ".print_file_and_line"})
_HINTED = (AttributeError, NameError)
"""Their `name` and `obj` are hints for the traceback, which the interpreter sets."""
_POSITIONS = frozenset({".lineno", ".col_offset", ".end_lineno", ".end_col_offset"})


def _enum(_walk: Walk, value: Any) -> Entry:
    name = snapshot_types.attribute(value, "_name_")
    if type(name) is str:
        return ["e", name]
    return ["e", repr(int.__add__(snapshot_types.attribute(value, "_value_"), 0))]


def _exception(cls: type) -> Handler:
    layout = snapshot_types.Layout(cls, BaseException, whole=True)
    hints = _HINTS
    if any(snapshot_types.is_kind_of(cls, kind) for kind in _HINTED):
        hints = hints | {".name", ".obj"}

    def write(walk: Walk, value: BaseException) -> Entry:
        pairs: list[tuple[str, object]] = [(".args", _ARGS(value))]
        pairs += [pair for pair in layout.state(value) if pair[0] not in hints]
        cause, context = _CAUSE(value), _CONTEXT(value)
        if cause is not None:
            pairs.append((".__cause__", cause))
        if not _SUPPRESSED(value) and context is not None:
            pairs.append((".__context__", context))
        return ["E", None, None, walk.fields(pairs)]

    return write


def _first(cls: type) -> tuple[Handler, bool] | None:
    if snapshot_types.is_kind_of(cls, enum.Enum):
        return _enum, True
    if snapshot_types.is_kind_of(cls, BaseException):
        return _exception(cls), False
    return None


def _by_state(layout: snapshot_types.Layout, tag: str) -> Handler:
    def write(walk: Walk, value: object) -> Entry:
        return [tag, None, None, walk.fields(layout.state(value))]

    return write


def _node(layout: snapshot_types.Layout) -> Handler:
    def write(walk: Walk, value: object) -> Entry:
        state = [pair for pair in layout.state(value) if pair[0] not in _POSITIONS]
        return ["o", None, None, walk.fields(state)]

    return write


def _reduced(walk: Walk, value: object) -> Entry:
    """What a type written in C says of itself when it is pickled."""
    cls = type(value)
    if snapshot_types.python_method(
        cls, "__reduce_ex__", "__reduce__", "__getstate__", "__getnewargs__", "__getnewargs_ex__"
    ):
        return snapshot_plans.opaque(value, "state in C")
    reduced = object.__reduce_ex__(value, 2)
    if type(reduced) is str:
        return ["v", reduced]
    labels = (".__reduce__", ".<arguments>", ".<state>")
    pairs = list(zip(labels, reduced, strict=False))
    if any(part is not None for part in reduced[3:]):
        return snapshot_plans.opaque(value, "it gives its items one by one")
    return ["o", None, None, walk.fields(pairs)]


def _opaque(_walk: Walk, value: object) -> Entry:
    return snapshot_plans.opaque(value)


def _otherwise(cls: type) -> Handler:
    layout = snapshot_types.Layout(cls)
    if layout.hidden:
        return _reduced
    if snapshot_types.is_kind_of(cls, ast.AST):
        return _node(layout)
    return _by_state(layout, "v" if snapshot_types.frozen(cls) else "o")


def register() -> None:
    """Makes the walk know these types."""
    snapshot_plans.FIRST.append(_first)
    snapshot_plans.OTHERWISE.append(_otherwise)
