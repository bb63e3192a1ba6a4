"""`tokens` and `float_tokens`: compare words, and ignore the white space between them."""

from steelyard.judging._outcome import ACCEPTED, Checker, Outcome
from steelyard.judging.checkers._compare import content_end, first_mismatch, word_start
from steelyard.judging.checkers._difference import wrong_at
from steelyard.judging.checkers._items import (
    Same,
    Tokens,
    equal_but_for_case,
    first_wrong_item,
    only_identical,
)
from steelyard.judging.checkers._numbers import Tolerance
from steelyard.schemas import TestCase

_SPLIT_AT_ONCE = 1 << 12


class TokensChecker(Checker):
    """Equal as tokens: white space may be of any kind and length, before and after too."""

    def __init__(self, ignore_case: bool = False) -> None:
        self._same: Same = equal_but_for_case if ignore_case else only_identical

    def check(self, case: TestCase, output: bytes) -> Outcome:
        """Accept an output with the expected tokens in the expected order."""
        return compare_tokens(output, case.expected, self._same)


class FloatTokensChecker(Checker):
    """As `tokens`, but two tokens that are both numbers may differ within a tolerance."""

    def __init__(self, tolerance: Tolerance, ignore_case: bool = False) -> None:
        self._tolerance, self._ignore_case = tolerance, ignore_case

    def check(self, case: TestCase, output: bytes) -> Outcome:
        """Accept an output whose tokens equal the expected tokens, or match as numbers."""
        return compare_tokens(output, case.expected, self._same)

    def _same(self, expected: bytes, got: bytes) -> bool:
        if self._ignore_case:
            expected, got = expected.lower(), got.lower()
        return self._tolerance.accepts(expected, got)


def compare_tokens(output: bytes, expected: bytes, same: Same) -> Outcome:
    """Accept an output whose tokens are each the `same` as the expected one."""
    if output == expected:
        return ACCEPTED
    if len(output) < _SPLIT_AT_ONCE and output.split() == expected.split():
        return ACCEPTED
    start = word_start(output, first_mismatch(output, expected))
    wrong = first_wrong_item(Tokens(output, start), Tokens(expected, start), same)
    if wrong is None:
        return ACCEPTED
    position = content_end(output) if wrong.position is None else wrong.position
    return wrong_at(output, position, got=wrong.got, expected=wrong.expected)
