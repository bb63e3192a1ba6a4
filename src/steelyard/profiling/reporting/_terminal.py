"""A report for people at a terminal."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rich.box import ASCII, SIMPLE_HEAD
from rich.console import Console, ConsoleOptions, RenderableType
from rich.table import Table
from rich.text import Text

from steelyard.profiling.reporting._charts import time_chart
from steelyard.profiling.reporting._words import (
    FLAGS,
    basis_in_words,
    class_name,
    estimate_in_words,
    has_figures,
    interval,
    limit_in_words,
    size,
    term_in_words,
    terms_shown,
)
from steelyard.rendering import Chart, count, mebibytes, milliseconds, three_digits, visible
from steelyard.schemas import Band, ComplexityEstimate, GrowthComparison, Measurement, ProfileReport

_STYLES = {"PASS": "bold green", "FAIL": "bold red", "unknown": "yellow"}
_PLOT_HEIGHT = 12
_WIDEST_PLOT = 76
_NARROW = 64  # below it the table keeps only what was asked first
_ROWS_SHOWN = 24


@dataclass(frozen=True)
class ReportView:
    """The Rich view of a report."""

    report: ProfileReport
    title: str = ""
    details: bool = False
    """Show the isolation even if it is full."""

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> Iterator[RenderableType]:
        unicode = not options.ascii_only
        report = self.report
        if self.title:
            yield Text(visible(self.title), style="bold")
        yield from _estimate("time", report.time, unicode=unicode)
        yield from _estimate("memory", report.space, unicode=unicode)
        yield from _prediction(report, unicode=unicode)
        for line in notes_of(report):
            yield Text.assemble(("note    ", "yellow"), line)
        yield Text()
        if time_chart(report) is not None:
            yield CurveView(report)
            yield Text()
        if has_figures(report):
            yield _table(report, narrow=options.max_width < _NARROW, unicode=unicode)
        for name, text in methods_of(report):
            if self.details or not (name == "isolation" and text.startswith("full ")):
                yield Text(f"{name}: {text}", style="dim")


@dataclass(frozen=True)
class CurveView:
    """The curve of time alone, with its legend; nothing, where too little was measured."""

    report: ProfileReport

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> Iterator[RenderableType]:
        unicode = not options.ascii_only
        chart = time_chart(self.report)
        if chart is not None:
            width = min(options.max_width, _WIDEST_PLOT)
            yield draw(chart, width=width, height=_PLOT_HEIGHT, unicode=unicode)
            yield _legend(self.report, unicode=unicode)


@dataclass(frozen=True)
class ComparisonView:
    """The Rich view of two programs over the same inputs."""

    comparison: GrowthComparison
    titles: tuple[str, str] = ("first", "second")
    details: bool = False

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> Iterator[RenderableType]:
        unicode = not options.ascii_only
        both = (self.comparison.first, self.comparison.second)
        for title, report in zip(self.titles, both, strict=True):
            yield ReportView(report, title, self.details)
            yield Text()
        yield Text("side by side", style="bold")
        for line in comparison_lines(self.comparison, self.titles, unicode=unicode):
            yield Text(line)


def comparison_lines(
    comparison: GrowthComparison, titles: tuple[str, str], *, unicode: bool = True
) -> Iterator[str]:
    """Yield what two reports say together, a sentence a line."""
    first, second = (visible(title) for title in titles)
    if comparison.ratio is not None:
        band = comparison.ratio
        at = f" at n = {count(comparison.ratio_at_n)}" if comparison.ratio_at_n else ""
        faster = band.mid <= 1
        low, high = (
            (1 / band.high, 1 / band.low) if faster and band.low > 0 else (band.low, band.high)
        )
        middle = 1 / band.mid if faster and band.mid > 0 else band.mid
        spread = interval(three_digits(low), three_digits(high), unicode=unicode)
        than = "faster" if faster else "slower"
        yield f"{first} is {three_digits(middle)} times {than} than {second}{at} ({spread})"
    if comparison.growth:
        yield visible(comparison.growth)
    if comparison.crossover_n is not None:
        yield f"from this size on, the other program is faster: n = {count(comparison.crossover_n)}"
    yield from (visible(note) for note in comparison.notes)


def _estimate(what: str, estimate: ComplexityEstimate, *, unicode: bool) -> Iterator[Text]:
    basis = basis_in_words(estimate)
    yield Text.assemble(
        (f"{what:<8}", "dim"),
        (
            estimate_in_words(estimate, unicode=unicode),
            "yellow" if estimate.unsure else "bold cyan",
        ),
        (f"  {basis}" if basis else "", "dim"),
    )
    if estimate.runner_up and not estimate.unsure:
        name = class_name(estimate.runner_up, unicode=unicode)
        yield Text(f"        next likeliest: {name}", style="dim")
    for term in terms_shown(estimate.terms):
        yield Text(f"        {term_in_words(term, unicode=unicode)}")


def _prediction(report: ProfileReport, *, unicode: bool) -> Iterator[Text]:
    predicted = report.prediction
    verb = "measured" if predicted.measured else "predicted"
    yield Text(f"at {size(predicted.n, predicted.m)}, {verb}:", style="dim")
    rows = (
        (
            "CPU time",
            predicted.cpu_ms,
            report.time_limit_ms,
            predicted.meets_time_limit,
            milliseconds,
        ),
        (
            "memory",
            predicted.memory_mib,
            report.memory_limit_mib,
            predicted.meets_memory_limit,
            mebibytes,
        ),
    )
    for what, band, limit, meets, write in rows:
        line = Text(f"  {what:<9}")
        line.append(band_in_words(band, write, unicode=unicode), "bold" if band else "yellow")
        if limit is not None:
            line.append(f"   limit {write(limit)}   ", "dim")
            verdict = limit_in_words(meets, given=True)
            line.append(verdict, _STYLES[verdict])
        yield line


def band_in_words(band: Band | None, write: Callable[[float], str], *, unicode: bool = True) -> str:
    """`331 ms (280-560 ms)`, or `unknown`."""
    if band is None:
        return "unknown"
    spread = interval(write(band.low), write(band.high), unicode=unicode)
    return write(band.mid) if spread == write(band.mid) else f"{write(band.mid)} ({spread})"


def notes_of(report: ProfileReport) -> list[str]:
    """Return the notes, and what each flag means, a line each."""
    return [f"{flag}: {FLAGS[flag]}" for flag in report.flags] + [
        visible(note) for note in report.notes
    ]


def _legend(report: ProfileReport, *, unicode: bool) -> Text:
    dot, curve, mark, limit = ("●", "⠒⠒", "◆", "╌╌") if unicode else ("o", "..", "X", "--")
    legend = Text("  ", style="dim")
    legend.append(dot, "bold blue").append(" measured  ")
    legend.append(curve, "cyan").append(" fit")
    if report.prediction.cpu_ms is not None:
        verb = "measured" if report.prediction.measured else "predicted"
        legend.append("  ").append(mark, "bold magenta").append(f" {verb} at n max")
    if report.time_limit_ms is not None:
        legend.append("  ").append(limit, "red").append(" limit")
    return legend


def _table(report: ProfileReport, *, narrow: bool, unicode: bool) -> Table:
    rows = report.measurements[-_ROWS_SHOWN:]
    columns: list[tuple[str, Callable[[Measurement], str]]] = [("n", lambda item: count(item.n))]
    if any(item.m is not None for item in rows):
        columns.append(("m", lambda item: "" if item.m is None else count(item.m)))
    if any(item.work is not None for item in rows):
        columns.append(("work", lambda item: "" if item.work is None else count(item.work)))
    columns.append(("cpu ms", lambda item: _tenths(item.cpu_ms)))
    if not narrow:
        columns.append(("wall ms", lambda item: _tenths(item.wall_ms)))
    columns.append(("MiB", lambda item: _tenths(item.memory_mib)))
    if any(item.stop != "exited" for item in rows):
        columns.append(("ended", lambda item: item.stop.value.replace("_", " ")))
    left = len(report.measurements) - len(rows)
    table = Table(
        box=SIMPLE_HEAD if unicode else ASCII,
        caption=Text(f"{left} smaller sizes are not shown", style="dim") if left else None,
        pad_edge=False,
        padding=(0, 1),
    )
    for heading, _ in columns:
        table.add_column(heading, justify="left" if heading == "ended" else "right", no_wrap=True)
    for item in rows:
        table.add_row(*(write(item) for _, write in columns))
    return table


def _tenths(value: float | None) -> str:
    return "" if value is None else f"{value:,.1f}"


def methods_of(report: ProfileReport) -> Iterator[tuple[str, str]]:
    """Yield how each kind of figure was got: a name and a line."""
    method = report.method
    for name, text in (
        ("inputs", method.inputs),
        ("work", method.work),
        ("time", method.timing),
        ("memory", method.memory),
        ("instructions", method.instructions),
        ("compiler", method.compiler),
        ("isolation", method.isolation),
    ):
        if text:
            yield name, visible(text)
    if report.seconds:
        yield "took", f"{report.seconds:.1f} s"


_BRAILLE = 0x2800
_BITS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # by row and column in a cell
_LEAST_WIDTH = 16


class _Canvas:
    """A grid of characters, each with its style; curves are drawn between them in braille."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.dots = [[0] * width for _ in range(height)]
        self.marks: dict[tuple[int, int], tuple[str, str]] = {}

    def cell(self, x: float, y: float) -> tuple[int, int]:
        """Return the column and row of a point in the unit square; its origin is bottom left."""
        return round(x * (self.width - 1)), round((1 - y) * (self.height - 1))

    def mark(self, x: float, y: float, char: str, style: str) -> None:
        column, row = self.cell(x, y)
        if 0 <= column < self.width and 0 <= row < self.height:
            self.marks[column, row] = (char, style)

    def dot(self, x: float, y: float) -> None:
        column, row = round(x * (self.width * 2 - 1)), round((1 - y) * (self.height * 4 - 1))
        if 0 <= column < self.width * 2 and 0 <= row < self.height * 4:
            self.dots[row // 4][column // 2] |= _BITS[row % 4][column % 2]

    def row(self, number: int, *, unicode: bool) -> Text:
        text = Text()
        for column in range(self.width):
            if (column, number) in self.marks:
                text.append(*self.marks[column, number])
            elif bits := self.dots[number][column]:
                text.append(chr(_BRAILLE + bits) if unicode else ".", style="cyan")
            else:
                text.append(" ")
        return text


def draw(chart: Chart, *, width: int, height: int, unicode: bool) -> Text:
    """Return the chart in `height` rows and its axis, at most `width` columns wide.

    `unicode`: whether the output can show more than ASCII.
    """
    labels = dict(_rows_of_labels(chart, height))
    margin = max((len(text) for text in labels.values()), default=0)
    canvas = _Canvas(max(_LEAST_WIDTH, width - margin - 3), height)
    _fill(canvas, chart, unicode=unicode)
    side, corner, floor = ("│", "└", "─") if unicode else ("|", "+", "-")
    lines = [Text(chart.y.label, style="dim")]
    for number in range(height):
        head = Text(f"{labels.get(number, ''):>{margin}} {side}", style="dim")
        lines.append(head + canvas.row(number, unicode=unicode))
    lines.append(Text(" " * (margin + 1) + corner + floor * canvas.width, style="dim"))
    lines.append(Text(" " * (margin + 2) + _ticks_below(chart, canvas.width), style="dim"))
    return Text("\n").join(lines)


def _fill(canvas: _Canvas, chart: Chart, *, unicode: bool) -> None:
    """Draw the chart's parts, the topmost last."""
    place_x, place_y = chart.x.place, chart.y.place
    for line in chart.lines:
        for (x, y), (next_x, next_y) in zip(
            zip(line.xs, line.ys, strict=True),
            zip(line.xs[1:], line.ys[1:], strict=True),
            strict=False,
        ):
            for k in range(4):
                canvas.dot(
                    place_x(x) + (place_x(next_x) - place_x(x)) * k / 4,
                    place_y(y) + (place_y(next_y) - place_y(y)) * k / 4,
                )
    if chart.limit:
        for column in range(canvas.width):
            canvas.mark(
                column / (canvas.width - 1), place_y(chart.limit), "╌" if unicode else "-", "red"
            )
    if chart.target:
        target = chart.target
        for k in range(canvas.height * 2):
            y = place_y(max(target.low, 1e-9))
            y += (place_y(max(target.high, 1e-9)) - y) * k / (canvas.height * 2 - 1)
            canvas.mark(place_x(target.x), y, "┃" if unicode else "|", "magenta")
        canvas.mark(place_x(target.x), place_y(target.mid), "◆" if unicode else "X", "bold magenta")
    for group in chart.dots:
        char = ("●" if group.main else "○") if unicode else ("o" if group.main else "+")
        for x, y in zip(group.xs, group.ys, strict=True):
            canvas.mark(place_x(x), place_y(y), char, "bold blue" if group.main else "dim")


def _rows_of_labels(chart: Chart, height: int) -> Iterator[tuple[int, str]]:
    for value, text in chart.y.ticks:
        yield round((1 - chart.y.place(value)) * (height - 1)), text


def _ticks_below(chart: Chart, width: int) -> str:
    """Return the labels of the sizes, each below its place, as many as have room; then `n`."""
    line = ""
    for value, text in chart.x.ticks:
        start = round(chart.x.place(value) * (width - 1)) - len(text) // 2
        if start >= len(line) + (2 if line else 0) and start + len(text) <= width - 2:
            line = line.ljust(start) + text
    return line.ljust(width - 1) + "n"
