"""Read cases for functions and methods: arguments, and the expected outcome."""

import json
from collections.abc import Mapping
from typing import Any, TypeGuard

from steelyard.judging.loading._shape import Shape
from steelyard.schemas import Entry, values

_OUTCOMES = ("expected", "expected_exception")
_BACK = {"expected_args": 1, "expected_kwargs": 2}
"""The part of the call that each key requests from the harness (incell/calls.py)."""
_TAGS = frozenset(
    {"tuple", "dict", "set", "frozenset", "bytes", "bytearray", "complex", "int", "float"}
)


def _fault_of(value: Mapping[object, object]) -> str:
    args = value.get("args")
    if args is None and "kwargs" not in value:
        return '"args" is missing; add the list of arguments'
    if args is not None and not isinstance(args, list | tuple):
        return '"args" is not a list; write the arguments as a list'
    kwargs = value.get("kwargs")
    if kwargs is not None and not _has_names(kwargs):
        return '"kwargs" is not an object with names; write {"name": value}'
    given = [key for key in _OUTCOMES if key in value]
    if len(given) == 2 and value["expected_exception"] is None:
        given.pop()  # a table has every column in every row
    if len(given) != 1:
        many = "both are given; keep one" if given else "neither is given; add one"
        return f'"expected" or "expected_exception": {many}'
    raised = value[given[0]] if given == ["expected_exception"] else "Exception"
    if not isinstance(raised, str) or not raised.isidentifier():
        return '"expected_exception" is not a name; write a name such as "ValueError"'
    args_after, kwargs_after = (value.get(key) for key in _BACK)
    if args_after is not None and not isinstance(args_after, list | tuple):
        return '"expected_args" is not a list; write the arguments as they must be after the call'
    if kwargs_after is not None and not _has_names(kwargs_after):
        return '"expected_kwargs" is not an object with names; write {"name": value}'
    if kwargs_after is not None and kwargs_after.keys() != (kwargs or {}).keys():
        return '"expected_kwargs" has other names than "kwargs"; write the same ones'
    for key in _BACK:
        if value.get(key) is not None and "expected" not in value:
            return f'"{key}" needs "expected": a call that raises gives no arguments back'
    return ""


def _has_names(value: object) -> TypeGuard[Mapping[str, object]]:
    return isinstance(value, Mapping) and all(isinstance(key, str) for key in value)


def _fields_of(fields: dict[Any, Any], entry: Entry, *, from_json: bool) -> Mapping[Any, Any]:  # noqa: ARG001
    read = _untagged if from_json else _as_it_is
    raised = fields.pop("expected_exception", None)
    after = {key: fields.pop(key, None) for key in _BACK}
    args_after, kwargs_after = after.values()
    try:
        args = [read(item) for item in fields.pop("args", ())]
        kwargs = {key: read(item) for key, item in (fields.pop("kwargs", None) or {}).items()}
        expected = read(fields.pop("expected", None))
        back = sum(_BACK[key] for key in _BACK if after[key] is not None)
        fields["input"] = values.encode([args, kwargs or None, back]).encode()
        outcome: list[object] = ["raised", raised] if raised else ["ok", expected]
        if args_after is not None:
            outcome.append([read(item) for item in args_after])
        elif kwargs_after is not None:
            outcome.append(None)
        if kwargs_after is not None:
            outcome.append({key: read(item) for key, item in kwargs_after.items()})
        fields["expected"] = values.encode(outcome).encode()
    except values.NotPlainError as error:
        raise ValueError(f"it holds {error}; give plain values") from error
    except RecursionError as error:
        raise ValueError("it nests too deep; give flatter values") from error
    return fields


def _as_it_is(value: object) -> object:
    return value


def _untagged(value: object) -> object:
    """Return the value that a JSON value encodes, such as `{"$": "tuple", "v": [1, 2]}`."""
    if isinstance(value, list):
        return [_untagged(item) for item in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == {"$", "v"} and value["$"] in _TAGS:
        try:
            return values.decode(json.dumps(value))
        except values.UnreadableError as error:
            raise ValueError(f"{json.dumps(value)[:60]} is not a value: {error}") from error
    return {key: _untagged(item) for key, item in value.items()}


CALLS = Shape(
    keys=("args", "kwargs", *_OUTCOMES, *_BACK),
    misnomers={
        "arguments": "args",
        "input": "args",
        "inputs": "args",
        "output": "expected",
        "outputs": "expected",
        "expected_output": "expected",
        "result": "expected",
        "raises": "expected_exception",
        "exception": "expected_exception",
        "time_limit": "timeout",
        "id": "name",
    },
    example='{"args": [...], "expected": ...}',
    fault_of=_fault_of,
    fields_of=_fields_of,
)
