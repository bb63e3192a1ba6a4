"""Unified diffs: read, applied to the files of a project, and made of two texts.

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
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise, takewhile
from pathlib import PurePosixPath

from steelyard._printable import printable
from steelyard.comparing.function._edits import Edit, apply_edits, newline_of
from steelyard.project_runs._layout import is_file
from steelyard.project_runs._parsing import MOST_CHARS, split_lines
from steelyard.project_runs._subject import Subject, encoding_of

_HUNK = re.compile(r"@@(?: -(\d{1,9})(?:,\d{1,9})? \+\d{1,9}(?:,\d{1,9})? @@|\s|$)")
_LOOKS = re.compile(
    r"^(?:diff --git |@@ -\d+|--- [^\r\n]*\r?\n\+\+\+ |@@(?: .*)?@@\s*$)", re.MULTILINE
)
_FENCE = re.compile(r"^[ \t>]*(?:```|~~~)", re.MULTILINE)
_NOWHERE = "/dev/null"
_REFUSED = {
    "rename from": "it renames a file",
    "rename to": "it renames a file",
    "copy from": "it copies a file",
    "deleted file mode": "it deletes a file",
    f"+++ {_NOWHERE}": "it deletes a file",
    "GIT binary patch": "it changes a binary file",
    "Binary files": "it changes a binary file",
}
_MARKS = ("", " ", "+", "-", "\\", "\t")
_SIGNATURE = ("-- ", "--")
_PREFIXES = ("a", "b", "i", "w", "c", "o")
"""Of git, and of its diff.mnemonicPrefix."""
_MOST_PATH, _MOST_NAME = 1000, 200
_MOST_FILES = 200
_MOST_HUNKS = 5000
_MOST_PAIRS = 2_000_000
"""Pairs of lines: beyond, matching could take seconds, so that the whole middle is replaced."""
_CONTEXT = 3
_PLACES = re.compile(r"(?<=[-+])\d+")
_CUT = "\n\\ No newline at end of file\n"


class PatchError(Exception):
    """The diff cannot be read or applied; the text tells why."""


@dataclass(frozen=True, slots=True)
class _Hunk:
    """Lines of one place."""

    start: int | None
    """Of the old lines, from 1; None if the header does not tell."""
    lines: list[str]
    """With their marks, without line ends."""


@dataclass(frozen=True, slots=True)
class _FilePatch:
    """One file's hunks."""

    old: str
    """As the header writes it; empty if there is no header, `/dev/null` for a new file."""
    new: str
    hunks: list[_Hunk] = field(default_factory=list)


def looks_like_patch(text: str) -> bool:
    """Return whether a text that is not Python is meant as a diff."""
    return _LOOKS.search(text) is not None


def starts_with_patch(text: str) -> bool:
    """Return whether a diff begins before any fence: fences within it belong to its files."""
    found = _LOOKS.search(text)
    fence = _FENCE.search(text)
    return found is not None and (fence is None or found.start() < fence.start())


@dataclass(slots=True)
class Changed:
    """A file that a diff changes."""

    path: str
    before: str | None
    """None if it is to be made."""
    after: str


def change_files(subject: Subject, diff: str) -> tuple[str, list[Changed], list[str]]:
    """Return the module's text, the other files and notes.

    Raises:
        PatchError: if the diff cannot be read, or if a file is not there, out of the project, not
            UTF-8, or does not fit.
    """
    own = Changed(subject.path, subject.source, subject.source)
    files: dict[str, Changed] = {}
    notes: list[str] = []
    for patch in _parsed(diff):
        path = _place_of(subject, patch)
        if path == own.path:
            files[path] = own
        elif path not in files:
            before = _read(subject, path, is_new=patch.old == _NOWHERE)
            files[path] = Changed(path, before, before or "")
        files[path].after = _applied(files[path].after, patch, notes)
    if files.pop(own.path, None) is None:
        notes.append(f"the diff does not change {subject.path}")
    for path, one in files.items():
        try:
            one.after.encode()
        except UnicodeEncodeError as error:
            raise PatchError(f"'{printable(path[:100])}' would not be UTF-8") from error
    if files:
        notes.append(f"the diff also changes {', '.join(sorted(files))}")
    return own.after, list(files.values()), notes


def _place_of(subject: Subject, patch: _FilePatch) -> str:
    """Return the path of the patched file, relative to the root."""
    own = subject.path
    paths = _spellings(subject, patch) if patch.new or patch.old else [own]
    there = [own] if own in paths else [path for path in paths if is_file(subject.root / path)]
    alike = [own for path in paths if own.endswith(f"/{path}") or path.endswith(f"/{own}")]
    return next(iter([*there, *alike, *paths]))


def _spellings(subject: Subject, patch: _FilePatch) -> list[str]:
    """Return the paths that a header may mean, likeliest first."""
    paths: list[str] = []
    for name in (patch.new, patch.old):
        if name == _NOWHERE:
            continue
        pure = PurePosixPath(name.replace("\\", "/"))
        if pure.is_relative_to(subject.root):
            pure = pure.relative_to(subject.root)
        parts = pure.parts
        wrong = pure.is_absolute() or ".." in parts or not parts or "\0" in name
        if wrong or len(name) > _MOST_PATH or any(len(part) > _MOST_NAME for part in parts):
            raise PatchError(f"'{printable(name[:100])}' is not in the project")
        if len(parts) > 1 and parts[0] in _PREFIXES:
            paths.append("/".join(parts[1:]))
        paths.append("/".join(parts))
    return list(dict.fromkeys(paths))


def _read(subject: Subject, path: str, *, is_new: bool) -> str | None:
    shown = printable(path[:100])
    file = subject.root / path
    try:
        if not file.resolve().is_relative_to(subject.root):
            raise PatchError(f"'{shown}' is outside the project")
        if is_new:
            if file.exists():
                raise PatchError(f"'{shown}' is to be created, but already exists")
            return None
        if not file.is_file():
            raise PatchError(f"file '{shown}' is not in the project")
        if file.stat().st_size > 4 * MOST_CHARS:
            raise PatchError(f"'{shown}' is too large")
        text = file.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise PatchError(f"'{shown}' is not UTF-8 text") from error
    except (OSError, RuntimeError, ValueError) as error:
        raise PatchError(f"'{shown}' cannot be read") from error
    if path.endswith(".py") and not encoding_of(text).startswith("utf-8"):
        raise PatchError(f"'{shown}' is not in UTF-8")
    return text


def _parsed(text: str) -> list[_FilePatch]:
    """Return the files of a diff; what is before the first header is left out.

    Hunks may have wrong counts, or no numbers at all.

    Raises:
        PatchError: if there is no hunk, or if it does more than change lines of text files.
    """
    lines = [line.rstrip("\r\n") for line in split_lines(text)]
    files: list[_FilePatch] = []
    hunks = at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        refused = [why for start, why in _REFUSED.items() if line.startswith(start)]
        if refused:
            shown = f"{refused[0]}: `{_shown(line)}`"
            raise PatchError(f"{shown}; only changes to text files are supported")
        if _is_header(lines, at - 1):
            files.append(_FilePatch(_path(line[4:]), _path(lines[at][4:])))
        elif line.startswith("new file mode") and lines[at - 2].startswith("diff --git "):
            # An empty file has no other header.
            files.append(_FilePatch(_NOWHERE, "b/" + lines[at - 2].rpartition(" b/")[2]))
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
            files = files or [_FilePatch("", "")]
            files[-1].hunks.append(_Hunk(int(header[1]) if header[1] else None, lines[first:last]))
            hunks += 1
        if len(files) > _MOST_FILES or hunks > _MOST_HUNKS:
            raise PatchError(f"it has more than {_MOST_FILES} files or {_MOST_HUNKS} hunks")
    files = [one for one in files if one.hunks or one.old == _NOWHERE]
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


def _applied(text: str, patch: _FilePatch, notes: list[str]) -> str:
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
        edits.append((index, at, [f"{line}{newline}" for line in new]))
        if at >= len(lines) and is_cut is not None:
            cut = is_cut
    return apply_edits(text, lines, edits, cut=cut)


def _sides(lines: Sequence[str]) -> tuple[list[str], list[str], bool | None]:
    """Return the old and the new lines of a hunk.

    Returns:
        Also whether the new text ends there without a line end; None if nothing tells it.
    """
    # Editors strip an empty line's blank.
    marked = [(line[:1], line if line[:1] in ("", "\t") else line[1:]) for line in lines]
    old = [text for mark, text in marked if mark not in ("+", "\\")]
    new = [text for mark, text in marked if mark not in ("-", "\\")]
    cut = [before for (before, _), (mark, _) in pairwise(marked) if mark == "\\"]
    return old, new, any(before != "-" for before in cut) if cut else None


def _without_prose(lines: list[str]) -> list[str]:
    """Return a hunk's lines up to the first empty one after the last that is added."""
    added = [index for index, line in enumerate(lines) if line.startswith("+")]
    rest = lines[added[-1] :] if added else []
    return lines[: lines.index("", added[-1])] if "" in rest else lines


class _Finder:
    """Finds runs of lines in a text in linear time, whatever the lines are."""

    def __init__(self, lines: list[str]) -> None:
        self._count = len(lines)
        self._text = "\n" + "\n".join(lines) + "\n" if lines else "\n"
        self._turned = self._text[::-1]
        self._starts = [*accumulate((len(line) + 1 for line in lines), initial=0)]

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
        ends = [right, size - left - len(needle) if left >= 0 else left]
        hits = [bisect_left(self._starts, end) for end in ends if end >= 0]
        hits = [hit for hit in hits if hit >= least]
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
    old, new = _marked(before or ""), _marked(after)
    start = _alike(old, new)
    end = _alike(old[start:][::-1], new[start:][::-1])
    first, last = max(start - _CONTEXT, 0), max(end - _CONTEXT, 0)
    old, new = old[first : len(old) - last], new[first : len(new) - last]
    if len(old) * len(new) > _MOST_PAIRS:
        # No line between the first and the last that both have is found again.
        unlike = range(start - first, len(old) - end + last)
        old = [f"{line}\0" if index in unlike else line for index, line in enumerate(old)]
    named = "/dev/null" if before is None else f"a/{path}"
    hunks = list(difflib.unified_diff(old, new, n=_CONTEXT))[2:]
    header = f"--- {named}\n+++ b/{path}\n"  # an empty file has no hunk
    return header + "".join(_moved_down(line, first) for line in hunks).replace("\0", "")


def _moved_down(line: str, by: int) -> str:
    """Return a line of a diff; a header's numbers grow."""
    is_header = line.startswith("@@")
    return _PLACES.sub(lambda found: str(int(found[0]) + by), line) if is_header else line


def _alike(old: list[str], new: list[str]) -> int:
    return len(list(takewhile(bool, map(operator.eq, old, new))))


def _marked(text: str) -> list[str]:
    lines = split_lines(text)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += _CUT
    return lines
