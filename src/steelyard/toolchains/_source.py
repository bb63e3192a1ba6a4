"""A program as a caller hands it over: its text, or a file with it."""

import os
from pathlib import Path

from steelyard.errors import UsageError
from steelyard.toolchains._languages import language_of


def source_bytes(text: str | bytes) -> bytes:
    """A program's text, byte for byte.

    Raises:
        UsageError: where it is neither `str` nor bytes.
    """
    if isinstance(text, str):
        try:
            return text.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:  # half a character, which the compiler will refuse
            return text.encode("utf-8", "surrogatepass")
    if isinstance(text, bytes | bytearray | memoryview):
        return bytes(text)
    raise UsageError(f"a program is {type(text).__name__}; give its source as str or bytes")


def read_source(program: str | bytes | Path, language: str | None) -> tuple[bytes, str]:
    """The text of a program, byte for byte, and its language.

    Args:
        program: The text itself, or the path of a file with it.
        language: A name from the language table. Where it is None a file's ending tells it; a
            text is Python.

    Raises:
        UsageError: where the file cannot be read.
        LanguageError: where its ending names no language.
    """
    if isinstance(program, Path):
        language = language or language_of(program)
        try:
            return program.read_bytes(), language
        except OSError as error:
            raise UsageError(
                f"{program!s} cannot be read: {error.strerror}; name a file"
            ) from error
    if isinstance(program, str) and "\n" not in program and os.path.isfile(program):
        raise UsageError(f"{program} is a file's name; give Path({program!r}), or the text in it")
    return source_bytes(program), language or "python"
