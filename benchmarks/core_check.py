"""Check a task's programs: each gets the verdict of its label, with a margin."""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from steelyard import judge, profile
from steelyard.datasets import with_sized_tests
from steelyard.judging import MatchMode
from steelyard.profiling.fitting import same_class
from steelyard.sandbox import CellPool
from steelyard.schemas import (
    Limits,
    Task,
    TaskSolution,
    Verdict,
    VerifyResult,
)

RIGHT_SHARE = 0.3
"""Share of the time limit that a right program may use."""
SLOW_FACTOR = 4
"""A slow program exceeds this many times the limit."""
HUNGRY_FACTOR = 2
SUFFIXES = {"python": ".py", "cpp": ".cpp"}


@dataclass(frozen=True)
class Finding:
    """How one program was judged."""

    task: str
    program: str
    label: str
    fault: str
    """Empty if it is as its label says."""
    figures: str

    def __str__(self) -> str:
        found = f"FAULT {self.fault}" if self.fault else "as labelled"
        return f"{self.task}: {self.label} {self.program}: {found}; {self.figures}"


def check(task: Task, pool: CellPool) -> Iterator[Finding]:
    """Judge each program of a task, and yield what was found."""
    whole = with_sized_tests(task, pool=pool)
    for program in task.solutions:
        fault, figures = _fault_of(whole, program, pool)
        yield Finding(task.id, program.note, program.label, fault, figures)


def _fault_of(task: Task, program: TaskSolution, pool: CellPool) -> tuple[str, str]:
    cpu, memory = task.time_limit_ms or 0, task.memory_limit_mib or 0
    visible = [row["name"] for row in task.tests if row["category"] == "visible"]
    slower = SLOW_FACTOR if program.label == "slow" else 1
    larger = {"hungry": HUNGRY_FACTOR, "slow": 8}.get(program.label, 1)
    if program.label == "hungry":
        slower = 8
    result = _judged(task, program, Limits(cpu_ms=cpu * slower, memory_mib=memory * larger), pool)
    if not result.compile.ok:
        return "does not compile", str(result.compile)
    ran = [case for case in result.cases if case.verdict is not Verdict.SK]
    found = {case.verdict for case in ran}
    most_ms = max(case.cpu_ms for case in ran)
    most_mib = max(case.memory_mib for case in ran)
    figures = f"{most_ms:.0f} of {cpu} ms, {most_mib:.1f} of {memory} MiB, {sorted(found)}"
    failed = [case.name for case in ran if case.name in visible and case.verdict != "AC"]
    fault = ""
    if program.label == "right":
        if found != {Verdict.AC}:
            first = next(case for case in ran if case.verdict is not Verdict.AC)
            fault = f"{first.name}: {first.verdict} {first.message} {first.stderr[-200:]}"
        elif most_ms > RIGHT_SHARE * cpu:
            fault = "too near to the time limit"
        elif most_mib > 0.6 * memory:
            fault = "too near to the memory limit"
    elif program.label == "wrong":
        if found == {Verdict.AC}:
            fault = "passes"
        elif not found & {Verdict.WA, Verdict.RTE}:
            fault = "fails by a limit only"
    else:
        wanted = Verdict.TLE if program.label == "slow" else Verdict.MLE
        if failed:
            fault = f"fails on visible tests: {failed}"
        elif wanted not in found:
            fault = f"no {wanted}"
        elif found - {Verdict.AC, wanted}:
            fault = "fails otherwise too"
    return fault, figures


def _judged(task: Task, program: TaskSolution, limits: Limits, pool: CellPool) -> VerifyResult:
    with tempfile.TemporaryDirectory() as folder:
        path = file_of(program, Path(folder))
        return judge(
            path,
            tests=task.tests,
            entry=task.entry,
            match_mode=mode_of(task),
            limits=limits,
            pool=pool,
            fail_fast=program.label != "right",
        )


def file_of(program: TaskSolution, folder: Path, name: str = "main") -> Path:
    path = folder / f"{name}{SUFFIXES[program.language]}"
    path.write_text(program.source)
    return path


def killed_wrong(task: Task, pool: CellPool) -> tuple[int, int]:
    """Return how many wrong programs all tests together kill, and how many there are."""
    whole = with_sized_tests(task, pool=pool)
    wrong = [each for each in task.solutions if each.label == "wrong"]
    return sum(not _fault_of(whole, each, pool)[0] for each in wrong), len(wrong)


def mode_of(task: Task) -> MatchMode:
    return "exact" if task.match_mode == "exact" else "tokens"


def classes_of(task: Task, pool: CellPool, budget_s: float) -> Iterator[tuple[str, str, str]]:
    """Yield the note, the claimed and the measured class of each right program."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        generator = folder / "generate.py"
        generator.write_text(task.input_generator or "")
        for number, program in enumerate(task.solutions):
            if program.label != "right":
                continue
            report = profile(
                file_of(program, folder, f"main_{number}"),
                inputs=generator,
                entry=task.entry,
                budget_s=budget_s,
                pool=pool,
            )
            yield program.note, program.time_complexity, report.time.complexity


def agrees(claimed: str, measured: str) -> bool:
    """Return True if a measured class is the claimed one."""
    return same_class(claimed, measured)
