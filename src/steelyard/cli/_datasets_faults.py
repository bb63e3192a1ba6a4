"""Rows that a command on data sets leaves out, and its summary."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.text import Text

from steelyard.cli._console import report_console
from steelyard.cli._outputs import print_json
from steelyard.rendering import counted, visible

if TYPE_CHECKING:
    from steelyard.schemas import RowFault

_SHOWN_FAULTS = 20


class Faults:
    """Shows the first faults as they are found, each text once for a file, and counts all."""

    def __init__(self, json: bool) -> None:
        self.quiet = json
        self.number = 0
        self._found: dict[tuple[str, str], dict[str, Any]] = {}
        self._is_full = False
        self._console = report_console(stderr=True, quiet=json)

    @property
    def first(self) -> list[dict[str, Any]]:
        """The faults that were shown, each with the number of `rows` that have it."""
        return list(self._found.values())

    def add(self, fault: "RowFault") -> None:
        """Show and count a fault."""
        self.number += 1
        key = fault.file, fault.message
        if key in self._found:
            self._found[key]["rows"] += 1
        elif len(self._found) < _SHOWN_FAULTS:
            self._found[key] = {**fault.model_dump(mode="json"), "rows": 1}
            self._console.print(Text(visible(str(fault))), soft_wrap=True)
        elif not self._is_full:
            self._is_full = True
            self._console.print("more rows are left out; the end counts them")


def written(number: int, out: Path) -> str:
    """Return the summary of a command that writes tasks."""
    name = visible(str(out))
    return f"{counted(number, 'task')} in {name}" if number else f"no task; {name} is not written"


def report(fields: dict[str, Any], line: str, faults: Faults) -> None:
    """Print the summary of a command: a line, or one JSON object."""
    if faults.quiet:
        print_json({**fields, "left_out": faults.number, "faults": faults.first})
        return
    left = f"; {counted(faults.number, 'row')} left out" if faults.number else ""
    typer.echo(f"{line}{left}")
