"""Take the program out of a model's reply."""

import re

from steelyard._arguments import checks_arguments
from steelyard.judging._entries import as_entry
from steelyard.judging.replies._taken import Taken
from steelyard.schemas import Entry
from steelyard.toolchains import source_bytes

_SIGNS = re.compile(rb"```|~~~|</?(?i:think|answer>)")
_LONGEST_TAIL = 200
"""Bytes at the end that may hold an end token and white space."""


@checks_arguments
def code_of_reply(
    text: str | bytes, language: str | None = None, entry: str | Entry | None = None
) -> str:
    """Return the program that a model's reply holds.

    Reasoning is removed: `<think>` to `</think>`, in capitals too, or to the end of the text if it
    never closes; so are end tokens such as `<|im_end|>` at the end. Blocks in a block of Markdown
    count as blocks of the reply, and so does the text of `<answer>` to `</answer>` without a fence.
    A block that never closes ends with the text. A text without a block is the program as it is,
    and so is a program whose strings or comments hold fences.

    The program is the block with most evidence: it defines what the entry names, it needs no name
    that only another block defines, it parses, it reads or prints. Then come blocks in `<answer>`,
    blocks whose label fits the language, blocks without a label, and of equal ones the last.

    Args:
        text: The reply, or a program. Bytes are read as UTF-8.
        language: A name or alias from the language table. If it is None, a label of any language
            in the table fits.
        entry: How the program is entered, as for `judge`; None if that is not known.

    Returns:
        The program, empty if the reply holds none. Bytes that are not UTF-8 become surrogate
        escapes.

    Raises:
        LanguageError: if the language is unknown.
        UsageError: if the entry is unknown.
    """
    entry = None if entry is None else as_entry(entry)
    return take_code(source_bytes(text), language, entry).code.decode("utf-8", "surrogateescape")


def take_code(source: bytes, language: str | None, entry: Entry | None = None) -> Taken:
    """Return the program in a text, byte for byte, with a note on its position.

    Raises:
        LanguageError: if the language is unknown.
    """
    if not _SIGNS.search(source) and not source[-_LONGEST_TAIL:].rstrip().endswith(b">"):
        return Taken(source)
    from steelyard.judging.replies._choice import chosen  # few are replies  # noqa: PLC0415

    return chosen(source, language, entry) or Taken(source)
