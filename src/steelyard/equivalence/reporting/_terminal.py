"""A comparison for people at a terminal."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.text import Text

from steelyard.equivalence.reporting._cases import rows_of_both
from steelyard.equivalence.reporting._cuts import cut
from steelyard.equivalence.reporting._terminal_behaviour import behaviour_part
from steelyard.equivalence.reporting._terminal_parts import field, section, table
from steelyard.equivalence.reporting._terminal_speed import hot_lines_part, speed_part
from steelyard.equivalence.reporting._words import headline, method_lines, reasons_in_order
from steelyard.schemas import Comparison

_LONGEST_LINE = 600
_LONGEST_NAME = 200


@dataclass(frozen=True)
class ComparisonView:
    """What Rich prints of a comparison."""

    comparison: Comparison
    details: bool = False
    """Show the isolation even if it is full."""

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> Iterator[RenderableType]:
        unicode = not options.ascii_only
        comparison = self.comparison if unicode else _in_ascii(self.comparison)
        yield _verdict(comparison)
        if grounds := headline(comparison):
            yield Text(grounds)
        yield from _reasons(comparison)
        if comparison.behaviour is not None:
            yield from behaviour_part(comparison.behaviour)
        if comparison.speed is not None:
            yield from speed_part(comparison.speed, width=options.max_width, unicode=unicode)
        yield from _both(comparison, unicode=unicode)
        if comparison.line_profile is not None:
            yield from hot_lines_part(comparison.line_profile, width=options.max_width)
        notes = [cut(note, _LONGEST_LINE) for note in comparison.notes]
        if notes:
            yield section("notes")
        yield from (Text(f"- {note}") for note in notes)
        methods = [
            (name, text)
            for name, text in method_lines(comparison)
            if self.details or not (name == "isolation" and text.startswith("full "))
        ]
        if methods:
            yield section("how it was measured")
        for name, said in methods:
            yield field(name, cut(said, _LONGEST_LINE), style="dim")


def _verdict(comparison: Comparison) -> Text:
    style = "bold green" if comparison.accepted else "bold red"
    name = cut(comparison.function, _LONGEST_NAME)
    return Text.assemble((comparison.verdict.upper(), style), "  ", (name, "bold"))


def _reasons(comparison: Comparison) -> Iterator[RenderableType]:
    for reason in reasons_in_order(comparison.reasons):
        name, style = ("rejected", "bold red") if reason.rejects else ("warning", "yellow")
        said = f"{reason.code}: {cut(reason.text, _LONGEST_LINE)}"
        yield field(name, said, name_style=style)


def _both(comparison: Comparison, *, unicode: bool) -> Iterator[RenderableType]:
    rows = rows_of_both(comparison, unicode=unicode)
    if rows:
        yield section("both versions")
        yield table(
            ("", "original", "candidate"),
            [(Text(row.name), Text(row.original), Text(row.candidate)) for row in rows],
        )


def _in_ascii(comparison: Comparison) -> Comparison:
    """With every other character of its texts as an escape."""
    return Comparison.model_validate(_ascii(comparison.model_dump()))


def _ascii(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("ascii", "backslashreplace").decode()
    if isinstance(value, dict):
        return {_ascii(key): _ascii(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return tuple(_ascii(item) for item in value)
    return value
