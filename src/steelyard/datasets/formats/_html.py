"""Statements that a row holds as HTML."""

import re
from importlib.util import find_spec
from typing import Any

from steelyard._installation import install_command
from steelyard.datasets.rows import RowError, markdown_of, tidy

_CLOSED_BLOCK = re.compile(r"</(?:p|div|pre|ul|ol|table|h[1-6])\s*>", re.IGNORECASE)


def statement_of(text: str) -> str:
    """Return a statement as Markdown; a text without HTML blocks stays as it is.

    Raises:
        RowError: if it is HTML, and the parser is not installed or finds no text.
    """
    if _CLOSED_BLOCK.search(text) is None:
        return text
    body = parsed_html(text, "its statement is HTML").body
    try:
        read = tidy(markdown_of(body)) if body is not None else ""
    except RecursionError as error:
        raise RowError("its statement nests too deep; write it as text") from error
    if not read:
        raise RowError("its statement is HTML without text; write it as text")
    return read


def parsed_html(text: str, what: str) -> Any:
    """Return the tree of a page or of a part of one.

    Raises:
        RowError: with `what`, if the parser is not installed.
    """
    if find_spec("selectolax") is None:
        raise RowError(f"{what}; run: {install_command('datasets')}")
    from selectolax.lexbor import LexborHTMLParser  # an extra  # noqa: PLC0415

    return LexborHTMLParser(text)
