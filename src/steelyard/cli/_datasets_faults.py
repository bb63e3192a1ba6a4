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

__all__ = ["Faults", "report", "written"]

_SHOWN_FAULTS = 20


class Faults:
    """Shows the first faults as they are found, and counts all."""

    def __init__(self, json: bool) -> None:
        self.quiet = json
        self.number = 0
        self.first: list[dict[str, Any]] = []
        self._console = report_console(stderr=True, quiet=json)

    def add(self, fault: "RowFault") -> None:
        """Show and count a fault."""
        self.number += 1
        if self.number <= _SHOWN_FAULTS:
            self.first.append(fault.model_dump(mode="json"))
            self._console.print(Text(visible(str(fault))), soft_wrap=True)
        elif self.number == _SHOWN_FAULTS + 1:
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
