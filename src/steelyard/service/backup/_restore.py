"""Restore a backup: all of it, or nothing."""

import fcntl
import os
import shutil
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from pydantic import ValidationError

from steelyard.errors import DatabaseError, UsageError
from steelyard.families import args_of
from steelyard.rendering import counted
from steelyard.schemas import StoredToken
from steelyard.service.backup._archive import JOBS, RECORDS, TOKENS, ArchiveReader, Manifest
from steelyard.service.backup._jobs import (
    jobs_connection,
    number_of_jobs,
    put_rows,
    require_idle,
)
from steelyard.service.jobs import JobPlace, job_place, prepare
from steelyard.settings import Settings
from steelyard.storage import (
    REVISIONS,
    Change,
    check_records,
    database_at,
    import_lines,
    store_token,
)


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
            os.rename(old, aside / old.name)
    for each in sorted(made.iterdir(), reverse=True):  # the database itself is the last one
        os.rename(each, database.with_name(each.name))
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
