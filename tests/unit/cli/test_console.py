"""Tables keep their shape on a terminal of ASCII, whatever is in them."""

import io
from collections.abc import Iterator

import pytest
from rich.console import Console, ConsoleOptions, Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from steelyard.cli._console import report_console

NAMES = ("Prüfung größer", "名前", "plain", "\N{LINE SEPARATOR}", "e\N{COMBINING ACUTE ACCENT}")


def printed(renderable: object, *, width: int = 60, encoding: str = "ascii") -> str:
    raw = io.BytesIO()
    console = report_console()
    console.file = io.TextIOWrapper(raw, encoding=encoding, errors="strict")
    console.print(renderable, width=width)
    console.file.flush()
    return raw.getvalue().decode(encoding)


def table(**column: object) -> Table:
    built = Table(title=Text("Übung"), caption="é")
    built.add_column("fällt", **column)
    built.add_column(Text("größe"))
    for name in NAMES:
        built.add_row(Text(name), f"[bold]{name}[/]")
    return built


@pytest.mark.parametrize("width", [24, 40, 80])
@pytest.mark.parametrize("column", [{}, {"no_wrap": True}, {"overflow": "fold"}])
def test_every_border_lies_below_the_one_above(width: int, column: dict[str, object]) -> None:
    for wrapped in (table(**column), Group(table(**column)), Padding(table(**column), 0)):
        lines = printed(wrapped, width=width).splitlines()
        assert "\n".join(lines).isascii()
        framed = [line.rstrip() for line in lines if line.startswith(("|", "+"))]
        assert len(framed) >= len(NAMES) + 3
        assert len({len(line) for line in framed}) == 1
        inner = {line.index("|", 1) for line in framed if line.startswith("| ")}
        assert len(inner) == 1


def test_a_terminal_of_utf_8_gets_every_character() -> None:
    shown = printed(table(), encoding="utf-8")
    assert "Prüfung größer" in shown
    assert "名前" in shown


class Chart:
    """As charts are: without a measure of its own, as wide as it may be up to a width."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        yield Text("x" * min(options.max_width, 70))


def test_what_is_padded_is_not_filled_with_blanks_in_a_pipe() -> None:
    shown = printed(Padding(Group(Chart(), Text("y" * 90)), (1, 0, 0, 3)))
    assert shown == f"\n   {'x' * 70}\n   {'y' * 90}\n"


def test_figures_are_aligned_in_a_pipe() -> None:
    figures = Table()
    figures.add_column("ms", justify="right")
    for figure in ("1", "1,000"):
        figures.add_row(figure)
    for wrapped in (figures, Group(figures), Padding(figures, 0)):
        console = report_console()
        console.file = io.StringIO()
        console.print(wrapped)
        assert "│     1 │" in console.file.getvalue()


def test_styles_stay_on_their_characters() -> None:
    console = report_console()
    console.file = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    text = Text.assemble("größer ", ("rot", "red"), " – ", ("é", "bold"))  # noqa: RUF001
    segments = {segment.text: str(segment.style) for segment in console.render(text)}
    assert segments["rot"] == "red"
    assert segments["\\xe9"] == "bold"
    assert "gr\\xf6\\xdfer " in segments
    assert " - " in segments
