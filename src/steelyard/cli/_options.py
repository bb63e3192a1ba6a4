"""Arguments and options that more than one command has, each defined once."""

from pathlib import Path
from typing import Annotated

import typer

from steelyard.errors import UsageError
from steelyard.settings import Settings, current_settings
from steelyard.toolchains import MAX_SOURCE_BYTES

Program = Annotated[
    Path, typer.Argument(metavar="PROGRAM", help="Source file of the program under test.")
]
Jobs = Annotated[
    int | None,
    typer.Option(
        metavar="N", show_default="one for each core", help="Number of cases to run in parallel."
    ),
]
Html = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write the report as one HTML page.")
]
Models = Annotated[
    str | None,
    typer.Option(metavar="MODEL", help="Model for all roles, such as scripted:replies.json."),
]
Resume = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Resume the run in this folder; budgets may be changed."),
]
Logs = Annotated[
    Path | None,
    typer.Option(metavar="DIR", show_default="logs", help="Folder for the files of runs."),
]
Caching = Annotated[
    bool, typer.Option("--cache/--no-cache", help="Reuse replies, and keep new ones.")
]
Database = Annotated[
    str | None,
    typer.Option(
        "--db",
        metavar="URL",
        show_default="setting database_url",
        help="The database: a file, sqlite:///FILE or postgresql://USER@HOST/NAME.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object, for errors too.")]


def settings_of(database: str | None) -> Settings:
    """Return the settings, with the database that `--db` names."""
    settings = current_settings()
    if database is None:
        return settings
    return settings.model_copy(update={"database_url": str(database)})


def require_jobs(jobs: int | None) -> None:
    """Require that `--jobs` is positive.

    Raises:
        UsageError: if it is not.
    """
    if jobs is not None and jobs < 1:
        raise UsageError(f"--jobs must be 1 or more, got {jobs}")


def text_of_file(file: Path, most_bytes: int) -> str:
    """Return the text of `--file`, up to a number of bytes, which is more than is accepted.

    Raises:
        UsageError: if it cannot be read.
    """
    try:
        with file.open("rb") as stream:
            data = stream.read(most_bytes)
        # A cut may be within a character.
        return data.decode("utf-8", "ignore" if len(data) == most_bytes else "strict")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8"
        raise UsageError(f"--file: {file} cannot be read: {why}; give a text file") from error


def read_source(path: Path) -> bytes:
    """Return a source file, up to one byte more than compiles.

    Raises:
        UsageError: if it cannot be read.
    """
    try:
        if not path.is_file() and path.exists():
            raise UsageError(f"{path} is not a file; name a source file")
        with path.open("rb") as file:
            return file.read(MAX_SOURCE_BYTES + 1)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}; name a source file") from error
