"""An evaluation's facts in words and figures that a person reads."""

from collections.abc import Iterator

from steelyard.reports import counted
from steelyard.schemas import EvaluationReport, MetricValue


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


def undefined_metrics(report: EvaluationReport) -> str:
    """Return the metrics that need more samples; empty if there are none."""
    names = [
        each.label for each in report.metrics if each.value is None and each.k and not each.basis
    ]
    most = max((score.samples for score in report.scores), default=0)
    if not names:
        return ""
    return f"undefined with at most {counted(most, 'sample')} a task: {', '.join(names)}"


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


def facts(report: EvaluationReport) -> Iterator[tuple[str, str]]:
    """Yield how the figures were got: a name and a line."""
    yield "programs", _origin(report)
    yield "tests", _strength(report)
    yield "data", f"version {report.version[:12]}, {_window(report)}"
    yield "executions", f"{report.executions:,}"
    yield "isolation", str(report.isolation) if report.isolation else "no program was run"
    yield "intervals", "95 %, bootstrap over groups of tasks; Wilson's if all samples agree"
    yield "took", f"{report.seconds:.0f} s in the last run"
    yield "folder", report.folder


def _origin(report: EvaluationReport) -> str:
    if report.origin == "samples":
        return f"samples of a file ({report.source[:12]})"
    return f"written by {'solve with ' if report.origin == 'solve' else ''}{report.source}"


def _strength(report: EvaluationReport) -> str:
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


def _window(report: EvaluationReport) -> str:
    """Return the window of publication dates."""
    after, before = report.window.after, report.window.before
    if after is None and before is None:
        return "no contamination window: all dates of publication"
    first = f"from {after}" if after else "any day"
    return f"contamination window: published {first}" + (
        f" until before {before}" if before else ""
    )
