"""`steelyard author submit` and `submissions` as a stranger uses them."""

import json
import os
import re
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest

from steelyard.authoring.challenges.submissions import reference_of
from steelyard.storage import open_database
from tests import gap_problem as gap
from tests.e2e.conftest import Run


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    """A folder with a database and two programs."""
    with open_database(tmp_path / "problems.db") as database:
        gap.store(database)
    (tmp_path / "right.py").write_text(gap.OPTIMISED)
    (tmp_path / "wrong.py").write_text(gap.OPTIMISED.replace("default=0)", "default=0) // 2"))
    return tmp_path


def test_submissions_are_judged_listed_and_repeated(steelyard: Run, stored: Path) -> None:
    right = steelyard("author", "submit", "gap", "right.py", "--db", "problems.db")
    assert right.returncode == 0, right.stderr
    assert "by category: basic 3 of 3, edge 1 of 1" in right.stdout
    wrong = steelyard(
        "author",
        "submit",
        "gap",
        "wrong.py",
        "--db",
        "problems.db",
        "--json",
        "--by",
        "\x1b[31mann",
    )
    assert wrong.returncode == 1
    report = json.loads(wrong.stdout)
    assert (report["passed"], report["suite_version"]) == (False, 1)
    assert report["categories"]["edge"] == {"passed": 1, "total": 1}
    with open_database(stored / "problems.db") as database, database.change() as change:
        change.add_suite(gap.NAME, gap.suite(*gap.CASES, gap.case("more", -4, 4)))
    listed = steelyard("author", "submissions", "gap", "--db", "problems.db").stdout
    assert listed.count("outdated") == 2
    assert "\\x1b[31mann" in listed
    again = steelyard("author", "submissions", "gap", "--rejudge", "--db", "problems.db", "--json")
    found = [(each["passed"], each["outdated"]) for each in json.loads(again.stdout)["submissions"]]
    assert found == [(True, False), (False, False)]


def test_a_wrong_call_is_one_line(steelyard: Run, stored: Path) -> None:
    for args, says in (
        (("nothing", "right.py", "--db", "problems.db"), "no problem 'nothing'"),
        (("gap", "missing.py", "--db", "problems.db"), "missing.py cannot be read"),
        (("gap", "right.py", "--db", "problems.db", "--jobs", "0"), "--jobs must be 1 or more"),
        (("gap", "right.py", "--db", "problems.db", "--by", ""), "by: "),
    ):
        done = steelyard("author", "submit", *args)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.count("\n") == 1
        assert says in done.stderr
    gone = steelyard("author", "submit", "gap", "right.py", "--db", "new.db")
    assert gone.returncode == 3
    assert "there is no database new.db; make it with `steelyard db upgrade`" in gone.stderr
    assert not (stored / "new.db").exists()


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """A folder of results, as `steelyard author` leaves it."""
    folder = tmp_path / "gap"
    (folder / "solutions").mkdir(parents=True)
    (folder / "specification.json").write_text(gap.SPEC.model_dump_json())
    (folder / "suite.json").write_text(gap.suite().model_dump_json())
    (folder / "solutions" / "optimised.py").write_text(gap.OPTIMISED)
    (folder / "solutions" / "brute_force.py").write_text(gap.BRUTE_FORCE)
    (folder / "solutions" / "third_solution.py").write_text(gap.BRUTE_FORCE)
    return folder


def test_a_database_that_is_deleted_while_results_are_stored(
    results: Path, environment: dict[str, str]
) -> None:
    file = results.parent / "gone.db"
    open_database(file).close()
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        argv = (sys.executable, "-m", "steelyard", "author", "store", results, "--db", file)
        with subprocess.Popen(
            argv,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **environment},
        ) as storing:
            deadline = time.monotonic() + 120
            while storing.poll() is None and not has_open(storing.pid, file):
                assert time.monotonic() < deadline
                time.sleep(0.05)
            file.unlink()
            other.execute("ROLLBACK")
            said, fault = storing.communicate(timeout=120)
    assert (storing.returncode, said) == (3, "")
    assert fault.count("\n") == 1
    assert fault.startswith("steelyard: ")
    assert re.search("`steelyard db (upgrade|check)`", fault), fault
    assert not file.exists()


def has_open(pid: int, file: Path) -> bool:
    """Return True if a process holds a file open, False if it has ended."""
    with suppress(OSError):
        return any(each.readlink() == file for each in Path(f"/proc/{pid}/fd").iterdir())
    return False


def test_results_of_authoring_are_stored(steelyard: Run, results: Path) -> None:
    done = steelyard("author", "store", results, "--db", "new.db")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "gap: suite 1, 4 cases, 3 solutions\n"
    again = steelyard("author", "store", results, "--name", "other", "--db", "new.db", "--json")
    assert json.loads(again.stdout)["suite_version"] == 1
    with open_database(results.parent / "new.db") as database, database.read() as reader:
        assert reader.suite_of("gap") == reader.suite_of("other") == gap.suite()
        roles = {each.role for each in reader.solutions("gap")}
        assert roles == {"optimised", "brute-force", "reference"}
        assert reference_of(reader.solutions("gap")).source == gap.OPTIMISED
    for source in (gap.BRUTE_FORCE, gap.OPTIMISED, gap.OPTIMISED, gap.BRUTE_FORCE):
        (results / "solutions" / "optimised.py").write_text(source)
        assert steelyard("author", "store", results, "--db", "new.db").returncode == 0
        with open_database(results.parent / "new.db") as database, database.read() as reader:
            assert reference_of(reader.solutions("gap")).source == source


UNFIT: list[tuple[str, str | bytes | None, str]] = [
    ("specification.json", None, "specification.json cannot be read"),
    ("specification.json", "{}", "specification.json: "),
    ("suite.json", None, "suite.json holds no suite"),
    ("suite.json", "[" * 5_000, "suite.json holds no suite"),
    ("suite.json", gap.suite(spec_digest="0" * 64).model_dump_json(), "for another version"),
    ("suite.json", gap.suite(gap.case("x")).model_dump_json(), "breaks 1 <= len(nums) <= 1000"),
    (
        "suite.json",
        gap.suite(gap.case("x", 1, expected="one")).model_dump_json(),
        "case 'x' expects a wrong type",
    ),
    (
        "suite.json",
        gap.suite(gap.case("x", 1), gap.case("x", 2)).model_dump_json(),
        "two cases have the name 'x'",
    ),
    ("solutions/optimised.py", b"\xff", "optimised.py cannot be read: it is not UTF-8"),
]


def test_results_that_do_not_fit_together_store_nothing(steelyard: Run, results: Path) -> None:
    for name, text, says in UNFIT:
        file = results / name
        fitting = file.read_bytes()
        file.unlink()
        if text is not None:
            file.write_bytes(text if isinstance(text, bytes) else text.encode())
        done = steelyard("author", "store", results, "--db", "new.db")
        assert (done.returncode, done.stdout) == (2, "")
        assert says in done.stderr
        assert done.stderr.count("\n") == 1
        file.write_bytes(fitting)
    with open_database(results.parent / "new.db") as database, database.read() as reader:
        assert reader.problems() == ()


def test_results_that_cannot_be_read_make_no_database(steelyard: Run, tmp_path: Path) -> None:
    for args, says in [
        (("none",), "none/specification.json cannot be read"),
        ((tmp_path, "--name", "a b"), "'a b' cannot name a problem"),
        ((tmp_path, "--name", ""), "'' cannot name a problem"),
    ]:
        done = steelyard("author", "store", *args, "--db", "new.db")
        assert (done.returncode, done.stdout) == (2, "")
        assert says in done.stderr
        assert not (tmp_path / "new.db").exists()
