"""Rows and files that somebody wrote to harm: one line each, in bounded memory and time."""

import base64
import json
import pickle
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from steelyard.datasets import read_tasks
from steelyard.schemas import RowFault, Task
from tests.unit.datasets.known_rows import (
    APPS,
    BIGOBENCH,
    CODECONTESTS,
    CODEFORCES,
    EVALPLUS,
    FORMS,
    HALO_FORGE_TIER,
    LIVECODEBENCH,
    LIVECODEBENCH_CALL,
    MBPP,
    TACO,
    packed,
)

Row = dict[str, Any]


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., tuple[list[Task], list[RowFault]]]:
    def tasks_of(*rows: object, **options: Any) -> tuple[list[Task], list[RowFault]]:
        file = tmp_path / "rows.jsonl"
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
        faults: list[RowFault] = []
        return list(read_tasks(file, on_fault=faults.append, **options)), faults

    return tasks_of


class Runs:
    """Unpickling this creates a file."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __reduce__(self) -> tuple[object, ...]:
        return (Path.touch, (self.file,))


def zipped(data: bytes) -> str:
    return base64.b64encode(zlib.compress(data)).decode()


def test_a_pickle_that_runs_code_is_refused_and_not_run(
    read: Callable[..., Any], tmp_path: Path
) -> None:
    file = tmp_path / "ran"
    row = {**LIVECODEBENCH, "private_test_cases": packed(Runs(file))}
    tasks, faults = read(row)
    assert tasks == []
    assert "may run code" in faults[0].message
    assert not file.exists()


@pytest.mark.parametrize(
    ("text", "part"),
    [
        (zipped(b"\x80\x04r\xff\xff\xff\x7f."), "without text"),
        (zipped(b"\x80\x04"), "not a pickle"),
        (zipped(b"\x80\x04X\xff\xff\xff\xff."), "not a pickle"),
        (zipped(pickle.dumps(["a", "b"])), "EMPTY_LIST"),
        (zipped(pickle.dumps("[1")), "not JSON"),
        (zipped(bytes(64 << 20)), "decompression bomb"),
        (zipped(b"\x80\x04")[:8], "too early"),
        ("not base64!", "not base64"),
        (base64.b64encode(b"abc").decode(), "damaged"),
    ],
)
def test_damaged_private_tests_are_one_line(read: Callable[..., Any], text: str, part: str) -> None:
    tasks, faults = read({**LIVECODEBENCH, "private_test_cases": text}, MBPP)
    assert [task.id for task in tasks] == ["11"]
    assert [part in fault.message for fault in faults] == [True], faults


def deep(levels: int) -> object:
    value: object = []
    for _ in range(levels):
        value = [value]
    return value


CONTRADICTIONS: list[tuple[Row, str]] = [
    ({**MBPP, "test_list": [], "challenge_test_list": []}, "no tests"),
    ({**MBPP, "test_list": "assert 1"}, "test_list"),
    ({**MBPP, "text": "  "}, '"text" is empty'),
    ({**MBPP, "task_id": "a\0b"}, "id"),
    ({**MBPP, "task_id": None}, '"task_id" is missing'),
    ({**APPS, "input_output": "{1"}, '"input_output": tests: not JSON'),
    ({**APPS, "input_output": ""}, "no tests"),
    ({**APPS, "input_output": '{"inputs": ["1"], "outputs": []}'}, "one output for each input"),
    ({**APPS, "input_output": '{"inputs": [1], "outputs": ["1"]}'}, "not text"),
    ({**APPS, "input_output": '{"inputs": [1], "outputs": ["1"], "fn_name": "f"}'}, "arguments"),
    ({**APPS, "input_output": '{"inputs": [[1]], "outputs": ["1"], "fn_name": "f("}'}, "fn_name"),
    ({**TACO, "time_limit": "soon"}, "not an amount"),
    ({**CODECONTESTS, "input_file": "sum.in"}, "input_file"),
    ({**CODECONTESTS, "time_limit": {"seconds": -1, "nanos": 0}}, "out of range"),
    ({**CODECONTESTS, "time_limit": {"seconds": 1e300, "nanos": 0}}, "out of range"),
    ({**CODECONTESTS, "time_limit": {"seconds": float("nan"), "nanos": 0}}, "number"),
    ({**CODECONTESTS, "solutions": {"language": [3], "solution": []}}, "language"),
    ({**CODEFORCES, "interaction_format": "Ask."}, "interactive"),
    ({**CODEFORCES, "contest_start": 1e30}, "not a date"),
    ({**BIGOBENCH, "description": {"text": 1}}, "text"),
    ({**EVALPLUS, "entry_point": "f(); import os"}, "not a name"),
    ({**EVALPLUS, "base_input": 3}, "base_input"),
    ({**LIVECODEBENCH, "metadata": '{"func_name": "f"}'}, "contradicts"),
    ({**LIVECODEBENCH_CALL, "contest_date": "yesterday"}, "not a date"),
    ({**HALO_FORGE_TIER, "test_cases": [{"type": "exit_code", "value": 0}]}, "exit_code"),
    ({"a": 1}, "not a row of a known data set"),
    ({"id": "x", "prompt": "p", "tests": deep(900), "schema_version": "1.0.0"}, "tests"),
    ({"id": "x", "prompt": "p", "tests": [{"input": 1}], "schema_version": "1.0.0"}, "is a number"),
    ({"id": "x", "prompt": "\ud800", "tests": [], "schema_version": "1.0.0"}, "half of a char"),
    ({"id": "x", "prompt": "p", "tests": [], "schema_version": "9.0.0"}, "schema_version"),
    (
        {
            "id": "x",
            "prompt": "p",
            "tests": [{"input": "", "expected": ""}] * 2 + [{"name": "1"}],
            "schema_version": "1.0.0",
        },
        "tests",
    ),
]


@pytest.mark.parametrize(("row", "part"), CONTRADICTIONS)
def test_a_row_that_lacks_or_contradicts_is_one_line_and_the_next_is_read(
    read: Callable[..., Any], row: Row, part: str
) -> None:
    tasks, faults = read(row, MBPP)
    assert [task.id for task in tasks] == ["11"]
    assert len(faults) == 1
    assert part in faults[0].message, faults[0]
    assert faults[0].row == 1
    assert len(str(faults[0])) < 700
    assert str(faults[0]).isprintable()


@pytest.mark.parametrize("name", FORMS)
def test_a_field_of_another_type_never_escapes_as_an_error(
    read: Callable[..., Any], name: str
) -> None:
    wrong = (None, 0, -1, 1e308, True, "", "\0", "{", [], [None], [[1]], {}, {"a": {"b": []}})
    rows = [{**FORMS[name], field: value} for field in FORMS[name] for value in wrong]
    tasks, faults = read(*rows)
    assert len(tasks) + len(faults) == len(rows)
    assert faults


def test_an_id_that_appears_twice_is_a_fault(read: Callable[..., Any]) -> None:
    tasks, faults = read(MBPP, MBPP)
    assert len(tasks) == 1
    assert "is also the id of" in faults[0].message


def test_a_named_format_refuses_rows_of_another(read: Callable[..., Any]) -> None:
    tasks, faults = read(MBPP, APPS, format="apps")
    assert [task.source for task in tasks] == ["apps"]
    assert "not a row of apps" in faults[0].message


def test_stranger_s_lists_are_read_and_not_evaluated(read: Callable[..., Any]) -> None:
    code = "['Sorting', __import__('os').abort()]"
    (task,), _ = read({**TACO, "skill_types": code, "tags": "(" * 10_000})
    assert task.tags == ("Sorting", "os")
