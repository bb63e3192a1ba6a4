"""Forms in which users have a data set, apart from its rows."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from steelyard.datasets import read_tasks
from steelyard.schemas import RowFault, Task
from tests.unit.datasets.known_rows import (
    ADDS,
    APPS,
    BIGOBENCH,
    BIGOBENCH_PAGE,
    BIGOBENCH_STATEMENT,
    BIGOBENCH_TIME,
    CODECONTESTS,
)

Read = Callable[[Path], tuple[list[Task], list[RowFault]]]

HTML = (
    "<div class='statement'><p>Given <b>n</b> &lt; 10<sup>5</sup> numbers,&nbsp;add them.</p>"
    "<ul><li>fast</li><li>right</li></ul><pre>1 2\n3 4</pre><script>alert(1)</script></div>"
)


@pytest.fixture
def read() -> Read:
    def tasks_of(source: Path) -> tuple[list[Task], list[RowFault]]:
        faults: list[RowFault] = []
        return list(read_tasks(source, on_fault=faults.append)), faults

    return tasks_of


def write_rows(folder: Path, *rows: dict[str, Any]) -> Path:
    file = folder / "rows.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return file


def test_a_statement_in_html_becomes_markdown(read: Read, tmp_path: Path) -> None:
    plain = "If a < b and b > c print <p>; 1 </ 2"
    rows = [
        {**BIGOBENCH, "problem_id": str(number), "description": {"text": text}}
        for number, text in enumerate((HTML, plain, "<p></p>"))
    ]
    tasks, faults = read(write_rows(tmp_path, *rows))
    assert tasks[0].prompt == ("Given n < 10^5 numbers, add them.\n\n- fast\n- right\n\n1 2\n3 4")
    assert tasks[1].prompt == plain
    assert [(fault.row, fault.message) for fault in faults] == [
        (3, "its statement is HTML without text; write it as text")
    ]


def test_a_saved_page_of_bigobench_is_a_task(read: Read, tmp_path: Path) -> None:
    page = BIGOBENCH_PAGE["page"]
    (tmp_path / "demo.html").write_text(page)
    (tmp_path / "later").mkdir()
    for name, faulty in {
        "empty.htm": page.partition('<pre id="problemD')[0],
        "examples.html": page.replace("Output\n3", "3"),
        "latin.html": page.encode().replace(b"numbers", b"\xe9"),
        "none.html": page.replace("Examples", "Samples").replace("Input", "Given"),
    }.items():
        data = faulty if isinstance(faulty, bytes) else faulty.encode()
        (tmp_path / "later" / name).write_bytes(data)
    (task,), faults = read(tmp_path)
    assert (task.id, task.source, task.group) == (
        "999_A. Sum/time O(n)",
        "bigobench",
        "999_A. Sum",
    )
    assert (task.prompt, task.time_complexity) == (BIGOBENCH_STATEMENT, "O(n)")
    assert task.tests == (
        {"input": "1 2\n", "expected": "3\n", "category": "visible"},
        {"input": "5 6\n", "expected": "11\n", "category": "visible"},
    )
    assert [(each.source, each.language) for each in task.solutions] == [(ADDS.strip(), "python")]
    assert (task.provenance.file, task.provenance.license) == ("demo.html", "CC-BY-NC-4.0")
    assert {Path(fault.file).name: fault.message[:30] for fault in faults} == {
        "empty.htm": "not a page of BigO(Bench)'s ex",
        "examples.html": "the page shows no examples of ",
        "latin.html": "byte 104 is not UTF-8; save th",
        "none.html": "the page shows no examples of ",
    }


def test_rows_by_problem_and_class_are_read(read: Read, tmp_path: Path) -> None:
    """As BigO(Bench)'s explorer has its data, and as an object with a list of rows."""
    linear = BIGOBENCH_TIME
    constant = {**linear, "solution_id": "17_2", "time_complexity_inferred": "O(1)"}
    (tmp_path / "a.json").write_text(json.dumps({"Sum": {"O(n)": linear, "O(1)": constant}}))
    (tmp_path / "b.json").write_text(json.dumps({"problems": [{"n": 1}, BIGOBENCH]}))
    tasks, faults = read(tmp_path)
    found = [(task.id, task.time_complexity, task.provenance.row) for task in tasks]
    assert found == [("17/17_1", "O(n)", 1), ("17/17_2", "O(1)", 2), ("17", "", 2)]
    assert [(Path(fault.file).name, fault.row) for fault in faults] == [("b.json", 1)]


def test_apps_is_read_from_the_folders_of_its_own_archive(read: Read, tmp_path: Path) -> None:
    for name in ("0000", "0001", "0002"):
        folder = tmp_path / "train" / name
        folder.mkdir(parents=True)
        (folder / "question.txt").write_text(APPS["question"])
        (folder / "input_output.json").write_text(APPS["input_output"])
        (folder / "solutions.json").write_text(APPS["solutions"])
        (folder / "metadata.json").write_text('{"difficulty": "interview", "url": "https://a.org"}')
    (tmp_path / "train" / "0001" / "input_output.json").unlink()
    (tmp_path / "train" / "0002" / "question.txt").write_bytes(b"\xff\xfe?")
    (tmp_path / "train" / "0000" / "notes.txt").symlink_to("/etc/hostname")
    tasks, faults = read(tmp_path)
    assert [(task.id, task.source, task.difficulty) for task in tasks] == [
        ("0000", "apps", "interview")
    ]
    assert tasks[0].provenance.url == "https://a.org"
    assert [each.source for each in tasks[0].solutions] == [ADDS]
    assert [Path(fault.file).parent.name for fault in faults] == ["0001", "0002"]
    assert "UTF-8" in faults[1].message


def test_programs_in_python_2_keep_their_language(read: Read, tmp_path: Path) -> None:
    solutions = {"language": [1, 3], "solution": ["print 3", ADDS]}
    (task,), faults = read(write_rows(tmp_path, {**CODECONTESTS, "solutions": solutions}))
    right = [each.language for each in task.solutions if each.label == "right"]
    assert (right, faults) == (["python2", "python"], [])
