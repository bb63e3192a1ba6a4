"""`steelyard datasets`: files in and out, faults on standard error, figures on standard output."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.unit.datasets.known_rows import APPS, APPS_CALL, EVALPLUS, FORMS, MBPP
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


def test_rows_of_an_unknown_form_are_one_line(steelyard: Run, tmp_path: Path) -> None:
    lines = [json.dumps({"a": number, "b": ""}) for number in range(500)]
    (tmp_path / "rows.jsonl").write_text("\n".join(lines))
    done = steelyard("datasets", "validate", "rows.jsonl")
    assert (done.returncode, done.stdout) == (1, "0 tasks with 0 tests; 500 rows left out\n")
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("rows.jsonl:1: not a row of a known data set")
    report = json.loads(steelyard("datasets", "validate", "rows.jsonl", "--json").stdout)
    assert [fault["rows"] for fault in report["faults"]] == [500]


def test_check_reports_and_fixes(steelyard: Run, tmp_path: Path) -> None:
    wrong = {**APPS, "problem_id": 2, "question": "Subtract.", "input_output": APPS_SUBTRACTS}
    alike = {**APPS, "problem_id": 3}
    other = {**APPS, "problem_id": 4, "question": "Add two numbers in another file."}
    lines = [json.dumps(row) for row in (APPS, wrong, alike)] + ["{"]
    (tmp_path / "rows.jsonl").write_text("\n".join(lines))
    (tmp_path / "other.jsonl").write_text(json.dumps(other))
    done = steelyard("datasets", "check", "rows.jsonl", "--fix", "fixed.jsonl")
    assert done.returncode == 1
    summary, kept, _, *rows = done.stdout.splitlines()
    assert summary == "3 tasks, 2 with a fault; 1 unsolvable, 1 duplicate; 1 row left out"
    assert kept == "1 task in fixed.jsonl"
    assert [line.split()[:3] for line in rows] == [
        ["2", "2", "unsolvable:"],
        ["3", "3", "duplicate:"],
    ]
    assert done.stderr.count("\n") == 1
    assert steelyard("datasets", "check", "fixed.jsonl").returncode == 0
    done = steelyard("datasets", "check", "fixed.jsonl", "--against", "other.jsonl", "--json")
    report = json.loads(done.stdout)
    assert (done.returncode, report["faulty"], report["kinds"]) == (1, 1, {"contaminated": 1})
    assert report["rows"][0]["findings"][0]["message"] == "same tests as 4 of other.jsonl"


APPS_SUBTRACTS = json.dumps({"inputs": ["1 2\n", "7 6\n"], "outputs": ["-1\n", "1\n"]})


def test_check_of_files_that_are_cut_or_hostile_ends_in_a_line_each(
    steelyard: Run, tmp_path: Path
) -> None:
    row = json.dumps(APPS).encode()
    (tmp_path / "cut.jsonl").write_bytes(row + b"\n" + row[: len(row) // 2])
    (tmp_path / "cut.jsonl.gz").write_bytes(gzip.compress(row * 50)[:-20])
    (tmp_path / "bomb.jsonl.gz").write_bytes(gzip.compress(bytes(64 << 20)))
    (tmp_path / "deep.jsonl").write_bytes(b'{"problem_id": ' + b"[" * 100_000)
    (tmp_path / "pickled.jsonl").write_bytes(b"\x80\x04\x95c__builtin__ exit")
    for name, read in (
        ("cut.jsonl", 1),
        ("cut.jsonl.gz", 0),
        ("bomb.jsonl.gz", 0),
        ("deep.jsonl", 0),
        ("pickled.jsonl", 0),
    ):
        done = steelyard("datasets", "check", name)
        assert done.returncode == 1, name
        assert done.stdout.startswith(f"{read} task"), name
        assert "row left out" in done.stdout
        assert done.stderr.count("\n") == 1, done.stderr


LONG = "9" * 5_000
"""More digits than Python reads or writes in base 10."""


def test_long_integers_are_kept_from_the_row_to_the_verdict(steelyard: Run, tmp_path: Path) -> None:
    call = json.dumps(
        {
            **APPS_CALL,
            "input_output": json.dumps(
                {"fn_name": "add", "inputs": [["LONG", 1], [1, 1]], "outputs": ["SUM", 2]}
            ),
            "solutions": json.dumps(["def add(a, b):\n    return a + b\n"]),
        }
    )
    call = call.replace('\\"LONG\\"', LONG).replace('\\"SUM\\"', f"1{'0' * 5_000}")
    plus = json.dumps(
        {
            **EVALPLUS,
            "base_input": [[["LONG", 1]], [[1, 2]]],
            "plus_input": [],
            "canonical_solution": "    return sum(numbers) % 7\n",
        }
    )
    plus = plus.replace('"LONG"', LONG)
    (tmp_path / "rows.jsonl").write_text(f"{call}\n{plus}\n")
    done = steelyard("datasets", "import", "rows.jsonl", "--out", "own.jsonl")
    assert done.stdout == "2 tasks in own.jsonl\n", done.stderr
    for name in ("rows.jsonl", "own.jsonl"):
        report = json.loads(steelyard("datasets", "check", name, "--json").stdout)
        assert (report["passed"], report["rows"], report["unproved"]) == (True, [], 0), report
    done = steelyard("datasets", "export", "own.jsonl", "--out", "train.jsonl")
    assert len((tmp_path / "train.jsonl").read_text().splitlines()) == 2


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
        "datasets",
        "fetch",
        "codeforces",
        "--contest",
        "1",
        "--out",
        "none.jsonl",
        "--url",
        "http://127.0.0.1:9",
    )
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
        ("check", "nobody/nothing"),
        ("check", "rows.jsonl", "--against", "nobody/nothing"),
        ("check", "rows.jsonl", "--fix", "none/own.jsonl"),
        ("check", "rows.jsonl", "--fix", "own.txt"),
        ("check", "rows.jsonl", "--jobs", "0"),
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
