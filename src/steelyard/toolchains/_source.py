"""Read a program that a caller passes as a text or as a file."""

import os
from pathlib import Path

from steelyard.errors import UsageError
from steelyard.toolchains._languages import language_of


def source_bytes(text: str | bytes) -> bytes:
    """Return a program's text, byte for byte.

    Raises:
        UsageError: if it is neither `str` nor bytes.
    """
    if isinstance(text, str):
        try:
            return text.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:  # half a character, which the compiler will refuse
            return text.encode("utf-8", "surrogatepass")
    if isinstance(text, bytes | bytearray | memoryview):
        return bytes(text)
    raise UsageError(f"program must be str, bytes or a Path, got {type(text).__name__}")


def read_source(program: str | bytes | Path, language: str | None) -> tuple[bytes, str]:
    """Return the text of a program, byte for byte, and its language.

    Args:
        program: The text itself, or the path of a file with it.
        language: A name from the language table. None: by the file's ending; Python for a text.

    Raises:
        UsageError: if the file cannot be read.
        LanguageError: if no language has the file's ending.
    """
    if isinstance(program, Path):
        language = language or language_of(program)
        try:
            return program.read_bytes(), language
        except OSError as error:
            raise UsageError(
                f"{program!s} cannot be read: {error.strerror}; give a file that you can read"
            ) from error
    if isinstance(program, str) and "\n" not in program and os.path.isfile(program):
        raise UsageError(f"got the name of a file, {program}; give Path({program!r}) or its text")
    return source_bytes(program), language or "python"
