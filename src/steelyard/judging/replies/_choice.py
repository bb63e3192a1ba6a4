"""Choose the program among the blocks of a reply."""

import re

from steelyard.errors import LanguageError
from steelyard.judging.replies._blocks import Block, Page, read_page
from steelyard.judging.replies._syntax import (
    Syntax,
    UnendedError,
    marks_outside,
    syntax_of,
    without_escapes,
)
from steelyard.toolchains import language_called

_BOM = "\ufeff"
_STARTS_AS_REPLY = re.compile(r"\s*(?:```|~~~|<(?i:think))")
_BLANK_LINES = re.compile(r"(?:[ \t]*\r?\n)+")
_RELATED = {"cpp": ("c",)}
"""Labels that models give to a language's programs by mistake."""


def chosen(source: bytes, language: str | None) -> tuple[bytes, str, str, bool] | None:
    """Return the fields of `Taken`, or None if the text is a program as it is.

    Raises:
        LanguageError: if the language is unknown.
    """
    name = language and _named(language)
    text = source.decode("utf-8", "surrogateescape").removeprefix(_BOM)
    if any(_is_program(text, syntax_of(each)) for each in ([name] if name else ["python", "cpp"])):
        return None
    page = read_page(text, name or "python")
    code, note, label = _answer(text, page, name)
    if not note:
        return None
    return code.encode("utf-8", "surrogateescape"), note, label, bool(page.blocks)


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
