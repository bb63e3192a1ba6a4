"""A comparison as blocks, the same ones for a terminal and a page.

What came from the project or the candidate is cut to a length that a reader can take in.
"""

import math
from collections.abc import Iterator, Sequence
from textwrap import dedent

from steelyard.comparing._words import (
    KINDS,
    TEST_TYPES,
    cut,
    cut_middle,
    cut_pair,
    duration,
    given_percent,
    headline,
    method_facts,
    rows_of_both,
    shared_scope,
    speedup,
    telling,
)
from steelyard.reports import (
    Axis,
    Block,
    Cell,
    Chart,
    Charts,
    Column,
    Columns,
    Diff,
    Dots,
    Facts,
    Fold,
    Heading,
    Headline,
    Items,
    Note,
    Outline,
    Span,
    Table,
    Text,
    counted,
    linear_axis,
    log_axis,
    percent,
)
from steelyard.schemas import (
    Behaviour,
    BehaviourCase,
    Comparison,
    Interval,
    LineTime,
    Speed,
    ValueDifference,
)

_FEW, _MANY = 5, 40
"""Cases of each outcome that are shown, in brief and whole."""
_FEW_TESTS, _MANY_TESTS = 12, 200
_HOT_LINES, _LINES = 5, 400
_MOST_DOTS = 400
_FARTHEST = 4.0
"""An interval that reaches further than this factor from its middle is cut there."""
_NAME, _TEXT, _VALUE, _CODE = 200, 1000, 400, 500
"""Characters of names, texts and values."""
_TONES = {"same": "good", "different": "bad", "not-comparable": "warn", "dropped": "quiet"}


def view(comparison: Comparison, *, brief: bool = False) -> Iterator[Block]:
    """Yield the blocks of a comparison.

    Args:
        comparison: What to show.
        brief: Show fewer cases and lines, and no diff, as on a terminal.
    """
    tone = "strong good" if comparison.accepted else "strong bad"
    yield Headline(Span(comparison.verdict.upper(), tone), cut(comparison.function, _NAME))
    if grounds := headline(comparison):
        yield Text(grounds)
    for reason in sorted(comparison.reasons, key=lambda each: not each.rejects):
        label = Span("rejected", "bad") if reason.rejects else Span("warning", "warn")
        yield Note([Span(f"{reason.code}: ", "strong"), cut(reason.text, _TEXT)], label)
    if comparison.diff.strip() and not brief:
        yield Heading("What changes")
        coverage = comparison.coverage
        missed = (coverage.original, coverage.candidate) if coverage else ()
        yield Diff(comparison.diff, *(each.missing_lines for each in missed))
    if comparison.behaviour is not None:
        yield from _behaviour(comparison.behaviour, _FEW if brief else _MANY)
    if comparison.speed is not None:
        yield from _speed(comparison.speed, _FEW_TESTS if brief else _MANY_TESTS, brief=brief)
    if both := list(rows_of_both(comparison)):
        yield Heading("Both versions")
        yield Table(["", *_figures("original", "candidate")], both)
    if profile := comparison.line_profile:
        named = (("original", profile.original), ("candidate", profile.candidate))
        tables = [_lines(name, lines, brief=brief) for name, lines in named if lines]
        if tables:
            yield Heading("Time by line")
            yield Columns(tables)
    if comparison.notes:
        yield Heading("Notes")
        yield Items([cut(note, _TEXT) for note in comparison.notes])
    facts = [
        (name, cut(text, _TEXT))
        for name, text in method_facts(comparison)
        if not (brief and name == "isolation" and text.startswith("full "))
    ]
    if facts:
        yield Heading("How it was measured")
        yield Facts(facts)


def _figures(*headings: str) -> Iterator[Column]:
    return (Column(heading, "figure") for heading in headings)


def _behaviour(behaviour: Behaviour, most: int) -> Iterator[Block]:
    if not behaviour.cases and not behaviour.side_effects:
        return
    yield Heading("Behaviour")
    if behaviour.cases:
        yield _counts(behaviour)
    by_outcome = {
        name: [case for case in behaviour.cases if case.outcome == name] for name in _TONES
    }
    differing = by_outcome["different"]
    for number, case in enumerate(differing[:most]):
        title = _titled(case, Span(f"  ({TEST_TYPES[case.test_type]})", "quiet"))
        yield Fold(title, list(_case(case, most)), is_open=number < _FEW)
    yield from _more(len(differing) - most, "differing case")
    if behaviour.side_effects:
        effects = list(_differences(behaviour.side_effects, most))
        yield Fold(Span("side effects that differ", "strong bad"), effects, is_open=True)
    quiet = [*by_outcome["not-comparable"][:most], *by_outcome["dropped"][:most]]
    if quiet:
        yield Items([_quiet(case) for case in quiet])
    if behaviour.inputs and most == _MANY:
        title = f"inputs on which both versions are alike: {behaviour.different_inputs:,}"
        yield Fold(Span(title), [Items([cut(text, _VALUE) for text in behaviour.inputs])])
    for outcome in ("not-comparable", "dropped"):
        left = len(by_outcome[outcome]) - most
        yield from _more(left, f"{outcome.replace('-', ' ')} case")


def _counts(behaviour: Behaviour) -> Table:
    """Count the cases by their origin and outcome; with several origins, their sum comes last."""
    shown = [name for name in _TONES if name in ("same", "different") or behaviour.count(name)]
    kinds = {case.test_type for case in behaviour.cases}
    origins = [(name, kind) for kind, name in TEST_TYPES.items() if kind in kinds]
    rows: list[list[str | Span]] = [
        [name, *(_count(behaviour.count(outcome, kind), outcome) for outcome in shown)]
        for name, kind in (*origins, *([("all", None)] if len(origins) > 1 else []))
    ]
    return Table(["", *_figures(*(name.replace("-", " ") for name in shown))], rows)


def _count(number: int, outcome: str) -> Span:
    return Span(f"{number:,}", _TONES[outcome] if number else "quiet")


def _titled(case: BehaviourCase, *rest: Span) -> list[Span]:
    outcome = Span(case.outcome.replace("-", " "), _TONES[case.outcome])
    return [outcome, Span(f"  {cut_middle(case.name, _NAME)}"), *rest]


def _quiet(case: BehaviourCase) -> list[Span]:
    """Return a case that proves nothing, and why."""
    why = case.note or "; ".join(str(each) for each in case.differences[:1])
    return _titled(case, *([Span(f": {cut(why, _VALUE)}", "quiet")] if why else ()))


def _case(case: BehaviourCase, most: int) -> Iterator[Block]:
    facts = [("input", case.input), ("calls", f"{case.calls:,}" if case.calls else "")]
    facts.append(("note", case.note))
    yield Facts([(name, cut(text, _TEXT)) for name, text in facts if text])
    yield from _differences(case.differences, most)


def _differences(differences: Sequence[ValueDifference], most: int) -> Iterator[Block]:
    rows: list[list[str | Span]] = []
    for each in differences[:most]:
        values = cut_pair(each.original, each.candidate, _VALUE)
        original, candidate = (text or "(nothing)" for text in values)
        where = Span(cut_middle(each.path, _NAME), "accent")
        rows.append([where, Span(original, "good"), Span(candidate, "bad"), KINDS[each.kind]])
    columns = [Column(name, "code") for name in ("where", "original", "candidate")]
    if rows:
        yield Table([*columns, "how"], rows).filled()
    yield from _more(len(differences) - most, "difference")


def _more(number: int, noun: str) -> Iterator[Text]:
    if number > 0:
        yield Text(f"and {counted(number, f'more {noun}')}", "quiet")


def _speed(speed: Speed, most: int, *, brief: bool) -> Iterator[Block]:
    if not (speed.cases or speed.notes or speed.speedup or speed.wall_speedup):
        return
    yield Heading("Speed")
    if speed.cases:
        yield _by_test(speed, most)
    if not brief:
        yield from _by_pair(speed)
    if speed.wall_speedup is not None:
        yield Text(f"{speed.wall_speedup:,.2f} times as fast by wall-clock time")
    if speed.notes:
        yield Items([cut(note, _TEXT) for note in speed.notes])


def _by_test(speed: Speed, most: int) -> Table:
    listed = telling(speed.cases, most)
    scope = shared_scope([case.name for case in speed.cases])
    rows: list[list[str | Span | Cell]] = [
        [
            cut_middle(case.name.removeprefix(scope), _NAME),
            _speedup(case.speedup, speed.threshold),
            duration(case.original_ns),
            duration(case.candidate_ns),
        ]
        for case in listed
    ]
    if speed.speedup is not None and len(speed.cases) > 1:
        whole = _speedup(speed.speedup, speed.threshold, "strong")
        rows.append([Span("all together", "strong"), whole, "", ""])
    least = 1 + speed.threshold
    marks = [("alike", 1.0, "equal"), ("limit", least, _threshold(speed))]
    drawn = [value for case in listed for value in _drawn(case.speedup) or ()]
    columns = (
        cut_middle(scope, _NAME),
        Column("speedup", "figure", axis=_axis([*drawn, 1.0, least]), marks=marks),
        Column("original", "figure", detail=True),
        Column("candidate", "figure", detail=True),
    )
    left = len(speed.cases) - len(listed)
    return Table(columns, rows, f"{left:,} more tests are not listed" if left else "")


def _threshold(speed: Speed) -> str:
    return f"threshold, {given_percent(speed.threshold)} faster"


def _speedup(interval: Interval, threshold: float, tone: str = "") -> Cell:
    """Return a speedup, in colour if its whole interval is beyond the threshold."""
    if interval.low > 1 + threshold:
        tone += " good"
    elif interval.high < 1 / (1 + threshold):
        tone += " bad"
    return Cell(Span(speedup(interval), tone), interval=_drawn(interval))


def _drawn(interval: Interval) -> tuple[float, float, float] | None:
    """Return what of an interval an axis shows; None if it cannot be drawn."""
    low, mid, high = interval.low, interval.mid, interval.high
    if not 0 < mid < math.inf or math.isnan(low) or math.isnan(high):
        return None
    return max(low, mid / _FARTHEST), mid, min(high, mid * _FARTHEST)


def _axis(values: Sequence[float]) -> Axis:
    room = max((max(values) / min(values)) ** 0.06, 1.005)
    return log_axis("times as fast as the original", min(values) / room, max(values) * room)


def _by_pair(speed: Speed) -> Iterator[Charts]:
    """Yield the speedup in each pair of processes, in the order measured."""
    estimates = [value for value in speed.estimates if 0 < value < math.inf]
    if len(estimates) < 2:
        return
    step = math.ceil(len(estimates) / _MOST_DOTS)
    pairs = tuple(float(number) for number in range(1, len(estimates) + 1, step))
    whole = speed.speedup and _drawn(speed.speedup)
    axis, least = _axis([*estimates, *(whole or ())]), 1 + speed.threshold
    ends = (0.0, pairs[-1] + 1)
    chart = Chart(
        "Speedup by pair of processes",
        linear_axis("pair of processes, in the order measured", *ends, whole=True),
        axis,
        dots=(Dots("one pair", pairs, tuple(estimates[::step])),),
        band=Outline(ends, (whole[0],) * 2, (whole[2],) * 2) if whole else None,
        limit=least if axis.low < least < axis.high else None,
        limit_label=_threshold(speed),
    )
    yield Charts([chart])


def _lines(name: str, lines: Sequence[LineTime], *, brief: bool) -> Table:
    """Return a version line by line; in brief, the lines that take most time."""
    total = sum(line.time_ns for line in lines) or 1
    hottest = sorted((line for line in lines if line.time_ns > 0), key=lambda each: -each.time_ns)
    shown = hottest[:_HOT_LINES] if brief else lines[:_LINES]
    texts = dedent("\n".join(line.text.partition("\n")[0][:_CODE] for line in shown)).split("\n")
    rows: list[list[str | Cell]] = [
        [
            str(line.line),
            f"{line.hits:,}" if line.hits else "",
            duration(line.time_ns) if line.hits else "",
            Cell(percent(line.time_ns / total) if line.hits else "", share=line.time_ns / total),
            text,
        ]
        for line, text in zip(shown, texts, strict=True)
    ]
    columns = [
        Column("line", "figure"),
        Column("hits", "figure", detail=True),
        Column("time", "figure", detail=True),
        Column("share", "figure"),
        Column(name, "code"),
    ]
    left = 0 if brief else len(lines) - len(shown)
    return Table(columns, rows, f"and {counted(left, 'more line')}" if left else "")
