"""A small chart in text: dots of braille where the terminal can show them."""

from collections.abc import Iterator

from rich.text import Text

from steelyard.rendering import Chart

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
