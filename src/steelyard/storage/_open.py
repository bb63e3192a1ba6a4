"""Open a database without loading the library that it needs before."""

from pathlib import Path
from typing import TYPE_CHECKING

from steelyard._installation import install_command
from steelyard.errors import DatabaseError, UsageError
from steelyard.settings import current_settings, default_database
from steelyard.storage._versions import HEAD

if TYPE_CHECKING:
    from steelyard.storage._database import Database

__all__ = ["open_database"]


def open_database(url: str | Path | None = None, *, create: bool = True) -> "Database":
    """Open the database of problems.

    Args:
        url: A file, `sqlite:///FILE` or `postgresql://USER@HOST/NAME`; the setting `database_url`
            by default, or else a file in the user's data folder.
        create: Make the tables if there are none.

    Raises:
        UsageError: if the URL is malformed, or a package is not installed.
        DatabaseError: if it cannot be reached, is another program's, or its tables are older or
            newer.
    """
    try:
        from steelyard.storage._database import Database  # an extra  # noqa: PLC0415
        from steelyard.storage._engine import connect  # noqa: PLC0415
        from steelyard.storage._target import target_of  # noqa: PLC0415
    except ImportError as error:
        raise UsageError(
            f"the database needs the packages sqlalchemy and alembic; run: "
            f"{install_command('author')}"
        ) from error
    own = current_settings().database_url or default_database()
    target = target_of(str(own if url is None else url))
    database = Database(target, connect(target))
    missing = target.file is not None and not target.file.exists()
    revision = "" if create and missing else database.revision()
    if create and not revision:
        database.upgrade()
    elif revision != HEAD:
        state = f"has revision {revision}, and {HEAD} is needed" if revision else "has no tables"
        raise DatabaseError(f"{database.shown} {state}; run `steelyard db upgrade`")
    return database
