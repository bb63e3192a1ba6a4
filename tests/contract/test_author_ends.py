"""What a run of authoring leaves when its values or its disk are unusual."""

import json
from pathlib import Path

from steelyard import Author, AuthorOptions, measure_strength
from steelyard.sandbox import CellPool
from steelyard.schemas import SpecExample, Specification, json_text
from tests.warm_command import WarmCommand

SPEC = Specification.model_validate(
    {
        "title": "First",
        "description": "The first character, or an empty text.",
        "returns": "str",
        "parameters": [{"name": "s", "type": "str"}],
        "constraints": ["0 <= len(s) <= 3"],
        "examples": [
            {"args": ["\ud800!"], "expected": "\ud800"},
            {"args": ["ab"], "expected": "a"},
        ],
    }
)
FIRST = "class Solution:\n    def solve(self, s):\n        return s[:1]\n"


def author(pool: CellPool) -> Author:
    return Author(AuthorOptions(writer="none", cases=3, mutants=4, pool=pool))


def solution(tmp_path: Path) -> Path:
    file = tmp_path / "first.py"
    file.write_text(FIRST)
    return file


def test_half_of_a_character_is_a_value_like_others(pool: CellPool, tmp_path: Path) -> None:
    out, first = tmp_path / "out", solution(tmp_path)
    report = author(pool).author(specification=SPEC, solutions=[first], out=out)
    assert report.passed, report.reason
    calls = [json.loads(line) for line in (out / "tests" / "calls.jsonl").read_text().splitlines()]
    assert calls[0]["expected"] == "\ud800"
    texts = {file.name for file in (out / "tests").glob("*/*")}
    assert not {"001.in", "001.ans"} & texts, "what has no text is left out"
    assert {"002.in", "002.ans"} <= texts
    again = author(pool).replay(out)
    assert again.differences == ()
    assert again.report.suite == report.suite
    measured = measure_strength(out / "suite.json", first, spec=out / "specification.json")
    assert measured.cases == len(calls)


def test_no_key_of_a_dict_is_half_of_a_character(pool: CellPool, tmp_path: Path) -> None:
    spec = SPEC.model_copy(
        update={
            "returns": "dict[str, int]",
            "examples": (SpecExample(args=("ab",), expected={"a": 1}),),
        }
    )
    file = tmp_path / "solution.py"
    file.write_text(
        "class Solution:\n    def solve(self, s):\n"
        "        return {s[:1] if s == 'ab' else chr(0xD800): 1}\n"
    )
    out = tmp_path / "out"
    report = author(pool).author(specification=spec, solutions=[file], out=out)
    assert report.suite is not None
    assert [case.name for case in report.suite.cases if case.has_expected] == ["basic-001"]
    assert {case.trust for case in report.suite.cases[1:]} == {"disputed"}, "no JSON holds it"
    assert author(pool).replay(out).differences == ()


def test_results_that_cannot_be_written_are_a_failure(
    pool: CellPool, tmp_path: Path, small_disk: Path
) -> None:
    (tmp_path / "journal").mkdir()
    (small_disk / "run").symlink_to(tmp_path / "journal")
    report = author(pool).author(specification=SPEC, solutions=[solution(tmp_path)], out=small_disk)
    assert (report.status, report.stop, report.passed) == ("sandbox_error", "logs", False)
    assert "No space left on device; free disk space, then resume with --resume" in report.reason
    assert report.folder == ""
    assert sorted(each.name for each in small_disk.iterdir()) == ["filler", "run"]
    (small_disk / "filler").unlink()
    assert author(pool).resume(small_disk).passed
    assert (small_disk / "problem.json").exists()


def test_nothing_is_stored_of_results_that_cannot_be_written(
    warm: WarmCommand, tmp_path: Path, small_disk: Path
) -> None:
    (tmp_path / "journal").mkdir()
    (small_disk / "run").symlink_to(tmp_path / "journal")
    (tmp_path / "spec.json").write_text(json_text(SPEC))
    done = warm.run(
        "author",
        "--spec",
        "spec.json",
        "--solution",
        solution(tmp_path),
        "--models",
        "none",
        "--out",
        small_disk,
        "--cases",
        "3",
        "--mutants",
        "0",
        "--store",
        "--db",
        "a.db",
        "--json",
        cwd=tmp_path,
    )
    assert done.status == 3, done.stderr
    assert done.json()["stop"] == "logs"
    assert "stored" not in done.stderr
