"""A comparison's findings in words and figures that a person reads."""

import math
from collections.abc import Iterable, Iterator

from steelyard.reports import mebibytes, milliseconds, three_digits, visible
from steelyard.schemas import Behaviour, Comparison, Interval, Reason, Speed, TestType

TEST_TYPES: dict[TestType, str] = {
    TestType.EXISTING_UNIT_TEST: "existing tests",
    TestType.INSPIRED_REGRESSION: "inspired tests",
    TestType.GENERATED_REGRESSION: "generated calls",
    TestType.REPLAY_TEST: "replayed calls",
    TestType.CONCOLIC_COVERAGE_TEST: "concolic calls",
    TestType.INIT_STATE_TEST: "state after __init__",
}
"""Where a case comes from."""

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
    """The verdict's grounds in one line; empty where nothing was found out."""
    parts = []
    speed, behaviour = comparison.speed, comparison.behaviour
    if speed is not None and speed.speedup is not None:
        parts.append(_speed_in_words(speed, speed.speedup))
    elif comparison.accepted:
        parts.append("speed not measured")
    if behaviour is not None:
        parts.append(behaviour_in_words(behaviour))
    return "; ".join(parts)


def _speed_in_words(speed: Speed, interval: Interval) -> str:
    said = times_as_fast(interval)
    if speed.verdict == "slower":
        return f"slower: {said}"
    if speed.verdict == "same":
        return f"as fast as the original within {threshold_percent(speed.threshold)}: {said}"
    return f"{_undecided(speed, interval)}: {said}" if speed.verdict == "undecided" else said


def _undecided(speed: Speed, interval: Interval) -> str:
    """Return what an interval shows that no other verdict fits."""
    threshold = threshold_percent(speed.threshold)
    if interval.high < 1:
        return f"slower, perhaps by less than {threshold}"
    if interval.low > 1 + speed.threshold:
        return "gain not confirmed"
    if interval.low > 1:
        return f"faster, perhaps by less than {threshold}"
    return "undecided whether faster"


def behaviour_in_words(behaviour: Behaviour) -> str:
    """What was found of the behaviour, with how many cases say so."""
    same, different = behaviour.count("same"), behaviour.count("different")
    compared = same + different + behaviour.count("not-comparable")
    if behaviour.verdict == "different":
        if different:
            return f"behaviour differs in {different} of {_cases(compared)}"
        return "side effects differ" if behaviour.side_effects else "behaviour differs"
    if behaviour.verdict == "unproved":
        return "behaviour unproved: nothing could be compared"
    return f"same behaviour in {_cases(same)}" + (f" of {compared}" if same < compared else "")


def _cases(number: int) -> str:
    return f"{number:,} case" + ("" if number == 1 else "s")


def reasons_in_order(reasons: Iterable[Reason]) -> list[Reason]:
    """Those that reject, then the warnings."""
    return sorted(reasons, key=lambda reason: not reason.rejects)


def times_as_fast(interval: Interval) -> str:
    """`1.84 times as fast (1.79 to 1.90)`."""
    return _in_words(interval, " times as fast")


def speedup(interval: Interval) -> str:
    """`1.84 (1.79 to 1.90)`."""
    return _in_words(interval, "")


def _in_words(interval: Interval, unit: str) -> str:
    """With as many decimals as the interval's width calls for."""
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


def threshold_percent(share: float) -> str:
    """`5 %`, `2.5 %`: as it was given."""
    return f"{100 * share:g} %"


def duration(ns: float, *, unicode: bool = True) -> str:
    """`412 ns`, `3.4 µs`, `12 ms`, `1.25 s`."""
    if not math.isfinite(ns):
        return "unknown"
    if ns == 0:
        return "0 ns"
    if abs(ns) < 999.5:
        return f"{three_digits(ns)} ns"
    if abs(ns) < 999.5e3:
        return f"{three_digits(ns / 1e3)} {'µs' if unicode else 'us'}"
    return milliseconds(ns / 1e6)


def storage(size_bytes: int) -> str:
    """`412 B`, `3.4 KiB`, `12 MiB`."""
    if abs(size_bytes) < 1024:
        return f"{size_bytes} B"
    if abs(size_bytes) < 1024**2:
        return f"{three_digits(size_bytes / 1024)} KiB"
    return mebibytes(size_bytes / 1024**2)


def line_ranges(lines: Iterable[int]) -> str:
    """`12-15, 20`."""
    ranges: list[list[int]] = []
    for line in sorted(set(lines)):
        if ranges and line == ranges[-1][1] + 1:
            ranges[-1][1] = line
        else:
            ranges.append([line, line])
    shown = [f"{a}" if a == b else f"{a}-{b}" for a, b in ranges[:_RANGES_SHOWN]]
    return ", ".join([*shown, *(["..."] if len(ranges) > _RANGES_SHOWN else [])])


def method_lines(comparison: Comparison) -> Iterator[tuple[str, str]]:
    """How each kind of figure was got: a name and a line."""
    speed = comparison.speed
    if speed is not None and (speed.speedup is not None or speed.processes):
        yield "speed", _METHODS[speed.method]
        counts = ((speed.processes, "processes"), (speed.rounds, "rounds"))
        said = [f"{number:,} {what}" for number, what in counts if number]
        said += [milliseconds(speed.seconds * 1e3)] if speed.seconds > 0 else []
        if said:
            yield "measured", ", ".join(said)
        yield "threshold", threshold_percent(speed.threshold)
    if comparison.python:
        yield "interpreter", visible(comparison.python)
    if comparison.isolation is not None:
        yield "isolation", str(comparison.isolation)
    parts = [
        f"{visible(name)} {milliseconds(took * 1e3)}"
        for name, took in comparison.part_seconds.items()
        if math.isfinite(took)
    ]
    if parts:
        yield "took", ", ".join(parts)
