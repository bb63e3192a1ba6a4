"""The report as one self-contained HTML page. All that comes from outside is escaped here."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from html import escape

from steelyard.evaluation._tallies import Tally
from steelyard.evaluation.reporting._page_style import SCRIPT, STYLE
from steelyard.evaluation.reporting._words import (
    METRIC_HEADINGS,
    MONTH_HEADINGS,
    by_frequency,
    defined,
    figure,
    interval,
    metric_row,
    month_row,
    origin_line,
    strength_line,
    undefined_line,
    verdicts_line,
    warnings,
    window_line,
)
from steelyard.rendering import counted, document, escaped
from steelyard.schemas import EvaluatedSample, EvaluationReport, MonthScore, TaskScore, Verdict

__all__ = ["page_of"]

_MOST_FAILURES = 20
"""Failures of one task that the page shows; all are in the record."""
_MOST_FAULTS = 200
_CARDS = 4
_TASK_HEADINGS = (
    "task", "passed", "samples", "pass rate", "verdicts", "within time", "within memory",
    "fastest ms", "cases", "mutants killed", "complexity", "difficulty", "published",
)  # fmt: skip


def page_of(report: EvaluationReport, tallies: Sequence[Tally], curves: str) -> str:
    """Return the page.

    Args:
        report: The figures.
        tallies: The samples behind them.
        curves: The runtime curves as SVG; empty without.
    """
    return document(
        f"Evaluation of {report.benchmark}",
        _body(report, tallies, curves),
        style=STYLE,
        script=SCRIPT,
    )


def _body(report: EvaluationReport, tallies: Sequence[Tally], curves: str) -> Iterator[str]:
    yield (
        f"<h1>{escaped(report.benchmark)}: {report.passes:,} of {report.samples:,} samples pass"
        f"</h1><p class=lead>{report.size}, "
        f"{counted(report.executions, 'execution')}. "
        f"Programs: {escaped(origin_line(report))}.</p>"
    )
    yield from (f'<p class="note">{escaped(line)}</p>' for line in warnings(report))
    yield '<div class="cards">'
    for metric in [each for each in report.metrics if each.value is not None][:_CARDS]:
        yield (
            f'<div class="card"><p class="quiet">{escaped(metric.label)}</p>'
            f'<p class="big">{escaped(figure(metric, metric.value))}</p>'
            f"<p>{escaped(interval(metric))}</p><p>{escaped(metric.basis)}</p></div>"
        )
    yield "</div>"
    yield _verdict_bar(report.verdicts)
    yield "<h2>Metrics</h2>"
    yield _table(
        METRIC_HEADINGS, ([_cell(text) for text in metric_row(m)] for m in defined(report))
    )
    if undefined_line(report):
        yield f'<p class="quiet">{escaped(undefined_line(report))}</p>'
    yield "<h2>What a pass is worth</h2>"
    yield f"<p>{escaped(strength_line(report))}.</p>"
    if report.months:
        yield "<h2>pass@1 by month of publication</h2>"
        yield _table((*MONTH_HEADINGS, ""), map(_month_cells, report.months))
    if curves:
        yield f'<h2>Runtime by size of the input</h2><figure class="curves">{curves}</figure>'
    yield "<h2>Tasks</h2>"
    yield _task_table(report.scores)
    failing = [each for each in tallies if any(not s.passed for s in each.samples)]
    if failing:
        yield "<h2>First failing case of each sample</h2>"
        yield from map(_failures, failing)
    if report.notes:
        yield "<h2>Notes</h2><ul>"
        yield from (f"<li>{escaped(note)}</li>" for note in report.notes)
        yield "</ul>"
    if report.faults:
        yield f"<h2>Left out: {report.fault_count:,}</h2><ul class=faults>"
        yield from (f"<li>{escaped(fault)}</li>" for fault in report.faults[:_MOST_FAULTS])
        yield "</ul>"
    yield "<h2>How it was measured</h2><dl>"
    for name, text in (
        ("data", f"version {report.version}, {window_line(report)}"),
        ("isolation", str(report.isolation) if report.isolation else "no program was run"),
        ("record", report.folder),
        ("duration", f"{report.seconds:.0f} s in the last run"),
        ("intervals", "95 %, bootstrap over groups of tasks; Wilson's if all samples agree"),
    ):
        yield f"<dt>{name}</dt><dd>{escaped(text)}</dd>"
    yield "</dl>"


def _verdict_bar(verdicts: dict[Verdict, int]) -> str:
    total = sum(verdicts.values())
    if not total:
        return ""
    ordered = by_frequency(verdicts)
    parts = "".join(
        f'<span class="v {name}" style="flex-grow:{count}" title="{name}: {count:,}"></span>'
        for name, count in ordered
    )
    keys = "".join(
        f'<li><span class="v {name}"></span>{name} {count:,}</li>' for name, count in ordered
    )
    return (
        f'<h2>Verdicts</h2><div class="bar" role="img" aria-label="Verdicts">{parts}</div>'
        f'<ul class="keys">{keys}</ul>'
    )


def _task_table(scores: Sequence[TaskScore]) -> str:
    """Return the table of tasks, without columns that hold nothing."""
    rows = [_task_cells(score) for score in scores]
    filled = [
        index
        for index in range(len(_TASK_HEADINGS))
        if any(not row[index].endswith("></td>") for row in rows)
    ]
    headings = [_TASK_HEADINGS[index] for index in filled]
    return _table(headings, ([row[index] for index in filled] for row in rows), sortable=True)


def _task_cells(score: TaskScore) -> list[str]:
    rate = score.passed / score.samples if score.samples else -1.0
    killed = None
    if score.mutants:
        killed = (score.mutants_killed or 0) / score.mutants
    return [
        _cell(score.task),
        _cell(f"{score.passed:,}", score.passed),
        _cell(f"{score.samples:,}", score.samples),
        _cell(f"{100 * rate:.0f} %" if rate >= 0 else "", rate),
        f"<td>{verdicts_line(score.verdicts, '&nbsp;')}</td>",
        _cell(f"{score.efficient_time:,}", score.efficient_time),
        _cell(f"{score.efficient_memory:,}", score.efficient_memory),
        _cell(
            "" if score.fastest_ms is None else f"{score.fastest_ms:,.1f}", score.fastest_ms or -1
        ),
        _cell(f"{score.cases:,}", score.cases),
        _cell("" if killed is None else f"{100 * killed:.0f} %", -1 if killed is None else killed),
        _cell(score.time_complexity),
        _cell(score.difficulty),
        _cell("" if score.published is None else score.published.isoformat()),
    ]


def _month_cells(month: MonthScore) -> list[str]:
    share = f"{100 * month.value:.1f}%"
    bar = f'<td class="share"><span style="width:{share}"></span></td>'
    return [*map(_cell, month_row(month)), bar]


def _failures(tally: Tally) -> str:
    failing = [each for each in tally.samples if not each.passed]
    summary = verdicts_line(Counter(each.verdict for each in failing if each.verdict is not None))
    rows = "".join(map(_failure, failing[:_MOST_FAILURES]))
    rest = len(failing) - _MOST_FAILURES
    more = f'<p class="quiet">and {rest:,} more, in the record</p>' if rest > 0 else ""
    return (
        f"<details><summary>{escaped(tally.line.task)} <span class=quiet>{len(failing):,} of "
        f"{len(tally.samples):,} fail: {escaped(summary)}</span></summary>{rows}{more}</details>"
    )


def _failure(sample: EvaluatedSample) -> str:
    case = sample.failure
    where = f"seed {sample.seed}, sample {sample.sample}"
    title = f"<b>{sample.verdict}</b> {escaped(where)}"
    if case is None:
        return f"<div class=fail><p>{title}: {escaped(sample.details)}</p></div>"
    facts = f"{case.cpu_ms:,.0f} ms, {case.memory_mib:,.0f} MiB"
    text = f"<p>{title}: case {escaped(case.name)} <span class=quiet>{facts}</span></p>"
    text += f"<p>{escaped(case.message or sample.details)}</p>"
    if case.difference is not None:
        place = f"line {case.difference.line}, column {case.difference.column}"
        text += (
            f"<dl><dt>expected</dt><dd class=code>{escaped(case.difference.expected)}</dd>"
            f"<dt>got</dt><dd class=code>{escaped(case.difference.got)}</dd>"
            f"<dt>at</dt><dd>{place}</dd></dl>"
        )
    if case.stderr.strip():
        lines = [escaped(line) for line in case.stderr.strip().splitlines()[-6:]]
        text += f"<pre>{chr(10).join(lines)}</pre>"
    if sample.program:
        text += f"<p class=quiet>{escaped(sample.program)}</p>"
    return f"<div class=fail>{text}</div>"


def _cell(text: str, value: float | None = None) -> str:
    own = "" if value is None else f' data-value="{value!r}"'
    return f"<td{own}>{escaped(text)}</td>"


def _table(
    headings: Sequence[str], rows: Iterable[Sequence[str]], *, sortable: bool = False
) -> str:
    def head(text: str) -> str:
        return f"<button>{escape(text)}</button>" if sortable else escape(text)

    kind = "sortable" if sortable else "figures"
    top = "".join(f'<th scope="col">{head(text)}</th>' for text in headings)
    body = "".join(f"<tr>{''.join(row)}</tr>" for row in rows)
    return (
        f'<div class="scroll" tabindex="0"><table class="{kind}"><thead><tr>{top}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )
