"""Make test cases from what was read: a suite from rows, each checked against its entry's keys.

1. A row is one case as it was read, with its position for messages.
2. A shape has the keys of a case for one kind of entry: texts for a program, arguments and an
   outcome for calls, Python text for assertions. It finds the faults of a row.
3. Wrong keys that people write, and cases of another entry, are named in the message.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

from pydantic import ValidationError

from steelyard._printable import nearest
from steelyard.errors import TestsError
from steelyard.schemas import COMPARISON, Entry, TestCase, TestSuite, values

WRAPPERS = ("test_cases", "tests")
"""The keys under which an object may hold its list of cases."""
ROW_FIELDS = (
    "entry",
    "form",
    "language",
    "completion",
    "starter_code",
    "setup",
    "ending",
    "sized_tests",
    *COMPARISON,
    "checker",
    "time_limit_ms",
    "memory_limit_mib",
)
"""Fields by which a row decides how programs are judged, in addition to its tests."""
_OF_TASKS = tuple(
    name for name in ROW_FIELDS if name not in ("language", "completion", "starter_code", "setup")
)
"""Of these, those that tests alone may not have."""
_TEXTS = ("input", "expected")
_OPTIONAL = ("name", "timeout", "category")
_MISNOMERS: Mapping[str, str] = {
    "in": "input",
    "inputs": "input",
    "stdin": "input",
    "output": "expected",
    "outputs": "expected",
    "out": "expected",
    "stdout": "expected",
    "expected_output": "expected",
    "answer": "expected",
    "time_limit": "timeout",
    "id": "name",
}
_OUTCOMES = ("expected", "expected_exception")
_BACK = {"expected_args": 1, "expected_kwargs": 2}
"""The part of the call that each key requests from the harness (incell/calls.py)."""
_TAGS = frozenset(
    {"tuple", "dict", "set", "frozenset", "bytes", "bytearray", "complex", "int", "float"}
)
_KINDS: dict[type, str] = {
    bool: "a boolean",
    int: "a number",
    float: "a number",
    str: "text",
    bytes: "bytes",
    list: "a list",
    tuple: "a list",
    dict: "an object",
    type(None): "null",
}
_EXCERPT = 40


@dataclass(frozen=True, slots=True)
class ReadCase:
    """One case as it was read, with its position."""

    value: object
    file: str = ""
    line: int | None = None

    def label(self, number: int) -> str:
        """Return the row's name in messages: `tests.jsonl:3: case 3 ("name")`."""
        where = ":".join(str(part) for part in (self.file, self.line) if part)
        name = self.value.get("name") if isinstance(self.value, Mapping) else None
        called = f" ({quote(name)})" if isinstance(name, str) and name else ""
        return f"{where}: case {number}{called}" if where else f"case {number}{called}"


def quote(text: str) -> str:
    """Return a text for a message: quoted, on one line, and short."""
    short = text if len(text) <= _EXCERPT else text[:_EXCERPT] + "..."
    return json.dumps(short, ensure_ascii=not short.isprintable())


def kind_of(value: object) -> str:
    """Return the kind of a value, in the words of JSON."""
    return _KINDS.get(type(value), f"of type {type(value).__name__}")


def unwrap(value: object, entry: Entry) -> object:
    """Return the list of cases in a mapping, or the value itself if it is not a mapping.

    Assertions get the setup that the mapping has for all of them.

    Raises:
        TestsError: if the mapping holds no list, or two, or is a task's row, whose options would
            be lost.
    """
    if entry.kind == "asserts":
        value = spread_setup(value)
    if not isinstance(value, Mapping):
        return value
    held = [key for key in WRAPPERS if key in value]
    if held and (option := next((key for key in _OF_TASKS if value.get(key)), "")):
        raise TestsError(
            f'"{option}" is for a task, and these are tests alone; leave it out, or give the row '
            "to judge, or to a reward as one of suites"
        )
    if len(held) == 1:
        if isinstance(value[held[0]], Mapping):
            raise TestsError(f'"{held[0]}" is an object; make it a list of cases')
        return value[held[0]]
    if held:
        raise TestsError('both "test_cases" and "tests" are given; keep one')
    if all(key in value for key in _TEXTS) or "args" in value or "code" in value:
        raise TestsError("got a single case, not a list; put it into a list")
    raise TestsError('the object holds neither "test_cases" nor "tests"; put the list under one')


def spread_setup(value: object) -> object:
    """Return the cases of a mapping, each with the setup that the mapping gives for all."""
    if not isinstance(value, Mapping) or "setup" not in value:
        return value
    rest = {key: field for key, field in value.items() if key != "setup"}
    for key, cases in rest.items():
        if isinstance(cases, Sequence) and not isinstance(cases, str | bytes):
            rest[key] = [_with_setup(case, value["setup"]) for case in cases]
    return rest


def _with_setup(case: object, setup: object) -> object:
    if isinstance(case, str):
        return {"code": case, "setup": setup}
    return {"setup": setup, **case} if isinstance(case, Mapping) else case


def example_of(entry: Entry) -> str:
    """Return an example of a case for this entry."""
    return _SHAPES[entry.kind].example


def suite_of(rows: Sequence[ReadCase], *, source: str, entry: Entry) -> TestSuite:
    """Return the suite of these rows for one entry, each checked and with a name of its own.

    Raises:
        TestsError: for the first row that is not a case, or that repeats a name.
    """
    cases = []
    numbers: dict[str, int] = {}
    for number, row in enumerate(rows, start=1):
        case = _case_of(row, number, entry)
        first = numbers.setdefault(case.name, number)
        if first != number:
            raise TestsError(
                f"{row.label(number)}: the name {quote(case.name)} is also the name of case "
                f"{first}; give each case a name of its own"
            )
        cases.append(case)
    return TestSuite(cases=tuple(cases), entry_kind=entry.kind, source=source)


def _case_of(row: ReadCase, number: int, entry: Entry) -> TestCase:
    value = row.value
    if isinstance(value, TestCase):
        return value if value.name else value.model_copy(update={"name": str(number)})
    shape = _SHAPES[entry.kind]
    if entry.kind == "asserts" and isinstance(value, str):
        value = {"code": value}
    if not isinstance(value, Mapping):
        if isinstance(value, str) and value.lstrip().startswith("assert "):
            raise TestsError(f"{row.label(number)}: {_other_entry({'code': value}, entry)}")
        raise TestsError(
            f"{row.label(number)}: {kind_of(value)} is not a case; write {shape.example}"
        )
    fault = _fault_of_keys(value, shape)
    if fault:
        fault = _other_entry(value, entry) or fault
    fault = fault or shape.fault_of(value) or _fault_of_common(value)
    if fault:
        raise TestsError(f"{row.label(number)}: {fault}")
    fields = {key: field for key, field in value.items() if field is not None or key == "expected"}
    if not fields.get("name"):
        fields["name"] = str(number)
    try:
        return TestCase.model_validate(shape.fields_of(fields, entry, bool(row.file)))
    except ValidationError as error:
        raise TestsError(f"{row.label(number)}: {_explain(error)}") from error
    except ValueError as error:
        raise TestsError(f"{row.label(number)}: {error}") from error


def _explain(error: ValidationError) -> str:
    first = error.errors()[0]
    key = str(first["loc"][0]) if first["loc"] else "the case"
    match first["type"]:
        case "greater_than":
            return f"{key} must be above {first['ctx']['gt']:g}; give it in seconds"
        case "less_than_equal":
            return f"{key} must be at most {first['ctx']['le']:g}; give it in seconds"
        case "string_unicode":
            return f"{key} holds a character that UTF-8 cannot write; remove it"
        case _:
            return f"{key}: {first['msg'].lower()}, got {first['input']!r:.60}"


@dataclass(frozen=True, slots=True)
class _CaseShape:
    """The keys of a case in addition to the keys of every case."""

    keys: tuple[str, ...]
    misnomers: Mapping[str, str]
    """Wrong keys that people write, with the right key."""
    example: str
    fault_of: Callable[[Mapping[object, object]], str]
    """Returns the fault in these keys; empty if there is none."""
    fields_of: Callable[[dict[Any, Any], Entry, bool], Mapping[Any, Any]]
    """Turns the fields of a case, which may be from JSON, into those of `TestCase`.

    Raises ValueError, with what to fix, if they contradict each other.
    """


def _fault_of_keys(value: Mapping[object, object], shape: _CaseShape) -> str:
    known = (*shape.keys, *_OPTIONAL)
    for key in value:
        if key not in known:
            meant = shape.misnomers.get(key.lower()) if isinstance(key, str) else None
            named = quote(key) if isinstance(key, str) else repr(key)
            near = nearest(str(key), known).removeprefix(", ")
            advice = f'call it "{meant}"' if meant else near
            keys = f"a case has {', '.join(known)}"
            return f"unknown key {named}; " + (f"{advice} ({keys})" if advice else keys)
    return ""


def _other_entry(value: Mapping[object, object], entry: Entry) -> str:
    """Return what to do if a case is one of another entry; empty if it is not.

    Wrong keys that people write count as the right ones, first in the given entry.
    """
    if _fits_renamed(value, _SHAPES[entry.kind]):
        return ""
    for name, shape in _NAMED.items():
        if _fits_renamed(value, shape):
            return (
                f"this is a case for the entry {name}, and the entry is {entry}; "
                f"set the entry to {name}"
            )
    return ""


def _fits_renamed(value: Mapping[object, object], shape: _CaseShape) -> bool:
    renamed: dict[object, object] = {}
    for key, field in value.items():
        known = key in shape.keys or not isinstance(key, str)
        renamed[key if known else shape.misnomers.get(str(key).lower(), key)] = field
    return not (_fault_of_keys(renamed, shape) or shape.fault_of(renamed))


def _fault_of_common(value: Mapping[object, object]) -> str:
    for key in ("name", "category"):
        field = value.get(key)
        if not isinstance(field, str | None):
            return f'"{key}" is {kind_of(field)}; write it as text'
        if field and any("\ud800" <= letter <= "\udfff" for letter in field):
            return f"{key} holds a character that UTF-8 cannot write; remove it"
    timeout = value.get("timeout")
    if timeout is not None and (not isinstance(timeout, int | float) or isinstance(timeout, bool)):
        return f'"timeout" is {kind_of(timeout)}; write it as a number of seconds'
    return ""


def _fault_of_texts(value: Mapping[object, object]) -> str:
    """Return the fault in the input and output of a program's case; empty if there is none."""
    for key in _TEXTS:
        if key not in value:
            return f'"{key}" is missing; add it'
        field = value[key]
        if isinstance(field, int | float) and not isinstance(field, bool):
            return f'"{key}" is a number; write it as text, in quotes'
        if not isinstance(field, str | bytes | bytearray):
            return (
                f'"{key}" is {kind_of(field)}; write it as text, as the program reads or prints it'
            )
    return ""


def _fault_of_calls(value: Mapping[object, object]) -> str:
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


def _fields_of_calls(fields: dict[Any, Any], _entry: Entry, from_json: bool) -> Mapping[Any, Any]:
    read = _untagged if from_json else lambda value: value
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


_CALLS = _CaseShape(
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
    fault_of=_fault_of_calls,
    fields_of=_fields_of_calls,
)


def _fault_of_code(value: Mapping[object, object]) -> str:
    for key in ("code", "setup"):
        if not isinstance(value.get(key, "" if key == "setup" else None), str | None):
            return f'"{key}" is not text; write Python source in it'
    imports = value.get("test_imports")
    if imports is not None and not (
        isinstance(imports, list | tuple) and all(isinstance(line, str) for line in imports)
    ):
        return '"test_imports" is not a list of lines; write them as text'
    name = value.get("entry")
    if name is not None and not (isinstance(name, str) and name.isidentifier()):
        return '"entry" is not a name; write the name of the function under test'
    return "" if value.get("code") else '"code" is missing; add the assertions'


def _fields_of_code(fields: dict[Any, Any], entry: Entry, _from_json: bool) -> Mapping[Any, Any]:
    task = {
        "setup": "\n".join([*fields.pop("test_imports", ()), fields.pop("setup", "")]).strip("\n"),
        "code": fields.pop("code"),
        "entry": fields.pop("entry", None) or entry.name or None,
    }
    fields["input"] = json.dumps(task).encode()
    return fields


_ASSERTS = _CaseShape(
    keys=("code", "setup", "test_imports", "entry"),
    misnomers={
        "assert": "code",
        "test": "code",
        "check": "code",
        "test_setup": "setup",
        "prompt": "setup",
        "entry_point": "entry",
        "time_limit": "timeout",
        "id": "name",
    },
    example='"assert f(1) == 2" or {"code": "assert f(1) == 2"}',
    fault_of=_fault_of_code,
    fields_of=_fields_of_code,
)
_SHAPES: Mapping[str, _CaseShape] = {
    "stdio": _CaseShape(
        keys=_TEXTS,
        misnomers=_MISNOMERS,
        example='{"input": "...", "expected": "..."}',
        fault_of=_fault_of_texts,
        fields_of=lambda fields, _entry, _from_json: fields,
    ),
    "function": _CALLS,
    "class": _CALLS,
    "methods": _CALLS,
    "asserts": _ASSERTS,
}
_NAMED = {
    "stdio": _SHAPES["stdio"],
    "function:NAME or class:NAME.METHOD": _CALLS,
    "asserts": _ASSERTS,
}
"""Shapes by an entry that they belong to."""
