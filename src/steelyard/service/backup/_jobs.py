"""Copy the tables of jobs between databases, row by row, in either engine."""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa
from dbos._schemas import SCHEMA_PLACEHOLDER
from dbos._schemas.system_database import SystemSchema
from sqlalchemy.exc import SQLAlchemyError

from steelyard.errors import DatabaseError, UsageError
from steelyard.service.jobs import JobPlace, connect

_SERVER_SCHEMA = "dbos"
_BATCH = 500
_TABLES = {table.name: table for table in SystemSchema.metadata_obj.sorted_tables}
"""In an order in which a row follows those that it refers to."""


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
