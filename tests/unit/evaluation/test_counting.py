"""Metrics are counted from a record as their definitions say."""

from pathlib import Path
from typing import Any

import pytest

from steelyard import Limits, diff_evaluations
from steelyard.evaluation import EvaluateOptions, EvaluationFolder, view_evaluation
from steelyard.evaluation._outcomes import judged
from steelyard.evaluation._tasks import ReadyTask, prepare
from steelyard.schemas import (
    CaseResult,
    CompileResult,
    EvaluatedSample,
    EvaluatedTask,
    EvaluationHead,
    Task,
    Verdict,
    VerifyResult,
)

DIGEST = "0" * 64
TASK = EvaluatedTask(
    task="a", digest=DIGEST, suite=DIGEST, cases=2, time_limit_ms=1_000, memory_limit_mib=64
)


def write(folder: Path, *samples: dict[str, Any], origin: Any = "samples") -> Path:
    """A record with one task for each name in samples, which are accepted by default."""
    head = EvaluationHead(steelyard="0", benchmark="b", origin=origin, source="s")
    with EvaluationFolder(folder, head) as record:
        for name in dict.fromkeys(each.get("task", "a") for each in samples):
            record.append(TASK.model_copy(update={"task": name}))
        for number, own in enumerate(samples):
            accepted = {"verdict": Verdict.AC, "verdicts": {Verdict.AC: 2}}
            plain = {"key": DIGEST, "task": "a", "sample": number}
            record.append(EvaluatedSample(**{**plain, **accepted, **own}))
    return folder


@pytest.mark.parametrize(
    ("verdicts", "score"),
    [
        ({Verdict.AC: 2}, 1.0),
        ({Verdict.AC: 1, Verdict.TLE: 1}, 0.5),
        ({Verdict.TLE: 1, Verdict.SK: 1}, 0.0),
        ({Verdict.TLE: 1, Verdict.WA: 1}, 0.0),
    ],
)
def test_enamel_censors_levels_from_the_first_that_exceeds_its_limit(
    tmp_path: Path, verdicts: dict[Verdict, int], score: float
) -> None:
    by_verdict = [verdict for verdict, count in verdicts.items() for _ in range(count)]
    cases = tuple(
        CaseResult(name=name, category=name, verdict=verdict, cpu_ms=cpu_ms)
        for name, verdict, cpu_ms in zip(("light", "heavy"), by_verdict, (50, 100), strict=True)
    )
    result = VerifyResult(
        success=by_verdict == [Verdict.AC] * 2,
        reward=0,
        details="",
        cases=cases,
        compile=CompileResult(ok=True),
    )
    tests = tuple({"input": text, "expected": "1"} for text in ("1", "1 2"))
    task = Task(id="a", prompt="p", tests=tests, time_limit_ms=1_000, memory_limit_mib=64)
    ready = prepare(task, EvaluateOptions.of(samples=Path("s")))
    assert isinstance(ready, ReadyTask)
    line = judged(EvaluatedSample(key=DIGEST, task="a"), ready, result)
    reference = {"role": "reference", "levels": {"light": 50.0, "heavy": 100.0}}
    write(tmp_path / "out", reference, line.model_dump())
    report = view_evaluation(tmp_path / "out", k=(1,), plots=False)
    assert report.metric("enamel_eff@k", 1).value == score


@pytest.mark.parametrize(
    ("entry", "test", "shown"),
    [
        ("stdio", {"input": "1 2\n", "expected": "3"}, "1 2\n"),
        (
            "function:f",
            {"args": [[1], "a"], "kwargs": {"b": None}, "expected": 3},
            "f([1], 'a', b=None)",
        ),
        ("function:f", {"args": [{"$": "tuple", "v": [1]}], "expected": 3}, "f((1,))"),
        (
            "function:f",
            {"args": [{"$": "int", "v": "0x1" + "0" * 4_000}], "expected": 3},
            '[[{"$":"int","v":"0x1' + "0" * 1_979 + "...",
        ),
        ("asserts:f", {"code": "assert f(1) == 2"}, "assert f(1) == 2"),
        ("stdio", {"input": "9" * 3_000, "expected": "3"}, "9" * 2_000 + "..."),
    ],
)
def test_the_input_of_the_first_failure_is_kept_as_a_reader_writes_it(
    entry: str, test: dict[str, Any], shown: str
) -> None:
    task = Task(id="a", prompt="p", entry=entry, tests=(test,))
    ready = prepare(task, EvaluateOptions.of(samples=Path("s")))
    assert isinstance(ready, ReadyTask)
    for verdict, expected in ((Verdict.WA, shown), (Verdict.CE, ""), (Verdict.AC, "")):
        result = VerifyResult(
            success=verdict is Verdict.AC,
            reward=0,
            details="",
            cases=(CaseResult(name="1", verdict=verdict),),
            compile=CompileResult(ok=True),
        )
        line = judged(EvaluatedSample(key=DIGEST, task="a"), ready, result)
        assert line.failing_input == expected


def test_a_program_that_solve_did_not_find_efficient_is_so_nowhere(tmp_path: Path) -> None:
    kept = {"within_time": True, "within_memory": True}
    runs = [
        write(tmp_path / str(efficient), {**kept, "efficient": efficient}, origin="solve")
        for efficient in (True, False)
    ]
    report = view_evaluation(runs[1], k=(1,), plots=False)
    assert [report.metric(name, 1).value for name in ("pass@k", "eff@k_runtime")] == [1, 0]
    assert (report.scores[0].efficient_time, report.scores[0].efficient_memory) == (0, 0)
    differences = {each.label: each.difference for each in diff_evaluations(*runs).differences}
    assert differences == {"pass@1": 0, "eff@1_runtime": -1, "eff@1_memory": -1}


def test_equal_numbers_of_iterations_have_no_interval(tmp_path: Path) -> None:
    runs = [{"task": name, "efficient": True, "iterations": 1} for name in "abc"]
    found = view_evaluation(write(tmp_path / "out", *runs, origin="solve"), plots=False)
    assert (found.metric("iterations").value, found.metric("iterations").interval) == (1, None)


@pytest.mark.parametrize(
    ("given", "cpu_ms", "memory_mib", "wall_ms"),
    [
        (Limits(cpu_ms=2_000), 2_000, 64, 2_250),
        (Limits(memory_mib=32), 700, 32, 950),
        (Limits(wall_ms=9_000), 700, 64, 9_000),
        (None, 700, 64, 950),
    ],
)
def test_limits_that_are_not_set_are_the_tasks_own(
    given: Limits | None, cpu_ms: int, memory_mib: int, wall_ms: int
) -> None:
    test = {"input": "1", "expected": "1"}
    task = Task(id="a", prompt="p", tests=(test,), time_limit_ms=700, memory_limit_mib=64)
    ready = prepare(task, EvaluateOptions.of(samples=Path("s"), limits=given))
    assert isinstance(ready, ReadyTask)
    limits = ready.data.limits
    assert limits is not None
    assert (limits.cpu_ms, limits.memory_mib, limits.wall_ms) == (cpu_ms, memory_mib, wall_ms)
    assert (ready.line.time_limit_ms, ready.line.memory_limit_mib) == (cpu_ms, memory_mib)


@pytest.mark.parametrize(
    ("tasks", "lost", "copies", "p_value"),
    [
        (5, 3, 1, 0.25),
        (5, 5, 1, 0.0625),
        (12, 5, 1, 0.0625),
        (12, 6, 1, 0.03125),
        (5, 3, 4, 0.25),
        (40, 6, 2, 0.03125),
    ],
)
def test_a_run_is_worse_if_its_exact_test_says_so(
    tmp_path: Path, tasks: int, lost: int, copies: int, p_value: float
) -> None:
    verdicts = {"a": [Verdict.AC] * tasks, "b": [Verdict.WA] * lost + [Verdict.AC] * (tasks - lost)}
    runs = [
        write(
            tmp_path / name,
            *(
                {"task": f"t{number}", "verdict": each}
                for number, each in enumerate(own)
                for _ in range(copies)
            ),
        )
        for name, own in verdicts.items()
    ]
    diff = diff_evaluations(*runs, k=(1,))
    assert diff.differences[0].p_value == pytest.approx(p_value)
    assert diff.passed == (p_value > 0.05)
    assert diff_evaluations(runs[1], runs[0], k=(1,)).passed
