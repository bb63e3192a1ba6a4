"""`steelyard author submit` and `submissions` as a stranger uses them."""

import json
from pathlib import Path

import pytest

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
    wrong = steelyard("author", "submit", "gap", "wrong.py", "--db", "problems.db", "--json",
                      "--by", "\x1b[31mann")  # fmt: skip
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
    assert "db upgrade" in gone.stderr
    assert not (stored / "new.db").exists()
