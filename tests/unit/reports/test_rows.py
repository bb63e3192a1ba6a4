"""Tables of rows and records, and what writers leave out."""

import math
from dataclasses import dataclass, field
from datetime import date

import pytest

from steelyard.reports import (
    Block,
    Code,
    Column,
    Columns,
    Facts,
    Fold,
    Heading,
    Items,
    Span,
    Table,
    TableCell,
    Text,
    cells,
    csv_text,
    cut,
    duration,
    filled,
    first,
    in_order,
    linear_axis,
    markdown,
    page,
    plain,
    table,
    terminal_lines,
)


@dataclass
class Inner:
    groups: int = 4


@dataclass
class Record:
    name: str = "a"
    cpu_ms: float | None = 1250.0
    time_ns: int = 3400
    pass_rate: float = 0.5
    solved: int = 3
    prompts: int = 4
    inner: Inner = field(default_factory=Inner)
    interval: tuple[float, float] | None = (0.25, 0.5)
    verdicts: dict[str, int] = field(default_factory=lambda: {"AC": 3, "WA": 1000})
    published: date = date(2026, 1, 2)
    mean: float = 0.12345
    nothing: None = None


def test_a_field_is_shown_in_the_unit_of_its_name() -> None:
    names = (
        "name cpu_ms time_ns pass_rate solved/prompts inner.groups interval verdicts published "
        "mean nothing"
    )
    assert {name: plain(cell.line) for name, cell in cells(Record(), names).items()} == {
        "name": "a",
        "cpu": "1.25 s",
        "time": "3.4 µs",
        "pass": "50 %",
        "solved": "3 of 4",
        "groups": "4",
        "interval": "0.250 to 0.500",
        "verdicts": "AC 3, WA 1,000",
        "published": "2026-01-02",
        "mean": "0.123",
        "nothing": "",
    }
    assert cells(Record(), "solved/prompts")["solved"].share == 0.75
    assert cells(Record(prompts=0), "solved/prompts")["solved"] == TableCell("")
    assert cells(Record(cpu_ms=math.inf), "cpu_ms")["cpu"].value is None


def test_a_table_of_rows_has_figures_and_no_empty_column() -> None:
    rows = [{"a": "x", "b": 2, "empty": None}, {"a": "y", "b": "none", "late": 1.5}]
    found = table(rows, Column("a", "code"), caption="c", sortable=True)
    heads = [(head.heading, head.kind) for head in found.heads()]
    assert heads == [("a", "code"), ("b", "figure"), ("late", "figure")]
    assert [[plain(cell.line) for cell in row] for row in found.cells()] == [
        ["x", "2", ""],
        ["y", "none", "1.500"],
    ]
    assert (found.caption, found.sortable) == ("c", True)


def test_an_axis_fits_the_intervals_and_marks_of_its_column() -> None:
    rows = [
        {"gain": TableCell("2", interval=(0.0, 2.0, math.inf))},
        {"gain": TableCell("?", interval=None)},
    ]
    (column,) = table(rows, Column("gain", marks=[("limit", 16.0, "limit")])).heads()
    assert column.axis is not None
    assert column.axis.low < 0.5 < 16 < column.axis.high
    assert column.axis.low > 0.4  # an end far from the middle leaves the axis


def test_a_chart_shows_some_of_many_values_in_their_order() -> None:
    for count, step in ((400, 1), (401, 2), (4_000, 10)):
        (dots,) = in_order("t", "step", linear_axis("loss", 0.0, 1.0), [0.5] * count).dots
        assert dots.xs[:2] == (1.0, 1.0 + step)
        assert len(dots.xs) == len(dots.ys) <= 400


EMPTY: list[Block] = [
    Heading("no-heading"),
    Text(""),
    Items([]),
    Facts([("no-fact", "")]),
    Code(" \n", "no-title"),
    table([], caption="no-caption"),
    Columns([Table([], [])]),
]


@pytest.mark.parametrize("folded", [False, True])
def test_every_writer_leaves_out_what_shows_nothing(folded: bool) -> None:
    blocks = [*EMPTY, Heading("kept"), Facts([("a", "b"), ("no-fact", "")])]
    shown = [Fold("title", blocks)] if folded else blocks
    texts = [
        "\n".join(map(plain, terminal_lines(shown))),
        markdown("t", shown),
        page("t", shown),
    ]
    for text in texts:
        assert "kept" in text
        assert not any(word in text for word in ("no-heading", "no-fact", "no-title", "no-caption"))
    assert list(filled([Heading("a"), Heading("b"), Text("c")])) == [Heading("b"), Text("c")]


def test_a_list_ends_with_the_number_of_what_it_leaves_out() -> None:
    texts = [Text(each) for each in "abcd"]
    assert list(filled(first(texts, 2, "case"))) == [
        *texts[:2],
        Text("and 2 more cases", "quiet"),
    ]
    assert list(filled(first(texts, 4, "case"))) == texts


def test_a_line_is_cut_and_a_program_and_a_spreadsheet_are_not() -> None:
    long = "x" * 5_000
    for text in (
        "".join(map(plain, terminal_lines([Text(Span(long))]))),
        markdown("t", [Text(long)]),
        page("t", [Text(long)]),
    ):
        assert "x" * 997 + "..." in text
        assert "x" * 998 not in text
    assert long in "".join(map(plain, terminal_lines([Code(long)])))
    assert long in csv_text(Table(["a"], [[long]]))


def test_a_cut_text_is_one_printable_line_of_bounded_length() -> None:
    assert cut("a\nb\x1b", 20) == r"a b\x1b"
    assert cut("x" * 50, 20) == "x" * 17 + "..."
    for text in ("x" * 10_000, "\x1b" * 10_000, "\u202e\n" * 30):
        assert len(cut(text, 40)) <= 40
        assert cut(text, 40).isprintable()


def test_durations_as_people_read_them() -> None:
    assert [duration(ns) for ns in (0, 0.31, 412, 3400, 1.2e7, 1.25e9, float("inf"))] == [
        "0 ns",
        "0.31 ns",
        "412 ns",
        "3.4 µs",
        "12 ms",
        "1.25 s",
        "unknown",
    ]
