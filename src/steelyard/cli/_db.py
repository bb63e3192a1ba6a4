"""`steelyard db`: the database's tables and state; its records as text; a check of them."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from steelyard.cli._console import report_console
from steelyard.cli._db_backup import backup, restore
from steelyard.cli._groups import Command, Group
from steelyard.cli._options import Database, Json
from steelyard.cli._outputs import print_json, private_file
from steelyard.errors import UsageError
from steelyard.rendering import count, mebibytes, visible

if TYPE_CHECKING:
    from steelyard.schemas import DatabaseFault, DatabaseStatus

_MAX_LINE = 1 << 30
_SHOWN_FAULTS = 50

db = typer.Typer(
    cls=Group,
    help="Manage the database of problems, suites and judgements.",
    add_completion=False,
    epilog="The database is a file in your data folder, or what STEELYARD_DATABASE_URL or --db "
    "names.",
)


@db.callback(invoke_without_command=True)
def options(context: typer.Context) -> None:
    """Manage the database of problems, suites and judgements."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(UsageError.exit_status)


@db.command(cls=Command)
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
        if json:
            print_json({"url": opened.shown, "before": before, "revision": now})
        elif before == now:
            typer.echo(f"{visible(opened.shown)} has revision {now or 'base'} already")
        else:
            typer.echo(f"{visible(opened.shown)}: {before or 'base'} -> {now or 'base'}")


@db.command(cls=Command)
def status(database: Database = None, json: Json = False) -> None:
    """Show the database's place, engine, revision and number of records."""
    from steelyard.storage import database_at  # noqa: PLC0415

    with database_at(database) as opened:
        found = opened.status()
    if json:
        print_json(found.model_dump(mode="json"))
    else:
        _show(report_console(), found)


@db.command("export", cls=Command)
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


@db.command("import", cls=Command)
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
        if json:
            print_json({"url": opened.shown, "added": added})
        else:
            new = sum(added.values())
            typer.echo(f"{count(new)} new records in {visible(opened.shown)}")


@db.command(cls=Command)
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


db.command(cls=Command)(backup)
db.command(cls=Command)(restore)


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


def _show(console: Console, found: "DatabaseStatus") -> None:
    size = "" if found.bytes is None else f", {mebibytes(found.bytes / 2**20)}"
    console.print(Text(f"database  {visible(found.url)}"), soft_wrap=True)
    console.print(f"engine    {found.engine}{size}")
    if found.revision == found.head:
        console.print(f"revision  {found.revision}, the newest")
    else:
        console.print(
            f"revision  {found.revision or 'none'}; `steelyard db upgrade` takes it to {found.head}"
        )
    table = Table()
    table.add_column("records")
    table.add_column("number", justify="right")
    for name, number in found.records.items():
        table.add_row(name.replace("_", " "), count(number))
    if found.records:
        console.print(table)


def _show_faults(url: str, faults: "list[DatabaseFault]") -> None:
    if not faults:
        typer.echo(f"{visible(url)}: every record has its digest and its references")
        return
    for fault in faults[:_SHOWN_FAULTS]:
        where = " ".join(filter(None, (fault.table, fault.digest[:12])))
        typer.echo(visible(f"{where}: {fault.fault}".removeprefix(": ")))
    if len(faults) > _SHOWN_FAULTS:
        typer.echo(f"and {count(len(faults) - _SHOWN_FAULTS)} more; --json lists all")
