"""The tasks of the benchmark core: each program gets the verdict of its label."""

import json
from collections import Counter
from importlib.resources import files
from typing import Any

import pytest

from steelyard import judge
from steelyard.datasets import open_benchmark
from steelyard.sandbox import CellPool
from steelyard.schemas import Limits, Task, Verdict

IDS = sorted(
    path.name.removeprefix("task_").removesuffix(".json")
    for path in files("steelyard.datasets").joinpath("core").iterdir()
    if path.name.startswith("task_")
)
SAMPLE = ("factorial_zeros", "staircase_height")
SLOWER = {"slow": 2, "hungry": 8}
ROOMIER = {"slow": 8, "hungry": 2}
"""A slow program exceeds twice the time limit, a hungry one twice the memory limit."""
YARDSTICK = "print(sum(i * i % 7 for i in range(2_000_000)))"
YARDSTICK_MS = 165
"""CPU time of the yardstick on the machine where the limits were set."""


def stored(task_id: str) -> dict[str, Any]:
    path = files("steelyard.datasets").joinpath(f"core/task_{task_id}.json")
    task: dict[str, Any] = json.loads(path.read_text())
    return task


def slowness(pool: CellPool) -> float:
    """Return how much more CPU time this machine needs than that where the limits were set."""
    tests = [{"input": "", "expected": "3999997"}] * 5
    result = judge(YARDSTICK, language="python", tests=tests, pool=pool)
    assert result.success, result
    return min(case.cpu_ms for case in result.cases if case.cpu_ms) / YARDSTICK_MS


def verdicts_of(task: Task, number: int, pool: CellPool, machine: float) -> dict[Verdict, str]:
    """Return the verdicts of a program, up to its first failure, each with its message.

    A program that is to exceed a limit has a larger one, which grows with the machine's slowness.
    """
    program = task.solutions[number]
    assert task.time_limit_ms is not None
    assert task.memory_limit_mib is not None
    slower = SLOWER[program.label] * machine if program.label in SLOWER else 1
    limits = Limits(
        cpu_ms=int(task.time_limit_ms * slower),
        memory_mib=task.memory_limit_mib * ROOMIER.get(program.label, 1),
    )
    result = judge(
        program.source,
        language=program.language,
        tests=task.tests,
        entry=task.entry,
        match_mode="exact" if task.match_mode == "exact" else "tokens",
        limits=limits,
        pool=pool,
        fail_fast=True,
    )
    return {case.verdict: case.message for case in result.cases if case.verdict is not Verdict.SK}


def check(task: Task, pool: CellPool, *, margins: bool) -> None:
    machine = slowness(pool) if margins else 1
    for number, program in enumerate(task.solutions):
        if not margins and program.label in SLOWER:
            continue  # they use up a limit
        found = verdicts_of(task, number, pool, machine)
        told = f"{task.id}: {program.label} {program.note}: {found}"
        if program.label == "right":
            assert set(found) == {Verdict.AC}, told
        elif program.label == "wrong":
            assert set(found) & {Verdict.WA, Verdict.RTE}, told
        else:
            wanted = Verdict.TLE if program.label == "slow" else Verdict.MLE
            assert set(found) == {Verdict.AC, wanted}, told


def test_there_are_fifty_tasks_of_every_class() -> None:
    assert len(IDS) == 50
    tasks = [Task.model_validate(stored(task_id)) for task_id in IDS]
    classes = Counter(task.time_complexity for task in tasks)
    assert classes == {
        "O(1)": 5,
        "O(log n)": 6,
        "O(n)": 13,
        "O(n log n)": 9,
        "O(n^2)": 8,
        "O(n^3)": 4,
        "O(2^n)": 5,
    }
    for task in tasks:
        labels = Counter(program.label for program in task.solutions)
        assert labels["right"] >= 2, task.id
        assert labels["wrong"] >= 2, task.id
        assert labels["slow"] >= 1, task.id
        assert len(task.tests) >= 10, task.id
        assert len(task.sized_tests) >= 2, task.id
        assert any(row["category"] == "visible" for row in task.tests), task.id
        assert task.time_limit_ms, task.id
        assert task.memory_limit_mib, task.id
        assert task.input_bounds, task.id
        if task.entry == "stdio":
            assert {program.language for program in task.solutions} == {"python", "cpp"}, task.id
    assert sum(any(p.label == "hungry" for p in task.solutions) for task in tasks) >= 30


@pytest.mark.parametrize("task_id", SAMPLE)
def test_programs_get_the_verdicts_of_their_labels(task_id: str) -> None:
    with CellPool(2) as pool:
        check(open_benchmark("core").get(task_id), pool, margins=False)


@pytest.mark.exhaustive
@pytest.mark.parametrize("task_id", IDS)
def test_margins_hold(task_id: str) -> None:
    with CellPool(1) as pool:
        check(open_benchmark("core").get(task_id), pool, margins=True)
