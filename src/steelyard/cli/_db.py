"""`steelyard db`: the database's tables and state; its records as text; a check of them."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated

import typer

from steelyard._installation import install_command
from steelyard.cli._groups import ClosingCommand, group_of
from steelyard.cli._options import Database, Json, settings_of
from steelyard.cli._outputs import print_json, print_result, private_file
from steelyard.errors import UsageError
from steelyard.reports import (
    Block,
    Code,
    Column,
    Figure,
    Figures,
    Table,
    count,
    counted,
    mebibytes,
    visible,
)

if TYPE_CHECKING:
    from steelyard.schemas import DatabaseFault, DatabaseStatus
    from steelyard.service.backup import Manifest

_MAX_LINE = 1 << 30
_SHOWN_FAULTS = 50

db = group_of(
    "Manage the database of problems, suites and judgements.",
    "The database is a file in your data folder, or what STEELYARD_DATABASE_URL or --db names.",
)


@db.command(cls=ClosingCommand)
def upgrade(
    database: Database = None,
    to: Annotated[
        str | None,
        typer.Option("--to", metavar="REVISION", help="Revision, which may be an older one."),
    ] = None,
    drop_data: Annotated[
        bool, typer.Option("--drop-data", help="Drop tables even if they hold records.")
    ] = False,
    json: Json = False,
) -> None:
    """Make the tables, or take them to the newest revision; all of it or nothing."""
    from steelyard.storage import database_at  # noqa: PLC0415

    with database_at(database) as opened:
        before = opened.upgrade(to, drop_data=drop_data)
        now = opened.revision()
        text = f"{opened.shown}: {before or 'base'} -> {now or 'base'}"
        if before == now:
            text = f"{opened.shown} has revision {now or 'base'} already"
        plain = {"url": opened.shown, "before": before, "revision": now}
        print_result(plain, [Code(text)], json=json)


@db.command(cls=ClosingCommand)
def status(database: Database = None, json: Json = False) -> None:
    """Show the database's place, engine, revision and number of records."""
    from steelyard.storage import database_at  # noqa: PLC0415

    with database_at(database) as opened:
        found = opened.status()
    print_result(found.model_dump(mode="json"), _blocks(found), json=json)


@db.command("export", cls=ClosingCommand)
def export_records(
    file: Annotated[
        Path, typer.Argument(metavar="[FILE]", help="File to write; - for standard output.")
    ] = Path("-"),
    database: Database = None,
) -> None:
    """Write all records as lines of JSON. The same records give the same bytes."""
    from steelyard.storage import export_lines, open_database  # noqa: PLC0415

    with (
        open_database(database, create=False) as opened,
        opened.read() as reader,
        nullcontext(sys.stdout) if file == Path("-") else private_file(file, "ascii") as out,
    ):
        for line in export_lines(reader):
            out.write(line)


@db.command("import", cls=ClosingCommand)
def import_records(
    file: Annotated[Path, typer.Argument(help="File of an export; - for standard input.")],
    database: Database = None,
    json: Json = False,
) -> None:
    """Store the records of an export; those that are stored already stay. All or nothing."""
    from steelyard.storage import import_lines, open_database  # noqa: PLC0415

    with _opened(file) as source, open_database(database) as opened:
        with opened.change() as change:
            name = "standard input" if file == Path("-") else str(file)
            added = import_lines(change, _lines(source, name), name)
        text = f"{count(sum(added.values()))} new records in {opened.shown}"
        print_result({"url": opened.shown, "added": added}, [Code(text)], json=json)


@db.command(cls=ClosingCommand)
def check(database: Database = None, json: Json = False) -> None:
    """Check every record's digest and references. Exit status 1 if something is damaged."""
    from steelyard.families import args_of  # noqa: PLC0415
    from steelyard.storage import check_records, open_database  # noqa: PLC0415

    with open_database(database, create=False) as opened:
        with opened.read() as reader:
            faults = list(check_records(reader, args_of))
        if json:
            plain = [fault.model_dump() for fault in faults]
            print_json({"url": opened.shown, "passed": not faults, "faults": plain})
        else:
            _show_faults(opened.shown, faults)
    if faults:
        raise typer.Exit(1)


@db.command(cls=ClosingCommand)
def backup(
    file: Annotated[Path, typer.Argument(help="File to write; it appears when it is complete.")],
    database: Database = None,
    json: Json = False,
) -> None:
    """Write records, tokens, jobs and files of runs into one file, also while a service runs."""
    try:
        from steelyard.service.backup import write_backup  # an extra  # noqa: PLC0415
    except ImportError as error:
        raise _missing() from error
    manifest = write_backup(settings_of(database), file)
    print_result(
        _backup_json(file, manifest),
        [Code(f"{visible(str(file))}: {_contents(manifest)}")],
        json=json,
    )


@db.command(cls=ClosingCommand)
def restore(
    file: Annotated[Path, typer.Argument(help="File of a backup.")],
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace a database that holds something.")
    ] = False,
    no_jobs: Annotated[
        bool, typer.Option("--no-jobs", help="Leave out jobs and the files of runs.")
    ] = False,
    database: Database = None,
    json: Json = False,
) -> None:
    """Restore a backup into an empty database and check every record; all of it or nothing."""
    try:
        from steelyard.service.backup import restore_backup  # an extra  # noqa: PLC0415
    except ImportError as error:
        raise _missing() from error
    settings = settings_of(database)
    manifest, aside = restore_backup(settings, file, replace=replace, jobs=not no_jobs)
    plain = {**_backup_json(file, manifest), "replaced": None if aside is None else str(aside)}
    lines = [f"{file}: {_contents(manifest)}; every record has its digest"]
    if aside is not None:
        lines.append(f"the database before is in {aside}")
    print_result(plain, map(Code, lines), json=json)


def _contents(manifest: "Manifest") -> str:
    # An export has two lines more than records.
    records = manifest.lines["records.jsonl"] - 2
    parts = {
        "record": records,
        "token": manifest.lines["tokens.jsonl"],
        "job row": manifest.lines.get("jobs.jsonl", 0),
        "run file": len(manifest.files),
    }
    return ", ".join(counted(number, noun) for noun, number in parts.items())


def _backup_json(file: Path, manifest: "Manifest") -> dict[str, object]:
    return {"file": str(file), **manifest.model_dump(mode="json")}


def _missing() -> UsageError:
    return UsageError(
        "backups need the packages of the service; "
        f"run: {install_command('service')}, or use `steelyard db export` for records alone"
    )


@contextmanager
def _opened(file: Path) -> Iterator[IO[bytes]]:
    if file == Path("-"):
        yield sys.stdin.buffer
        return
    try:
        with file.open("rb") as source:
            yield source
    except OSError as error:
        raise UsageError(
            f"{file} cannot be read: {error.strerror}; name the file of an export"
        ) from error


def _lines(source: IO[bytes], name: str) -> Iterator[bytes]:
    while line := source.readline(_MAX_LINE):
        if len(line) == _MAX_LINE:
            raise UsageError(f"{name} has a line of over 1 GiB; export the records again")
        yield line


def _blocks(found: "DatabaseStatus") -> Iterator[Block]:
    size = "" if found.bytes is None else f", {mebibytes(found.bytes / 2**20)}"
    upgrade = f"{found.revision or 'none'}; `steelyard db upgrade` takes it to {found.head}"
    newest = found.revision == found.head
    yield Figures(
        [
            Figure("database", found.url),
            Figure("engine", f"{found.engine}{size}"),
            Figure("revision", f"{found.revision}, the newest" if newest else upgrade),
        ]
    )
    if found.records:
        rows = [(name.replace("_", " "), count(number)) for name, number in found.records.items()]
        yield Table(("records", Column("number", "figure")), rows)


def _show_faults(url: str, faults: "list[DatabaseFault]") -> None:
    if not faults:
        typer.echo(f"{visible(url)}: every record has its digest and its references")
        return
    for fault in faults[:_SHOWN_FAULTS]:
        where = " ".join(filter(None, (fault.table, fault.digest[:12])))
        typer.echo(visible(f"{where}: {fault.fault}".removeprefix(": ")))
    if len(faults) > _SHOWN_FAULTS:
        typer.echo(f"and {count(len(faults) - _SHOWN_FAULTS)} more; --json lists all")
