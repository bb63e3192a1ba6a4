"""An evaluation, its tasks and samples, and two evaluations compared, as blocks.

The terminal, report.html, report.md and the pages of the service show the same blocks.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from steelyard.evaluation._report import Tally as TaskSamples
from steelyard.evaluation._words import (
    by_frequency,
    facts,
    figure,
    interval,
    undefined_metrics,
    verdicts_in_words,
    warnings,
)
from steelyard.reports import (
    Block,
    Cell,
    Code,
    Column,
    Facts,
    Figure,
    Figures,
    Fold,
    Heading,
    Headline,
    Items,
    Note,
    Span,
    Table,
    Tally,
    Text,
    counted,
    mebibytes,
    milliseconds,
)
from steelyard.schemas import (
    EvaluatedSample,
    EvaluationDiff,
    EvaluationReport,
    MetricDifference,
    MetricValue,
    MonthScore,
    TaskScore,
    Verdict,
)

_CARDS = 4
_MOST_LINES, _FEW_LINES = 200, 10
_MOST_TASKS = 5_000


def view(report: EvaluationReport, *, brief: bool = False) -> Iterator[Block]:
    """Yield the figures of an evaluation, but for its tasks.

    Args:
        report: The figures.
        brief: Show what a terminal has room for.
    """
    passes = f"{report.passes:,} of {report.samples:,} samples pass, {report.size}"
    yield Headline(Span(report.benchmark, "strong"), passes)
    yield from (Note(line, Span("warning", "bad")) for line in warnings(report))
    if report.verdicts:
        yield Tally([(_verdict(name), number) for name, number in by_frequency(report.verdicts)])
    if not brief:
        valued = [each for each in report.metrics if each.value is not None]
        yield Figures(
            [
                Figure(each.label, figure(each, each.value), interval(each), [each.basis])
                for each in valued[:_CARDS]
            ]
        )
    yield Heading("Metrics")
    yield _metrics([each for each in report.metrics if each.value is not None or each.basis])
    if undefined := undefined_metrics(report):
        yield Text(undefined, "quiet")
    if report.months and not brief:
        yield Heading("pass@1 by month of publication")
        yield _months(report.months)
    most = _FEW_LINES if brief else _MOST_LINES
    for title, lines in (("Notes", report.notes), ("Left out", report.faults[:most])):
        if lines:
            yield Heading(title)
            yield Items(lines)
    yield Heading("How it was measured")
    yield Facts(list(facts(report)))


def _verdict(name: Verdict | None) -> Span:
    return Span(name or "no verdict", f"strong {'good' if name is Verdict.AC else 'bad'}")


def _metrics(metrics: Sequence[MetricValue]) -> Table:
    headings = ("value", "95 % interval", "std. error", "tasks")
    rows = [
        [
            each.label,
            figure(each, each.value),
            interval(each),
            "" if each.standard_error is None else figure(each, each.standard_error),
            f"{each.tasks:,}" if each.tasks else "",
            each.basis,
        ]
        for each in metrics
    ]
    return Table(["metric", *(Column(name, "figure") for name in headings), "basis"], rows)


def _months(months: Sequence[MonthScore]) -> Table:
    rows: list[list[str | Cell]] = []
    for each in months:
        metric = MetricValue(name="pass@k", k=1, value=each.value, interval=each.interval)
        share = Cell(figure(metric, each.value), share=each.value)
        rows.append([each.month, share, interval(metric), f"{each.tasks:,}"])
    headings = ("pass@1", "95 % interval", "tasks")
    return Table(["month", *(Column(name, "figure") for name in headings)], rows)


def task_table(
    scores: Sequence[TaskScore], link: Callable[[TaskScore], str] = lambda _: ""
) -> Table:
    """Return the table of tasks.

    Args:
        scores: The tasks.
        link: Returns the address of a task's samples; empty if they are not shown.
    """
    headings = ("within time", "within memory", "fastest", "cases", "mutants killed")
    columns: list[str | Column] = [
        "task",
        Column("passed", "figure"),
        "verdicts",
        *(Column(name, "figure") for name in headings),
        "complexity",
        "difficulty",
        Column("published", "figure"),
    ]
    left = len(scores) - _MOST_TASKS
    caption = f"and {counted(left, 'more task')}, in tasks.csv" if left > 0 else ""
    rows = [_task_row(each, link(each)) for each in scores[:_MOST_TASKS]]
    return Table(columns, rows, caption, sortable=True).filled()


def _task_row(score: TaskScore, link: str) -> list[str | Cell]:
    rate = score.passed / score.samples if score.samples else None
    killed, fastest = score.mutants_killed or 0, score.fastest_ms
    unjudged = f"no verdict {score.unjudged:,}" if score.unjudged else ""
    verdicts = filter(None, (verdicts_in_words(score.verdicts), unjudged))
    return [
        Cell(score.task, link=link),
        Cell(f"{score.passed:,} of {score.samples:,}", share=rate, value=rate),
        ", ".join(verdicts),
        Cell(f"{score.efficient_time:,}", value=score.efficient_time),
        Cell(f"{score.efficient_memory:,}", value=score.efficient_memory),
        Cell("" if fastest is None else milliseconds(fastest), value=fastest),
        Cell(f"{score.cases:,}", value=score.cases),
        Cell(f"{killed:,} of {score.mutants:,}", value=killed / score.mutants)
        if score.mutants
        else "",
        score.time_complexity,
        score.difficulty,
        "" if score.published is None else score.published.isoformat(),
    ]


def samples_view(task: TaskSamples, folds: Sequence[Fold], *, anchor: str) -> Fold:
    """Return a task with its statement and some of its samples.

    Args:
        task: The task with all its samples.
        folds: Those that are shown.
        anchor: Its name on the page.
    """
    line, passed = task.line, sum(each.passed for each in task.samples)
    counts = verdicts_in_words(Counter(each.verdict for each in task.samples if each.verdict))
    blocks: list[Block] = [Code(line.statement, "Statement")] if line.statement else []
    blocks += folds
    if rest := len(task.samples) - len(folds):
        blocks.append(Text(f"and {counted(rest, 'sample')} more, in the record", "quiet"))
    of = f"  {passed:,} of {counted(len(task.samples), 'sample')} pass: {counts}"
    return Fold([line.task, Span(of, "quiet")], blocks, anchor=anchor)


def sample_view(sample: EvaluatedSample, program: str, *, is_open: bool = False) -> Fold:
    """Return a sample: its verdict, the first failure, the program."""
    case, why = sample.failure, sample.error.message if sample.error else sample.details
    if case is not None and case.verdict is not Verdict.CE:
        why = f"case {case.name}: {case.message or sample.details}"
    texts = [("Input of the failing case", sample.failing_input)]
    if case is not None:
        if difference := case.difference:
            position = f"line {difference.line}, column {difference.column}"
            texts.append((f"Expected, at {position}", difference.expected))
            texts.append(("Got", difference.got))
        texts += [("Standard output", case.stdout), ("Standard error", case.stderr)]
    texts.append((f"Program {sample.program}", program))
    name = f"  seed {sample.seed}, sample {sample.sample}"
    used = f", {milliseconds(sample.cpu_ms)}, {mebibytes(sample.memory_mib)}  "
    return Fold(
        [_verdict(sample.verdict), Span(name + used, "quiet"), why],
        [Code(text, title) for title, text in texts if text.strip()],
        is_open=is_open,
    )


def diff_view(
    diff: EvaluationDiff, *, link: Callable[[str, str], str] | None = None
) -> Iterator[Block]:
    """Yield what two evaluations differ by, on the tasks that both have.

    Args:
        diff: The differences.
        link: Returns the address of a task in `first` or `second`; a page has links, and room for
            more tasks than a terminal.
    """
    yield Headline("", f"The second evaluation is {'not shown to be ' * diff.passed}worse")
    yield Facts([("first", diff.first), ("second", diff.second)])
    yield Text(f"{counted(diff.tasks, 'task')} in both. Bold: p is at most 0.05.", "quiet")
    headings = ("first", "second", "difference", "95 % interval", "won", "lost", "tied", "p")
    columns: list[str | Column] = [
        "metric",
        *(Column(name, "figure") for name in (*headings, "least shown")),
    ]
    yield Table(columns, [list(_difference(each)) for each in diff.differences]).filled()
    most = _MOST_LINES if link else _FEW_LINES
    for title, tasks in (("Won by the second", diff.won), ("Lost by the second", diff.lost)):
        if not tasks:
            continue
        yield Heading(f"{title}: {len(tasks):,}")
        left = len(tasks) - most
        caption = f"and {counted(left, 'more task')}" if left > 0 else ""
        if link:
            rows: list[list[str | Cell]] = [[task, *_links(task, link)] for task in tasks[:most]]
            yield Table(["task", "first", "second"], rows, caption)
        else:
            yield Text(", ".join([*tasks[:most], *filter(None, [caption])]))
    if diff.notes:
        yield Heading("Notes")
        yield Items(diff.notes)


def _links(task: str, link: Callable[[str, str], str]) -> Iterator[Cell]:
    return (Cell(f"in the {side}", link=link(side, task)) for side in ("first", "second"))


def _difference(each: MetricDifference) -> Iterator[Span]:
    bounds = [f"{bound:+.3f}" for bound in each.interval or ()]
    texts = (
        each.label,
        f"{each.first:.3f}",
        f"{each.second:.3f}",
        f"{each.difference:+.3f}",
        " to ".join(bounds),
        f"{each.won:,}",
        f"{each.lost:,}",
        f"{each.tied:,}",
        "" if each.p_value is None else f"{each.p_value:.3g}",
        "" if each.smallest is None else f"{each.smallest:.3f}",
    )
    return (Span(text, "strong" if each.shown else "") for text in texts)
