"""Attribute the work to source lines."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from steelyard.profiling._records import CountedRun
from steelyard.profiling.fitting import WorkTerm
from steelyard.schemas import LineWork

LEAST_LINE_SHARE = 0.005
"""Share of all work; lines below it are left out of the report."""
LINES_A_TERM = 5
_WORD = re.compile(r"\w")


def lines_with_words(lines: Mapping[str, int], source: bytes) -> dict[str, int]:
    """Return the line of each block, without lines of punctuation alone.

    Compilers charge a scope's end, such as calls of destructors, to its closing brace, which is
    useless to a reader.
    """
    texts = source.decode("utf-8", "replace").split("\n")
    return {
        block: line
        for block, line in lines.items()
        if 1 <= line <= len(texts) and _WORD.search(texts[line - 1])
    }


class LineCounts:
    """The work of each line, by class, at the largest counted size.

    Args:
        runs: Counted runs, of which the largest with counts is taken.
        terms: What the work is made of.
        lines: The source line of each block.
    """

    def __init__(
        self, runs: Iterable[CountedRun], terms: Sequence[WorkTerm], lines: Mapping[str, int]
    ) -> None:
        counts = {run.point: run.work for run in runs if run.work}
        work = counts[max(counts)] if counts else {}
        self._total = sum(work.values())
        self._by_line: dict[int, Counter[str]] = {}
        for term in terms:
            for block in term.blocks:
                line, count = lines.get(block), work.get(block, 0)
                if line is not None and count > 0:
                    self._by_line.setdefault(line, Counter())[term.complexity] += count

    def heaviest(self, complexity: str) -> tuple[int, ...]:
        """Return the lines that do most of the work of a class, the heaviest first."""
        own = {line: grown[complexity] for line, grown in self._by_line.items()}
        lines = sorted((line for line in own if own[line] > 0), key=lambda line: (-own[line], line))
        return tuple(lines[:LINES_A_TERM])

    def shares(self) -> tuple[LineWork, ...]:
        """Return the lines that do most of all work, the heaviest first."""
        found = [
            LineWork(
                line=line,
                share=round(grown.total() / self._total, 4),
                classes=tuple(
                    (name, round(count / self._total, 4)) for name, count in grown.most_common()
                ),
            )
            for line, grown in self._by_line.items()
            if grown.total() >= LEAST_LINE_SHARE * self._total
        ]
        return tuple(sorted(found, key=lambda each: (-each.share, each.line)))
