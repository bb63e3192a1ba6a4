"""Take the program out of a model's reply."""

import re
from dataclasses import dataclass

from steelyard._arguments import checks_arguments
from steelyard.toolchains import source_bytes

__all__ = ["Taken", "code_of_reply", "take_code"]

_SIGNS = re.compile(rb"```|~~~|</?(?i:think)")


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


@checks_arguments
def code_of_reply(text: str | bytes, language: str | None = None) -> str:
    """Return the program that a model's reply holds.

    Reasoning is removed: `<think>` to `</think>`, in capitals too, or to the end of the text if it
    never closes. Blocks in a block of Markdown count as blocks of the reply. Of the fenced blocks
    left that are not empty, the program is the last one whose label fits the language, else the
    last one without a label, else the last. A block that never closes ends with the text. A text
    without a block is the program as it is, and so is a program whose strings or comments hold
    fences.

    Args:
        text: The reply, or a program. Bytes are read as UTF-8.
        language: A name or alias from the language table. If it is None, a label of any language
            in the table fits.

    Returns:
        The program, empty if the reply holds none. Bytes that are not UTF-8 become surrogate
        escapes.

    Raises:
        LanguageError: if the language is unknown.
    """
    return take_code(source_bytes(text), language).code.decode("utf-8", "surrogateescape")


def take_code(source: bytes, language: str | None) -> Taken:
    """Return the program in a text, byte for byte, with a note on its position.

    Raises:
        LanguageError: if the language is unknown.
    """
    if not _SIGNS.search(source):
        return Taken(source)
    from steelyard.judging.replies._choice import chosen  # few are replies  # noqa: PLC0415

    found = chosen(source, language)
    return Taken(*found) if found else Taken(source)
