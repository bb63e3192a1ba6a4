"""Choose the program among the blocks of a reply."""

import re

from steelyard.errors import LanguageError
from steelyard.judging.replies._blocks import (
    BLANK_LINES,
    Block,
    read_page,
    without_end_tokens,
)
from steelyard.judging.replies._evidence import RELATED, evidence_of
from steelyard.judging.replies._syntax import (
    Syntax,
    UnendedError,
    marks_outside,
    syntax_of,
    without_escapes,
)
from steelyard.judging.replies._taken import Taken
from steelyard.schemas import Entry
from steelyard.toolchains import language_called

_BOM = "\ufeff"
_STARTS_AS_REPLY = re.compile(r"\s*(?:```|~~~|<(?i:think|answer>))")


def chosen(source: bytes, language: str | None, entry: Entry | None) -> Taken | None:
    """Return the program in a reply, or None if the text is a program as it is.

    Raises:
        LanguageError: if the language is unknown.
    """
    name = language and _named(language)
    text = source.decode("utf-8", "surrogateescape").removeprefix(_BOM)
    reply = without_end_tokens(text)
    unended = None if reply is text else Taken(_encoded(reply), "an end token was removed")
    if any(_is_program(reply, syntax_of(each)) for each in ([name] if name else ["python", "cpp"])):
        return unended
    page = read_page(reply, name or "python")
    if page.blocks:
        return _taken(page.blocks, name, entry)
    if page.answer:
        rest = reply[page.answer :]
        blank = BLANK_LINES.match(rest)
        rest = rest[blank.end() if blank else 0 :]
        return Taken(_encoded(rest), "the reply's reasoning was removed", wrapped=True)
    return unended


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


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


def _taken(blocks: list[Block], language: str | None, entry: Entry | None) -> Taken:
    """Return the block with most evidence; of equal ones the last."""
    full = [index for index, block in enumerate(blocks) if block.text.strip()]
    best = full[-1] if full else len(blocks) - 1
    if len(full) > 1:
        found = evidence_of([blocks[index] for index in full], language, entry)
        ranks = {
            index: (evidence, blocks[index].answers, _fit(blocks[index], language), index)
            for index, evidence in zip(full, found, strict=True)
        }
        best = max(full, key=ranks.__getitem__)
    block = blocks[best]
    label = f"`{block.label}` " if block.label else ""
    note = (
        f"judged fenced {label}block {best + 1} of {len(blocks)} of the reply"
        if block.fenced
        else "judged the text in `<answer>` of the reply"
    )
    return Taken(_encoded(block.text), note, block.language or "", block.fenced, wrapped=True)


def _fit(block: Block, language: str | None) -> int:
    """Return the rank of a block: its label fits, it has no label, or neither."""
    if block.language and language in (None, block.language):
        return 3
    if block.language in RELATED.get(language or "", ()):
        return 2
    return 0 if block.label else 1
