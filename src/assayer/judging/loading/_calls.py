"""Cases for functions and methods: arguments, and what must come of the call."""

import json
from collections.abc import Mapping
from typing import Any

from assayer.judging.loading._shape import Shape
from assayer.schemas import Entry, values

__all__ = ["CALLS"]

_OUTCOMES = ("expected", "expected_exception")
_TAGS = frozenset(
    {"tuple", "dict", "set", "frozenset", "bytes", "bytearray", "complex", "int", "float"}
)


def _fault_of(value: Mapping[object, object]) -> str:
    args = value.get("args")
    if args is None and "kwargs" not in value:
        return '"args" is missing; add the list of arguments'
    if args is not None and not isinstance(args, list | tuple):
        return '"args" is no list; write the arguments as a list'
    kwargs = value.get("kwargs")
    if kwargs is not None and not (
        isinstance(kwargs, Mapping) and all(isinstance(key, str) for key in kwargs)
    ):
        return '"kwargs" is no object with names; write {"name": value}'
    given = [key for key in _OUTCOMES if key in value]
    if len(given) == 2 and value["expected_exception"] is None:
        given.pop()  # a table has every column in every row
    if len(given) != 1:
        many = "both are given; keep one" if given else "neither is given; add one"
        return f'"expected" or "expected_exception": {many}'
    raised = value[given[0]] if given == ["expected_exception"] else "Exception"
    if not isinstance(raised, str) or not raised.isidentifier():
        return '"expected_exception" is no name; write one such as "ValueError"'
    after = value.get("expected_args")
    if after is not None and not isinstance(after, list | tuple):
        return '"expected_args" is no list; write the arguments as they must be after the call'
    if after is not None and "expected" not in value:
        return '"expected_args" needs "expected": a call that raises gives no arguments back'
    return ""


def _fields_of(fields: dict[Any, Any], entry: Entry, *, from_json: bool) -> Mapping[Any, Any]:  # noqa: ARG001
    read = _untagged if from_json else _as_it_is
    raised = fields.pop("expected_exception", None)
    after = fields.pop("expected_args", None)
    try:
        args = [read(item) for item in fields.pop("args", ())]
        kwargs = {key: read(item) for key, item in (fields.pop("kwargs", None) or {}).items()}
        expected = read(fields.pop("expected", None))
        wants = 0 if after is None else 1
        fields["input"] = values.encode([args, kwargs or None, wants]).encode()
        outcome: list[object] = ["raised", raised] if raised else ["ok", expected]
        if after is not None:
            outcome.append([read(item) for item in after])
        fields["expected"] = values.encode(outcome).encode()
    except values.NotPlainError as error:
        raise ValueError(f"it holds {error}; give plain values") from error
    except RecursionError as error:
        raise ValueError("it nests too deep; give flatter values") from error
    return fields


def _as_it_is(value: object) -> object:
    return value


def _untagged(value: object) -> object:
    """What a JSON value stands for: `{"$": "tuple", "v": [1, 2]}` is a tuple, and so on."""
    if isinstance(value, list):
        return [_untagged(item) for item in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == {"$", "v"} and value["$"] in _TAGS:
        try:
            return values.decode(json.dumps(value))
        except values.UnreadableError as error:
            raise ValueError(f"{json.dumps(value)[:60]} stands for no value: {error}") from error
    return {key: _untagged(item) for key, item in value.items()}


CALLS = Shape(
    keys=("args", "kwargs", *_OUTCOMES, "expected_args"),
    misnomers={
        "arguments": "args", "input": "args", "inputs": "args", "output": "expected",
        "outputs": "expected", "expected_output": "expected", "result": "expected",
        "raises": "expected_exception", "exception": "expected_exception",
        "time_limit": "timeout", "id": "name",
    },
    example='{"args": [...], "expected": ...}',
    fault_of=_fault_of,
    fields_of=_fields_of,
)  # fmt: skip
