"""A unified diff between two texts, quick whatever they hold."""

import difflib
import itertools
import operator
from collections.abc import Iterator
from typing import Any

from steelyard.project_runs._parsing import split_lines

# Line pairs: beyond, matching lines could take seconds, so the whole middle is shown as replaced.
_MOST_PAIRS = 2_000_000
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
    header = ["--- /dev/null\n" if before is None else f"--- a/{path}\n", f"+++ b/{path}\n"]
    return "".join([*header, *_hunks(_marked(before or ""), _marked(after))])


def _hunks(old: list[str], new: list[str]) -> Iterator[str]:
    matcher: Any = difflib.SequenceMatcher(None, old, new)
    matcher.opcodes = _opcodes(old, new)
    for group in matcher.get_grouped_opcodes():
        spans = _span(group[0][1], group[-1][2]), _span(group[0][3], group[-1][4])
        yield f"@@ -{spans[0]} +{spans[1]} @@\n"
        for tag, start, end, new_start, new_end in group:
            if tag == "equal":
                yield from (f" {line}" for line in old[start:end])
            else:
                yield from (f"-{line}" for line in old[start:end])
                yield from (f"+{line}" for line in new[new_start:new_end])


def _opcodes(old: list[str], new: list[str]) -> list[tuple[Any, ...]]:
    """What `difflib` finds between the lines that both have at the start and at the end."""
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
    return len(list(itertools.takewhile(bool, map(operator.eq, old, new))))


def _span(start: int, stop: int) -> str:
    length = stop - start
    return str(start + 1) if length == 1 else f"{start + bool(length)},{length}"


def _marked(text: str) -> list[str]:
    lines = split_lines(text)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += _CUT
    return lines
