"""Measure the strength of a task's tests: mutants of a right program that they kill."""

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from core_build import LONGEST_WRITTEN, agreed_outputs, generated
from core_check import file_of, killed_wrong, mode_of
from pydantic import JsonValue

from steelyard import judge, measure_strength
from steelyard.datasets import with_sized_tests
from steelyard.profiling import GeneratorSource
from steelyard.sandbox import CellPool
from steelyard.schemas import Limits, Specification, StrengthReport, Survivor, Task, Verdict
from steelyard.strength import mutants_of

MUTANTS = 16
MUTANT = Limits(cpu_ms=500, memory_mib=256)
"""Limits of a mutant on a short input; many loop for ever."""
SIZES = (4, 5, 6, 7, 8, 10, 12, 16, 24)
"""Sizes of the inputs that are searched for one that kills a survivor."""
SEEDS = 3


def strength_record(task: Task, pool: CellPool) -> tuple[dict[str, JsonValue], list[str]]:
    """Return the figures for `Task.extra`, and the survivors with what kills them."""
    report = _strength_of(task, pool)
    score = report.mutation
    assert score is not None
    killing = {
        each.name: str(each.killing_input) for each in report.survivors if each.killing_input
    }
    rest = [each.name for each in report.survivors if each.name not in killing]
    searched = _generated_rows(task, pool) if rest else []
    killing |= dict(_kills(task, rest, searched, pool))
    killed, wrong = killed_wrong(task, pool)
    record: dict[str, JsonValue] = {
        "cases": report.cases,
        "mutants": score.mutants,
        "killed": score.killed,
        "survivors_killable": len(killing),
        "searched": score.searched + len(searched),
        "wrong": wrong,
        "wrong_killed": killed,
    }
    return record, [_shown(each, killing.get(each.name, "")) for each in report.survivors]


def _strength_of(task: Task, pool: CellPool) -> StrengthReport:
    """Measure the tests with short inputs on mutants of the first right program."""
    rows = [row for row in with_sized_tests(task, pool=pool).tests if _is_short(row)]
    with tempfile.TemporaryDirectory() as name:
        programs = [
            file_of(program, Path(name), f"right_{number}")
            for number, program in enumerate(task.solutions)
            if program.label == "right"
        ]
        return measure_strength(
            rows,
            programs[0],
            references=programs[1:],
            mutants=MUTANTS,
            entry=task.entry,
            spec=_specification_of(task),
            match_mode=mode_of(task),
            pool=pool,
            limits=MUTANT,
        )


def _generated_rows(task: Task, pool: CellPool) -> list[dict[str, JsonValue]]:
    """Return tests with short inputs from the task's generator."""
    source = GeneratorSource((task.input_generator or "").encode(), pool, name=task.id)
    most = task.input_bounds["n"]
    large = [10**power for power in range(2, 19)] if "n)" not in task.time_complexity[:4] else []
    sizes = [size for size in (*SIZES, *large) if size <= most]
    texts = [generated(source, size, seed) for size in sizes for seed in range(SEEDS)]
    texts = [text for text in dict.fromkeys(texts) if len(text) <= LONGEST_WRITTEN]
    outputs = agreed_outputs(task, texts, pool)
    key = "input" if task.entry == "stdio" else "args"
    return [
        {
            "name": f"searched {number}",
            key: text if key == "input" else json.loads(text),
            "expected": expected,
        }
        for number, (text, expected) in enumerate(zip(texts, outputs, strict=True))
    ]


def _kills(
    task: Task, names: Sequence[str], rows: Sequence[Mapping[str, JsonValue]], pool: CellPool
) -> Iterator[tuple[str, str]]:
    """Yield each mutant that fails on a row, and that row's input."""
    right = next(each for each in task.solutions if each.label == "right")
    by_name = {each.name: each for each in mutants_of(right.source, most=MUTANTS, pool=pool)}
    for name in names:
        result = judge(
            by_name[name].source,
            tests=rows,
            entry=task.entry,
            match_mode=mode_of(task),
            limits=MUTANT,
            pool=pool,
            fail_fast=True,
        )
        for row, case in zip(rows, result.cases, strict=True):
            if case.verdict not in (Verdict.AC, Verdict.SK):
                yield name, str(row.get("input", row.get("args")))


def _shown(survivor: Survivor, killing_input: str) -> str:
    return f"{survivor.diff}\nkilled by: {killing_input or 'no input that was tried'}"


def _is_short(row: Mapping[str, JsonValue]) -> bool:
    return len(str(row.get("input", row.get("args")))) <= LONGEST_WRITTEN


def _specification_of(task: Task) -> Specification | None:
    contract = task.extra.get("specification")
    return None if contract is None else Specification.model_validate(contract)
