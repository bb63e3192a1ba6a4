"""A unified diff between two texts, quick whatever they hold."""

import difflib
from collections.abc import Iterator
from typing import TypeAlias

from steelyard.project_runs._parsing import split_lines

_CONTEXT = 3
# Line pairs: beyond, matching lines could take seconds, so the whole middle is shown as replaced.
_MOST_PAIRS = 2_000_000
# Lines of the old text from, to; of the new text from, to.
_Change: TypeAlias = tuple[int, int, int, int]
_CUT = "\n\\ No newline at end of file\n"


def unified(before: str | None, after: str, path: str) -> str:
    """The diff with `a/` and `b/` in front of the path; empty where the texts are the same.

    Args:
        before: None where there was no file.
        after: The other text.
        path: Of the file, for the header.
    """
    if before == after:
        return ""
    old, new = _marked(before or ""), _marked(after)
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    header = ["--- /dev/null\n" if before is None else f"--- a/{path}\n", f"+++ b/{path}\n"]
    return "".join([*header, *_hunks(old, new, start, end)])


def _hunks(old: list[str], new: list[str], start: int, end: int) -> Iterator[str]:
    """The hunks, given how many lines both have in common at the start and at the end."""
    for group in _groups(_changes(old, new, start, end)):
        head = min(_CONTEXT, group[0][0])
        tail = min(_CONTEXT, len(old) - group[-1][1])
        ranges = (
            _range(group[0][0] - head, group[-1][1] + tail),
            _range(group[0][2] - head, group[-1][3] + tail),
        )
        yield f"@@ -{ranges[0]} +{ranges[1]} @@\n"
        at = group[0][0] - head
        for old_start, old_end, new_start, new_end in group:
            yield from (f" {line}" for line in old[at:old_start])
            yield from (f"-{line}" for line in old[old_start:old_end])
            yield from (f"+{line}" for line in new[new_start:new_end])
            at = old_end
        yield from (f" {line}" for line in old[at : at + tail])


def _changes(old: list[str], new: list[str], start: int, end: int) -> list[_Change]:
    ends = len(old) - end, len(new) - end
    if (ends[0] - start) * (ends[1] - start) > _MOST_PAIRS:
        return [(start, ends[0], start, ends[1])]
    matcher = difflib.SequenceMatcher(None, old[start : ends[0]], new[start : ends[1]])
    return [
        (a + start, b + start, c + start, d + start)
        for tag, a, b, c, d in matcher.get_opcodes()
        if tag != "equal"
    ]


def _groups(changes: list[_Change]) -> Iterator[list[_Change]]:
    """Changes whose context would meet stand together."""
    group: list[_Change] = []
    for change in changes:
        if group and change[0] - group[-1][1] > 2 * _CONTEXT:
            yield group
            group = []
        group.append(change)
    if group:
        yield group


def _range(start: int, stop: int) -> str:
    length = stop - start
    if length == 1:
        return str(start + 1)
    return f"{start + 1 if length else start},{length}"


def _marked(text: str) -> list[str]:
    lines = split_lines(text)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += _CUT
    return lines
