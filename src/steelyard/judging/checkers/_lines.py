"""`lines`: compare lines, and ignore white space at their ends."""

from steelyard.judging._outcome import ACCEPTED, Checker, Outcome
from steelyard.judging.checkers._compare import content_end, first_mismatch, word_start
from steelyard.judging.checkers._difference import wrong_at
from steelyard.judging.checkers._items import (
    Lines,
    Same,
    equal_but_for_case,
    first_wrong_item,
    only_identical,
)
from steelyard.schemas import TestCase

_SHOWN = 1 << 12


class LinesChecker(Checker):
    """Equal as lines: white space at the end of each line, and blank lines at the end, are ignored.

    White space before the first word of a line and between its words counts, and so do blank lines
    between others.
    """

    def __init__(self, ignore_case: bool = False) -> None:
        self._same: Same = equal_but_for_case if ignore_case else only_identical

    def check(self, case: TestCase, output: bytes) -> Outcome:
        """Accept an output with the expected lines in the expected order."""
        if output == case.expected:
            return ACCEPTED
        expected = case.expected
        start = output.rfind(b"\n", 0, first_mismatch(output, expected)) + 1
        ends = content_end(output), content_end(expected)
        wrong = first_wrong_item(
            Lines(output, start, ends[0]), Lines(expected, start, ends[1]), self._same
        )
        if wrong is None:
            return ACCEPTED
        at = ends[0] if wrong.position is None else wrong.position
        wanted = ends[1] if wrong.expected_position is None else wrong.expected_position
        got = output[at : min(at + _SHOWN, ends[0])]
        expected = expected[wanted : min(wanted + _SHOWN, ends[1])]
        shared = word_start(got, self._shared(got, expected))
        return wrong_at(output, at + shared, got=got[shared:], expected=expected[shared:])

    def _shared(self, got: bytes, expected: bytes) -> int:
        """Return the length of the text that both start with."""
        if self._same is equal_but_for_case:
            got, expected = got.lower(), expected.lower()
        return first_mismatch(got, expected)
