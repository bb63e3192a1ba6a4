"""`steelyard languages`: what can be judged here."""

import dataclasses

from rich.table import Table
from rich.text import Text

from steelyard._printable import printable
from steelyard.cli._console import report_console
from steelyard.cli._options import Json
from steelyard.cli._outputs import print_json
from steelyard.cli._progress import progress
from steelyard.toolchains import LanguageStatus
from steelyard.toolchains import languages as all_languages


def languages(json: Json = False) -> None:
    """List languages and compilers, and what to install."""
    with progress("looking for compilers"):
        found = all_languages()
    if json:
        print_json({"languages": [dataclasses.asdict(s) for s in found]})
        return
    console = report_console()
    console.print(language_table(found))
    starts = {status.title: status.start_mib for status in found}
    console.print(
        "of its memory limit a program uses at its start: "
        + ", ".join(f"{printable(title)} {mib} MiB" for title, mib in starts.items()),
        soft_wrap=True,
    )
    origins: dict[str, list[str]] = {}
    for status in found:
        if status.origin and status.title not in origins.setdefault(status.origin, []):
            origins[status.origin].append(status.title)
    for file, titles in origins.items():
        console.print(
            f"from {printable(file)}: {', '.join(map(printable, titles))}", soft_wrap=True
        )


def language_table(found: tuple[LanguageStatus, ...]) -> Table:
    """Return the languages as a table for people; its caption lists unusable tools."""
    problems = (
        f"{status.title}, {status.compiler}: {status.problem}" for status in found if status.problem
    )
    caption = Text("\n".join(map(printable, problems)), style="yellow")
    table = Table(caption=caption or None, caption_justify="left")
    for heading in ("language", "compiler", "version", "files", "to install"):
        table.add_column(heading, overflow="fold")
    for status in found:
        note = "" if status.runnable else " (compiles only)"
        table.add_row(
            status.title,
            Text(status.compiler + note, style="" if status.installed else "dim"),
            status.version or Text("unusable" if status.problem else "missing", style="yellow"),
            " ".join(status.extensions),
            Text(status.command.removeprefix("apt-get install ")),
        )
    return table
