"""What more than one command takes: its options, and how their text is read."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from steelyard.errors import UsageError
from steelyard.toolchains import MAX_SOURCE_BYTES

__all__ = [
    "Compiler",
    "Flags",
    "Language",
    "module_names",
    "read_source",
    "split_flags",
    "split_words",
]

Language = Annotated[
    str | None, typer.Option(metavar="L", help="The language; told by the file's ending.")
]
Compiler = Annotated[
    str | None, typer.Option(metavar="NAME", help="The compiler; see `steelyard languages`.")
]
Flags = Annotated[
    str | None,
    typer.Option(metavar="FLAGS", help='The compiler\'s flags, such as "-O2 -Wall".'),
]


def split_flags(flags: str | None) -> list[str] | None:
    """Flags as a shell would hand them over; None where none are given.

    Raises:
        UsageError: where a quote is left open.
    """
    return split_words(flags, "--flags")


def split_words(text: str | None, option: str) -> list[str] | None:
    """An option's words as a shell would hand them over; None where it is not given.

    Raises:
        UsageError: where a quote is left open.
    """
    if text is None:
        return None
    try:
        return shlex.split(text)
    except ValueError as error:
        raise UsageError(f"{option}: {str(error).lower()} in {text!r}; close the quote") from error


def module_names(preload: str | None) -> tuple[str, ...]:
    """The modules of `numpy,pandas`; empty where none are given."""
    return tuple(name.strip() for name in preload.split(",")) if preload else ()


def read_source(path: Path) -> bytes:
    """A source file, up to one byte more than compiles.

    Raises:
        UsageError: where it cannot be read.
    """
    try:
        if not path.is_file() and path.exists():
            raise UsageError(f"{path} is not a file; name a source file")
        with path.open("rb") as file:
            return file.read(MAX_SOURCE_BYTES + 1)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}; name a source file") from error
