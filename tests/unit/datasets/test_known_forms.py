"""Forms in which users have a data set, apart from its rows."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from steelyard.datasets import read_tasks
from steelyard.schemas import RowFault, Task
from tests.unit.datasets.known_rows import ADDS, APPS, BIGOBENCH, CODECONTESTS

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
