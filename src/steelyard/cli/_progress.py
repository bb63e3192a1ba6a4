"""Progress on standard error, for a person who waits: only on a terminal, and after a second."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer

from steelyard.reports import Span, Text, clause, print_blocks, visible
from steelyard.schemas import Event, OnEvent

_PATIENCE_S = 1.0
_MOST_CHARS = 60


@contextmanager
def progress(doing: str, *, lines: bool = False) -> Iterator[OnEvent]:
    """Show what a job does, from its events.

    Args:
        doing: What it does before the first event, such as `looking for compilers`.
        lines: Print each event as a line that stays, also without a terminal.
    """
    if lines or sys.stderr.isatty():
        with _shown(doing, lines=lines) as show:
            yield show
    else:
        yield lambda _event: None


@contextmanager
def _shown(doing: str, *, lines: bool) -> Iterator[OnEvent]:
    from rich.console import Console  # noqa: PLC0415  (nothing is shown in most calls)
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
    )

    console = Console(stderr=True)
    bar = Progress(
        SpinnerColumn("line"),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    task = bar.add_task(doing, total=None)

    def show(event: Event) -> None:
        total = None if event.share is None else 1.0
        told = event.stage if lines or not event.message else f"{event.stage}: {event.message}"
        text = visible(told)[:_MOST_CHARS]
        bar.update(task, description=text, total=total, completed=event.share)
        if lines and event.stage != "end":
            print_blocks([_line(event)], sys.stderr)

    begin = Timer(_PATIENCE_S, bar.start)
    begin.daemon = True
    begin.start()
    try:
        yield show
    finally:
        begin.cancel()
        begin.join()
        bar.stop()


def _line(event: Event) -> Text:
    turn, stage = Span(f"turn {event.iteration}  ", "quiet"), Span(f"{event.stage:<10}", "accent")
    return Text((turn, stage, clause(event.message)))
