"""An evaluation, its tasks and samples, and two evaluations compared, as blocks."""

from collections.abc import Callable, Iterator, Sequence

from steelyard.evaluation._report import TaskTally
from steelyard.evaluation._words import facts, figure, interval, undefined_metrics, warnings
from steelyard.reports import (
    Block,
    Code,
    Facts,
    Fold,
    Heading,
    Headline,
    Items,
    Note,
    Span,
    Table,
    TableCell,
    Tally,
    Text,
    cells,
    counted,
    mebibytes,
    milliseconds,
    more,
    percent,
    table,
)
from steelyard.schemas import (
    EvaluatedSample,
    EvaluationDiff,
    EvaluationReport,
    MetricDifference,
    MetricValue,
    TaskScore,
    Verdict,
)

_MOST_LINES, _FEW_LINES = 200, 10
_MOST_TASKS = 5_000
_TASK = (
    "efficient_time efficient_memory fastest_ms cases mutants_killed/mutants time_complexity "
    "difficulty published"
)


def view(report: EvaluationReport, *, brief: bool = False) -> Iterator[Block]:
    """Yield an evaluation without its tasks; `brief`: without months, and with few faults."""
    passes = f"{report.passes:,} of {report.samples:,} samples pass, {report.size}"
    yield Headline(Span(report.benchmark, "strong"), passes)
    yield from (Note(line, Span("warning", "bad")) for line in warnings(report))
    yield Tally([(_verdict(name), number) for name, number in report.verdicts.items()])
    yield Heading("Metrics")
    shown = [each for each in report.metrics if each.value is not None or each.basis]
    yield table(map(_metric, shown))
    yield Text(undefined_metrics(report), "quiet")
    months = () if brief else report.months
    yield Heading("Metrics by month of publication")
    yield table({"month": each.month, **_metric(each.metric)} for each in months)
    yield Heading("Notes")
    yield Items(report.notes)
    yield Heading("Left out")
    yield Items(report.faults[: _FEW_LINES if brief else _MOST_LINES])
    yield Heading("How it was measured")
    yield Facts(list(facts(report)))


def _verdict(name: Verdict | None) -> Span:
    return Span(name or "no verdict", f"strong {'good' if name is Verdict.AC else 'bad'}")


def _metric(each: MetricValue) -> dict[str, object]:
    share, error = each.value if each.unit == "share" else None, each.standard_error
    return {
        "metric": each.label,
        "value": TableCell(figure(each, each.value), share, each.value),
        "95 % interval": interval(each),
        "std. error": None if error is None else TableCell(figure(each, error), value=error),
        **cells(each, "tasks basis"),
    }


def task_table(
    scores: Sequence[TaskScore], link: Callable[[TaskScore], str] = lambda _: ""
) -> Table:
    """Return the table of tasks; `link` gives the address of a task's samples, or none."""
    rows = (
        {
            "task": TableCell(each.task, link=link(each)),
            **cells(each, "passed/samples verdicts"),
            "no verdict": each.unjudged or None,
            **cells(each, _TASK),
        }
        for each in scores[:_MOST_TASKS]
    )
    return table(rows, caption=more(len(scores) - _MOST_TASKS, "task"), sortable=True)


def samples_view(task: TaskTally, folds: Sequence[Fold], *, anchor: str) -> Fold:
    """Return a task with its statement and those of its samples that are shown."""
    rest = Text(more(len(task.samples) - len(folds), "sample"), "quiet")
    title = (task.line.task, Span(f"  {percent(task.share)} of its samples pass", "quiet"))
    return Fold(title, [Code(task.line.statement, "Statement"), *folds, rest], anchor=anchor)


def sample_view(sample: EvaluatedSample, program: str, *, is_open: bool = False) -> Fold:
    """Return a sample: its verdict, the first failure, the program."""
    texts = [("Input of the failing case", sample.failing_input)]
    if case := sample.failure:
        if difference := case.difference:
            texts.append((f"Expected, at {difference.position}", difference.expected))
            texts.append(("Got", difference.got))
        texts += [("Standard output", case.stdout), ("Standard error", case.stderr)]
    texts.append((f"Program {sample.program}", program))
    used = f"{milliseconds(sample.cpu_ms)}, {mebibytes(sample.memory_mib)}"
    title = f"  seed {sample.seed}, sample {sample.sample}, {used}  "
    blocks = [Code(text, title) for title, text in texts]
    return Fold([_verdict(sample.verdict), Span(title, "quiet"), sample.reason], blocks, is_open)


def diff_view(
    diff: EvaluationDiff, link: Callable[[str, str], str] = lambda *_: "", *, brief: bool = False
) -> Iterator[Block]:
    """Yield how two evaluations differ; `link`: the address of a task in `first` or `second`."""
    yield Headline("", f"The second evaluation is {'not shown to be ' * diff.passed}worse")
    yield Facts([("first", diff.first), ("second", diff.second)])
    yield Text(
        f"{counted(diff.tasks, 'task')} in both. Bold: p is at most 0.05. Intervals: 95 %.", "quiet"
    )
    yield table(map(_difference, diff.differences))
    most = _FEW_LINES if brief else _MOST_LINES
    for title, tasks in (("Won by the second", diff.won), ("Lost by the second", diff.lost)):
        yield Heading(f"{title}: {len(tasks):,}")
        rows = ({"task": task, **_links(task, link)} for task in tasks[:most])
        yield table(rows, caption=more(len(tasks) - most, "task"))
    yield Heading("Notes")
    yield Items(diff.notes)


def _difference(each: MetricDifference) -> dict[str, object]:
    return {
        "metric": Span(each.label, "strong" if each.shown else ""),
        **cells(each, "first second difference interval won lost tied p_value"),
        "least shown": each.smallest,
    }


def _links(task: str, link: Callable[[str, str], str]) -> dict[str, TableCell]:
    found = {side: link(side, task) for side in ("first", "second")}
    return {side: TableCell(f"in the {side}" if to else "", link=to) for side, to in found.items()}
