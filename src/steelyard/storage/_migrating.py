"""Make the tables, and take them from one revision to another."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, func, inspect, select

from steelyard.errors import DatabaseError, UsageError
from steelyard.storage._engine import APPLICATION
from steelyard.storage._tables import metadata
from steelyard.storage._target import Target
from steelyard.storage._versions import HEAD, REVISIONS, VERSION_TABLE

MIGRATIONS = Path(__file__).with_name("migrations")


def revision_of(connection: Connection, target: Target) -> str:
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
            f"{target.shown} has revision {revision}, and this version of Steelyard reads up to "
            f"{HEAD}; use the version that made it, or a newer one"
        )
    return revision or ""


def migrate(connection: Connection, target: Target, to: str, *, drop_data: bool = False) -> str:
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
