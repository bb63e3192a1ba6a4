"""A comparison's findings in words and figures that a person reads."""

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

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
_GAP = "..."


def headline(comparison: Comparison) -> str:
    """Return the grounds of the verdict in one line; empty if nothing was found out."""
    parts = []
    speed, behaviour = comparison.speed, comparison.behaviour
    if speed is not None and speed.speedup is not None:
        parts.append(_speed_in_words(speed, speed.speedup))
    elif comparison.accepted:
        parts.append("speed not measured")
    if behaviour is not None:
        parts.append(_behaviour_in_words(behaviour))
    return "; ".join(parts)


def _speed_in_words(speed: Speed, interval: Interval) -> str:
    found, threshold = times_as_fast(interval), given_percent(speed.threshold)
    if speed.verdict == "slower":
        return f"slower: {found}"
    if speed.verdict == "same":
        return f"as fast as the original within {threshold}: {found}"
    if speed.verdict != "undecided":
        return found
    if interval.high < 1:
        return f"slower, perhaps by less than {threshold}: {found}"
    if interval.high <= 1 + speed.threshold:
        return f"not faster by {threshold}: {found}"
    if interval.low > 1 + speed.threshold:
        return f"gain not confirmed: {found}"
    if interval.low > 1:
        return f"faster, perhaps by less than {threshold}: {found}"
    return f"undecided whether faster: {found}"


def _behaviour_in_words(behaviour: Behaviour) -> str:
    same, different = behaviour.count("same"), behaviour.count("different")
    compared = same + different + behaviour.count("not-comparable")
    if behaviour.verdict == "different":
        if different:
            return f"behaviour differs in {different} of {counted(compared, 'case')}"
        return "side effects differ" if behaviour.side_effects else "behaviour differs"
    if behaviour.verdict == "unproved":
        return "behaviour unproved: nothing could be compared"
    of = f" of {compared}" if same < compared else ""
    return f"same behaviour in {counted(same, 'case')}{of}"


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
    ranges: list[list[int]] = []
    for line in sorted(set(lines)):
        if ranges and line == ranges[-1][1] + 1:
            ranges[-1][1] = line
        else:
            ranges.append([line, line])
    shown = [f"{a}" if a == b else f"{a}-{b}" for a, b in ranges[:_RANGES_SHOWN]]
    return ", ".join([*shown, *([_GAP] if len(ranges) > _RANGES_SHOWN else [])])


def rows_of_both(comparison: Comparison) -> Iterator[tuple[str, ...]]:
    """Yield coverage, memory and the cost of importing: a name, the original, the candidate."""
    if coverage := comparison.coverage:
        both = coverage.original, coverage.candidate
        least = f"coverage (at least {given_percent(coverage.threshold)})"
        yield least, *(percent(each.share) for each in both)
        yield "lines", *(f"{each.lines_covered} of {each.lines}" for each in both)
        if any(each.branches for each in both):
            yield "branches", *(f"{each.branches_covered} of {each.branches}" for each in both)
        if any(each.missing_lines for each in both):
            missing = (line_ranges(each.missing_lines) or "none" for each in both)
            yield "lines not reached", *missing
    if memory := comparison.memory:
        used = memory.original, memory.candidate
        yield "peak memory", *(storage(each.peak_bytes) for each in used)
        yield "blocks left allocated", *(f"{each.allocated_blocks:,}" for each in used)
    if comparison.speed and comparison.speed.import_ms:
        times = (duration(ms * 1e6) for ms in comparison.speed.import_ms)
        yield "import of the module", *times


def method_facts(comparison: Comparison, *, brief: bool = False) -> Iterator[tuple[str, str]]:
    """Yield how each kind of figure was measured; `brief`: without isolation that is full."""
    speed = comparison.speed
    if speed is not None and (speed.speedup is not None or speed.processes):
        yield "speed", _METHODS[speed.method]
        counts = ((speed.processes, "processes"), (speed.rounds, "rounds"))
        parts = [f"{number:,} {what}" for number, what in counts if number]
        parts += [milliseconds(speed.seconds * 1e3)] if speed.seconds > 0 else []
        if parts:
            yield "measured", ", ".join(parts)
        yield "threshold", given_percent(speed.threshold)
    if comparison.python:
        yield "interpreter", comparison.python
    isolation = comparison.isolation
    if isolation is not None and not (brief and isolation.level == "full"):
        yield "isolation", str(isolation)
    took = [
        f"{name} {milliseconds(seconds * 1e3)}"
        for name, seconds in comparison.part_seconds.items()
        if math.isfinite(seconds)
    ]
    if took:
        yield "took", ", ".join(took)


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
    if len(names) < 2:
        return ""
    alike = _alike(min(names), max(names))
    return alike[: alike.rfind("::") + 2] if "::" in alike else ""


def _alike(first: str, second: str) -> str:
    """Return what two texts begin with."""
    pairs = zip(first, second, strict=False)
    return "".join(char for char, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
