"""A comparison as blocks, the same ones for a terminal and a page."""

import math
from collections.abc import Iterator, Sequence
from textwrap import dedent

from steelyard.comparing._words import (
    TEST_TYPES,
    given_percent,
    headline,
    method_facts,
    rows_of_both,
    shared_scope,
    speedup,
    telling,
)
from steelyard.reports import (
    Block,
    Chart,
    Charts,
    Column,
    Columns,
    Diff,
    Facts,
    Fold,
    Heading,
    Headline,
    Items,
    Note,
    Span,
    Table,
    TableCell,
    Text,
    cells,
    first,
    in_order,
    more,
    percent,
    ratio_axis,
    table,
)
from steelyard.schemas import BehaviourCase, Comparison, Interval, LineTime, Speed, ValueDifference

_FEW, _MANY = 5, 40
_FEW_TESTS, _MANY_TESTS = 12, 200
_HOT_LINES, _LINES = 5, 400
_TONES = {"different": "bad", "not-comparable": "warn", "dropped": "quiet"}
_CODE = [Column(name, "code") for name in ("path", "original", "candidate")]
_DETAILS = [Column(name, detail=True) for name in ("original", "candidate", "hits", "time")]


def view(comparison: Comparison, *, brief: bool = False) -> Iterator[Block]:
    """Yield the blocks of a comparison; `brief`: fewer cases and lines, no diff and no chart."""
    tone = "strong good" if comparison.accepted else "strong bad"
    yield Headline(Span(comparison.verdict.upper(), tone), comparison.function)
    yield Text(headline(comparison))
    for reason in sorted(comparison.reasons, key=lambda each: not each.rejects):
        label = Span("rejected", "bad") if reason.rejects else Span("warning", "warn")
        yield Note([Span(f"{reason.code}: ", "strong"), reason.text], label)
    yield Heading("What changes")
    versions = (seen.original, seen.candidate) if (seen := comparison.coverage) else ()
    yield Diff("" if brief else comparison.diff, *(each.missing_lines for each in versions))
    if behaviour := comparison.behaviour:
        most = _FEW if brief else _MANY
        yield Heading("Behaviour")
        yield table({"": TEST_TYPES[kind], **own} for kind, own in behaviour.counts().items())
        listed = [case for outcome in _TONES for case in behaviour.cases if case.outcome == outcome]
        folds = [_case(case, most, is_open=k < _FEW) for k, case in enumerate(listed)]
        yield from first(folds, most, "case")
        yield Heading("Side effects that differ")
        yield _differences(behaviour.side_effects, most)
    if speed := comparison.speed:
        yield Heading("Speed")
        yield _by_test(speed, _FEW_TESTS if brief else _MANY_TESTS)
        yield Charts([] if brief else list(_by_pair(speed)))
        yield Items(speed.notes)
    yield Heading("Both versions")
    named = ("", "original", "candidate")
    yield table(dict(zip(named, row, strict=True)) for row in rows_of_both(comparison))
    yield Heading("Time by line")
    yield Columns([_by_line(*each, brief=brief) for each in comparison.line_profile or ()])
    yield Heading("Notes")
    yield Items(comparison.notes)
    yield Heading("How it was measured")
    yield Facts(list(method_facts(comparison, brief=brief)))


def _case(case: BehaviourCase, most: int, *, is_open: bool) -> Fold:
    outcome = Span(case.outcome.replace("-", " "), _TONES[case.outcome])
    title = (outcome, f"  {case.name}", Span(f"  ({TEST_TYPES[case.test_type]})", "quiet"))
    facts = [("input", case.input), ("calls", str(case.calls or "")), ("note", case.note)]
    return Fold(title, [Facts(facts), _differences(case.differences, most)], is_open)


def _differences(differences: Sequence[ValueDifference], most: int) -> Table:
    rows = (cells(each, "path original candidate kind") for each in differences[:most])
    return table(rows, *_CODE, caption=more(len(differences) - most, "difference"))


def _by_test(speed: Speed, most: int) -> Table:
    scope, least = shared_scope([case.name for case in speed.cases]), 1 + speed.threshold
    kinds = [(f"generated calls: {each.name}", each) for each in telling(speed.kinds, _FEW_TESTS)]
    named = [(case.name.removeprefix(scope), case) for case in telling(speed.cases, most)]
    rows: list[dict[str, object]] = [
        {
            scope: name,
            "speedup": _speedup(case.speedup, least),
            **cells(case, "original_ns candidate_ns"),
        }
        for name, case in [*named, *kinds]
    ]
    if speed.speedup is not None and len(named) > 1:
        whole = {scope: "all together", "speedup": _speedup(speed.speedup, least)}
        rows.insert(len(named), whole)
    if speed.wall_speedup is not None:
        rows.append({scope: "by wall-clock time", "speedup": f"{speed.wall_speedup:,.2f}"})
    threshold = f"threshold, {given_percent(speed.threshold)} faster"
    marks = [("alike", 1.0, "equal"), ("limit", least, threshold)]
    column = Column("speedup", "figure", marks=marks)
    return table(rows, column, *_DETAILS, caption=more(len(speed.cases) - most, "test"))


def _speedup(interval: Interval, least: float) -> TableCell:
    """Return a speedup, in colour if its whole interval is beyond the threshold."""
    tone = "good" if interval.low > least else "bad" if interval.high < 1 / least else ""
    bounds = interval.low, interval.mid, interval.high
    return TableCell(Span(speedup(interval), tone), interval=bounds)


def _by_pair(speed: Speed) -> Iterator[Chart]:
    estimates = [value for value in speed.estimates if 0 < value < math.inf]
    if len(estimates) > 1:
        axis = ratio_axis("times as fast as the original", estimates)
        yield in_order("Speedup by pair of processes", "pair of processes", axis, estimates)


def _by_line(name: str, lines: Sequence[LineTime], *, brief: bool) -> Table:
    """Return a version line by line; in brief, the lines that take most time."""
    total = sum(line.time_ns for line in lines) or 1
    hottest = sorted(lines, key=lambda line: -line.time_ns)
    shown = hottest[:_HOT_LINES] if brief else lines[:_LINES]
    texts = dedent("\n".join(line.text.partition("\n")[0] for line in shown)).split("\n")
    rows = (
        {
            "line": TableCell(str(line.line), value=line.line),
            **cells(line, "hits time_ns"),
            "share": TableCell(percent(line.time_ns / total), line.time_ns / total),
            name: text,
        }
        for line, text in zip(shown, texts, strict=False)
    )
    left = more(len(lines) - len(shown), "line")
    return table(rows, *_DETAILS, Column(name, "code"), caption=left)
