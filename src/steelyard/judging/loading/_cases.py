"""Make a test case from a mapping, and a suite from many."""

from collections.abc import Mapping, Sequence

from pydantic import ValidationError

from steelyard._printable import nearest
from steelyard.errors import TestsError
from steelyard.judging.loading._asserts import ASSERTS
from steelyard.judging.loading._calls import CALLS
from steelyard.judging.loading._row import Row, kind_of, quote
from steelyard.judging.loading._shape import Shape
from steelyard.schemas import Entry, TestCase, TestSuite

WRAPPERS = ("test_cases", "tests")
"""The keys under which an object may hold its list of cases."""

_OF_TASKS = (
    "entry",
    "form",
    "match_mode",
    "abs_tol",
    "rel_tol",
    "sequences_alike",
    "one_item_lists",
    "ignore_case",
    "checker",
    "time_limit_ms",
    "memory_limit_mib",
    "ending",
    "sized_tests",
)
"""Keys of a task's row that decide how programs are judged."""
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


def unwrap(value: object) -> object:
    """Return the list of cases in a mapping, or the value itself if it is not a mapping.

    Raises:
        TestsError: if the mapping holds no list, or two, or is a task's row, whose options would
            be lost.
    """
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


def example_of(entry: Entry) -> str:
    """Return an example of a case for this entry."""
    return _SHAPES[entry.kind].example


def suite_of(rows: Sequence[Row], *, source: str, entry: Entry) -> TestSuite:
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


def _case_of(row: Row, number: int, entry: Entry) -> TestCase:
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
        return TestCase.model_validate(shape.fields_of(fields, entry, from_json=bool(row.file)))
    except ValidationError as error:
        raise TestsError(f"{row.label(number)}: {_explain(error)}") from error
    except ValueError as error:
        raise TestsError(f"{row.label(number)}: {error}") from error


def _fault_of_keys(value: Mapping[object, object], shape: Shape) -> str:
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


def _fits_renamed(value: Mapping[object, object], shape: Shape) -> bool:
    renamed: dict[object, object] = {}
    for key, field in value.items():
        known = key in shape.keys or not isinstance(key, str)
        renamed[key if known else shape.misnomers.get(str(key).lower(), key)] = field
    return not (_fault_of_keys(renamed, shape) or shape.fault_of(renamed))


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


def _fault_of_common(value: Mapping[object, object]) -> str:
    for key in ("name", "category"):
        field = value.get(key)
        if not isinstance(field, str | None):
            return f'"{key}" is {kind_of(field)}; write it as text'
        if field and not _is_utf8(field):
            return f"{key} holds a character that UTF-8 cannot write; remove it"
    timeout = value.get("timeout")
    if timeout is not None and (not isinstance(timeout, int | float) or isinstance(timeout, bool)):
        return f'"timeout" is {kind_of(timeout)}; write it as a number of seconds'
    return ""


_SHAPES: Mapping[str, Shape] = {
    "stdio": Shape(
        keys=_TEXTS,
        misnomers=_MISNOMERS,
        example='{"input": "...", "expected": "..."}',
        fault_of=_fault_of_texts,
        fields_of=lambda fields, _entry, *, from_json: fields,  # noqa: ARG005
    ),
    "function": CALLS,
    "class": CALLS,
    "methods": CALLS,
    "asserts": ASSERTS,
}
_NAMED = {
    "stdio": _SHAPES["stdio"],
    "function:NAME or class:NAME.METHOD": CALLS,
    "asserts": ASSERTS,
}
"""Shapes by an entry that they belong to."""


def _is_utf8(text: str) -> bool:
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)


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
