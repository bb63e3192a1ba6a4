"""A diff's hunks applied to a text: exact context, at the nearest place that has it."""

from bisect import bisect_left

from steelyard._printable import printable
from steelyard.comparing.function._edits import Edit, apply_edits, newline_of
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
    edits: list[Edit] = []
    at = offset = 0
    cut = None
    for number, hunk in enumerate(patch.hunks, 1):
        expected = at if hunk.start is None else hunk.start + offset - bool(hunk.old)
        index = finder.find(hunk, number, at, expected)
        if hunk.start is not None and index != expected:
            notes.append(f"hunk {number} of the diff is off by {index - expected:+d} lines")
            offset += index - expected
        at = index + len(hunk.old)
        edits.append(Edit(index, at, _kept_ends(hunk, lines[index:at], newline)))
        if at >= len(lines) and (hunk.new_cut or hunk.old_cut):
            cut = hunk.new_cut
    return apply_edits(text, lines, edits, cut=cut)


def _kept_ends(hunk: Hunk, lines: list[str], newline: str) -> tuple[str, ...]:
    """The new lines; those that stay keep the line end that they have."""
    ends: dict[str, str] = {}
    for line in lines:
        bare = line.rstrip("\r\n")
        ends.setdefault(bare, line[len(bare) :])
    return tuple(line + (ends.get(line) or newline) for line in hunk.new)


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
        middle = self._starts[min(max(expected, least), self._count)]
        right = self._text.find(needle, middle)
        if hunk.start is None and right >= 0 and self._text.find(needle, right + 1) >= 0:
            raise PatchError(f"hunk {number} has no line numbers and fits in several places")
        # The last hit that begins before the middle, searched for from the right.
        size = len(self._text)
        left = self._turned.find(needle[::-1], max(size - middle - len(needle) + 1, 0))
        ends = [right] if right >= 0 else []
        ends += [size - left - len(needle)] if left >= 0 else []
        hits = [hit for hit in (bisect_left(self._starts, end) for end in ends) if hit >= least]
        if not hits:
            raise PatchError(self._absent(hunk, number))
        return min(hits, key=lambda hit: abs(hit - expected))

    def _absent(self, hunk: Hunk, number: int) -> str:
        have = set(self._text.split("\n"))
        line = next((one for one in hunk.old if one not in have), hunk.old[0])
        shown = printable(line.strip()[:60])
        return f"hunk {number} does not fit: no such lines contain `{shown}`"
