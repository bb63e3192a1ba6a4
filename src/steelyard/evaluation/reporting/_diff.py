"""A paired comparison on a terminal."""

from rich.box import SIMPLE
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from steelyard.rendering import counted, visible
from steelyard.schemas import EvaluationDiff, MetricDifference

__all__ = ["DiffView"]

_SHOWN = 20


class DiffView:
    """A comparison of two evaluations as Rich prints it."""

    def __init__(self, diff: EvaluationDiff) -> None:
        self._diff = diff

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the differences, then the tasks won and lost."""
        diff = self._diff
        yield Text.assemble(
            "first   ", (visible(diff.first), "bold"), "\nsecond  ", (visible(diff.second), "bold"),
            f"\n{counted(diff.tasks, 'task')} in both",
        )  # fmt: skip
        table = Table(box=SIMPLE, pad_edge=False)
        for heading in (
            "metric", "first", "second", "difference", "95 % interval", "won", "lost", "tied", "p",
            "least shown",
        ):  # fmt: skip
            table.add_column(heading, justify="left" if heading == "metric" else "right")
        for each in diff.differences:
            table.add_row(*_row(each), style="bold" if each.shown else "")
        yield table
        for name, tasks in (("won by the second", diff.won), ("lost by the second", diff.lost)):
            if tasks:
                rest = len(tasks) - _SHOWN
                more = f" and {rest:,} more" if rest > 0 else ""
                yield Text(f"{name}: {visible(', '.join(tasks[:_SHOWN]))}{more}")
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
