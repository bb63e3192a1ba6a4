"""`float_tokens` and `numeric`: compare words or all numbers of two texts within a tolerance."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, ROUND_DOWN, Context, Decimal, Inexact
from itertools import islice
from typing import Self

from steelyard.errors import UsageError
from steelyard.judging.checkers._outcome import (
    ACCEPTED,
    Checker,
    Outcome,
    first_mismatch,
    match_mode,
    word_start,
)
from steelyard.judging.checkers.modes._tokens_and_lines import (
    Tokens,
    compare_tokens,
    first_wrong_item,
    outcome_of,
    whole_tokens,
)
from steelyard.schemas import TestCase

DEFAULT_ABS_TOL = 1e-6
DEFAULT_REL_TOL = 1e-6
_ROUNDING = 1e-15
"""Bound on the relative error of the binary64 arithmetic below: three roundings of 2**-53
each (IEEE 754)."""
_SUBNORMAL = 1e-300
_EXPONENT_DIGITS = 15
"""Numbers with a longer exponent are compared as text: `decimal` stops at 10**18."""
_SEARCHED_AT_ONCE = 1 << 16
_MATCHES = 1 << 12
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


@dataclass(frozen=True, slots=True)
class NumberTolerance:
    """The allowed difference from an expected number: max(abs_tol, rel_tol * |expected|).

    The decision is that of exact arithmetic on the decimals as they are written, so that neither
    binary rounding nor overflow ever makes two numbers equal. NaN equals NaN of either sign;
    an infinity equals the one of its own sign; neither is near anything else.
    """

    abs_tol: float
    rel_tol: float
    integers_exact: bool
    """Whether two numbers that are both written as integers must be equal."""

    @classmethod
    def of(cls, abs_tol: float | None = None, rel_tol: float | None = None) -> Self:
        """Return the tolerance for these bounds.

        If neither is given, both are 1e-6 and two integers must be equal. If only one is given,
        the other is 0, and integers may differ too.

        Args:
            abs_tol: Largest absolute difference.
            rel_tol: Largest difference relative to the expected number.

        Raises:
            UsageError: for a tolerance that is negative, infinite or not a number.
        """
        for name, value in (("abs_tol", abs_tol), ("rel_tol", rel_tol)):
            if value is not None and not 0 <= value < math.inf:
                raise UsageError(f"{name} is {value!r}; give a finite number that is 0 or more")
        if abs_tol is None and rel_tol is None:
            return cls(DEFAULT_ABS_TOL, DEFAULT_REL_TOL, integers_exact=True)
        return cls(float(abs_tol or 0), float(rel_tol or 0), integers_exact=False)

    def accepts(self, expected: bytes, got: bytes) -> bool:
        """Tell whether `got` is `expected`, or both are numbers within the tolerance."""
        if got == expected:
            return True
        try:
            printed, wished = float(got), float(expected)
        except ValueError:
            return False
        if b"_" in got or b"_" in expected:  # Python's own way to write 1000
            return False
        difference = abs(printed - wished)
        allowed = max(self.abs_tol, self.rel_tol * abs(wished))
        doubt = _ROUNDING * (abs(printed) + abs(wished) + allowed) + _SUBNORMAL
        if allowed < difference - doubt < math.inf:
            return False
        if self.integers_exact and _is_integer(got) and _is_integer(expected):
            return _same_integer(got, expected)
        if difference + doubt <= allowed < math.inf:
            return True
        if math.isnan(printed) or math.isnan(wished):
            return math.isnan(printed) and math.isnan(wished)
        if _names_infinity(got) or _names_infinity(expected):
            return _names_infinity(got) and _names_infinity(expected) and printed == wished
        return self._accepts_exactly(expected, got)

    def _accepts_exactly(self, expected: bytes, got: bytes) -> bool:
        if _has_huge_exponent(got) or _has_huge_exponent(expected):
            return False
        printed, wished = Decimal(got.decode()), Decimal(expected.decode())
        context = Context(
            prec=max(len(got), len(expected)) + 40,  # a product with `rel_tol` is exact
            rounding=ROUND_DOWN,
            Emin=MIN_EMIN,
            Emax=MAX_EMAX,
            traps=[],
        )
        difference = context.subtract(printed, wished).copy_abs()
        cut_off = context.flags[Inexact]
        allowed = max(
            Decimal(repr(self.abs_tol)),
            context.multiply(Decimal(repr(self.rel_tol)), wished.copy_abs()),
        )
        # If digits were cut off, the true difference is the larger one, by less than the step
        # to the next number that `allowed` could be.
        return difference < allowed if cut_off else difference <= allowed


@match_mode("float_tokens", 6, tolerance=True, ignore_case=True)
class FloatTokensChecker(Checker):
    """As `tokens`, but two tokens that are both numbers may differ within a tolerance."""

    def __init__(self, tolerance: NumberTolerance, ignore_case: bool = False) -> None:
        self._tolerance, self._ignore_case = tolerance, ignore_case

    def check(self, case: TestCase, output: bytes) -> Outcome:
        """Accept an output whose tokens equal the expected tokens, or match as numbers."""
        return compare_tokens(output, case.expected, self._same)

    def _same(self, expected: bytes, got: bytes) -> bool:
        if self._ignore_case:
            expected, got = expected.lower(), got.lower()
        return self._tolerance.accepts(expected, got)


@match_mode("numeric", 5, tolerance=True)
class NumericChecker(Checker):
    """Equal if both texts hold as many numbers, and these match in order within a tolerance.

    A number is a run of digits with an optional point and exponent, anywhere in the text: `5kg`
    and `x=5` hold a 5, `1,000` holds 1 and 0. A sign belongs to it unless the sign follows a
    letter, a digit, `_` or a point: `3-4` holds 3 and 4, `3 -4` and `(-4)` hold -4.
    `nan`, `inf` and `infinity` count as words of their own, in any case, with or without a sign.
    Hexadecimal and underscored forms (`0x1F`, `1_000`) are not numbers: they must be the same
    text. If no number is expected at all, the outputs must be equal as tokens.
    """

    def __init__(self, tolerance: NumberTolerance) -> None:
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
            _Numbers(output, near.position),
            _Numbers(expected, near.expected_position),
            self._tolerance.accepts,
        )
        return outcome_of(output, wrong)

    def _same_numbers(self, expected: bytes, got: bytes) -> bool:
        """Tell whether two tokens hold the same numbers; False for a huge token."""
        if self._tolerance.accepts(expected, got):
            return True
        if len(expected) + len(got) > _SEARCHED_AT_ONCE:
            return False
        wanted, printed = NUMBER.findall(expected), NUMBER.findall(got)
        return len(wanted) == len(printed) and all(map(self._tolerance.accepts, wanted, printed))


class _Numbers:
    """The numbers of a text from the token at an offset on; none if the offset is None."""

    def __init__(self, data: bytes, start: int | None) -> None:
        self._data = data
        self._next = len(data) if start is None else start
        self._found: Iterator[re.Match[bytes]] = iter(())
        self._batch: list[re.Match[bytes]] = []

    def batch(self) -> list[bytes]:
        """Return the next numbers, at most a few thousand: one chunk may be the whole text."""
        while True:
            self._batch = list(islice(self._found, _MATCHES))
            if self._batch or self._next >= len(self._data):
                return [match[0] for match in self._batch]
            chunk = whole_tokens(self._data, self._next)
            start, self._next = self._next, self._next + len(chunk)
            if _holds_number(chunk):
                self._found = NUMBER.finditer(self._data, start, self._next)

    def offset(self, index: int) -> int:
        """Return the start of a number of the last batch."""
        return self._batch[index].start()


def _holds_number(chunk: bytes) -> bool:
    """Tell whether `NUMBER` finds any, at a tenth of its cost if not."""
    if len(chunk.translate(None, _DIGITS)) < len(chunk):
        return True
    lowered = chunk.lower()
    return any(name.search(lowered) for name in _NAMES)


def _names_infinity(number: bytes) -> bool:
    return number[-1:] in (b"f", b"F", b"y", b"Y")


def _has_huge_exponent(number: bytes) -> bool:
    _, _, exponent = number.lower().partition(b"e")
    return len(exponent.lstrip(b"+-0")) > _EXPONENT_DIGITS


def _is_integer(token: bytes) -> bool:
    return token.isdigit() or (token[:1] in (b"-", b"+") and token[1:].isdigit())


def _same_integer(one: bytes, other: bytes) -> bool:
    """Compare digits: `int` takes quadratic time on a million of them."""
    digits = one.lstrip(b"+-").lstrip(b"0")
    if digits != other.lstrip(b"+-").lstrip(b"0"):
        return False
    return not digits or (one[:1] == b"-") == (other[:1] == b"-")
