"""Lines keep their shape on every terminal, whatever is in them."""

import io

import pytest

from steelyard.reports import Column, Figure, Figures, Span, Table, Text, plain, print_blocks
from steelyard.reports._terminal import terminal_lines, text_columns

NAMES = ("Prüfung größer", "名前", "plain", "\N{LINE SEPARATOR}", "e\N{COMBINING ACUTE ACCENT}")
TABLE = Table(
    ("fällt", Column("größe", "figure"), "text"), [(name, "1,000", name) for name in NAMES]
)


@pytest.mark.parametrize("width", [24, 40, 80, None])
@pytest.mark.parametrize("ascii_only", [False, True])
def test_columns_lie_below_each_other(width: int | None, ascii_only: bool) -> None:
    lines = list(map(plain, terminal_lines([TABLE], width=width, ascii_only=ascii_only)))
    ends = {text_columns(line[: line.index("1,000") + 5]) for line in lines if "1,000" in line}
    assert len(ends) == 1
    assert not ascii_only or all(map(str.isascii, lines))
    assert width is None or max(map(text_columns, lines)) <= width


def test_lines_break_at_blanks_and_long_words_where_they_must() -> None:
    lines = [plain(line) for line in terminal_lines([Text("one two " + "x" * 25)], width=10)]
    assert [line.rstrip() for line in lines] == ["one two", "x" * 10, "x" * 10, "x" * 5]


def test_a_pipe_gets_no_colour_and_a_terminal_does(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        encoding = "utf-8"

        def isatty(self) -> bool:
            return True

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    blocks = [Text(Span("right", "strong good")), Figures([Figure("name", "\x1b[31m")])]
    terminal, pipe = Terminal(), io.StringIO()
    print_blocks(blocks, terminal)
    print_blocks(blocks, pipe)
    assert terminal.getvalue().startswith("\x1b[1;32mright\x1b[0m\n")
    assert pipe.getvalue() == "right\nname  \\x1b[31m\n"
