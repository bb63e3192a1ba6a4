"""A mapping of columns: which columns of a row become which fields of a task.

It is written `FIELD=COLUMN`. A column may be within another (`metadata.url`), also in one that is
JSON text, and several are joined (`prompt=description+note`). A column of tests may name the
category of its cases (`tests=public_tests:visible+private_tests:private`).

The unit of a limit is in the column's name, in the text, or follows from the number. Programs are
read in each way that data sets write them.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from steelyard._printable import nearest
from steelyard.datasets.formats._fields import Fields, one_line
from steelyard.datasets.rows import RowError
from steelyard.errors import DatasetError, TestsError
from steelyard.judging import Source, form_called
from steelyard.schemas import COMPARISON, sha256_of
from steelyard.toolchains import language_called, language_table

TaskFields = dict[str, Any]
"""Fields of a `Task`. It is validated as a whole, so their values may be of any type here."""


@dataclass(frozen=True, slots=True)
class DataColumn:
    """One column of rows."""

    path: str
    """Its name, or the names from the outermost to the innermost with points between."""
    category: str = ""
    """The category of the cases in it."""


Columns = Mapping[str, tuple[DataColumn, ...]]
"""Columns by the field of a task that they become."""


_PYTHON_2 = 1
"""Its number in CodeContests; the table of languages has the others."""
_SOURCES = ("code", "solution", "solution_code", "completion", "source")
_KEPT = ("time_complexity", "memory_complexity", "note", "label")
_FENCED = re.compile(r"\s*```\w*\n(.*?)\n?```\s*", re.DOTALL)


def programs_in(path: str, value: object) -> Iterator[dict[str, Any]]:
    """Return the programs that a column holds, as fields of `TaskSolution`.

    It holds one text, a list of texts, a list of objects, or parallel lists of languages and
    programs; or one of these as JSON text.

    Raises:
        RowError: for anything else.
    """
    if isinstance(value, str) and value.lstrip().startswith("["):
        value = Fields({path: value}).decoded(path)
    if isinstance(value, str):
        return _programs([(value, None, {})])
    if isinstance(value, Mapping):
        held = Fields(value)
        languages, sources = value.get("language"), held.texts("solution")
        if not isinstance(languages, list) or len(languages) != len(sources):
            raise RowError(f'"{path}" has not one language for each program; give as many of each')
        return _programs((*pair, {}) for pair in zip(sources, languages, strict=True))
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return _programs(
            (each.text_if_any(*_SOURCES), each.row.get("language"), each.row)
            for each in Fields({path: value}).objects(path)
        )
    return _programs((text, None, {}) for text in Fields({path: value}).texts(path))


def _programs(
    listed: Iterable[tuple[str, object, Mapping[str, object]]],
) -> Iterator[dict[str, Any]]:
    for text, language, more in listed:
        if not text.strip():
            continue
        fenced = _FENCED.fullmatch(text)
        program = {key: more[key] for key in _KEPT if more.get(key)}
        if language is not None:
            program["language"] = _language(language)
        yield {"source": fenced[1] if fenced else text, **program}


def _language(value: object) -> str:
    if isinstance(value, str):
        return language_called(value) or one_line(value.lower())
    numbers = {row.peers.code_contests: row.name for row in language_table().languages}
    named = {**numbers, _PYTHON_2: "python2"}
    return named.get(value, "unknown") if isinstance(value, int) else "unknown"


_AMOUNT = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([a-z]*)", re.IGNORECASE)
_MS = {"ms": 1.0, "s": 1000.0}
_MIB = {"b": 2.0**-20, "k": 2.0**-10, "m": 1.0, "g": 1024.0}
_LEAST_MS = 100
"""A time without a unit is in milliseconds from here on, and in seconds below."""


def ms_of(path: str, value: object) -> int | None:
    """Return a time in milliseconds: a number, `2.0 seconds`, or an object of seconds and nanos.

    Raises:
        RowError: for anything else, and for what is out of range.
    """
    if isinstance(value, dict):
        held = Fields(value)
        seconds = (held.number("seconds") or 0) + (held.number("nanos") or 0) / 1e9
        return Fields({path: seconds}).amount(path, 1000)
    if isinstance(value, str):
        return _amount(path, value, _MS, "s", "2 seconds")
    number = Fields({path: value}).number(path) or 0
    return Fields({path: number}).amount(path, 1 if number >= _LEAST_MS else 1000)


def mib_of(path: str, value: object) -> int | None:
    """Return memory in MiB: a number, or `256 megabytes`. A column named `..._bytes` has bytes.

    Raises:
        RowError: for anything else, and for what is out of range.
    """
    if isinstance(value, str):
        return _amount(path, value, _MIB, "m", "256 megabytes")
    return Fields({path: value}).amount(path, 2**-20 if path.endswith("_bytes") else 1)


def _amount(path: str, text: str, units: dict[str, float], usual: str, example: str) -> int | None:
    if not text.strip():
        return None
    match = _AMOUNT.match(text)
    unit = (match[2].lower() or usual) if match else ""
    unit = unit if unit in units else unit[:1]
    if match is None or unit not in units:
        raise RowError(f'"{path}" is {one_line(text)!r}, which is not an amount such as {example}')
    return Fields({path: float(match[1])}).amount(path, units[unit])


_Held = Sequence[tuple[str, object]]
"""Columns of a row that hold something, with what they hold."""


def _line(held: _Held) -> str:
    lines = (Fields({path: value}).line(path) for path, value in held)
    return next(filter(None, lines), "")


def _lines(held: _Held) -> list[str]:
    """Return the texts in lists; a list may be written as Python does, and is not evaluated."""
    found = [one_line(each) for path, value in held for each in Fields({path: value}).listed(path)]
    return list(dict.fromkeys(filter(None, found)))


def _statement(held: _Held) -> str:
    """Return a statement: a text, or the last message of a user; further columns are sections."""
    (first, *more) = [(path.rpartition(".")[2], _message(path, value)) for path, value in held]
    named = (f"## {name.replace('_', ' ').capitalize()}\n{text}" for name, text in more)
    return "\n\n".join([first[1], *named])


def _message(path: str, value: object) -> str:
    if not isinstance(value, list):
        return Fields({path: value}).text(path)
    messages = Fields({path: value}).objects(path)
    asked = [each.text("content") for each in messages if each.row.get("role") == "user"]
    if not asked:
        raise RowError(f'"{path}" holds no message of a user; write text')
    return asked[-1]


def _code(held: _Held) -> str:
    parts = [
        "\n".join(Fields({path: value}).texts(path))
        if isinstance(value, list)
        else Fields({path: value}).text_if_any(path)
        for path, value in held
    ]
    return "\n".join(filter(None, parts))


def _right(held: _Held) -> list[dict[str, Any]]:
    if len(held) > 1:
        return [{"source": "".join(Fields({path: value}).text(path) for path, value in held)}]
    return [each for path, value in held for each in programs_in(path, value)]


def _checker(held: _Held) -> object:
    (_, value) = held[0]
    return {"source": value} if isinstance(value, str) else value


FIELDS: Mapping[str, Callable[[_Held], object]] = MappingProxyType(
    {
        "id": lambda held: "-".join(Fields({path: it}).identifier(path) for path, it in held),
        "title": _line,
        "prompt": _statement,
        "tests": lambda held: held[0][1],
        "name": _line,
        "starter_code": _code,
        "setup": _code,
        "language": _line,
        "solutions": _right,
        "wrong_solutions": lambda held: [{**each, "label": "wrong"} for each in _right(held)],
        "checker": _checker,
        "input_bounds": lambda held: held[0][1],
        "input_generator": _code,
        "time_limit": lambda held: ms_of(*held[0]),
        "memory_limit": lambda held: mib_of(*held[0]),
        "time_complexity": _line,
        "memory_complexity": _line,
        "difficulty": _line,
        "tags": _lines,
        "group": _line,
        "published": lambda held: Fields(dict(held[:1])).day(held[0][0]),
        "url": _line,
        "license": _line,
        "extra": lambda held: {path.rpartition(".")[2]: it for path, it in held},
    }
)
"""The fields that columns can become, with the way that each is read."""
_NEEDED = ("prompt", "tests")
_WHOLE = ("id", "solutions", "wrong_solutions")
"""Fields that need all of the columns that are joined."""
_OF_SOURCES = ("name", "starter_code", "setup", "prompt", "language")
_OWN_NAMES = {"time_limit": "time_limit_ms", "memory_limit": "memory_limit_mib"}
_SHOWN_COLUMNS = 20
_HOLLOW: tuple[object, ...] = (None, "", [], {})


def columns_of(written: str | Mapping[str, str]) -> Columns:
    """Return a mapping from its text, `prompt=question, tests=public+private`, or by field.

    Raises:
        DatasetError: for an unknown field, one without a column, one that is missing, and one that
            is there twice.
    """
    if isinstance(written, str):
        pairs = [part.partition("=") for part in written.split(",")]
        listed = [(field.strip(), column) for field, _, column in pairs]
        written = dict(listed)
        if len(written) < len(listed):
            twice = next(name for name in written if [each for each, _ in listed].count(name) > 1)
            raise DatasetError(f"{twice} is given twice; join columns as {twice}=COLUMN+COLUMN")
    for field, column in written.items():
        if field not in FIELDS:
            raise DatasetError(
                f"unknown field {field!r}{nearest(field, FIELDS)}; use some of {', '.join(FIELDS)}"
            )
        if not column.strip():
            raise DatasetError(f"no column becomes {field}; write {field}=COLUMN")
    for field in _NEEDED:
        if field not in written:
            raise DatasetError(f"no column becomes {field}; write {field}=COLUMN")
    return {field: tuple(map(_column, text.split("+"))) for field, text in written.items()}


def _column(text: str) -> DataColumn:
    path, _, category = text.strip().partition(":")
    if not path:
        raise DatasetError(f"a column has no name in {text!r}; write COLUMN, or COLUMN+COLUMN")
    return DataColumn(path, category)


def check_columns(row: Mapping[str, object], columns: Columns) -> None:
    """Check that a row has every column.

    Raises:
        DatasetError: for the first that it lacks.
    """
    for listed in columns.values():
        for column in listed:
            known = _known(row, column.path)
            if column.path not in known:
                names = ", ".join(known[:_SHOWN_COLUMNS])
                raise DatasetError(
                    f"there is no column {column.path!r}{nearest(column.path, known)}; the first "
                    f"row has {names}"
                )


def _known(row: Mapping[str, object], path: str) -> list[str]:
    """Return the columns next to a path; the path itself if what holds it is empty."""
    outer, _, inner = path.partition(".")
    if path in row or not inner or outer not in row:
        return list(row)
    if row[outer] in _HOLLOW:
        return [path]
    inside: list[str] = []
    with suppress(RowError):  # text that is no JSON
        inside = _known(_within(row, outer), inner)
    return [f"{outer}.{each}" for each in inside] or list(row)


def present(row: Mapping[str, object], columns: Columns) -> dict[str, tuple[str, ...]]:
    """Return the columns that hold something, by the field that they become."""
    found = {
        field: tuple(each.path for each in listed if _value_at(row, each.path) not in _HOLLOW)
        for field, listed in columns.items()
    }
    return {field: paths for field, paths in found.items() if paths}


def read_columns(
    row: Mapping[str, object], columns: Columns, form: str, name: str = ""
) -> TaskFields:
    """Return the fields of a task that a row's columns become, with its tests in a form.

    A row without an id has a digest of what is asked and tested after `name`.

    Raises:
        RowError: if a column is missing, or has another type than its field.
        UsageError: if the form is unknown.
    """
    fields: TaskFields = {}
    for field, listed in columns.items():
        held = [(each.path, _value_at(row, each.path)) for each in listed]
        here = [(path, value) for path, value in held if value not in _HOLLOW]
        if not here and field in ("id", "prompt"):
            Fields(dict(held)).text(held[0][0])
        if here and field != "tests" and (field not in _WHOLE or len(here) == len(held)):
            fields[_OWN_NAMES.get(field, field)] = FIELDS[field](here)
    source = Source(None, **{name: fields.get(name, "") for name in _OF_SOURCES})
    fields |= _tests(row, columns["tests"], source, form)
    if "checker" in fields:
        fields = {name: value for name, value in fields.items() if name not in COMPARISON}
    right, wrong = (fields.pop(name, []) for name in ("solutions", "wrong_solutions"))
    language = {"language": fields.get("language") or "python"}
    begun = "" if fields["starter_code"] == source.starter_code else fields["starter_code"]
    fields["solutions"] = [
        {**language, **each, "source": begun + each["source"]} for each in [*right, *wrong]
    ]
    fields["provenance"] = {key: fields.pop(key) for key in ("url", "license") if key in fields}
    fields.pop("name", None)
    if "id" not in fields:
        known = sha256_of(json.dumps([fields["prompt"], fields["tests"]]))
        fields["id"] = f"{name or form}-{known[:16]}"
    return fields


def _tests(
    row: Mapping[str, object], listed: Sequence[DataColumn], source: Source, form: str
) -> TaskFields:
    """Return what the form reads: the fields of the last column, with the cases of all."""
    held = [(each, _value_at(row, each.path)) for each in listed]
    fields: TaskFields = {"form": form, "starter_code": source.starter_code}
    cases: list[dict[str, Any]] = []
    for column, value in held:
        if value in _HOLLOW:
            continue
        try:
            fields |= form_called(form).fields(replace(source, tests=value))
        except TestsError as error:
            raise RowError(f'"{column.path}": {error}') from error
        more = {"category": column.category} if column.category else {}
        cases += [{**case, **more} for case in fields["tests"]]
    return {**fields, "tests": cases}


def _value_at(row: Mapping[str, object], path: str) -> object:
    """Return what a column holds; None if it is missing."""
    if path in row:
        return row[path]
    outer, _, inner = path.partition(".")
    if not inner or row.get(outer) in _HOLLOW:
        return None
    return _value_at(_within(row, outer), inner)


def _within(row: Mapping[str, object], path: str) -> Mapping[str, object]:
    """Return the columns within a column, which may be JSON text; of a list by number."""
    value = Fields(row).decoded(path)
    if isinstance(value, list):
        return {str(number): item for number, item in enumerate(value)}
    return value if isinstance(value, Mapping) else {}
