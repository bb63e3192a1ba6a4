"""A report's findings in words and figures that a person reads."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from steelyard.reports import (
    Figure,
    Span,
    count,
    mebibytes,
    milliseconds,
    percent,
    three_digits,
    visible,
)
from steelyard.schemas import (
    Band,
    ComplexityEstimate,
    Flag,
    GrowthComparison,
    LineWork,
    ProfileReport,
    Term,
)

FLAGS: dict[Flag, str] = {
    "memory-bound": "time grows faster than the work: larger inputs overflow the caches",
    "hidden-library-work": "a library or another process does work that the counters do not see",
    "limited-by-time-out": "a run reached the time limit",
    "limited-by-memory": "a run reached the memory limit",
    "too-few-sizes": "too few sizes could be measured",
    "cut-short": "a bound on time ended the sizes early",
    "counts-differ": "the same input gave different counts, so the work is not deterministic",
    "threads": "the program starts threads, so its figures vary between runs",
    "no-counts": "the work was not counted, so the class rests on noisier figures",
    "slower-than-work": "time grows slower than the counted work",
}
"""What each flag means, for reports without such a note."""

_BASES = {
    "work": "from counted work",
    "instructions": "from executed instructions",
    "time": "from CPU time",
    "heap": "from peak heap memory",
    "resident": "from resident memory",
    "none": "",
}
_SUPERSCRIPTS = str.maketrans("0123456789n.", "⁰¹²³⁴⁵⁶⁷⁸⁹ⁿ·")
_LEAST_SHARE = 0.02  # a term below it is left out, unless it is the only one
_TERMS_SHOWN = 4
_LINES_SHOWN = 3
_LEAST_PART = 0.1  # of a line's work
_VERDICTS = {
    True: Span("PASS", "strong good"),
    False: Span("FAIL", "strong bad"),
    None: Span("unknown", "strong warn"),
}


@dataclass(frozen=True)
class Quantity:
    """A quantity that grows with n."""

    name: str
    kind: Literal["cpu_ms", "memory_mib"]
    """Its field of a measurement."""
    label: str
    unit: str
    write: Callable[[float], str]
    estimate: ComplexityEstimate
    band: Band | None
    """Its prediction at the largest n."""
    limit: float | None
    meets: bool | None


def quantities(report: ProfileReport) -> tuple[Quantity, Quantity]:
    """Return the time and the memory of a report."""
    end = report.prediction
    time = Quantity(
        "time",
        "cpu_ms",
        "CPU time",
        "ms",
        milliseconds,
        report.time,
        end.cpu_ms,
        report.time_limit_ms,
        end.meets_time_limit,
    )
    memory = Quantity(
        "memory",
        "memory_mib",
        "Peak memory",
        "MiB",
        mebibytes,
        report.space,
        end.memory_mib,
        report.memory_limit_mib,
        end.meets_memory_limit,
    )
    return time, memory


def class_name(name: str) -> str:
    """Return a class as mathematics writes it: `O(n²)`, `O(√n)`."""
    name = visible(name).replace("phi^", "φ^")
    raised = re.sub(r"\^([0-9n.]+)", lambda found: found[1].translate(_SUPERSCRIPTS), name)
    return re.sub(r"sqrt ([a-z])\b", r"√\1", raised).replace("*", "·")


def interval(low: str, high: str) -> str:
    """`380 to 520 ms`, from two figures with their units; the unit once where both share it."""
    if low == high:
        return low
    number, _, unit = low.rpartition(" ")
    dash = "\N{EN DASH}"
    if not number:  # figures without a unit
        return f"{low}{dash}{high}"
    return f"{number}{dash}{high}" if high.endswith(f" {unit}") else f"{low} {dash} {high}"


def size(n: int, m: int | None) -> str:
    """`n = 2,000` or `n = 2,000, m = 50`."""
    return f"n = {count(n)}" + ("" if m is None else f", m = {count(m)}")


def estimate_in_words(estimate: ComplexityEstimate) -> str:
    """Return the class alone, or `unsure: O(n) or O(n log n)`."""
    if not estimate.unsure:
        return class_name(estimate.complexity)
    names = [class_name(name) for name, _ in estimate.candidates[:2]]
    return f"unsure: {' or '.join(names)}" if names else "unsure"


def basis_in_words(estimate: ComplexityEstimate) -> str:
    """`98 % sure, from counted work`, or why it is unsure."""
    if estimate.unsure and estimate.reason:
        return visible(estimate.reason)
    parts = []
    if estimate.confidence > 0:
        parts.append(f"{percent(estimate.confidence)} sure")
    if estimate.unsure and parts:
        parts = [f"{parts[0]} of the first class"]
    basis = _BASES[estimate.basis]
    return ", ".join([*parts, *([basis] if basis else [])])


def terms_shown(terms: tuple[Term, ...]) -> tuple[Term, ...]:
    """Return the terms that are worth a line."""
    heavy = [term for term in terms if term.share >= _LEAST_SHARE]
    return tuple((heavy or list(terms[:1]))[:_TERMS_SHOWN])


def term_in_words(term: Term) -> str:
    """`62 % of the work: n log n, line 14`."""
    inner = re.fullmatch(r"O\((.*)\)", term.complexity)
    name = class_name(inner[1] if inner else term.complexity)
    if name == "1":
        name = "constant"
    return f"{percent(term.share)} of the work: {name}{_lines(term.lines)}"


def _lines(lines: tuple[int, ...]) -> str:
    if not lines:
        return ""
    named = ", ".join(str(line) for line in lines[:_LINES_SHOWN])
    more = ", ..." if len(lines) > _LINES_SHOWN else ""
    return f", line{'s' if len(lines) > 1 else ''} {named}{more}"


def headline(report: ProfileReport) -> str:
    """Return the verdict in one sentence."""
    grows = f"Time {estimate_in_words(report.time)}"
    if report.space.basis != "none" or not report.space.unsure:
        grows += f", memory {estimate_in_words(report.space)}"
    at = size(report.prediction.n, report.prediction.m)
    return f"{grows}. {_outlook(report, at)}"


def _outlook(report: ProfileReport, at: str) -> str:
    limited = [each for each in quantities(report) if each.limit is not None]
    missed = [each.name for each in limited if each.meets is False]
    if missed:
        verb = "Exceeds" if report.prediction.measured else "Will exceed"
        return f"{verb} the {' and the '.join(missed)} limit at {at}."
    last = report.measurements[-1] if report.measurements else None
    if last is not None and last.cpu_ms is None and last.work is None:
        return f"It failed at {size(last.n, last.m)}."
    unknown = [each.name for each in limited if each.meets is None]
    if unknown:
        return f"It is unknown if it meets the {' and the '.join(unknown)} limit at {at}."
    if limited:
        plural = "both limits" if len(limited) == 2 else f"the {limited[0].name} limit"
        return f"Meets {plural} at {at}."
    needs = [each.write(each.band.mid) for each in quantities(report) if each.band]
    if not needs:
        return f"Its time and memory at {at} are unknown."
    return f"Needs about {' and '.join(needs)} at {at}."


def verdict_of(report: ProfileReport) -> str | Span:
    outcomes = [each.meets for each in quantities(report) if each.limit is not None]
    if not outcomes:
        return ""
    return _VERDICTS[False if False in outcomes else None if None in outcomes else True]


def estimate_figure(what: Quantity) -> Figure:
    estimate = what.estimate
    tone = "warn" if estimate.unsure else "strong accent"
    details = [term_in_words(term) for term in terms_shown(estimate.terms)]
    if estimate.runner_up and not estimate.unsure:
        details.insert(0, f"next likeliest: {class_name(estimate.runner_up)}")
    value = Span(estimate_in_words(estimate), tone)
    return Figure(what.name, value, Span(basis_in_words(estimate), "quiet"), details)


def prediction_figure(report: ProfileReport, what: Quantity) -> Figure:
    end, band, write = report.prediction, what.band, what.write
    spread = f"{interval(write(band.low), write(band.high))} " if band else ""
    aside: list[str | Span] = [f"{spread}at {size(end.n, end.m)}"]
    if what.limit is not None:
        aside += [f", limit {write(what.limit)}: ", _VERDICTS[what.meets]]
    name = f"{'measured' if end.measured else 'predicted'} {what.name}"
    return Figure(name, write(band.mid) if band else "unknown", aside)


def classes_in_words(work: LineWork) -> str:
    """`O(n)`, or `O(n log n) 17 %, O(n) 9 %` if no class has nearly all of the line's work."""
    heavy = [each for each in work.classes if each[1] >= _LEAST_PART * work.share]
    if len(heavy) == 1:
        return class_name(heavy[0][0])
    return ", ".join(f"{class_name(name)} {percent(share)}" for name, share in heavy)


def together_in_words(comparison: GrowthComparison, titles: tuple[str, str]) -> Iterator[str]:
    """Yield what two reports mean together, a sentence a line."""
    first, second = titles
    if comparison.ratio is not None:
        band = comparison.ratio
        at = f" at n = {count(comparison.ratio_at_n)}" if comparison.ratio_at_n else ""
        faster = band.mid <= 1
        low, high = (
            (1 / band.high, 1 / band.low) if faster and band.low > 0 else (band.low, band.high)
        )
        middle = 1 / band.mid if faster and band.mid > 0 else band.mid
        spread = interval(three_digits(low), three_digits(high))
        than = "faster" if faster else "slower"
        yield f"{first} is {three_digits(middle)} times {than} than {second}{at} ({spread})"
    if comparison.growth:
        yield comparison.growth
    if comparison.crossover_n is not None:
        yield f"from this size on, the other program is faster: n = {count(comparison.crossover_n)}"
    yield from comparison.notes
