"""A mapping of columns makes a task of any row; a wrong one is one line."""

import json
from pathlib import Path
from typing import Any

import pytest

from steelyard.datasets import FORMATS, find_task, read_mapped, read_tasks
from steelyard.errors import DatasetError, UsageError
from steelyard.schemas import RowFault, Task
from tests.unit.datasets.known_rows import (
    CRUXEVAL,
    DEEPCODER_CALL,
    HALO_FORGE_TIER,
    KODCODE,
    LIVECODEBENCH,
    MULTIPL_E,
    SUM_PAIRS,
    VERL,
)

ROW = {
    "n": 7,
    "ask": "Add.",
    "more": "Both are small.",
    "t": {"limit": 1.5},
    "memory_bytes": 1 << 28,
    "shown": SUM_PAIRS[:1],
    "hidden": json.dumps(SUM_PAIRS[1:]),
    "by": "me",
}


def read(folder: Path, *rows: object, **how: Any) -> tuple[list[Task], list[str]]:
    file = folder / "rows.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    faults: list[RowFault] = []
    tasks = list(read_tasks(file, on_fault=faults.append, **how))
    return tasks, [fault.message for fault in faults]


def test_a_task_that_is_not_found_is_named_with_the_first_row_that_was_left_out(
    tmp_path: Path,
) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text('{"strange": 1}\n')
    with pytest.raises(DatasetError, match=r"no task 'a' \(the first row left out is .*strange"):
        find_task(f"{file}:a")


def test_columns_become_fields(tmp_path: Path) -> None:
    columns = (
        "id=n, prompt=ask+more, tests=shown:visible+hidden, time_limit=t.limit, "
        "memory_limit=memory_bytes"
    )
    (task,), faults = read(tmp_path, ROW, columns=columns, form="codeforces")
    assert faults == []
    assert (task.id, task.time_limit_ms, task.memory_limit_mib) == ("7", 1500, 256)
    assert task.prompt == "Add.\n\n## More\nBoth are small."
    assert [case.get("category") for case in task.tests] == ["visible", None]
    assert (task.form, task.match_mode) == ("codeforces", "tokens")


def test_a_task_shows_which_column_became_what(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(json.dumps(ROW))
    columns = {"prompt": "ask", "tests": "shown+none", "time_limit": "t.limit"}
    file.write_text(json.dumps({**ROW, "none": None}))
    ((task, mapped),) = read_mapped(file, columns=columns, on_fault=print)
    found = mapped()
    assert found is not None
    assert found.columns == {"prompt": ("ask",), "tests": ("shown",), "time_limit": ("t.limit",)}
    assert (found.form, found.left) == (
        "stdio",
        ("n", "more", "memory_bytes", "hidden", "by", "none"),
    )
    assert task.id.startswith("stdio-")


@pytest.mark.parametrize(
    ("columns", "part"),
    [
        ("prompt=ask", "no column becomes tests"),
        ("prompt=ask,tests=shown,promt=by", "did you mean prompt"),
        ("prompt=ask,tests=shown,prompt=by", "given twice"),
        ("prompt=ask,tests=", "no column becomes tests"),
        ("prompt=ask,tests=+", "has no name"),
        ("prompt=ask,tests=shwon", "did you mean shown"),
        ({"prompt": "ask", "tests": "x.y"}, "no column 'x.y'"),
        ("prompt=ask,tests=shown,time_limit=t.limt", "did you mean t.limit"),
        ("prompt=ask,tests=shown,time_limit=by.limit", "no column 'by.limit'"),
        ("", "unknown field ''"),
    ],
)
def test_a_wrong_mapping_is_one_line(tmp_path: Path, columns: object, part: str) -> None:
    with pytest.raises(DatasetError) as error:
        read(tmp_path, ROW, ROW, columns=columns)
    assert part in str(error.value)
    assert "\n" not in str(error.value)


def test_options_that_contradict_each_other_are_one_line(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="contradict"):
        read(tmp_path, ROW, columns="prompt=ask,tests=shown", format="apps")
    with pytest.raises(UsageError, match="did you mean apps"):
        read(tmp_path, ROW, columns="prompt=ask,tests=shown", form="aps")


def test_a_column_of_another_type_is_the_row_s_fault(tmp_path: Path) -> None:
    tasks, faults = read(
        tmp_path, {**ROW, "ask": 3}, ROW, {**ROW, "shown": "no"}, columns="prompt=ask,tests=shown"
    )
    assert len(tasks) == 1
    assert [fault[:7] for fault in faults] == ['"ask" i', '"shown"']


def test_a_form_may_replace_that_of_a_format(tmp_path: Path) -> None:
    (task,), _ = read(tmp_path, VERL, form="livecodebench")
    assert (task.id, task.source, task.form) == ("taco-train-0", "verl", "livecodebench")
    assert task.prompt == "Add them."


def test_every_format_names_a_form_and_known_columns() -> None:
    for each in FORMATS[1:]:
        assert {"prompt", "tests"} <= set(each.columns), each.name
        assert each.form, each.name


def test_livecodebench_without_private_tests_is_read(tmp_path: Path) -> None:
    row = {name: value for name, value in LIVECODEBENCH.items() if name != "private_test_cases"}
    (task,), faults = read(tmp_path, row)
    assert (len(task.tests), faults) == (1, [])


@pytest.mark.parametrize("language", ["java", "rb", "go_test.go"])
def test_languages_that_cannot_be_judged_are_refused_by_name(tmp_path: Path, language: str) -> None:
    tasks, (fault,) = read(tmp_path, {**MULTIPL_E, "language": language})
    assert tasks == []
    assert f"programs in {language!r} cannot be judged" in fault


def test_a_tier_that_needs_windows_is_refused_unless_its_format_is_named(tmp_path: Path) -> None:
    row = {**HALO_FORGE_TIER, "solution": "#include <Windows.h>\nint main() {}"}
    tasks, (fault,) = read(tmp_path, row)
    assert tasks == []
    assert "need Windows" in fault
    (task,), _ = read(tmp_path, row, format="halo-forge-windows")
    assert task.language == "cpp"


def test_programs_of_models_are_wrong_if_the_row_reports_it(tmp_path: Path) -> None:
    (task,), _ = read(tmp_path, KODCODE)
    assert [each.label for each in task.solutions] == ["right", "wrong"]


def test_tests_of_different_functions_are_refused(tmp_path: Path) -> None:
    other = {**DEEPCODER_CALL["tests"][0], "metadata": {"func_name": "other"}}
    row = {**DEEPCODER_CALL, "tests": [*DEEPCODER_CALL["tests"], other]}
    _, (fault,) = read(tmp_path, row)
    assert "different functions" in fault


def test_a_question_of_cruxeval_shows_the_call_and_not_the_answer(tmp_path: Path) -> None:
    (task,), _ = read(tmp_path, CRUXEVAL)
    assert "f(1, 'x') == ??" in task.prompt
    assert CRUXEVAL["output"] not in task.prompt


def test_a_head_without_its_end_is_no_solution(tmp_path: Path) -> None:
    row = {"head": "def f(x):\n", "end": None, "tests": ["assert f(1) == 1"]}
    columns = "prompt=head, tests=tests, solutions=head+end"
    (task,), _ = read(tmp_path, row, columns=columns, form="asserts")
    assert task.solutions == ()
