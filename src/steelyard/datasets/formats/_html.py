"""Statements that a row holds as HTML."""

import re
from importlib.util import find_spec

from steelyard.datasets.rows import RowError, markdown_of, tidy

__all__ = ["statement_of"]

_CLOSED_BLOCK = re.compile(r"</(?:p|div|pre|ul|ol|table|h[1-6])\s*>", re.IGNORECASE)


def statement_of(text: str) -> str:
    """Return a statement as Markdown; a text without HTML blocks stays as it is.

    Raises:
        RowError: if it is HTML, and the parser is not installed or finds no text.
    """
    if _CLOSED_BLOCK.search(text) is None:
        return text
    if find_spec("selectolax") is None:
        raise RowError("its statement is HTML; run: pip install 'steelyard[datasets]'")
    from selectolax.lexbor import LexborHTMLParser  # an extra  # noqa: PLC0415

    body = LexborHTMLParser(text).body
    try:
        read = tidy(markdown_of(body)) if body is not None else ""
    except RecursionError as error:
        raise RowError("its statement nests too deep; write it as text") from error
    if not read:
        raise RowError("its statement is HTML without text; write it as text")
    return read
