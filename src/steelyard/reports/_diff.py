"""A unified diff, read into rows with their line numbers and with the words that changed."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby, takewhile
from typing import Literal

Piece = tuple[str, bool]
"""A piece of a line, and whether it differs from the other version's line."""

SIGNS = {"same": " ", "removed": "-", "added": "+", "hunk": "", "other": ""}
"""What each kind of row begins with."""
_HUNK = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
_WORDS = re.compile(r"\w+|\s+|[^\w\s]")
_ROWS_COMPARED = 2000
_LONGEST_COMPARED = 400
_LINES_AHEAD = 8
_LEAST_ALIKE = 0.4  # lines that share less are shown as wholly replaced


@dataclass(frozen=True)
class DiffRow:
    """One row."""

    kind: Literal["same", "removed", "added", "hunk", "other"]
    """`hunk`: the position of the next lines; `other`: a line outside of hunks."""
    spans: tuple[Piece, ...]
    old: int | None = None
    """Line in the original's file; None if it is not in it."""
    new: int | None = None

    @property
    def text(self) -> str:
        """The whole line."""
        return "".join(text for text, _ in self.spans)


def read_diff(diff: str) -> list[DiffRow]:
    """The rows of one file's diff without its header; other text comes as it is."""
    rows: list[DiffRow] = []
    left = _ROWS_COMPARED
    for changed, group in groupby(_rows(diff), key=lambda row: row.kind in ("removed", "added")):
        block = list(group)
        if changed and len(block) <= left:
            left -= len(block)
            block = _with_words(block)
        rows += block
    return rows


def _rows(diff: str) -> Iterator[DiffRow]:
    old = new = old_left = new_left = 0
    seen_hunk = False
    for line in diff.removesuffix("\n").split("\n"):
        mark, text = line[:1], line[1:]
        if old_left > 0 or new_left > 0:
            if mark == "-":
                yield DiffRow("removed", ((text, False),), old=old)
                old, old_left = old + 1, old_left - 1
            elif mark == "+":
                yield DiffRow("added", ((text, False),), new=new)
                new, new_left = new + 1, new_left - 1
            elif mark == "\\":
                yield DiffRow("other", ((line, False),))
            else:
                yield DiffRow("same", ((text, False),), old=old, new=new)
                old, new = old + 1, new + 1
                old_left, new_left = old_left - 1, new_left - 1
        elif found := _HUNK.match(line):
            seen_hunk = True
            old, new = int(found[1]), int(found[3])
            old_left, new_left = (1 if size is None else int(size) for size in found.group(2, 4))
            yield DiffRow("hunk", ((line, False),))
        elif line and (seen_hunk or not line.startswith(("--- ", "+++ "))):
            yield DiffRow("other", ((line, False),))


def _with_words(block: list[DiffRow]) -> list[DiffRow]:
    """Mark what differs in removed lines and in the added ones that are most like them."""
    short = [k for k, row in enumerate(block) if len(row.text) <= _LONGEST_COMPARED]
    added = [k for k in short if block[k].kind == "added"]
    for k in short:
        row = block[k]
        if row.kind != "removed" or not added:
            continue
        changes = [(_Change(row.text, block[j].text), j) for j in added[:_LINES_AHEAD]]
        change, nearest = max(changes, key=lambda each: each[0].alike)
        if change.alike >= _LEAST_ALIKE:
            block[k] = replace(row, spans=_marked(row.text, change))
            block[nearest] = replace(block[nearest], spans=_marked(block[nearest].text, change))
            added = [j for j in added if j > nearest]
    return block


class _Change:
    """Two lines with what both begin and end with, in whole words; indentation does not count."""

    def __init__(self, old: str, new: str) -> None:
        first, second = _WORDS.findall(old.strip()), _WORDS.findall(new.strip())
        before = _alike(first, second)
        most = min(len(first), len(second)) - before
        after = _alike(first[::-1][:most], second[::-1][:most])
        self.head = sum(len(word) for word in first[:before])
        self.tail = sum(len(word) for word in first[len(first) - after :])
        self.alike = 2 * (self.head + self.tail) / max(len(old.strip()) + len(new.strip()), 1)


def _alike(first: list[str], second: list[str]) -> int:
    pairs = zip(first, second, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _marked(text: str, change: _Change) -> tuple[Piece, ...]:
    start = len(text) - len(text.lstrip()) + change.head
    end = max(len(text.rstrip()) - change.tail, start)
    parts = ((text[:start], False), (text[start:end], True), (text[end:], False))
    return tuple(part for part in parts if part[0])
