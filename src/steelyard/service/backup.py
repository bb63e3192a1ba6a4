"""Back up and restore all that a service keeps: records, tokens, jobs and the files of runs.

1. `write_backup` reads all of it while services and workers go about their work.
2. `restore_backup` fills an empty database with all of it, or with nothing, and checks each record.
3. The tables of jobs are copied row by row, so the databases may have different engines.
"""

import fcntl
import json
import os
import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from dbos._schemas import SCHEMA_PLACEHOLDER
from dbos._schemas.system_database import SystemSchema
from pydantic import ValidationError
from sqlalchemy.exc import SQLAlchemyError

from steelyard._replaced_files import replace
from steelyard.errors import DatabaseError, UsageError
from steelyard.families import args_of
from steelyard.reports import counted
from steelyard.schemas import StoredToken
from steelyard.service._backup_archive import (
    FILES,
    JOBS,
    RECORDS,
    TOKENS,
    ArchiveReader,
    ArchiveWriter,
    Manifest,
)
from steelyard.service.jobs import JobPlace, connect, job_place, prepare
from steelyard.settings import Settings
from steelyard.storage import (
    REVISIONS,
    Change,
    Reader,
    check_records,
    database_at,
    export_lines,
    import_lines,
    list_tokens,
    open_database,
    store_token,
)

__all__ = ["Manifest", "restore_backup", "write_backup"]

_SERVER_SCHEMA = "dbos"
_BATCH = 500
_TABLES = {table.name: table for table in SystemSchema.metadata_obj.sorted_tables}
"""In an order in which a row follows those that it refers to."""


def write_backup(settings: Settings, file: Path) -> Manifest:
    """Write all that a service keeps into a file.

    The records and tokens are of one instant, and the jobs are of one instant not after it: a job
    whose result is in the records may be running in the backup, never the other way round.

    Args:
        settings: Those of the service.
        file: The file to write; it appears when it is complete.

    Raises:
        UsageError: if the file cannot be written.
        DatabaseError: if the database fails, is missing, or has another revision.
    """
    place = job_place(settings)
    with (
        open_database(settings.database_url or None, create=False) as database,
        ArchiveWriter.new(file, database.revision()) as archive,
    ):
        if place.file is not None and place.file.exists():
            with jobs_connection(place) as connection:
                archive.add_lines(JOBS, rows_of(connection))
        with database.read() as reader:
            if place.file is None and number_of_jobs(reader.connection):
                archive.add_lines(JOBS, rows_of(reader.connection))
            _add_records(archive, reader)
        _add_files(archive, place.folder / "runs")
        return archive.manifest()


def _add_records(archive: ArchiveWriter, reader: Reader) -> None:
    archive.add_lines(RECORDS, export_lines(reader))
    archive.add_lines(TOKENS, (f"{each.model_dump_json()}\n" for each in list_tokens(reader)))


def _add_files(archive: ArchiveWriter, runs: Path) -> None:
    for folder, _, names in os.walk(runs):
        for name in names:
            each = Path(folder, name)
            with suppress(FileNotFoundError):  # a worker renames what it has written
                if stat.S_ISREG(each.lstat().st_mode):
                    archive.add_file(FILES + each.relative_to(runs).as_posix(), each)


def restore_backup(
    settings: Settings, file: Path, *, replace: bool = False, jobs: bool = True
) -> tuple[Manifest, Path | None]:
    """Restore a backup into an empty database, and check every record.

    Args:
        settings: Those of the service; its database may have the other engine.
        file: The backup.
        replace: Replace a database that holds something. Of SQLite, what was there is kept in a
            folder next to it; on a server it is lost.
        jobs: Restore jobs, too. Those that wait or ran in the backup run again.

    Returns:
        What the backup holds, and the folder with what was there; None if nothing was.

    Raises:
        UsageError: if the backup is broken or newer than this version, or the database is not
            empty.
        DatabaseError: if the database fails, or a service uses it.
    """
    place = job_place(settings)
    with ArchiveReader.open(file) as archive:
        manifest = archive.manifest
        if manifest.revision not in REVISIONS:
            raise UsageError(
                f"{file} has revision {manifest.revision} of the tables, and this version of "
                f"Steelyard reads up to {REVISIONS[-1]}; install {manifest.steelyard} or newer"
            )
        wanted = jobs and JOBS in manifest.members
        if place.file is None:
            _into_server(settings, place, archive, replace=replace, jobs=wanted)
            return manifest, None
        return manifest, _into_file(settings, place, archive, replace=replace, jobs=wanted)


def _into_server(
    settings: Settings, place: JobPlace, archive: ArchiveReader, *, replace: bool, jobs: bool
) -> None:
    if jobs:
        prepare(place)
    with (
        database_at(settings.database_url) as database,
        database.refill(replace=replace) as change,
    ):
        require_idle(change.connection)
        held = number_of_jobs(change.connection)
        if held and not replace:
            raise _not_empty(database.shown, counted(held, "job"))
        _put_records(change, archive)
        if jobs or held:
            put_rows(change.connection, archive.lines(JOBS) if jobs else ())
    if jobs:
        archive.extract_files(place.folder / "runs")


def _into_file(
    settings: Settings, place: JobPlace, archive: ArchiveReader, *, replace: bool, jobs: bool
) -> Path | None:
    database = place.folder.with_name(place.folder.name.removesuffix(".jobs"))
    _require_no_worker(place)
    if not replace:
        _require_empty(database, place)
    try:
        database.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".restore-", dir=database.parent) as name:
            made = settings.model_copy(update={"database_url": str(Path(name, database.name))})
            _fill(made, archive, jobs=jobs)
            return _swap(database, Path(name), keep=replace)
    except OSError as error:
        raise DatabaseError(
            f"{database} cannot be restored: {error.strerror}; "
            "free disk space, or correct the rights of its folder"
        ) from error


def _fill(settings: Settings, archive: ArchiveReader, *, jobs: bool) -> None:
    """Make a new database, and the folder of its jobs."""
    with database_at(settings.database_url) as database, database.refill(replace=False) as change:
        _put_records(change, archive)
    if jobs:
        place = job_place(settings)
        prepare(place)
        with jobs_connection(place) as connection:
            put_rows(connection, archive.lines(JOBS))
        archive.extract_files(place.folder / "runs")


def _put_records(change: Change, archive: ArchiveReader) -> None:
    import_lines(change, archive.lines(RECORDS), f"{archive.file}, {RECORDS}")
    for line in archive.lines(TOKENS):
        try:
            token = StoredToken.model_validate_json(line)
        except ValidationError as error:
            raise UsageError(
                f"{archive.file}: {TOKENS} has a malformed line; take another backup"
            ) from error
        store_token(change, token)
    fault = next(check_records(change, args_of), None)
    if fault is not None:
        raise UsageError(
            f"{archive.file} has a damaged record ({fault.table} {fault.digest[:12]}: "
            f"{fault.fault}); nothing was restored; take another backup"
        )


def _swap(database: Path, made: Path, *, keep: bool) -> Path | None:
    """Move what is there aside, and the new files to their names.

    Returns:
        The folder with what was there.
    """
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
    aside = database.with_name(f"{database.name}.replaced-{stamp}")
    for suffix in ("", "-wal", "-shm", ".jobs"):
        old = database.with_name(database.name + suffix)
        if os.path.lexists(old):
            aside.mkdir(mode=0o700, exist_ok=True)
            replace(old, aside / old.name)
    for each in sorted(made.iterdir(), reverse=True):  # the database itself is the last one
        replace(each, database.with_name(each.name))
    if not keep:
        shutil.rmtree(aside, ignore_errors=True)
    return aside if aside.exists() else None


def _require_empty(file: Path, place: JobPlace) -> None:
    with database_at(file) as database:
        if database.is_there:
            held = sum(database.status().records.values())
            if held:
                raise _not_empty(str(file), counted(held, "row"))
    if place.file is not None and place.file.exists():
        with jobs_connection(place) as connection:
            held = number_of_jobs(connection)
        if held:
            raise _not_empty(str(file), counted(held, "job"))


def _not_empty(shown: str, what: str) -> UsageError:
    return UsageError(
        f"{shown} holds {what}; name another database with --db, or replace it with --replace"
    )


def _require_no_worker(place: JobPlace) -> None:
    """Refuse to restore while a worker of this machine runs: it holds its lock.

    Raises:
        DatabaseError: if one does.
    """
    workers = place.folder / "workers"
    for each in workers.iterdir() if workers.is_dir() else ():
        with each.open("rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except OSError as error:
                raise DatabaseError(
                    f"a worker uses {place.shown}; stop the service and its workers, then restore"
                ) from error


@contextmanager
def jobs_connection(place: JobPlace) -> Iterator[sa.Connection]:
    """Open one transaction on a file of jobs, which sees one state.

    Raises:
        DatabaseError: if the file fails.
    """
    engine = connect(place, 1)
    try:
        with engine.connect() as connection:
            connection.exec_driver_sql("BEGIN")
            yield connection
            connection.commit()
    except (SQLAlchemyError, sqlite3.Error) as error:
        why = str(getattr(error, "orig", None) or error).partition("\n")[0]
        raise DatabaseError(f"the jobs in {place.shown} cannot be used: {why}") from error
    finally:
        engine.dispose()


def rows_of(connection: sa.Connection) -> Iterator[str]:
    """Yield each row of each table as a line of JSON."""
    connection = _mapped(connection)
    for name in _there(connection):
        rows = sa.select(_TABLES[name]).execution_options(yield_per=_BATCH)
        with connection.execute(rows) as result:
            for row in result.mappings():
                yield json.dumps({"table": name, "row": dict(row)}) + "\n"


def put_rows(connection: sa.Connection, lines: Iterable[bytes]) -> None:
    """Replace all rows by those of a backup.

    Raises:
        UsageError: if a line has a table or a column that is not there.
    """
    connection = _mapped(connection)
    there = _there(connection)
    for name in reversed(there):
        connection.execute(sa.delete(_TABLES[name]))
    for line in lines:
        name, row = _parsed(line)
        table = _TABLES.get(name)
        if table is None or name not in there or row.keys() - set(table.c.keys()):
            raise UsageError(
                f"the backup has jobs of another version of dbos (table {name!r}); "
                "install the version that wrote it, or leave the jobs out with --no-jobs"
            )
        connection.execute(table.insert().values(row))


def number_of_jobs(connection: sa.Connection) -> int:
    """Return how many jobs are stored; 0 if there are no tables."""
    connection = _mapped(connection)
    jobs = _TABLES["workflow_status"]
    if jobs.name not in _there(connection):
        return 0
    return connection.execute(sa.select(sa.func.count()).select_from(jobs)).scalar_one()


def require_idle(connection: sa.Connection) -> None:
    """Refuse to restore while services or workers are connected to a server.

    Raises:
        DatabaseError: if there are any.
    """
    query = sa.text(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
        "AND application_name LIKE 'steelyard-%'"
    )
    if connection.execute(query).scalar_one():
        raise DatabaseError("services or workers use the database; stop them, then restore")


def _parsed(line: bytes) -> tuple[str, dict[str, Any]]:
    try:
        match json.loads(line):
            case {"table": str(name), "row": dict(row)}:
                return name, row
    except (ValueError, RecursionError):
        pass
    raise UsageError("the backup has a malformed line of jobs; take another backup")


def _mapped(connection: sa.Connection) -> sa.Connection:
    return connection.execution_options(
        schema_translate_map={SCHEMA_PLACEHOLDER: _schema(connection)}
    )


def _schema(connection: sa.Connection) -> str | None:
    return None if connection.dialect.name == "sqlite" else _SERVER_SCHEMA


def _there(connection: sa.Connection) -> list[str]:
    found = set(sa.inspect(connection).get_table_names(schema=_schema(connection)))
    return [name for name in _TABLES if name in found]
