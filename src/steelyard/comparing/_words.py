"""A comparison's findings in words and figures that a person reads."""

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from os.path import commonprefix

from steelyard.reports import (
    counted,
    duration,
    mebibytes,
    milliseconds,
    percent,
    three_digits,
)
from steelyard.schemas import (
    Behaviour,
    Comparison,
    Interval,
    ReasonCode,
    Speed,
    SpeedCase,
    TestType,
)

TEST_TYPES: dict[TestType | None, str] = {
    TestType.EXISTING_UNIT_TEST: "existing tests",
    TestType.INSPIRED_REGRESSION: "inspired tests",
    TestType.GENERATED_REGRESSION: "generated calls",
    TestType.REPLAY_TEST: "replayed calls",
    TestType.CONCOLIC_COVERAGE_TEST: "concolic calls",
    TestType.INIT_STATE_TEST: "state after __init__",
    None: "all",
}
"""The origin of cases."""
_METHODS = {
    "paired": "CPU time of interleaved calls in pairs of processes",
    "in-test": "CPU time within the tests, because their arguments cannot be copied out of them",
    "loops": (
        "best of many loops, one version after the other; this method has no known rate of error"
    ),
}
_MOST_DECIMALS = 6
_RANGES_SHOWN = 12


def headline(comparison: Comparison) -> str:
    """Return the grounds of the verdict in one line; empty if nothing was found out."""
    parts = []
    speed, behaviour = comparison.speed, comparison.behaviour
    if speed is not None and speed.speedup is not None:
        _, words = speed_grounds(speed, speed.speedup)
        parts.append(": ".join(filter(None, (words, times_as_fast(speed.speedup)))))
    elif comparison.accepted:
        parts.append("speed not measured")
    if behaviour is not None:
        parts.append(_behaviour_in_words(behaviour))
    return "; ".join(parts)


def speed_grounds(speed: Speed, interval: Interval) -> tuple[ReasonCode, str]:
    """Return what an interval shows: the code of a reason if a gain is required, and the words."""
    threshold, least = given_percent(speed.threshold), 1 + speed.threshold
    rows: tuple[tuple[bool, ReasonCode, str], ...] = (
        (speed.verdict == "slower", "slower", "slower"),
        (speed.verdict == "same", "not-faster", f"as fast as the original within {threshold}"),
        (speed.verdict != "undecided", "undecided", ""),
        (interval.high < 1, "slower", f"slower, perhaps by less than {threshold}"),
        (interval.high <= least, "not-faster", f"not faster by {threshold}"),
        (interval.low > least, "undecided", "gain not confirmed"),
        (interval.low > 1, "undecided", f"faster, perhaps by less than {threshold}"),
        (True, "undecided", "undecided whether faster"),
    )
    return next((code, words) for is_so, code, words in rows if is_so)


def _behaviour_in_words(behaviour: Behaviour) -> str:
    same, different = behaviour.count("same"), behaviour.count("different")
    compared = same + different + behaviour.count("not-comparable")
    of = f" of {compared}" if same < compared else ""
    inputs = behaviour.different_inputs
    on = f" on {counted(inputs, 'different input')}" if inputs else ""
    is_unlike = behaviour.verdict == "different"
    rows = (
        (
            is_unlike and different > 0,
            f"behaviour differs in {different} of {counted(compared, 'case')}",
        ),
        (is_unlike and bool(behaviour.side_effects), "side effects differ"),
        (is_unlike, "behaviour differs"),
        (behaviour.verdict == "unproved", "behaviour unproved: nothing could be compared"),
        (True, f"same behaviour in {counted(same, 'case')}{of}{on}"),
    )
    return next(words for is_so, words in rows if is_so)


def times_as_fast(interval: Interval) -> str:
    """Return `1.84 times as fast (1.79 to 1.90)`."""
    return speedup(interval, " times as fast")


def speedup(interval: Interval, unit: str = "") -> str:
    """Return `1.84 (1.79 to 1.90)`, with as many decimals as the interval's width calls for."""
    if math.isnan(interval.mid):
        return "unknown"
    spread = interval.high - interval.low
    decimals = 2
    if math.isfinite(spread) and spread > 0:
        decimals = min(max(math.ceil(-math.log10(spread)), 0), _MOST_DECIMALS)
    decimals = max(decimals, 2 if interval.mid < 10 else 1 if interval.mid < 100 else 0)
    low, mid, high = (
        _number(value, decimals) for value in (interval.low, interval.mid, interval.high)
    )
    if interval.low == interval.high:  # a figure without an interval
        return f"{mid}{unit}"
    return f"{mid}{unit} ({low} to {high})"


def _number(value: float, decimals: int) -> str:
    if math.isnan(value):
        return "unknown"
    return f"{value:,.{decimals}f}" if math.isfinite(value) else "unbounded"


def given_percent(share: float) -> str:
    """Return a share as it was given: `5 %`, `2.5 %`."""
    return f"{100 * share:g} %"


def storage(size_bytes: int) -> str:
    """Return `412 B`, `3.4 KiB`, `12 MiB`."""
    if abs(size_bytes) < 1024:
        return f"{size_bytes} B"
    if abs(size_bytes) < 1024**2:
        return f"{three_digits(size_bytes / 1024)} KiB"
    return mebibytes(size_bytes / 1024**2)


def line_ranges(lines: Iterable[int]) -> str:
    """Return `12-15, 20`."""
    ordered = enumerate(sorted(set(lines)))
    runs = [[line for _, line in run] for _, run in groupby(ordered, lambda at: at[1] - at[0])]
    shown = [f"{run[0]}-{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs]
    return ", ".join([*shown[:_RANGES_SHOWN], *(["..."] if len(runs) > _RANGES_SHOWN else [])])


def rows_of_both(comparison: Comparison) -> Iterator[tuple[str, ...]]:
    """Yield coverage, memory and the cost of importing: a name, the original, the candidate."""
    coverage, memory, speed = comparison.coverage, comparison.memory, comparison.speed
    reached = (coverage.original, coverage.candidate) if coverage else ()
    branched = reached if any(each.branches for each in reached) else ()
    missed = reached if any(each.missing_lines for each in reached) else ()
    used = (memory.original, memory.candidate) if memory else ()
    least = given_percent(coverage.threshold) if coverage else ""
    rows = {
        f"coverage (at least {least})": [percent(each.share) for each in reached],
        "lines": [f"{each.lines_covered} of {each.lines}" for each in reached],
        "branches": [f"{each.branches_covered} of {each.branches}" for each in branched],
        "lines not reached": [line_ranges(each.missing_lines) or "none" for each in missed],
        "peak memory": [storage(each.peak_bytes) for each in used],
        "blocks left allocated": [f"{each.allocated_blocks:,}" for each in used],
        "import of the module": [
            duration(ms * 1e6) for ms in (speed.import_ms if speed else None) or ()
        ],
    }
    yield from ((name, *both) for name, both in rows.items() if both)


def method_facts(comparison: Comparison, *, brief: bool = False) -> Iterator[tuple[str, str]]:
    """Yield how each kind of figure was measured; `brief`: without isolation that is full."""
    speed, isolation = comparison.speed, comparison.isolation
    measured = []
    if is_timed := speed is not None and bool(speed.speedup is not None or speed.processes):
        counts = ((speed.processes, "processes"), (speed.rounds, "rounds"))
        measured = [f"{number:,} {what}" for number, what in counts if number]
        measured += [milliseconds(speed.seconds * 1e3)] if speed.seconds > 0 else []
    took = [
        f"{name} {milliseconds(seconds * 1e3)}"
        for name, seconds in comparison.part_seconds.items()
        if math.isfinite(seconds)
    ]
    facts = {
        "speed": _METHODS[speed.method] if speed and is_timed else "",
        "measured": ", ".join(measured),
        "threshold": given_percent(speed.threshold) if speed and is_timed else "",
        "interpreter": comparison.python,
        "isolation": ""
        if brief and isolation and isolation.level == "full"
        else str(isolation or ""),
        "took": ", ".join(took),
    }
    yield from ((name, text) for name, text in facts.items() if text)


def telling(cases: Sequence[SpeedCase], most: int) -> list[SpeedCase]:
    """Return at most this many cases, in order: the slowest to gain, and the costliest."""
    if len(cases) <= most:
        return list(cases)
    indices = range(len(cases))
    worst = sorted(indices, key=lambda k: _known(cases[k].speedup.mid))[: most // 3]
    costly = sorted(indices, key=lambda k: -_known(cases[k].original_ns))
    chosen = [*worst, *(k for k in costly if k not in worst)][:most]
    return [cases[k] for k in sorted(chosen)]


def _known(value: float) -> float:
    return value if math.isfinite(value) else 0.0


def shared_scope(names: Sequence[str]) -> str:
    """Return what all names of several tests begin with, up to the last `::` in it."""
    alike = commonprefix(names) if len(names) > 1 else ""  # noqa: RUF071 - not of folders
    return alike[: alike.rfind("::") + 2] if "::" in alike else ""
