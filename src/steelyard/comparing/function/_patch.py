"""A unified diff as text: which files, which hunks.

Source: the format of `diff -u` (POSIX.1-2017, diff, "Diff -u Output Format") and of git
(`git diff --help`, "Generating patch text with -p").
"""

import re
from dataclasses import dataclass, field

from steelyard._printable import printable
from steelyard.project_runs._parsing import split_lines

_HUNK = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
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
    """The hunk whose header is at an index, and the index after it."""
    header = _HUNK.match(lines[at])
    if header is None:
        if not _UNNUMBERED.match(lines[at]):
            raise PatchError(f"line {at + 1} is not a hunk header: `{_shown(lines[at])}`")
        return _by_prefix(lines, at + 1, None)
    old_count, new_count = (int(header[group] or "1") for group in (2, 4))
    counted = _by_counts(lines, at + 1, int(header[1]), old_count, new_count)
    return counted or _by_prefix(lines, at + 1, int(header[1]))


def _by_counts(
    lines: list[str], at: int, start: int, old_count: int, new_count: int
) -> tuple[Hunk, int] | None:
    """A hunk as long as its header says; None where its lines say otherwise."""
    hunk = Hunk(start)
    while len(hunk.old) < old_count or len(hunk.new) < new_count or _is_cut(lines, at):
        if at >= len(lines) or not _take(hunk, lines[at], lines[at - 1]):
            return None
        at += 1
    if len(hunk.old) != old_count or len(hunk.new) != new_count:
        return None
    rest = lines[at] if at < len(lines) else ""
    goes_on = rest[:1] in ("+", " ") or (
        rest[:1] == "-" and rest not in ("-- ", "--") and not _is_header(lines, at)
    )
    return None if goes_on and rest.strip() else (hunk, at)


def _by_prefix(lines: list[str], at: int, start: int | None) -> tuple[Hunk, int]:
    """A hunk up to the next header, whatever its own says about its length."""
    begin = at
    while at < len(lines):
        line = lines[at]
        if line.startswith(("@@", "diff --git ", "```")) or _is_header(lines, at):
            break
        if line in ("-- ", "--") or line[:1] not in (" ", "+", "-", "\\", "\t", ""):
            break
        at += 1
    end = at
    while end > begin and not lines[end - 1]:
        end -= 1
    hunk = Hunk(start)
    for index in range(begin, end):
        _take(hunk, lines[index], lines[index - 1])
    return hunk, at


def _take(hunk: Hunk, line: str, before: str) -> bool:
    match line[:1]:
        case " ":
            hunk.old.append(line[1:])
            hunk.new.append(line[1:])
        case "" | "\t":  # editors strip the blank of an empty line
            hunk.old.append(line)
            hunk.new.append(line)
        case "-":
            hunk.old.append(line[1:])
        case "+":
            hunk.new.append(line[1:])
        case "\\":
            hunk.old_cut |= before[:1] in ("-", " ")
            hunk.new_cut |= before[:1] in ("+", " ")
        case _:
            return False
    return True


def _is_cut(lines: list[str], at: int) -> bool:
    return at < len(lines) and lines[at].startswith("\\ ")


def _path(text: str) -> str:
    """A header's path, without the time behind a tab, unquoted as git quotes."""
    path = text.split("\t", 1)[0].rstrip(" ")
    if not (path.startswith('"') and path.endswith('"') and len(path) > 1):
        return path
    try:
        raw = re.sub(rb"\\([0-7]{3}|.)", _unescaped, path[1:-1].encode())
        return raw.decode()
    except UnicodeError as error:
        raise PatchError(f"the path {_shown(path)} is not UTF-8") from error


def _unescaped(match: re.Match[bytes]) -> bytes:
    text = match[1]
    if len(text) == 3:
        return bytes([int(text, 8) & 0xFF])
    return {b"n": b"\n", b"t": b"\t", b"r": b"\r"}.get(text, text)


def _shown(text: str) -> str:
    return printable(text if len(text) <= 80 else text[:77] + "...")
