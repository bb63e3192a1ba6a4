"""`doctor` and `languages`: what this machine offers, what is missing, and what would bring it."""

import dataclasses
from collections.abc import Iterator
from typing import TYPE_CHECKING

import typer

from steelyard import __version__
from steelyard.cli._options import Json
from steelyard.cli._outputs import print_json
from steelyard.cli._progress import progress
from steelyard.reports import (
    Block,
    Code,
    Figure,
    Figures,
    Fold,
    Heading,
    Line,
    Span,
    Table,
    Text,
    print_blocks,
)
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
        figures = [*_sandbox(report), *map(_instrument, of_profiles)]
        print_blocks([Figures(figures), Heading("Languages"), *_language_blocks(found)])
        commands = [*commands_for_languages(found), *(each.command for each in of_profiles)]
        to_do = [(f"{each.what}: {each.why}", each.command) for each in report.remedies]
        to_do += [("install", command) for command in dict.fromkeys(filter(None, commands))]
        print_blocks(Fold(("to do  ", what), [Code(command)]) for what, command in to_do)
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


def _sandbox(report: SandboxReport) -> Iterator[Figure]:
    yield Figure("steelyard", __version__)
    yield Figure(
        "machine",
        f"{report.machine}, Linux {report.kernel}, Python {report.python}, "
        f"{report.cores} cores, {report.memory_mib:,} MiB",
    )
    if report.isolation:
        missing = [(Span("not in force: ", "warn"), each) for each in report.isolation.missing]
        yield Figure("isolation", str(report.isolation), "", missing)
    else:
        yield Figure("isolation", Span(report.error, "bad"))
    yield Figure("cell", "native" if report.native_cell else Span("missing", "bad"))
    forks = "forked from a loaded interpreter"
    yield Figure("python", forks if report.forks else Span("a new interpreter each", "warn"))
    yield Figure("docker", report.docker)


def _instrument(each: "Instrument") -> Figure:
    state = Span("here") if each.found else Span("missing", "warn")
    return Figure("profile", (f"{each.name}, for {each.purpose}: ", state))


def languages(json: Json = False) -> None:
    """List languages and compilers, and what to install."""
    with progress("looking for compilers"):
        found = all_languages()
    if json:
        print_json({"languages": [dataclasses.asdict(s) for s in found]})
        return
    print_blocks(_language_blocks(found))
    starts = {status.title: status.start_mib for status in found}
    uses = ", ".join(f"{title} {mib} MiB" for title, mib in starts.items())
    print_blocks([Text(f"of its memory limit a program uses at its start: {uses}")])
    origins: dict[str, list[str]] = {}
    for status in found:
        if status.origin and status.title not in origins.setdefault(status.origin, []):
            origins[status.origin].append(status.title)
    print_blocks(Text(f"from {file}: {', '.join(titles)}") for file, titles in origins.items())


def _language_blocks(found: tuple[LanguageStatus, ...]) -> Iterator[Block]:
    """Yield the languages as a table, and the tools that cannot be used."""
    rows: list[tuple[Line, ...]] = []
    for status in found:
        compiler = status.compiler + ("" if status.runnable else " (compiles only)")
        fault = Span("unusable" if status.problem else "missing", "warn")
        rows.append(
            (
                status.title,
                Span(compiler, "" if status.installed else "quiet"),
                status.version or fault,
                " ".join(status.extensions),
                status.command.removeprefix("apt-get install "),
            )
        )
    yield Table(("language", "compiler", "version", "files", "to install"), rows)
    for status in found:
        if status.problem:
            yield Text(f"{status.title}, {status.compiler}: {status.problem}", "warn")
