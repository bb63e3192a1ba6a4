"""Open files of SQLite, which may hold what another user or a damaged disk has put there."""

import sqlite3
from pathlib import Path
from urllib.parse import quote

BUSY_S = 30.0
"""How long a writer waits for another one."""


def open_sqlite(file: Path, *pragmas: str, query: str = "mode=rw") -> sqlite3.Connection:
    """Return a connection to a file that exists; any thread may use it, one at a time.

    It begins no transaction of its own, and each change is on disk before it counts.

    Args:
        file: The file.
        pragmas: Further ones, such as `foreign_keys = ON`.
        query: The parameters of its URI. Source: https://www.sqlite.org/uri.html.
    """
    connection = sqlite3.connect(
        f"file:{quote(str(file))}?{query}",
        uri=True,
        timeout=BUSY_S,
        isolation_level=None,
        check_same_thread=False,
    )
    usual = ("trusted_schema = OFF", "cell_size_check = ON", "synchronous = FULL")
    try:
        for pragma in (*usual, *pragmas):
            connection.execute(f"PRAGMA {pragma}")
    except BaseException:  # an interrupt, too, must leave no open file
        connection.close()
        raise
    return connection
