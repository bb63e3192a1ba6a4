"""Edits of a text by whole lines; what they do not touch stays byte for byte."""

import ast
from dataclasses import dataclass

from steelyard.project_runs._definitions import span
from steelyard.project_runs._parsing import Source


@dataclass(frozen=True, slots=True)
class Edit:
    """Lines in place of others: from index `start` up to, without, index `end`."""

    start: int
    end: int
    lines: tuple[str, ...]


def apply_edits(text: str, lines: list[str], edits: list[Edit], *, cut: bool | None = None) -> str:
    """The text with its lines replaced; edits of the same place keep their order.

    Args:
        text: The whole text.
        lines: Its lines, with their ends.
        edits: They do not overlap; each of their lines ends in a line end.
        cut: Whether the last line has no end; by default as it is in the text.
    """
    pieces: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        pieces.extend(lines[at : edit.start])
        if edit.lines and pieces and not _ends(pieces[-1]):
            pieces.append(newline_of(text))
        pieces.extend(edit.lines)
        at = edit.end
    result = "".join([*pieces, *lines[at:]])
    if cut is None:
        cut = bool(text) and not _ends(text)
    return result.removesuffix("\n").removesuffix("\r") if cut else result


def newline_of(text: str) -> str:
    """The line end that the text uses most."""
    windows = text.count("\r\n")
    unix, mac = text.count("\n") - windows, text.count("\r") - windows
    if windows > max(unix, mac):
        return "\r\n"
    return "\r" if mac > unix else "\n"


def indent_of(node: ast.stmt, lines: list[str]) -> str:
    """The white space in front of a statement that starts its line."""
    line = lines[node.lineno - 1]
    return line[: len(line) - len(line.lstrip(" \t\f"))]


def own_lines(node: ast.stmt, source: Source) -> bool:
    """Whether no other statement shares a line with it."""
    first = source.lines[node.lineno - 1].encode("utf-8", "surrogatepass")
    last = source.lines[(node.end_lineno or node.lineno) - 1].encode("utf-8", "surrogatepass")
    after = last[node.end_col_offset :].strip()
    return not first[: node.col_offset].strip() and (not after or after.startswith(b"#"))


def text_of(node: ast.stmt, source: Source) -> tuple[str, ...]:
    """The lines of a statement, without others that share them, with comments right above."""
    if not own_lines(node, source):
        return (ast.get_source_segment(source.text, node) or "",)
    first, last = span(node, source.lines)
    start = first - 1
    while start and source.lines[start - 1].lstrip(" \t").startswith("#"):
        start -= 1
    return tuple(source.lines[start:last])


def reindented(
    lines: tuple[str, ...], first: int, frozen: frozenset[int], old: str, new: str, newline: str
) -> tuple[str, ...]:
    """Lines moved from one indentation to another.

    Args:
        lines: With or without line ends.
        first: The number of the first in its text, from 1.
        frozen: Numbers of lines that begin within a string: they stay as they are.
        old: Their indentation.
        new: The indentation to give them.
        newline: The line end to give them.
    """
    moved = []
    for number, line in enumerate(lines, first):
        bare = line.rstrip("\r\n")
        if number in frozen or old == new:
            moved.append(bare + newline)
        elif not bare.strip(" \t\f"):
            moved.append(newline)
        elif bare.startswith(old):
            moved.append(new + bare[len(old) :] + newline)
        else:
            moved.append(new + bare.lstrip(" \t\f") + newline)
    return tuple(moved)


def _ends(text: str) -> bool:
    return text.endswith(("\n", "\r"))
