"""The report as text, on a terminal and as Markdown, and the words that all reports share."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rich.box import SIMPLE
from rich.table import Table
from rich.text import Text

from steelyard.reports import counted, visible
from steelyard.schemas import (
    EvaluationDiff,
    EvaluationReport,
    MetricDifference,
    MetricValue,
    MonthScore,
    Verdict,
)

METRIC_HEADINGS = ("metric", "value", "95 % interval", "std. error", "tasks", "basis")
MONTH_HEADINGS = ("month", "pass@1", "95 % interval", "tasks")


def defined(report: EvaluationReport) -> list[MetricValue]:
    """Return the metrics that are defined on at least one task, or that state a basis."""
    return [each for each in report.metrics if each.value is not None or each.basis]


def undefined_line(report: EvaluationReport) -> str:
    """Return the metrics that need more samples; empty if there are none."""
    names = [
        each.label for each in report.metrics if each.value is None and each.k and not each.basis
    ]
    most = max((score.samples for score in report.scores), default=0)
    if not names:
        return ""
    return f"undefined with at most {counted(most, 'sample')} a task: {', '.join(names)}"


def by_frequency(verdicts: Mapping[Verdict, int]) -> list[tuple[Verdict, int]]:
    """Return each verdict with its number of samples: accepted ones, then the most frequent."""
    return sorted(verdicts.items(), key=lambda pair: (pair[0] is not Verdict.AC, -pair[1]))


def verdicts_line(verdicts: Mapping[Verdict, int], space: str = " ") -> str:
    """Return how often each verdict was given, such as `AC 3, WA 1`."""
    return ", ".join(f"{name}{space}{count:,}" for name, count in by_frequency(verdicts))


def origin_line(report: EvaluationReport) -> str:
    """Return who wrote the programs."""
    if report.origin == "samples":
        return f"samples of a file ({report.source[:12]})"
    return f"written by {'solve with ' if report.origin == 'solve' else ''}{report.source}"


def warnings(report: EvaluationReport) -> Iterator[str]:
    """Yield what the figures lack, one line each."""
    if report.tasks < report.selected:
        yield f"{report.size} have a verdict: the figures leave out the others"
    if not report.complete:
        yield "incomplete: the run stopped before its end; the same command resumes it"
    if report.unjudged:
        yield (
            f"no verdict for {counted(report.unjudged, 'sample')}, as the infrastructure failed; "
            "the same command tries again"
        )
    if report.fault_count:
        yield f"left out: {report.fault_count:,} rows or tasks"


def figure(metric: MetricValue, value: float | None) -> str:
    """Return a value in the metric's unit."""
    if value is None:
        return "undefined"
    if metric.unit == "share":
        return f"{100 * value:.1f} %"
    if metric.unit == "USD":
        return f"${value:.4f}"
    return f"{value:.3f}" if metric.unit == "score" else f"{value:.2f}"


def interval(metric: MetricValue) -> str:
    """Return the interval; empty if there is none."""
    return " to ".join(figure(metric, bound) for bound in metric.interval or ())


def metric_row(metric: MetricValue) -> tuple[str, ...]:
    """Return the cells of a metric, as `METRIC_HEADINGS` names them."""
    error = metric.standard_error
    return (
        metric.label,
        figure(metric, metric.value),
        interval(metric),
        "" if error is None else figure(metric, error),
        f"{metric.tasks:,}" if metric.tasks else "",
        metric.basis,
    )


def month_row(month: MonthScore) -> tuple[str, ...]:
    """Return the cells of a month, as `MONTH_HEADINGS` names them."""
    metric = MetricValue(name="pass@k", k=1, value=month.value, interval=month.interval)
    return month.month, figure(metric, month.value), interval(metric), f"{month.tasks:,}"


def strength_line(report: EvaluationReport) -> str:
    """Return what a pass is worth: cases a task, and mutants that the tests kill."""
    counts = sorted(score.cases for score in report.scores)
    if not counts:
        return "no tests"
    middle = counts[len(counts) // 2]
    if counts[0] == counts[-1]:
        cases = f"{counted(middle, 'case')} a task"
    else:
        cases = f"{counts[0]:,} to {counts[-1]:,} cases a task, median {middle:,}"
    measured = [score for score in report.scores if score.mutants]
    if not measured:
        return f"{cases}; mutants were not run (--mutants N)"
    killed = sum(score.mutants_killed or 0 for score in measured)
    total = sum(score.mutants or 0 for score in measured)
    return (
        f"{cases}; the tests kill {killed:,} of {total:,} mutants of the references of "
        f"{counted(len(measured), 'task')} ({100 * killed / total:.0f} %)"
    )


def window_line(report: EvaluationReport) -> str:
    """Return the window of publication dates."""
    after, before = report.window.after, report.window.before
    if after is None and before is None:
        return "no contamination window: all dates of publication"
    first = f"from {after}" if after else "any day"
    return f"contamination window: published {first}" + (
        f" until before {before}" if before else ""
    )


_SHOWN_FAULTS = 10


def terminal_lines(report: EvaluationReport) -> Iterator[Text | Table]:
    """Yield the summary, the metrics, the notes, and the folder."""
    yield Text.assemble(
        (visible(report.benchmark), "bold"),
        f"  {report.passes:,} of {report.samples:,} samples pass, {report.size}",
    )
    yield Text(verdicts_line(report.verdicts), style="dim")
    table = Table(box=SIMPLE, pad_edge=False)
    for index, heading in enumerate(METRIC_HEADINGS):
        left = index in (0, len(METRIC_HEADINGS) - 1)
        table.add_column(heading, justify="left" if left else "right", overflow="fold")
    for metric in defined(report):
        table.add_row(*map(visible, metric_row(metric)))
    yield table
    if undefined_line(report):
        yield Text(undefined_line(report), style="dim")
    yield Text(f"tests: {strength_line(report)}")
    yield Text(f"data: version {report.version[:12]}, {window_line(report)}")
    for note in report.notes:
        yield Text(f"note: {visible(note)}", style="yellow")
    yield from (Text(line, style="red") for line in warnings(report))
    for fault in report.faults[:_SHOWN_FAULTS]:
        yield Text(f"  {visible(fault)}", style="yellow")
    yield Text(f"reports: {visible(report.folder)}", style="dim")


_SHOWN_TASKS = 20


def diff_lines(diff: EvaluationDiff) -> Iterator[Text | Table]:
    """Yield the differences, then the tasks won and lost."""
    yield Text.assemble(
        "first   ",
        (visible(diff.first), "bold"),
        "\nsecond  ",
        (visible(diff.second), "bold"),
        f"\n{counted(diff.tasks, 'task')} in both",
    )
    table = Table(box=SIMPLE, pad_edge=False)
    for heading in (
        "metric",
        "first",
        "second",
        "difference",
        "95 % interval",
        "won",
        "lost",
        "tied",
        "p",
        "least shown",
    ):
        table.add_column(heading, justify="left" if heading == "metric" else "right")
    for each in diff.differences:
        table.add_row(*_row(each), style="bold" if each.shown else "")
    yield table
    for name, tasks in (("won by the second", diff.won), ("lost by the second", diff.lost)):
        if tasks:
            rest = len(tasks) - _SHOWN_TASKS
            more = f" and {rest:,} more" if rest > 0 else ""
            yield Text(f"{name}: {visible(', '.join(tasks[:_SHOWN_TASKS]))}{more}")
    for note in diff.notes:
        yield Text(f"note: {visible(note)}", style="yellow")


def _row(each: MetricDifference) -> tuple[str, ...]:
    return (
        each.label,
        f"{each.first:.3f}",
        f"{each.second:.3f}",
        f"{each.difference:+.3f}",
        "" if each.interval is None else f"{each.interval[0]:+.3f} to {each.interval[1]:+.3f}",
        f"{each.won:,}",
        f"{each.lost:,}",
        f"{each.tied:,}",
        "" if each.p_value is None else f"{each.p_value:.3g}",
        "" if each.smallest is None else f"{each.smallest:.3f}",
    )


_MOST_FAULTS = 50


def markdown_of(report: EvaluationReport) -> str:
    """Return the report as Markdown."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: EvaluationReport) -> Iterator[str]:
    size = f"{report.size}, {counted(report.samples, 'sample')}"
    yield f"# {_plain(report.benchmark)}: {size}"
    yield ""
    yield f"- Programs: {_plain(origin_line(report))}"
    yield f"- Data: version `{report.version[:12]}`, {window_line(report)}"
    yield f"- Tests: {strength_line(report)}"
    if report.isolation:
        yield f"- Isolation: {_plain(str(report.isolation))}"
    yield from (f"- **{line}**" for line in warnings(report))
    yield from _table("Metrics", METRIC_HEADINGS, map(metric_row, defined(report)))
    if undefined_line(report):
        yield from ("", _plain(undefined_line(report)))
    if report.months:
        yield from _table("By month of publication", MONTH_HEADINGS, map(month_row, report.months))
    verdicts = ((str(name), f"{count:,}") for name, count in by_frequency(report.verdicts))
    yield from _table("Verdicts", ("verdict", "samples"), verdicts)
    yield from _table(
        "Tasks",
        ("task", "samples", "passed", "verdicts", "within time", "within memory", "cases"),
        (
            (
                score.task,
                f"{score.samples:,}",
                f"{score.passed:,}",
                verdicts_line(score.verdicts),
                f"{score.efficient_time:,}",
                f"{score.efficient_memory:,}",
                f"{score.cases:,}",
            )
            for score in report.scores
        ),
    )
    more = report.fault_count - _MOST_FAULTS
    left_out = [*report.faults[:_MOST_FAULTS], *([f"and {more:,} more"] if more > 0 else [])]
    for title, texts in (("Notes", report.notes), ("Left out", left_out)):
        if texts:
            yield from ("", f"## {title}", "", *(f"- {_plain(text)}" for text in texts))


def _table(title: str, headings: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield from ("", f"## {title}", "")
    yield f"| {' | '.join(headings)} |"
    yield f"|---|{'---:|' * (len(headings) - 1)}"
    for row in rows:
        yield f"| {' | '.join(map(_plain, row))} |"


def _plain(text: str) -> str:
    """Return a text from outside such that Markdown shows it as it is."""
    shown = visible(text).replace("&", "&amp;").replace("<", "&lt;")
    return "".join(f"\\{char}" if char in "\\`*_[]|#!~" else char for char in shown)
