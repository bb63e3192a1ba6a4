"""Open a database without loading the library that it needs before."""

from pathlib import Path
from typing import TYPE_CHECKING

from steelyard._installation import install_command
from steelyard.errors import UsageError
from steelyard.settings import current_settings, default_database

if TYPE_CHECKING:
    from steelyard.storage._database import Database


def database_at(url: str | Path | None = None) -> "Database":
    """Return a database as it is: its tables may be missing, older or newer.

    Args:
        url: A file, `sqlite:///FILE` or `postgresql://USER@HOST/NAME`; the setting `database_url`
            by default, or else a file in the user's data folder.

    Raises:
        UsageError: if the URL is malformed, or a package is not installed.
    """
    try:
        from steelyard.storage._database import Database  # an extra  # noqa: PLC0415
    except ImportError as error:
        raise UsageError(
            "the database needs the packages sqlalchemy and alembic; "
            f"run: {install_command('author')}"
        ) from error
    own = current_settings().database_url or default_database()
    return Database(str(own if url is None else url))


def open_database(url: str | Path | None = None, *, create: bool = True) -> "Database":
    """Return a database that this version of Steelyard can use.

    Args:
        url: As for `database_at`.
        create: Make the tables if there are none.

    Raises:
        UsageError: if the URL is malformed, or a package is not installed.
        DatabaseError: if it cannot be reached, is another program's, or its tables are missing,
            older or newer.
    """
    database = database_at(url)
    try:
        database.make_usable(create=create)
    except BaseException:
        database.close()
        raise
    return database
