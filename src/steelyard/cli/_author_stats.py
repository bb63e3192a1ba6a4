"""`steelyard author stats`: the figures of all runs of `author tests` next to their targets."""

from rich.console import Group
from rich.table import Table
from rich.text import Text

from steelyard.cli._console import report_console
from steelyard.cli._options import Json
from steelyard.cli._outputs import print_json
from steelyard.rendering import counted, visible
from steelyard.schemas import SuiteStatistic, SuiteStatistics, plain_json


def stats(json: Json = False) -> None:
    """Show the figures of all runs of `author tests` next to their targets."""
    from steelyard.pytests import (  # noqa: PLC0415
        history_file,
        read_figures,
        statistics_of,
    )

    found = statistics_of(*read_figures())
    if json:
        print_json(plain_json(found))
    else:
        report_console().print(_view(found, str(history_file())))


def _view(found: SuiteStatistics, file: str) -> Group:
    table = Table(
        title=Text(f"{found.counted} of {found.runs} runs ended by themselves"),
        title_justify="left",
        title_style="bold",
    )
    for heading in ("figure", "all runs", "target", ""):
        table.add_column(heading)
    for each in found.figures:
        table.add_row(each.name, _value(each), _target(each), _mark(each))
    lines = [
        Text(f"{counted(count, 'run')} with {counted(number, 'review')}")
        for number, count in found.by_reviews.items()
    ]
    if found.unreadable_lines:
        lost = f"{found.unreadable_lines} lines of {visible(file)} cannot be read"
        lines.append(Text(lost, style="yellow"))
    return Group(table, *lines, Text(visible(file), style="dim"))


def _value(figure: SuiteStatistic) -> str:
    return "no runs" if figure.value is None else f"{figure.value:.1f} {figure.unit}".strip()


def _target(figure: SuiteStatistic) -> str:
    low, high = figure.target_low, figure.target_high
    text = f"{low:g} or more" if high is None else f"{low:g} to {high:g}"
    return f"{text} {figure.unit}".strip()


def _mark(figure: SuiteStatistic) -> Text:
    if figure.met is None:
        return Text("")
    return Text("✓", style="green") if figure.met else Text("✗", style="red")
