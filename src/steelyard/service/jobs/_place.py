"""Find where jobs are kept: a file of SQLite next to the database, or the team's PostgreSQL."""

import os
import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dbos import DBOS
from sqlalchemy import URL, Engine, create_engine, event
from sqlalchemy.exc import SQLAlchemyError

from steelyard.errors import DatabaseError
from steelyard.settings import Settings, default_database
from steelyard.storage import target_of

APPLICATION = "steelyard"
_BUSY_MS = 30_000


@dataclass(frozen=True, slots=True)
class JobPlace:
    """The database of jobs, and the folder for their files."""

    url: URL
    folder: Path
    """Holds the locks of this machine's workers, and the artefacts of runs under way."""
    shown: str
    """The database for people, without a password."""

    @property
    def file(self) -> Path | None:
        """The file of SQLite; None for a server."""
        is_file = self.url.get_backend_name() == "sqlite"
        return Path(self.url.database or "") if is_file else None

    @property
    def text(self) -> str:
        """The URL with its password."""
        return self.url.render_as_string(hide_password=False)


def job_place(settings: Settings) -> JobPlace:
    """Return where jobs are kept.

    Raises:
        UsageError: if the URL of the database is malformed.
    """
    target = target_of(settings.database_url or str(default_database()))
    if target.url is not None:
        return JobPlace(target.url, default_database().with_name("jobs"), target.shown)
    assert target.file is not None
    file = target.file.absolute()
    folder = file.with_name(f"{file.name}.jobs")
    store = folder / "jobs.sqlite3"
    return JobPlace(URL.create("sqlite", database=str(store)), folder, str(store))


def connect(place: JobPlace, size: int) -> Engine:
    """Return an engine for the database of jobs; it connects when it is first used.

    Its errors never show values: they hold source code.
    """
    shared: dict[str, Any] = {
        "pool_size": size,
        "max_overflow": 0,
        "pool_timeout": 30,
        "hide_parameters": True,
    }
    if place.file is None:
        return create_engine(
            place.url,
            pool_pre_ping=True,
            connect_args={"connect_timeout": 10, "application_name": "steelyard-jobs"},
            **shared,
        )
    engine = create_engine(place.url, **shared)
    event.listen(engine, "connect", _set_up)
    return engine


def prepare(place: JobPlace) -> None:
    """Make the folder and the tables, if they are not there yet.

    Raises:
        DatabaseError: if they cannot be made.
    """
    try:
        place.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if place.file is not None:
            with suppress(FileExistsError):
                os.close(os.open(place.file, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
            with closing(sqlite3.connect(place.file, timeout=_BUSY_MS / 1000)) as connection:
                connection.execute("PRAGMA journal_mode = WAL")
        DBOS.migrate(place.text)
    except (OSError, sqlite3.Error, SQLAlchemyError) as error:
        why = str(getattr(error, "orig", None) or error).partition("\n")[0]
        raise DatabaseError(f"the jobs in {place.shown} cannot be opened: {why}") from error


def _set_up(connection: Any, _: object) -> None:
    connection.isolation_level = "IMMEDIATE"  # writers take turns, and none fails in the middle
    connection.execute(f"PRAGMA busy_timeout = {_BUSY_MS}")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA trusted_schema = OFF")
