"""What the tables hold, and which of many rows are shown."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from steelyard.equivalence.reporting._words import (
    TEST_TYPES,
    duration,
    line_ranges,
    storage,
    threshold_percent,
)
from steelyard.reports import percent
from steelyard.schemas import (
    Behaviour,
    BehaviourCase,
    Comparison,
    Coverage,
    LineTime,
    SpeedCase,
    ValueDifference,
    VersionCoverage,
)

OUTCOMES = ("same", "different", "not-comparable", "dropped")
"""In the order in which tables count them."""

_KINDS = {
    "value": "",
    "type": "different type",
    "missing": "missing",
    "extra": "extra",
    "order": "different order",
    "aliasing": "aliasing",
    "not-comparable": "cannot be compared",
}


@dataclass(frozen=True)
class Row:
    """One measure of both versions."""

    name: str
    original: str
    candidate: str


def count_rows(behaviour: Behaviour) -> tuple[tuple[str, ...], list[tuple[str, list[int]]]]:
    """How many cases came out how, by where they come from.

    Returns:
        The outcomes that are counted, and for each origin that has cases its name and its counts;
        with several origins, their sum last. No rows where there are no cases.
    """
    outcomes = tuple(
        outcome for k, outcome in enumerate(OUTCOMES) if k < 2 or behaviour.count(outcome)
    )
    rows = [
        (name, [behaviour.count(outcome, kind) for outcome in outcomes])
        for kind, name in TEST_TYPES.items()
        if any(case.test_type is kind for case in behaviour.cases)
    ]
    if len(rows) > 1:
        rows.append(("all", [behaviour.count(outcome) for outcome in outcomes]))
    return outcomes, rows


def kind_in_words(difference: ValueDifference) -> str:
    """How two values differ, where it is not just by their value."""
    return _KINDS[difference.kind]


def telling(cases: Sequence[SpeedCase], most: int) -> list[SpeedCase]:
    """At most this many cases, in order: the slowest to gain, and those that take most time."""
    if len(cases) <= most:
        return list(cases)
    places = range(len(cases))
    worst = sorted(places, key=lambda k: _known(cases[k].speedup.mid))[: most // 3]
    costly = sorted(places, key=lambda k: -_known(cases[k].original_ns))
    chosen = [*worst, *(k for k in costly if k not in worst)][:most]
    return [cases[k] for k in sorted(chosen)]


def shared_scope(names: Sequence[str]) -> str:
    """What all names of several tests begin with, up to the last `::` in it."""
    if len(names) < 2:
        return ""
    first, last = min(names), max(names)
    pairs = takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False))
    alike = "".join(char for char, _ in pairs)
    return alike[: alike.rfind("::") + 2] if "::" in alike else ""


def _known(value: float) -> float:
    return value if math.isfinite(value) else 0.0


def hottest(lines: Sequence[LineTime], most: int) -> list[tuple[LineTime, float]]:
    """The lines that take most time, each with its share of all, costliest first."""
    total = sum(line.time_ns for line in lines)
    hot = sorted((line for line in lines if line.time_ns > 0), key=lambda line: -line.time_ns)
    return [(line, line.time_ns / total) for line in hot[:most]]


def rows_of_both(comparison: Comparison, *, unicode: bool = True) -> list[Row]:
    """Coverage, memory and the cost of importing, side by side."""
    rows = _coverage_rows(comparison.coverage) if comparison.coverage else []
    if comparison.memory:
        first, second = comparison.memory.original, comparison.memory.candidate
        rows.append(Row("peak memory", storage(first.peak_bytes), storage(second.peak_bytes)))
        blocks = (f"{first.allocated_blocks:,}", f"{second.allocated_blocks:,}")
        rows.append(Row("blocks left allocated", *blocks))
    if comparison.speed and comparison.speed.import_ms:
        first_ms, second_ms = comparison.speed.import_ms
        times = (duration(ms * 1e6, unicode=unicode) for ms in (first_ms, second_ms))
        rows.append(Row("import of the module", *times))
    return rows


def _coverage_rows(coverage: Coverage) -> list[Row]:
    both = (coverage.original, coverage.candidate)
    least = f"coverage (at least {threshold_percent(coverage.threshold)})"
    rows = [Row(least, *(percent(version.share) for version in both))]
    rows.append(Row("lines", *(_of(v.lines_covered, v.lines) for v in both)))
    if any(version.branches for version in both):
        rows.append(Row("branches", *(_of(v.branches_covered, v.branches) for v in both)))
    if any(version.missing_lines for version in both):
        rows.append(Row("lines not reached", *(_missing(version) for version in both)))
    return rows


def _of(covered: int, total: int) -> str:
    return f"{covered} of {total}"


def _missing(version: VersionCoverage) -> str:
    return line_ranges(version.missing_lines) or "none"


def by_outcome(cases: Sequence[BehaviourCase], outcome: str) -> list[BehaviourCase]:
    """The cases that came out so."""
    return [case for case in cases if case.outcome == outcome]
