"""`numeric`: compare all numbers of two texts, and ignore the text between them."""

import re

from steelyard.judging._outcome import ACCEPTED, Checker, Outcome
from steelyard.judging.checkers._compare import content_end, first_mismatch, word_start
from steelyard.judging.checkers._difference import wrong_at
from steelyard.judging.checkers._items import Matches, Tokens, first_wrong_item
from steelyard.judging.checkers._numbers import Tolerance
from steelyard.judging.checkers._tokens import compare_tokens
from steelyard.schemas import TestCase

_SEARCHED_AT_ONCE = 1 << 16

# Before CPython 3.11.5 a possessive group that fails halfway keeps what it took. So the exponent is
# an ordinary group, as nothing follows it, and an atomic group inside guards the other one.
_EXPONENT = r"(?:e[-+]?+[0-9]++)?"
_UNDERSCORED = r"(?:(?>_[0-9]++))++"
_LITERAL = rf"0x[0-9a-f]++ | [0-9]++{_UNDERSCORED}"
_DECIMAL = rf"(?:[0-9]++(?:\.[0-9]*+)?+ | \.[0-9]++){_EXPONENT}"
_NAMED = r"(?:nan|inf(?:inity)?+)(?!\w)"

NUMBER = re.compile(
    rf"""
    [-+.0-9in]  # all begin with one of these: the engine skips everything else at speed
    (?: (?<=[0-9])
        (?: (?<=0)x[0-9a-f]++
          | [0-9]*+ (?: {_UNDERSCORED} | (?:\.[0-9]*+)?+ {_EXPONENT} ) )
      | (?<=[-+]) (?=[.0-9in]) (?<![\w.][-+])
        (?: {_LITERAL} | {_DECIMAL} | {_NAMED} )
      | (?<=\.) (?=[0-9]) (?<![\w.]\.)
        [0-9]++ {_EXPONENT}
      | (?<=[in]) (?<!\w[in])
        (?: (?<=n)an | (?<=i)nf(?:inity)?+ ) (?!\w)
    )
    """.encode(),
    re.VERBOSE | re.IGNORECASE,
)
"""A number in a text. It never backtracks over what it took, so the scan is linear."""

_DIGITS = b"0123456789"
_NAMES = (
    re.compile(rb"nan(?<!\wnan)(?!\w)"),  # each begins with letters that the engine can search for
    re.compile(rb"inf(?<!\winf)(?:inity)?+(?!\w)"),
)


class NumericChecker(Checker):
    """Equal if both texts hold as many numbers, and these match in order within a tolerance.

    A number is a run of digits with an optional point and exponent, anywhere in the text: `5kg`
    and `x=5` hold a 5, `1,000` holds 1 and 0. A sign belongs to it unless the sign follows a
    letter, a digit, `_` or a point: `3-4` holds 3 and 4, `3 -4` and `(-4)` hold -4.
    `nan`, `inf` and `infinity` count as words of their own, in any case, with or without a sign.
    Hexadecimal and underscored forms (`0x1F`, `1_000`) are not numbers: they must be the same
    text. If no number is expected at all, the outputs must be equal as tokens.
    """

    def __init__(self, tolerance: Tolerance) -> None:
        self._tolerance = tolerance

    def check(self, case: TestCase, output: bytes) -> Outcome:
        """Accept an output whose numbers match the expected numbers."""
        expected = case.expected
        if output == expected:
            return ACCEPTED
        if NUMBER.search(expected) is None:
            return compare_tokens(output, expected, self._tolerance.accepts)
        start = word_start(output, first_mismatch(output, expected))
        near = first_wrong_item(Tokens(output, start), Tokens(expected, start), self._same_numbers)
        if near is None:
            return ACCEPTED
        # The numbers are distributed over the tokens in another way from here on, or are wrong.
        wrong = first_wrong_item(
            _numbers(output, near.position),
            _numbers(expected, near.expected_position),
            self._tolerance.accepts,
        )
        if wrong is None:
            return ACCEPTED
        position = content_end(output) if wrong.position is None else wrong.position
        return wrong_at(output, position, got=wrong.got, expected=wrong.expected)

    def _same_numbers(self, expected: bytes, got: bytes) -> bool:
        """Tell whether two tokens hold the same numbers; False for a huge token."""
        if self._tolerance.accepts(expected, got):
            return True
        if len(expected) + len(got) > _SEARCHED_AT_ONCE:
            return False
        wanted, printed = NUMBER.findall(expected), NUMBER.findall(got)
        return len(wanted) == len(printed) and all(map(self._tolerance.accepts, wanted, printed))


def _numbers(data: bytes, start: int | None) -> Matches:
    """Return the numbers from an offset on; empty if there is no item left."""
    return Matches(NUMBER, data, len(data) if start is None else start, may_hold=_holds_number)


def _holds_number(chunk: bytes) -> bool:
    """Tell whether `NUMBER` finds any, at a tenth of its cost if not."""
    if len(chunk.translate(None, _DIGITS)) < len(chunk):
        return True
    lowered = chunk.lower()
    return any(name.search(lowered) for name in _NAMES)
