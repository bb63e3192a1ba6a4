"""Connections and cursors of SQLite in a snapshot: the rows that their databases hold."""

from __future__ import annotations

import sqlite3
from typing import Any

from steelyard.values.incell import snapshot_plans, snapshot_walk

Walk = snapshot_walk.Walk
_MOST_ROWS = 1_000
_cursor, _execute, _fetch = (
    sqlite3.Connection.cursor,
    sqlite3.Cursor.execute,
    sqlite3.Cursor.fetchmany,
)
_connection = sqlite3.Cursor.connection.__get__


def tables_of(connection: sqlite3.Connection) -> dict[str, list[Any]]:
    """Return by name each table's definition, its number of rows and its first rows.

    Raises:
        sqlite3.Error: if the database cannot be read.
    """

    def asked(text: str) -> list[Any]:
        cursor = _cursor(connection)
        cursor.row_factory = None
        return _fetch(_execute(cursor, text), _MOST_ROWS)

    found = {}
    for name, made_by in asked("SELECT name, sql FROM sqlite_master WHERE type = 'table'"):
        quoted = '"' + name.replace('"', '""') + '"'
        count = asked(f"SELECT count(*) FROM {quoted}")  # noqa: S608 - it is quoted
        found[name] = [made_by, count, asked(f"SELECT * FROM {quoted}")]  # noqa: S608
    return found


def _database(walk: Walk, value: sqlite3.Connection) -> snapshot_plans.Entry:
    try:
        return ["o", None, None, walk.fields([(".tables", tables_of(value))])]
    except sqlite3.Error as error:  # it is closed, or belongs to another thread
        return ["o", type(error).__name__]


def _of_cursor(walk: Walk, value: sqlite3.Cursor) -> snapshot_plans.Entry:
    return ["o", None, None, walk.fields([(".connection", _connection(value))])]


def register() -> None:
    """Makes the walk know these types."""
    snapshot_plans.know(sqlite3.Connection, _database, inline=False)
    snapshot_plans.know(sqlite3.Cursor, _of_cursor, inline=False)
