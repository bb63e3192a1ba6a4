"""`steelyard author challenge` and `challenges` as a stranger uses them."""

import json
from pathlib import Path

import pytest

from steelyard.storage import open_database
from tests import gap_problem as gap
from tests.e2e.conftest import Run

DB = ("--db", "problems.db")


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    """A folder with a database, whose reference solution is wrong for negative numbers."""
    with open_database(tmp_path / "problems.db") as database:
        wrong = gap.solution(gap.NEGATIVES_FORGOTTEN)
        gap.store(database, wrong, gap.solution(gap.BRUTE_FORCE, "brute-force"))
    return tmp_path


def test_a_challenge_from_the_input_to_a_new_suite(steelyard: Run, stored: Path) -> None:
    (stored / "wrong.py").write_text(gap.NEGATIVES_FORGOTTEN)
    assert steelyard("author", "submit", "gap", "wrong.py", *DB).returncode == 0
    call = ("author", "challenge", "gap", "[[-9, 4, 20]]", "--reason", "negative \x1b[31m", *DB)
    done = steelyard(*call, "--output", "16", "--by", "ann")
    assert done.returncode == 0, done.stderr
    for text in (
        "accepted: solve([-9, 4, 20])",
        "smaller input: solve([-",
        "suite 2 of gap",
        "replaced by",
        "passed before, and fails",
        "judged again: 1 programs",
    ):
        assert text in done.stdout
    again = steelyard(*call, "--json")
    assert again.returncode == 1
    report = json.loads(again.stdout)
    assert (report["state"], report["passed"], report["challenge"]) == ("rejected", False, "")
    listed = steelyard("author", "challenges", "list", "gap", *DB).stdout
    assert "negative \\x1b[31m" in listed
    assert "accepted" in listed
    plain = json.loads(steelyard("author", "challenges", "list", *DB, "--json").stdout)
    (only,) = plain["challenges"]
    shown = steelyard("author", "challenges", "show", only["digest"][:9], *DB).stdout
    assert "claimed output: 16" in shown
    assert "accepted by steelyard: brute-force" in shown
    assert "output 16 by ann" in shown


def test_a_model_repairs_the_reference_solution(steelyard: Run, stored: Path) -> None:
    repaired = gap.OPTIMISED.replace("nums = sorted", "ordered = nums = sorted")
    (stored / "replies.json").write_text(json.dumps({"healer": [{"code": repaired}]}))
    call = ("author", "challenge", "gap", "[[-9, 4, 20]]", "--reason", "r", "--output", "16", *DB)
    bad = steelyard(*call, "--max-tokens", "9")
    assert (bad.returncode, bad.stdout) == (2, "")
    assert "--max-tokens limits a model, and none is named" in bad.stderr
    done = steelyard(*call, "--models", "scripted:replies.json")
    assert done.returncode == 0, done.stderr
    assert "replaced by a repaired version" in done.stdout
    assert "model: 1 reply" in done.stdout
    none = steelyard(
        "author",
        "challenge",
        "gap",
        "[[-9, 5]]",
        "--reason",
        "r",
        "--models",
        "none",
        "--output",
        "99",
        *DB,
        "--json",
    )
    which = json.loads(none.stdout)["challenge"]
    call = ("author", "challenges", "resolve", which, "--accept", "--output", "14", *DB)
    done = steelyard(*call, "--models", "scripted:replies.json")
    assert done.returncode == 0, done.stderr
    assert "model:" not in done.stdout, "the reference is right"


def test_a_person_resolves_a_claim(steelyard: Run, stored: Path) -> None:
    (stored / "input.json").write_text("[[0] * 500 + [7]]")
    done = steelyard(
        "author",
        "challenge",
        "gap",
        "--file",
        "input.json",
        "--reason",
        "why",
        "--output",
        "99",
        *DB,
        "--json",
    )
    assert done.returncode == 1
    report = json.loads(done.stdout)
    assert report["state"] == "quarantined"
    which = report["challenge"][:12]
    for flags, says in (
        ((), "give --accept or --reject"),
        (("--reject", "--output", "1"), "--reject takes no output"),
        (("--accept", "--output", "x"), "the output is not JSON"),
    ):
        bad = steelyard("author", "challenges", "resolve", which, *flags, *DB)
        assert (bad.returncode, bad.stdout) == (2, "")
        assert says in bad.stderr
    done = steelyard(
        "author", "challenges", "resolve", which, "--accept", "--by", "eve", "--output", "7", *DB
    )
    assert done.returncode == 0, done.stderr
    assert "eve states it" in done.stdout
    shown = json.loads(steelyard("author", "challenges", "show", which, *DB, "--json").stdout)
    assert (shown["state"], shown["truths"][0]["output"]) == ("accepted", 7)


def test_a_wrong_call_is_one_line(steelyard: Run, stored: Path) -> None:
    for args, says in (
        (("gap", "[[]]"), "--reason is missing"),
        (("gap", "--reason", "r"), "give one input: INPUT, or --file FILE"),
        (("gap", "[[1]]", "--file", "x", "--reason", "r"), "give one input"),
        (("gap", "--file", "missing.json", "--reason", "r"), "--file: missing.json cannot be read"),
        (("gap", "--file", ".", "--reason", "r"), "--file: . cannot be read"),
        (("gap", "[[1]]", "--output", "NaN", "--reason", "r"), "the output is not JSON"),
        (("gap", "[[1]]", "--output", '"x"', "--reason", "r"), "expected int"),
        (("nothing", "[[1]]", "--reason", "r"), "no problem 'nothing'"),
        (("gap", "what?", "--reason", "r"), "cannot be expanded"),
    ):
        done = steelyard("author", "challenge", *args, *DB)
        assert (done.returncode, done.stdout) == (2, ""), args
        assert says in done.stderr
        assert done.stderr.count("\n") == 1


def test_a_large_file_is_one_line(steelyard: Run, stored: Path) -> None:
    (stored / "large.json").write_text(f"[[{'1,' * 5_000_000}1]]")
    done = steelyard("author", "challenge", "gap", "--file", "large.json", "--reason", "r", *DB)
    assert done.returncode == 2
    assert "characters and may have 4,000,000" in done.stderr
    assert len(done.stderr) < 300
