"""A diff's hunks applied to a text: exact context, at the nearest place that has it."""

from bisect import bisect_left

from steelyard._printable import printable
from steelyard.comparing.function._edits import newline_of
from steelyard.comparing.function._patch import FilePatch, Hunk, PatchError
from steelyard.project_runs._parsing import split_lines


def apply_patch(text: str, patch: FilePatch, notes: list[str]) -> str:
    """The text with the hunks applied, in its own line ends.

    Args:
        text: The file's text; empty for a new file.
        patch: What to change; its hunks stand in the order of the file.
        notes: Gets a line for each hunk that was found at another line than it names.

    Raises:
        PatchError: where a hunk's lines are not in the text, or at several places alike.
    """
    lines = split_lines(text)
    bare = [line.rstrip("\r\n") for line in lines]
    newline = newline_of(text)
    finder = _Finder(bare)
    pieces: list[str] = []
    at = offset = 0
    cut = False
    for number, hunk in enumerate(patch.hunks, 1):
        expected = at if hunk.start is None else hunk.start + offset - bool(hunk.old)
        place = finder.find(hunk, number, at, expected)
        if hunk.start is not None and place != expected:
            notes.append(f"hunk {number} of the diff is off by {place - expected:+d} lines")
            offset += place - expected
        pieces.extend(lines[at:place])
        if hunk.new and pieces and not pieces[-1].endswith(("\n", "\r")):
            pieces[-1] += newline
        after = _kept_ends(hunk, lines, place, newline)
        pieces.extend(after)
        at = place + len(hunk.old)
        cut = at >= len(lines) and (
            hunk.new_cut or (bool(lines) and not _ends(lines[-1]) and not hunk.old_cut)
        )
    pieces.extend(lines[at:])
    result = "".join(pieces)
    return result.removesuffix("\n").removesuffix("\r") if cut and _ends(result) else result


def _kept_ends(hunk: Hunk, lines: list[str], place: int, newline: str) -> list[str]:
    """The new lines; those that stay keep the line end that they have."""
    ends: dict[str, str] = {}
    for line in lines[place : place + len(hunk.old)]:
        bare = line.rstrip("\r\n")
        ends.setdefault(bare, line[len(bare) :])
    return [line + (ends.get(line) or newline) for line in hunk.new]


class _Finder:
    """Finds runs of lines in a text in linear time, whatever the lines are."""

    def __init__(self, lines: list[str]) -> None:
        self._count = len(lines)
        self._text = "\n" + "\n".join(lines) + "\n" if lines else "\n"
        self._turned = self._text[::-1]
        self._starts = [0]
        for line in lines:
            self._starts.append(self._starts[-1] + len(line) + 1)

    def find(self, hunk: Hunk, number: int, least: int, expected: int) -> int:
        """The index of the first of the hunk's old lines."""
        if not hunk.old:
            if hunk.start is None and self._count:
                raise PatchError(f"hunk {number} has neither a line number nor context")
            return min(max(expected, least), self._count)
        needle = "\n" + "\n".join(hunk.old) + "\n"
        if hunk.start is None:
            return self._only(needle, number, least, hunk)
        middle = self._starts[min(max(expected, least), self._count)]
        right = self._text.find(needle, middle)
        # The last hit that begins before the middle, searched for from the right.
        size = len(self._text)
        left = self._turned.find(needle[::-1], max(size - middle - len(needle) + 1, 0))
        hits = [] if right < 0 else [bisect_left(self._starts, right)]
        if left >= 0:
            begin = bisect_left(self._starts, size - left - len(needle))
            if begin >= least:
                hits.append(begin)
        if not hits:
            raise PatchError(self._absent(hunk, number))
        return min(hits, key=lambda hit: abs(hit - expected))

    def _only(self, needle: str, number: int, least: int, hunk: Hunk) -> int:
        first = self._text.find(needle, self._starts[least])
        if first < 0:
            raise PatchError(self._absent(hunk, number))
        if self._text.find(needle, first + 1) >= 0:
            raise PatchError(f"hunk {number} has no line numbers and fits in several places")
        return bisect_left(self._starts, first)

    def _absent(self, hunk: Hunk, number: int) -> str:
        have = set(self._text.split("\n"))
        line = next((one for one in hunk.old if one not in have), hunk.old[0])
        shown = printable(line.strip()[:60])
        return f"hunk {number} does not fit: no such lines contain `{shown}`"


def _ends(text: str) -> bool:
    return text.endswith(("\n", "\r"))
