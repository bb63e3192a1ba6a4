"""Edits of a text by whole lines; what they do not touch stays byte for byte."""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

Edit: TypeAlias = tuple[int, int, Sequence[str]]
"""Lines in place of those from one index up to, without, another."""
_ENDS = ("\n", "\r")


def apply_edits(
    text: str, lines: Sequence[str], edits: Iterable[Edit], *, cut: bool | None = None
) -> str:
    """Return the text with its lines replaced; edits of the same place keep their order.

    Args:
        text: The whole text.
        lines: Its lines, with their ends.
        edits: They do not overlap; each of their lines ends in a line end.
        cut: Whether the last line has no end; by default as it is in the text.
    """
    pieces: list[str] = []
    at = 0
    for start, end, new in sorted(edits, key=lambda edit: edit[:2]):
        pieces += lines[at:start]
        if new and pieces and not pieces[-1].endswith(_ENDS):
            pieces.append(newline_of(text))
        pieces += new
        at = end
    result = "".join([*pieces, *lines[at:]])
    if cut is None:
        cut = bool(text) and not text.endswith(_ENDS)
    return result.removesuffix("\n").removesuffix("\r") if cut else result


def newline_of(text: str) -> str:
    """Return the line end that the text uses most."""
    windows = text.count("\r\n")
    unix, mac = text.count("\n") - windows, text.count("\r") - windows
    if windows > max(unix, mac):
        return "\r\n"
    return "\r" if mac > unix else "\n"
