"""How tests of Python candidates judge: with time for a loaded machine, told in a few words."""

from typing import Any

import steelyard
from steelyard import VerifyResult
from steelyard.sandbox import CellPool
from steelyard.schemas import Limits

PATIENT = Limits(cpu_ms=5_000, wall_ms=60_000)
"""A loaded machine fails no program that is right."""

CASES = [{"args": [number], "expected": number} for number in range(6)]
"""Calls of a function that gives back what it is given."""


def judge(
    source: str, cases: list[Any] | dict[str, Any], entry: str, pool: CellPool, **options: Any
) -> VerifyResult:
    result = steelyard.judge(source, cases, entry=entry, limits=PATIENT, pool=pool, **options)
    assert result.compile.ok
    return result


def verdicts(result: VerifyResult) -> str:
    return " ".join(case.verdict for case in result.cases)


def says(result: VerifyResult) -> str:
    (case,) = result.cases
    return f"{case.verdict} {case.message}".strip()
