"""Unified diffs: read, applied to a text, and made of two texts.

1. Lines are read as hunks whatever their headers count; language models count wrong.
2. A hunk is applied at the place nearest to its line that has exactly its old lines.
3. A hunk that fits nowhere ends at the first empty line after its last addition: prose follows.

Source: the format of `diff -u` (POSIX.1-2017, diff, "Diff -u Output Format") and of git
(`git diff --help`, "Generating patch text with -p").
"""

import difflib
import operator
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from steelyard._printable import printable
from steelyard.comparing.function._edits import Edit, apply_edits, newline_of
from steelyard.project_runs._parsing import split_lines

_HUNK = re.compile(r"@@(?: -(\d{1,9})(?:,\d{1,9})? \+\d{1,9}(?:,\d{1,9})? @@|\s|$)")
_LOOKS = re.compile(
    r"^(?:diff --git |@@ -\d+|--- [^\r\n]*\r?\n\+\+\+ |@@(?: .*)?@@\s*$)", re.MULTILINE
)
_FENCE = re.compile(r"^[ \t>]*(?:```|~~~)", re.MULTILINE)
NOWHERE = "/dev/null"
_REFUSED = {
    "rename from": "it renames a file",
    "rename to": "it renames a file",
    "copy from": "it copies a file",
    "deleted file mode": "it deletes a file",
    f"+++ {NOWHERE}": "it deletes a file",
    "GIT binary patch": "it changes a binary file",
    "Binary files": "it changes a binary file",
}
_MARKS = ("", " ", "+", "-", "\\", "\t")
_SIGNATURE = ("-- ", "--")
_MOST_FILES = 200
_MOST_HUNKS = 5000
_MOST_PAIRS = 2_000_000
"""Pairs of lines: beyond, matching could take seconds, so that the whole middle is replaced."""
_CUT = "\n\\ No newline at end of file\n"


class PatchError(Exception):
    """The diff cannot be read or applied; the text tells why."""


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines of one place."""

    start: int | None
    """Of the old lines, from 1; None if the header does not tell."""
    lines: list[str]
    """With their marks, without line ends."""


@dataclass(frozen=True, slots=True)
class FilePatch:
    """One file's hunks."""

    old: str
    """As the header writes it; empty if there is no header, `/dev/null` for a new file."""
    new: str
    hunks: list[Hunk] = field(default_factory=list)


def looks_like_patch(text: str) -> bool:
    """Return whether a text that is not Python is meant as a diff."""
    return _LOOKS.search(text) is not None


def starts_with_patch(text: str) -> bool:
    """Return whether a diff begins before any fence: fences within it belong to its files."""
    found = _LOOKS.search(text)
    fence = _FENCE.search(text)
    return found is not None and (fence is None or found.start() < fence.start())


def parse_patch(text: str) -> list[FilePatch]:
    """Return the files of a diff; what is before the first header is left out.

    Hunks may have wrong counts, or no numbers at all.

    Raises:
        PatchError: if there is no hunk, or if it does more than change lines of text files.
    """
    lines = [line.rstrip("\r\n") for line in split_lines(text)]
    files: list[FilePatch] = []
    hunks = at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        for start, why in _REFUSED.items():
            if line.startswith(start):
                shown = _shown(line)
                raise PatchError(f"{why}: `{shown}`; only changes to text files are supported")
        if _is_header(lines, at - 1):
            files.append(FilePatch(_path(line[4:]), _path(lines[at][4:])))
        elif line.startswith("new file mode") and lines[at - 2].startswith("diff --git "):
            # An empty file has no other header.
            files.append(FilePatch(NOWHERE, "b/" + lines[at - 2].rpartition(" b/")[2]))
        elif line.startswith("@@"):
            header = _HUNK.match(line)
            if header is None:
                raise PatchError(f"line {at} is not a hunk header: `{_shown(line)}`")
            first = at
            while at < len(lines) and _is_of_hunk(lines, at):
                at += 1
            last = at
            while last > first and not lines[last - 1]:
                last -= 1
            files = files or [FilePatch("", "")]
            files[-1].hunks.append(Hunk(int(header[1]) if header[1] else None, lines[first:last]))
            hunks += 1
        if len(files) > _MOST_FILES or hunks > _MOST_HUNKS:
            raise PatchError(f"it has more than {_MOST_FILES} files or {_MOST_HUNKS} hunks")
    files = [one for one in files if one.hunks or one.old == NOWHERE]
    if not files:
        raise PatchError("it has no hunk (`@@ -1,2 +1,2 @@`)")
    return files


def _is_header(lines: list[str], at: int) -> bool:
    return (
        lines[at].startswith("--- ")
        and at + 1 < len(lines)
        and lines[at + 1].startswith("+++ ")
        and (at + 2 >= len(lines) or lines[at + 2].startswith("@@") or not lines[at + 2].strip())
    )


def _is_of_hunk(lines: list[str], at: int) -> bool:
    line = lines[at]
    return line[:1] in _MARKS and line not in _SIGNATURE and not _is_header(lines, at)


def _path(text: str) -> str:
    """Return a header's path, without the time behind a tab, unquoted as git quotes."""
    path = text.split("\t", 1)[0].rstrip(" ")
    if len(path) < 2 or not path[0] == path[-1] == '"':
        return path
    try:
        return path[1:-1].encode().decode("unicode_escape").encode("latin-1").decode()
    except UnicodeError as error:
        raise PatchError(f"the path {_shown(path)} is not UTF-8") from error


def _shown(text: str) -> str:
    return printable(text if len(text) <= 80 else text[:77] + "...")


def apply_patch(text: str, patch: FilePatch, notes: list[str]) -> str:
    """Return the text with the hunks applied, in its own line ends.

    Args:
        text: The file's text; empty for a new file.
        patch: What to change; its hunks are in the order of the file.
        notes: Gets a line for each hunk that was found at another line than it names.

    Raises:
        PatchError: if a hunk's lines are not in the text, or at several places alike.
    """
    lines = split_lines(text)
    newline = newline_of(text)
    finder = _Finder([line.rstrip("\r\n") for line in lines])
    edits: list[Edit] = []
    at = offset = 0
    cut = None
    for number, hunk in enumerate(patch.hunks, 1):
        for body in (hunk.lines, _without_prose(hunk.lines)):
            old, new, is_cut = _sides(body)
            expected = at if hunk.start is None else hunk.start + offset - bool(old)
            index = finder.find(old, at, expected, is_numbered=hunk.start is not None)
            if isinstance(index, int):
                break
        else:
            raise PatchError(f"hunk {number} {index}")
        if len(body) < len(hunk.lines):
            notes.append(f"the text after hunk {number} of the diff is left out")
        if hunk.start is not None and index != expected:
            notes.append(f"hunk {number} of the diff is off by {index - expected:+d} lines")
            offset += index - expected
        at = index + len(old)
        edits.append((index, at, _kept_ends(new, lines[index:at], newline)))
        if at >= len(lines) and is_cut is not None:
            cut = is_cut
    return apply_edits(text, lines, edits, cut=cut)


def _sides(lines: Sequence[str]) -> tuple[list[str], list[str], bool | None]:
    """Return the old and the new lines of a hunk.

    Returns:
        Also whether the new text ends there without a line end; None if nothing tells it.
    """
    old: list[str] = []
    new: list[str] = []
    is_cut = None
    before = ""
    for line in lines:
        mark = line[:1]
        if mark == "\\":
            is_cut = is_cut or before != "-"
            continue
        before = mark
        text = line if mark in ("", "\t") else line[1:]  # editors strip an empty line's blank
        old += [text] if mark != "+" else []
        new += [text] if mark != "-" else []
    return old, new, is_cut


def _without_prose(lines: list[str]) -> list[str]:
    """Return a hunk's lines up to the first empty one after the last that is added."""
    added = [index for index, line in enumerate(lines) if line.startswith("+")]
    rest = lines[added[-1] :] if added else []
    return lines[: lines.index("", added[-1])] if "" in rest else lines


def _kept_ends(new: list[str], lines: list[str], newline: str) -> list[str]:
    """Return the new lines; those that stay keep the line end that they have."""
    ends: dict[str, str] = {}
    for line in lines:
        bare = line.rstrip("\r\n")
        ends.setdefault(bare, line[len(bare) :])
    return [line + (ends.get(line) or newline) for line in new]


class _Finder:
    """Finds runs of lines in a text in linear time, whatever the lines are."""

    def __init__(self, lines: list[str]) -> None:
        self._count = len(lines)
        self._text = "\n" + "\n".join(lines) + "\n" if lines else "\n"
        self._turned = self._text[::-1]
        self._starts = [0]
        for line in lines:
            self._starts.append(self._starts[-1] + len(line) + 1)

    def find(
        self, old: Sequence[str], least: int, expected: int, *, is_numbered: bool
    ) -> int | str:
        """Return the index of the first of a hunk's old lines, or why there is none.

        Args:
            old: The lines.
            least: The smallest index.
            expected: The nearest place to this index is taken.
            is_numbered: Whether the hunk names a line; if not, only one place may have its lines.
        """
        near = min(max(expected, least), self._count)
        if not old:
            is_known = is_numbered or not self._count
            return near if is_known else "has neither a line number nor context"
        needle = "\n" + "\n".join(old) + "\n"
        middle = self._starts[near]
        right = self._text.find(needle, middle)
        if not is_numbered and right >= 0 and self._text.find(needle, right + 1) >= 0:
            return "has no line numbers and fits in several places"
        # The last hit that begins before the middle, searched for from the right.
        size = len(self._text)
        left = self._turned.find(needle[::-1], max(size - middle - len(needle) + 1, 0))
        ends = [right] if right >= 0 else []
        ends += [size - left - len(needle)] if left >= 0 else []
        hits = [hit for hit in (bisect_left(self._starts, end) for end in ends) if hit >= least]
        if hits:
            return min(hits, key=lambda hit: abs(hit - expected))
        have = set(self._text.split("\n"))
        line = next((one for one in old if one not in have), old[0])
        return f"does not fit: no such lines contain `{printable(line.strip()[:60])}`"


def unified(before: str | None, after: str, path: str) -> str:
    """Return the diff with `a/` and `b/` in front of the path; empty if the texts are the same.

    Args:
        before: None if there was no file.
        after: The other text.
        path: Of the file, for the header.
    """
    if before == after:
        return ""
    header = ["--- /dev/null\n" if before is None else f"--- a/{path}\n", f"+++ b/{path}\n"]
    return "".join([*header, *_hunks(_marked(before or ""), _marked(after))])


def _hunks(old: list[str], new: list[str]) -> Iterator[str]:
    matcher: Any = difflib.SequenceMatcher(None, old, new)
    matcher.opcodes = _opcodes(old, new)
    for group in matcher.get_grouped_opcodes():
        spans = _span(group[0][1], group[-1][2]), _span(group[0][3], group[-1][4])
        yield f"@@ -{spans[0]} +{spans[1]} @@\n"
        for tag, start, end, new_start, new_end in group:
            yield from (f"{' ' if tag == 'equal' else '-'}{line}" for line in old[start:end])
            if tag != "equal":
                yield from (f"+{line}" for line in new[new_start:new_end])


def _opcodes(old: list[str], new: list[str]) -> list[tuple[Any, ...]]:
    """Return what `difflib` finds between the lines that both have at the start and at the end."""
    start = _alike(old, new)
    end = _alike(old[start:][::-1], new[start:][::-1])
    middle = old[start : len(old) - end], new[start : len(new) - end]
    sizes = len(middle[0]), len(middle[1])
    changes: list[tuple[Any, ...]] = [("replace", 0, sizes[0], 0, sizes[1])]
    if sizes[0] * sizes[1] <= _MOST_PAIRS:
        changes = list(difflib.SequenceMatcher(None, *middle).get_opcodes())
    changes += [("equal", sizes[0], sizes[0] + end, sizes[1], sizes[1] + end)]
    moved = [(tag, *(start + each for each in places)) for tag, *places in changes]
    return [("equal", 0, start, 0, start), *moved]


def _alike(old: list[str], new: list[str]) -> int:
    return len(list(takewhile(bool, map(operator.eq, old, new))))


def _span(start: int, stop: int) -> str:
    length = stop - start
    return str(start + 1) if length == 1 else f"{start + bool(length)},{length}"


def _marked(text: str) -> list[str]:
    lines = split_lines(text)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += _CUT
    return lines
