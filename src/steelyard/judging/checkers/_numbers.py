"""Decide whether two written numbers count as the same."""

import math
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, ROUND_DOWN, Context, Decimal, Inexact
from typing import Self

from steelyard.errors import UsageError

DEFAULT_ABS_TOL = 1e-6
DEFAULT_REL_TOL = 1e-6

_ROUNDING = 1e-15
"""Bound on the relative error of the binary64 arithmetic below: three roundings of 2**-53
each (IEEE 754)."""
_SUBNORMAL = 1e-300
_EXPONENT_DIGITS = 15
"""Numbers with a longer exponent are compared as text: `decimal` stops at 10**18."""


@dataclass(frozen=True, slots=True)
class Tolerance:
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
