"""A unified diff as text: which files, which hunks.

Source: the format of `diff -u` (POSIX.1-2017, diff, "Diff -u Output Format") and of git
(`git diff --help`, "Generating patch text with -p").
"""

import re
from dataclasses import dataclass, field

from steelyard._printable import printable
from steelyard.project_runs._parsing import split_lines

_HUNK = re.compile(r"@@ -(\d{1,9})(?:,\d{1,9})? \+\d{1,9}(?:,\d{1,9})? @@")
_UNNUMBERED = re.compile(r"@@(?:\s|$)")
_LOOKS = re.compile(
    r"^(?:diff --git |@@ -\d+|--- [^\r\n]*\r?\n\+\+\+ |@@(?: .*)?@@\s*$)", re.MULTILINE
)
_FENCE = re.compile(r"^[ \t>]*(?:```|~~~)", re.MULTILINE)
_REFUSED = {
    "rename from": "it renames a file",
    "rename to": "it renames a file",
    "copy from": "it copies a file",
    "deleted file mode": "it deletes a file",
    "GIT binary patch": "it changes a binary file",
    "Binary files": "it changes a binary file",
}
NOWHERE = "/dev/null"
_MARKS = ("", " ", "+", "-", "\\", "\t")
_SIGNATURE = ("-- ", "--")
_MOST_FILES = 200
_MOST_HUNKS = 5000


class PatchError(Exception):
    """The diff cannot be read or applied; the text says why."""


@dataclass(slots=True)
class Hunk:
    """Lines of one place, without line ends."""

    start: int | None
    """Of the old lines, from 1; None where the header does not say."""
    old: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)
    old_cut: bool = False
    """Whether the old text ends with this hunk and without a line end."""
    new_cut: bool = False


@dataclass(slots=True)
class FilePatch:
    """One file's hunks."""

    old: str
    """As the header writes it; empty where there is no header, `/dev/null` for a new file."""
    new: str
    hunks: list[Hunk] = field(default_factory=list)


def looks_like_patch(text: str) -> bool:
    """Whether a text that is no Python is meant as a diff."""
    return _LOOKS.search(text) is not None


def starts_with_patch(text: str) -> bool:
    """Whether a diff begins before any fence: fences within it belong to its files."""
    found = _LOOKS.search(text)
    fence = _FENCE.search(text)
    return found is not None and (fence is None or found.start() < fence.start())


def parse_patch(text: str) -> list[FilePatch]:
    """The files of a diff; what stands before the first header is left out.

    Hunks may have wrong counts, or no numbers at all, as language models write them.

    Raises:
        PatchError: where there is no hunk, or where it does more than change lines of text files.
    """
    lines = [line.rstrip("\r\n") for line in split_lines(text)]
    files: list[FilePatch] = []
    hunks = 0
    at = 0
    while at < len(lines):
        line = lines[at]
        for start, why in _REFUSED.items():
            if line.startswith(start):
                raise PatchError(
                    f"{why}: `{_shown(line)}`; only changes to text files are supported"
                )
        if _is_header(lines, at):
            if files and files[-1].old == NOWHERE and not files[-1].hunks:
                files.pop()
            files.append(FilePatch(_path(line[4:]), _path(lines[at + 1][4:])))
            if files[-1].new == NOWHERE:
                raise PatchError(f"it deletes a file: `{_shown(line)}`")
            at += 2
        elif line.startswith("new file mode") and lines[at - 1].startswith("diff --git "):
            # An empty file has no other header.
            files.append(FilePatch(NOWHERE, "b/" + lines[at - 1].rpartition(" b/")[2]))
            at += 1
        elif line.startswith("@@"):
            if not files:
                files.append(FilePatch("", ""))
            hunk, at = _read_hunk(lines, at)
            files[-1].hunks.append(hunk)
            hunks += 1
        else:
            at += 1
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


def _read_hunk(lines: list[str], at: int) -> tuple[Hunk, int]:
    """The hunk whose header is at an index, whatever its counts are, and the index after it."""
    header = _HUNK.match(lines[at])
    if header is None and not _UNNUMBERED.match(lines[at]):
        raise PatchError(f"line {at + 1} is not a hunk header: `{_shown(lines[at])}`")
    hunk = Hunk(int(header[1]) if header else None)
    end = at + 1
    while end < len(lines) and lines[end][:1] in _MARKS and lines[end] not in _SIGNATURE:
        if _is_header(lines, end):
            break
        end += 1
    body = lines[at + 1 : end]
    while body and not body[-1]:
        body.pop()
    before = ""
    for line in body:
        mark = line[:1]
        if mark == "\\":
            hunk.old_cut |= before in ("-", " ")
            hunk.new_cut |= before in ("+", " ")
        else:
            before = mark
            text = line if mark in ("", "\t") else line[1:]  # editors strip an empty line's blank
            if mark != "+":
                hunk.old.append(text)
            if mark != "-":
                hunk.new.append(text)
    return hunk, end


def _path(text: str) -> str:
    """A header's path, without the time behind a tab, unquoted as git quotes."""
    path = text.split("\t", 1)[0].rstrip(" ")
    if len(path) < 2 or not path[0] == path[-1] == '"':
        return path
    try:
        return path[1:-1].encode().decode("unicode_escape").encode("latin-1").decode()
    except UnicodeError as error:
        raise PatchError(f"the path {_shown(path)} is not UTF-8") from error


def _shown(text: str) -> str:
    return printable(text if len(text) <= 80 else text[:77] + "...")
