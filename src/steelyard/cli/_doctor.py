"""`doctor` and `languages`: what this machine offers, what is missing, and what would bring it."""

import dataclasses
from typing import TYPE_CHECKING

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from steelyard import __version__
from steelyard._printable import printable
from steelyard.cli._console import report_console
from steelyard.cli._options import Json
from steelyard.cli._outputs import print_json
from steelyard.cli._progress import progress
from steelyard.sandbox import inspect_sandbox
from steelyard.schemas import SandboxReport
from steelyard.settings import current_settings
from steelyard.toolchains import LanguageStatus
from steelyard.toolchains import languages as all_languages

if TYPE_CHECKING:
    from steelyard.profiling import Instrument


def doctor(json: Json = False) -> None:
    """Show what this machine offers, and how to get the rest.

    The list covers isolation, counters and toolchains.
    """
    from steelyard.profiling import instruments  # numpy and scipy load slowly  # noqa: PLC0415

    with progress("looking at this machine"):
        report = inspect_sandbox(current_settings().sandbox)
        found = all_languages()
        of_profiles = instruments()
    if json:
        print_json(_report_json(report, found, of_profiles))
    else:
        console = report_console()
        _show_sandbox(console, report)
        for each in of_profiles:
            state = "here" if each.found else "[yellow]missing[/]"
            console.print(f"[bold]profile[/]    {each.name}, for {each.purpose}: {state}")
        console.print(language_table(found))
        commands = [*commands_for_languages(found), *(each.command for each in of_profiles)]
        for command in dict.fromkeys(filter(None, commands)):
            console.print(f"[bold]to do[/]      [cyan]{escape(command)}[/]", soft_wrap=True)
    raise typer.Exit(0 if report.isolation else 3)


def _report_json(
    report: SandboxReport, found: tuple[LanguageStatus, ...], of_profiles: "tuple[Instrument, ...]"
) -> dict[str, object]:
    return {
        "steelyard": __version__,
        "sandbox": report.model_dump(mode="json"),
        "toolchains": [dataclasses.asdict(status) for status in found],
        "profiling": [dataclasses.asdict(each) for each in of_profiles],
    }


def commands_for_languages(found: tuple[LanguageStatus, ...]) -> tuple[str, ...]:
    """Return the command that installs the first compiler of each language without one."""
    usable = {status.language for status in found if status.installed and status.runnable}
    first: dict[str, LanguageStatus] = {}
    for status in found:
        if status.language not in usable:
            first.setdefault(status.language, status)
    return tuple(status.command for status in first.values())


def _show_sandbox(console: Console, report: SandboxReport) -> None:
    console.print(f"[bold]steelyard[/]    {__version__}")
    console.print(
        f"[bold]machine[/]    {report.machine}, Linux {report.kernel}, Python {report.python}, "
        f"{report.cores} cores, {report.memory_mib:,} MiB"
    )
    if report.isolation:
        console.print(f"[bold]isolation[/]  {escape(str(report.isolation))}")
        for line in report.isolation.missing:
            console.print(f"           [yellow]not in force:[/] {escape(line)}")
    else:
        console.print(f"[bold]isolation[/]  [red]{escape(report.error)}[/]")
    cell = "native" if report.native_cell else "[red]missing[/]"
    console.print(f"[bold]cell[/]       {cell}")
    runs = (
        "forked from a loaded interpreter" if report.forks else "[yellow]a new interpreter each[/]"
    )
    console.print(f"[bold]python[/]     {runs}")
    console.print(f"[bold]docker[/]     {escape(report.docker)}")
    for remedy in report.remedies:
        console.print(f"[bold]to do[/]      {escape(remedy.what)}: {escape(remedy.why)}")
        console.print(f"             [cyan]{escape(remedy.command)}[/]")


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
