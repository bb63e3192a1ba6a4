"""Take the program out of a model's reply."""

import re
from dataclasses import dataclass

from steelyard._arguments import checks_arguments
from steelyard.errors import LanguageError
from steelyard.judging.replies._blocks import Block, Page, read_page
from steelyard.judging.replies._syntax import (
    Syntax,
    UnendedError,
    marks_outside,
    syntax_of,
    without_escapes,
)
from steelyard.toolchains import language_called, source_bytes

__all__ = ["Taken", "code_of_reply", "take_code"]

_BOM = "\ufeff"
_SIGNS = re.compile(rb"```|~~~|</?(?i:think)")
_STARTS_AS_REPLY = re.compile(r"\s*(?:```|~~~|<(?i:think))")
_BLANK_LINES = re.compile(r"(?:[ \t]*\r?\n)+")
_RELATED = {"cpp": ("c",)}
"""Labels that models give to a language's programs by mistake."""


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
    name = language and _named(language)
    text = source.decode("utf-8", "surrogateescape").removeprefix(_BOM)
    if any(_is_program(text, syntax_of(each)) for each in ([name] if name else ["python", "cpp"])):
        return Taken(source)
    page = read_page(text, name or "python")
    code, note, label = _answer(text, page, name)
    if not note:
        return Taken(source)
    return Taken(code.encode("utf-8", "surrogateescape"), note, label, bool(page.blocks))


def _named(language: str) -> str:
    name = language_called(language)
    if name is None:
        raise LanguageError(f"unknown language {language!r}; run `steelyard languages` for a list")
    return name


def _is_program(text: str, syntax: Syntax) -> bool:
    """Tell whether each fence in a text is in a string or a comment, as never in prose."""
    if _STARTS_AS_REPLY.match(text):
        return False
    try:
        return next(marks_outside(text, without_escapes(text), 0, syntax), None) is None
    except UnendedError:
        return False


def _answer(text: str, page: Page, language: str | None) -> tuple[str, str, str]:
    """Return the program, a note on its position, and the language that its label names."""
    if not page.blocks:
        if not page.answer:
            return text, "", ""
        rest = text[page.answer :]
        blank = _BLANK_LINES.match(rest)
        return rest[blank.end() if blank else 0 :], "the reply's reasoning was removed", ""
    full = [block for block in page.blocks if block.text.strip()] or page.blocks
    best = max(_fit(block, language) for block in full)
    block = [each for each in full if _fit(each, language) == best][-1]
    label = f"`{block.label}` " if block.label else ""
    index = next(i for i, each in enumerate(page.blocks, 1) if each is block)
    note = f"judged fenced {label}block {index} of {len(page.blocks)} of the reply"
    return block.text, note, block.language or ""


def _fit(block: Block, language: str | None) -> int:
    """Return the rank of a block: its label fits, it has no label, or neither."""
    if block.language and language in (None, block.language):
        return 3
    if block.language in _RELATED.get(language or "", ()):
        return 2
    return 0 if block.label else 1
