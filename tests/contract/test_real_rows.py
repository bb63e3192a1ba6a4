"""Real rows of data sets: they are read, their own solutions pass, and their wrong programs fail.

`tests/rows/fetch_rows.py` brings the rows into the folder that STEELYARD_ROWS names. Set
STEELYARD_ROWS_EACH to judge more than the first rows of each file; 0 judges all.
"""

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from steelyard import judge_of
from steelyard.datasets import read_tasks
from steelyard.errors import TestsError
from steelyard.judging import RunningOptions
from steelyard.sandbox import CellPool
from steelyard.schemas import RowFault, Task

CACHE = os.environ.get("STEELYARD_ROWS", "")
EACH = int(os.environ.get("STEELYARD_ROWS_EACH", "6")) or None
MOST_SOLUTIONS = 2
KINDS = (".json", ".jsonl", ".gz")

REFUSED = {
    "halo-forge/professor-moody+halo-forge/windows_systems_full_rlvr.jsonl": "need Windows",
    "multipl-e/deepseek-ai+DeepSeek-Coder/humaneval-java.jsonl": "javatuples",
    "sandboxfusion/bytedance+SandboxFusion/code_eval_live_code_bench_v1.jsonl": "not JSON",
    "swiftsolve/jonasrohw+swiftsolve/bigobench/index.json": "not a row of a known data set",
    "swiftsolve/jonasrohw+swiftsolve/codeforces/index.json": "not a row of a known data set",
}
"""Files of which no row is read, with the reason."""
LEFT_OUT = ("is also the id of", "the tests share")
"""Reasons for which single rows of other files are left out."""
NOT_PASSED = {
    "2433/2433_155": "several outputs are right, and the row has no checker",
    "1010/1010_221": "several outputs are right, and the row has no checker",
    "2287": "a return at top level, which APPS allows",
    "maximum-number-of-moves-to-kill-all-pawns": "it needs more than the 10 s of its source",
    "find-the-number-of-subsequences-with-equal-gcd": "it needs more than the 10 s of its source",
    "Algorithm_00000041_C": "tests that call nothing",
    "Algorithm_00000041_I": "tests that call nothing",
    "Algorithm_00000051_C": "tests that call nothing",
    "Algorithm_00000051_I": "tests that call nothing",
    "Algorithm_00000068_C": "arrays of numpy reach the program as lists",
    "Algorithm_00000068_I": "arrays of numpy reach the program as lists",
}
"""Tasks whose own solutions do not pass, with the reason; see docs/decisions/0041-formats.md."""

pytestmark = pytest.mark.skipif(
    not CACHE, reason="STEELYARD_ROWS names no folder; run tests/rows/fetch_rows.py FOLDER"
)


def files() -> list[Path]:
    """Return the files of rows; those of APPS are in folders of their own."""
    found = sorted(Path(CACHE).rglob("*")) if CACHE else []
    rows = [each for each in found if each.suffix in KINDS and each.is_file()]
    folders = [each for each in found if each.name == "salesforce+CodeRL"]
    return [*folders, *(each for each in rows if not any(map(each.is_relative_to, folders)))]


def named(file: Path) -> str:
    return str(file.relative_to(CACHE))


@pytest.mark.parametrize("file", list(files()), ids=named)
def test_rows_are_read_or_refused_with_a_known_reason(file: Path) -> None:
    faults: list[RowFault] = []
    tasks = list(read_tasks(file, on_fault=faults.append))
    reason = REFUSED.get(named(file))
    assert bool(tasks) is (reason is None)
    for fault in faults:
        assert (
            (reason in fault.message) if reason else any(each in fault.message for each in LEFT_OUT)
        )


@pytest.mark.parametrize("file", list(files()), ids=named)
def test_own_solutions_pass_and_wrong_programs_fail(file: Path, pool: CellPool) -> None:
    tasks = read_tasks(file, on_fault=lambda _: None)
    wrong = [fault for task in islice(tasks, EACH) for fault in faults_of(task, pool)]
    assert wrong == []


def faults_of(task: Task, pool: CellPool) -> Iterator[str]:
    """Yield a line for each solution that is not what its label says."""
    if task.id in NOT_PASSED:
        return
    for label in ("right", "wrong"):
        known = [each for each in task.solutions if each.label == label]
        for solution in [each for each in known if each.language == "python"][:MOST_SOLUTIONS]:
            judge = judge_of(task, RunningOptions(pool=pool), language=solution.language)
            try:
                passed = judge.judge(solution.source.encode("utf-8", "surrogateescape")).success
            except TestsError as error:
                if "No module named" not in str(error):
                    yield f"{task.id}: {error}"
                return
            if passed is not (label == "right"):
                yield f"{task.id}: a {label} solution {'passes' if passed else 'fails'}"
