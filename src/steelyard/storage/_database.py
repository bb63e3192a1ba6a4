"""A database of problems: its transactions, its state, and the revision of its tables."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, func, inspect, select

from steelyard.errors import DatabaseError, UsageError
from steelyard.logs import logger
from steelyard.reports import counted
from steelyard.schemas import DatabaseStatus
from steelyard.storage._changing import Change
from steelyard.storage._engine import (
    APPLICATION,
    DatabasePlace,
    connect,
    log_of,
    make_file,
    missing,
    moved,
    target_of,
    transaction,
)
from steelyard.storage._reading import Reader
from steelyard.storage._tables import HEAD, REVISIONS, VERSION_TABLE, metadata

_log = logger("storage")


class Database:
    """Problems, suites, solutions and what was found out about them, for ever.

    with open_database() as database:
        with database.change() as change:      # one transaction
            change.store_problem("pairs", spec, suite)
        with database.read() as reader:        # one state
            reader.suite_of("pairs")

    Any thread may use it. Nothing that is stored is ever changed or deleted.
    """

    def __init__(self, url: str) -> None:
        self._target = target_of(url)
        self._engine = connect(self._target)

    @property
    def shown(self) -> str:
        """The file or the URL, without its password."""
        return self._target.shown

    @contextmanager
    def read(self) -> Iterator[Reader]:
        """Read in one transaction, which sees one state.

        Raises:
            DatabaseError: if the database fails, or what is read is damaged.
        """
        with transaction(self._engine, self._target, writes=False) as connection:
            yield Reader(connection)

    @contextmanager
    def change(self) -> Iterator[Change]:
        """Change in one transaction: all of it is stored when the block ends, or nothing is.

        There is one writer at a time; others wait for up to 30 seconds. An exception in the block
        undoes the change.

        Raises:
            DatabaseError: if the database fails.
        """
        with transaction(self._engine, self._target, writes=True) as connection:
            yield Change(connection)

    @contextmanager
    def refill(self, *, replace: bool = False) -> Iterator[Change]:
        """Change an empty database, in one transaction that also makes its tables.

        Args:
            replace: Drop what the database holds, in the same transaction.

        Raises:
            UsageError: if the database holds something, and is not to be replaced.
            DatabaseError: if the database fails, or is another program's or a newer version's.
        """
        if self._target.file is not None:
            make_file(self._target.file)
        with transaction(self._engine, self._target, writes=True) as connection:
            revision_of(connection, self._target)
            held = sum(counts(connection).values())
            if held and not replace:
                raise UsageError(
                    f"{self.shown} holds {counted(held, 'row')}; "
                    "name another database with --db, or replace it with --replace"
                )
            if held:
                migrate(connection, self._target, "base", drop_data=True)
            migrate(connection, self._target, HEAD)
            yield Change(connection)

    def status(self) -> DatabaseStatus:
        """Return what the database holds, in numbers.

        Raises:
            DatabaseError: if the database fails, or is another program's or a newer version's.
        """
        with transaction(self._engine, self._target, writes=False) as connection:
            revision = revision_of(connection, self._target)
            version = ".".join(map(str, connection.dialect.server_version_info or ()))
            name = "SQLite" if self._target.file else "PostgreSQL"
            return DatabaseStatus(
                url=self.shown,
                engine=f"{name} {version}",
                revision=revision,
                head=HEAD,
                bytes=_size(self._target.file),
                records=counts(connection),
            )

    def upgrade(self, to: str | None = None, *, drop_data: bool = False) -> str:
        """Take the tables to a revision, which may be an older one, in one transaction.

        Args:
            to: The revision, the newest by default; `base` for no tables at all.
            drop_data: Allow to drop tables that hold records.

        Returns:
            The revision before; empty if there were no tables.

        Raises:
            UsageError: if there is no such revision, or records would be lost.
            DatabaseError: if the database fails, or is another program's or a newer version's.
        """
        if self._target.file is not None:
            make_file(self._target.file)
        with transaction(self._engine, self._target, writes=True) as connection:
            before = migrate(connection, self._target, to or HEAD, drop_data=drop_data)
        if before != (to or HEAD):
            _log.info("tables migrated", before=before or "base", now=to or HEAD)
        return before

    def revision(self) -> str:
        """Return the revision of the tables; empty if there are none, or no file.

        Raises:
            DatabaseError: if the database fails, or is another program's or a newer version's.
        """
        if not self.is_there:
            return ""
        with transaction(self._engine, self._target, writes=False) as connection:
            found = revision_of(connection, self._target)
        if not self.is_there:
            raise moved(self._target)
        return found

    def make_usable(self, *, create: bool) -> None:
        """Check that the tables are those of this version, and make them if there are none.

        Args:
            create: Make the tables if there are none.

        Raises:
            DatabaseError: if the database fails, is another program's, or its tables are missing,
                older or newer.
        """
        revision = self.revision()
        if create and not revision:
            self.upgrade()
        elif revision != HEAD:
            if not self.is_there:
                raise missing(self._target)
            state = (
                f"has revision {revision}, and {HEAD} is needed" if revision else "has no tables"
            )
            raise DatabaseError(f"{self.shown} {state}; run `steelyard db upgrade`")

    @property
    def is_there(self) -> bool:
        """True unless it is a file that does not exist."""
        return self._target.file is None or os.path.lexists(self._target.file)

    def close(self) -> None:
        """Close the connections."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Database({self.shown!r})"


def _size(file: Path | None) -> int | None:
    if file is None:
        return None
    return sum(each.stat().st_size for each in (file, log_of(file)) if each.exists())


MIGRATIONS = Path(__file__).with_name("migrations")


def revision_of(connection: Connection, target: DatabasePlace) -> str:
    """Return the revision of the tables; empty if there are none.

    Raises:
        DatabaseError: if the database is another program's, or a newer version's.
    """
    if connection.dialect.name == "sqlite":
        application = connection.exec_driver_sql("PRAGMA application_id").scalar_one()
        names = set(inspect(connection).get_table_names())
        foreign = application not in (0, APPLICATION) or (names and application != APPLICATION)
    else:
        names = set(inspect(connection).get_table_names())
        foreign = VERSION_TABLE not in names and bool(names & set(metadata.tables))
    if foreign:
        raise DatabaseError(f"{target.shown} is the database of another program; name another one")
    if VERSION_TABLE not in names:
        return ""
    revision: str | None = connection.exec_driver_sql(
        f"SELECT version_num FROM {VERSION_TABLE}"  # noqa: S608  (a constant)
    ).scalar()
    if revision and revision not in REVISIONS:
        raise DatabaseError(
            f"{target.shown} has revision {revision}, and this version of Steelyard reads "
            f"{REVISIONS[0]} to {HEAD}; use the version that made it"
        )
    return revision or ""


def migrate(
    connection: Connection, target: DatabasePlace, to: str, *, drop_data: bool = False
) -> str:
    """Take the tables to a revision, in the transaction of the connection.

    Args:
        connection: A connection that writes.
        target: The database, for messages.
        to: A revision, or `base` for no tables at all.
        drop_data: Allow to drop tables that hold records.

    Returns:
        The revision before.

    Raises:
        UsageError: if there is no such revision, or records would be lost.
        DatabaseError: if the database is another program's, or a newer version's.
    """
    if to not in (*REVISIONS, "base"):
        raise UsageError(
            f"there is no revision {to!r} of the database; give one of {', '.join(REVISIONS)}"
        )
    before = revision_of(connection, target)
    steps = ("base", *REVISIONS)
    if steps.index(to) > steps.index(before or "base"):
        command.upgrade(_config(connection), to)
    elif to != before:
        held = counts(connection)
        command.downgrade(_config(connection), to)
        lost = [name for name in held.keys() - counts(connection).keys() if held[name]]
        if lost and not drop_data:
            raise UsageError(
                f"revision {to} has no table for the records in {', '.join(sorted(lost))}; export "
                "them with `steelyard db export`, then drop them with --drop-data"
            )
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION}")
    return before


def counts(connection: Connection) -> dict[str, int]:
    """Return the number of rows of each table of records that there is."""
    names = set(inspect(connection).get_table_names())
    return {
        name: connection.execute(select(func.count()).select_from(table)).scalar_one()
        for name, table in metadata.tables.items()
        if name in names
    }


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
