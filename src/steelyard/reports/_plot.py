"""Draw a chart in characters; its curves run between them in braille."""

from collections.abc import Iterator
from itertools import pairwise

from steelyard.reports._blocks import Span
from steelyard.reports._chart import Chart

_BRAILLE = 0x2800
_BITS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # by row and column in a cell
_LEAST_WIDTH = 16
_STEPS = 4  # dots from one point of a curve to the next


class _Canvas:
    """A grid of characters, each with its tone. The origin of its unit square is bottom left."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.dots = [[0] * width for _ in range(height)]
        self.marks: dict[tuple[int, int], Span] = {}

    def mark(self, x: float, y: float, char: str, tone: str) -> None:
        column, row = round(x * (self.width - 1)), round((1 - y) * (self.height - 1))
        if 0 <= column < self.width and 0 <= row < self.height:
            self.marks[column, row] = Span(char, tone)

    def dot(self, x: float, y: float) -> None:
        column, row = round(x * (self.width * 2 - 1)), round((1 - y) * (self.height * 4 - 1))
        if 0 <= column < self.width * 2 and 0 <= row < self.height * 4:
            self.dots[row // 4][column // 2] |= _BITS[row % 4][column % 2]

    def row(self, number: int) -> Iterator[Span]:
        for column, bits in enumerate(self.dots[number]):
            mark = self.marks.get((column, number))
            yield mark or (Span(chr(_BRAILLE + bits), "accent") if bits else Span(" "))


def plot_lines(chart: Chart, *, width: int, height: int) -> Iterator[list[Span]]:
    """Yield the chart in `height` lines with its axes and legend, at most `width` columns wide."""
    labels = {
        round((1 - chart.y.place(value)) * (height - 1)): text for value, text in chart.y.ticks
    }
    margin = max((len(text) for text in labels.values()), default=0)
    canvas = _Canvas(max(_LEAST_WIDTH, width - margin - 3), height)
    _fill(canvas, chart)
    yield [Span(chart.y.label, "quiet")]
    for number in range(height):
        yield [Span(f"{labels.get(number, ''):>{margin}} │", "quiet"), *canvas.row(number)]
    yield [Span(" " * (margin + 1) + "└" + "─" * canvas.width, "quiet")]
    yield [Span(" " * (margin + 2) + _ticks_below(chart, canvas.width), "quiet")]
    yield list(_legend(chart))


def _fill(canvas: _Canvas, chart: Chart) -> None:
    """Draw the chart's parts, the topmost last."""
    x_of, y_of = chart.x.place, chart.y.place
    for line in chart.lines:
        points = [(x_of(x), y_of(y)) for x, y in zip(line.xs, line.ys, strict=True)]
        for (x, y), (next_x, next_y) in pairwise(points):
            for k in range(_STEPS):
                canvas.dot(x + (next_x - x) * k / _STEPS, y + (next_y - y) * k / _STEPS)
    if chart.limit:
        for column in range(canvas.width):
            canvas.mark(column / (canvas.width - 1), y_of(chart.limit), "╌", "bad")
    if target := chart.target:
        low, high = y_of(max(target.low, 1e-9)), y_of(max(target.high, 1e-9))
        for k in range(canvas.height * 2):
            y = low + (high - low) * k / (canvas.height * 2 - 1)
            canvas.mark(x_of(target.x), y, "┃", "mark")
        canvas.mark(x_of(target.x), y_of(target.mid), "◆", "strong mark")
    for group in chart.dots:
        char, tone = ("●", "strong main") if group.main else ("○", "quiet")
        for x, y in zip(group.xs, group.ys, strict=True):
            canvas.mark(x_of(x), y_of(y), char, tone)


def _ticks_below(chart: Chart, width: int) -> str:
    """Return the labels of the axis, each below its position, if there is room; then its name."""
    line, name = "", chart.x.label
    for value, text in chart.x.ticks:
        start = round(chart.x.place(value) * (width - 1)) - len(text) // 2
        fits = start + len(text) < width - len(name)
        if fits and start >= len(line) + (2 if line else 0):
            line = line.ljust(start) + text
    return line.ljust(width - len(name)) + name


def _legend(chart: Chart) -> Iterator[Span]:
    for group in chart.dots:
        char, tone = ("●", "strong main") if group.main else ("○", "quiet")
        yield from (Span(f"  {char}", tone), Span(f" {group.label}", "quiet"))
    for line in chart.lines:
        yield from (Span("  ⠒⠒", "accent"), Span(f" {line.label}", "quiet"))
    if chart.target:
        yield from (Span("  ◆", "strong mark"), Span(f" {chart.target.label}", "quiet"))
    if chart.limit:
        yield from (Span("  ╌╌", "bad"), Span(f" {chart.limit_label}", "quiet"))
