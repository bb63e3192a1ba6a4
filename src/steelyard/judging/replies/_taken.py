"""The program in a reply."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Taken:
    """A program, with a note on its position in a reply."""

    code: bytes
    note: str = ""
    """One line; empty if the text is a program as it is."""
    language: str = ""
    """A name from the language table; empty if the reply labels the program with none."""
    fenced: bool = False
    """True if the program is a fenced block."""
    wrapped: bool = False
    """True if the reply holds more than the program and end tokens: a fence, a tag, reasoning."""
