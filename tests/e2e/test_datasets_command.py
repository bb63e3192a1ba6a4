"""`steelyard datasets`: files in and out, faults on standard error, figures on standard output."""

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.unit.datasets.known_rows import APPS, FORMS, MBPP
from tests.unit.datasets.test_codeforces import page

Run = Callable[..., "CompletedProcess[str]"]


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    """Every form once, each with an id of its own, and two faulty lines between."""
    lines = []
    for number, row in enumerate(FORMS.values()):
        keys = ("task_id", "problem_id", "question_id", "id", "name", "question")
        key = next((key for key in keys if key in row), "number")  # a page has an id of its own
        lines.append(json.dumps({**row, key: str(number)}))
    lines[3:3] = ["{", json.dumps({**MBPP, "test_list": [], "challenge_test_list": []})]
    file = tmp_path / "rows.jsonl"
    file.write_text("\n".join(lines))
    return file


def test_what_is_imported_is_exported_and_read_again(
    steelyard: Run, rows: Path, tmp_path: Path
) -> None:
    done = steelyard("datasets", "import", rows, "--out", "own.jsonl")
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{len(FORMS)} tasks in own.jsonl; 2 rows left out\n"
    assert [line.split(": ")[0] for line in done.stderr.splitlines()] == [f"{rows}:4", f"{rows}:5"]
    done = steelyard("datasets", "import", "own.jsonl", "--out", "folder")
    assert done.returncode == 0, done.stderr
    for source in ("own.jsonl", "folder"):
        report = json.loads(steelyard("datasets", "validate", source, "--json").stdout)
        assert (report["passed"], report["tasks"], report["left_out"]) == (True, len(FORMS), 0)
    own = [json.loads(line) for line in (tmp_path / "own.jsonl").read_text().splitlines()]
    licenses = {task["provenance"].get("license") for task in own}
    assert {"MIT", "CC-BY-4.0", "CC-BY-NC-4.0", "Apache-2.0"} < licenses
    done = steelyard("datasets", "export", "own.jsonl", "--out", "train.jsonl")
    columns = [json.loads(line) for line in (tmp_path / "train.jsonl").read_text().splitlines()]
    assert len(columns) == len(FORMS), done.stderr
    assert all(column.keys() == columns[0].keys() for column in columns)
    assert all(json.loads(column["tests"]) for column in columns)


def test_validate_fails_if_any_row_is_unusable(steelyard: Run, rows: Path) -> None:
    done = steelyard("datasets", "validate", rows)
    assert done.returncode == 1
    assert "2 rows left out" in done.stdout
    report = json.loads(steelyard("datasets", "validate", rows, "--json").stdout)
    assert [fault["row"] for fault in report["faults"]] == [4, 5]


def test_show_and_sample(steelyard: Run, rows: Path) -> None:
    assert "livecodebench" in steelyard("datasets", "show").stdout
    shown = steelyard("datasets", "show", rows, "1", "--json")
    assert json.loads(shown.stdout)["source"] == "mbpp"
    assert steelyard("datasets", "show", rows, "none").returncode == 2
    drawn = [steelyard("datasets", "sample", rows, "-n", "3", "--json").stdout for _ in range(2)]
    assert drawn[0] == drawn[1]
    assert len(json.loads(drawn[0])["tasks"]) == 3


def test_fetch_reads_saved_pages_and_asks_before_it_uses_the_network(
    steelyard: Run, tmp_path: Path
) -> None:
    (tmp_path / "a.html").write_text(page())
    done = steelyard("datasets", "fetch", "codeforces", "--pages", "a.html", "--out", "cf.jsonl")
    assert (done.returncode, done.stdout) == (0, "1 task in cf.jsonl\n")
    done = steelyard("datasets", "fetch", "codeforces", "--out", "cf.jsonl")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "--contest" in done.stderr
    done = steelyard(
        "datasets", "fetch", "codeforces", "--contest", "1", "--out", "none.jsonl",
        "--url", "http://127.0.0.1:9",
    )  # fmt: skip
    assert (done.returncode, done.stderr.count("\n")) == (3, 1)
    assert not (tmp_path / "none.jsonl").exists()


@pytest.mark.parametrize(
    "args",
    [
        ("import", "none.jsonl", "--out", "own.jsonl"),
        ("import", "rows.jsonl", "--out", "none/own.jsonl"),
        ("import", "rows.jsonl", "--out", "own.txt"),
        ("import", "rows.jsonl", "--out", "own.jsonl", "--format", "none"),
        ("export", "rows.jsonl", "--out", "own.jsonl", "--to", "none"),
        ("export", "rows.jsonl", "--out", "folder"),
        ("validate", "nobody/nothing"),
        ("fetch", "elsewhere", "--contest", "1", "--out", "own.jsonl"),
        ("fetch", "codeforces", "--contest", "1", "--url", "file:///", "--out", "own.jsonl"),
    ],
)
def test_a_wrong_call_is_one_line(steelyard: Run, tmp_path: Path, args: tuple[str, ...]) -> None:
    (tmp_path / "rows.jsonl").write_text(json.dumps(APPS))
    done = steelyard("datasets", *args)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1, done.stderr
    assert not (tmp_path / "own.jsonl").exists()


def test_no_task_at_all_is_status_1_and_replaces_nothing(steelyard: Run, tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").write_text("{}\n")
    (tmp_path / "own.jsonl").write_text("kept")
    done = steelyard("datasets", "import", "rows.jsonl", "--out", "own.jsonl")
    assert done.returncode == 1
    assert (tmp_path / "own.jsonl").read_text() == "kept"
