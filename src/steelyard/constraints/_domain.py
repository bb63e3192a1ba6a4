"""The numbers that a quantity may be: disjoint spans, and a remainder for integers."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import reduce

Number = int | float
Span = tuple[Number, Number]

_MOST_SPANS = 200
LAST_CHARACTER = 0x10FFFF


@dataclass(frozen=True, slots=True)
class Domain:
    """A set of numbers. An integral one holds x only if `x % modulus == remainder`.

    Characters are a set of their code points.
    """

    spans: tuple[Span, ...]
    """Closed, sorted and disjoint; infinite ends are floats. No spans: the set is empty."""
    is_integral: bool = True
    modulus: int = 1
    remainder: int = 0

    @classmethod
    def whole(cls, *, is_integral: bool) -> "Domain":
        """Return the set of all integers, or of all numbers."""
        return cls(((-math.inf, math.inf),), is_integral)

    @classmethod
    def span(cls, low: Number, high: Number, *, is_integral: bool = True) -> "Domain":
        """Return the numbers from `low` to `high`."""
        return _normal(cls(((low, high),), is_integral))

    @classmethod
    def only(cls, values: Iterable[Number], *, is_integral: bool = True) -> "Domain":
        """Return the set of some values."""
        return _normal(cls(tuple((value, value) for value in sorted(values)), is_integral))

    @classmethod
    def residue(cls, modulus: int, remainder: int) -> "Domain":
        """Return the integers with this remainder."""
        return _normal(cls(((-math.inf, math.inf),), modulus=abs(modulus), remainder=remainder))

    @property
    def low(self) -> Number:
        """The smallest number; infinity if there is none."""
        return self.spans[0][0] if self.spans else math.inf

    @property
    def high(self) -> Number:
        """The largest number; minus infinity if there is none."""
        return self.spans[-1][1] if self.spans else -math.inf

    @property
    def is_finite(self) -> bool:
        """Both ends are known."""
        return not (_is_infinite(self.low) or _is_infinite(self.high))

    @property
    def count(self) -> Number:
        """The number of values; infinity for floats."""
        if not self.is_integral:
            return math.inf if any(low < high for low, high in self.spans) else len(self.spans)
        if self.spans and not self.is_finite:
            return math.inf
        return sum((high - low) // self.modulus + 1 for low, high in self.spans)

    def __bool__(self) -> bool:
        return bool(self.spans)

    def __contains__(self, value: Number) -> bool:
        if self.is_integral and (
            value != math.floor(value) or value % self.modulus != self.remainder
        ):
            return False
        return any(low <= value <= high for low, high in self.spans)

    def __and__(self, other: "Domain") -> "Domain":
        spans, rest = list[Span](), list(reversed(other.spans))
        for low, high in self.spans:
            while rest and rest[-1][0] <= high:
                if rest[-1][1] >= low:
                    spans.append((max(low, rest[-1][0]), min(high, rest[-1][1])))
                if rest[-1][1] > high:
                    break
                rest.pop()
        is_integral = self.is_integral or other.is_integral
        merged = _merged(self, other)
        if merged is None:
            return Domain((), is_integral)
        return _normal(Domain(tuple(spans), is_integral, *merged))

    def __or__(self, other: "Domain") -> "Domain":
        """Return the smallest domain known to hold both."""
        is_integral = self.is_integral and other.is_integral
        same = (self.modulus, self.remainder) == (other.modulus, other.remainder)
        class_ = (self.modulus, self.remainder) if same and is_integral else (1, 0)
        return _normal(Domain(tuple(sorted(self.spans + other.spans)), is_integral, *class_))

    def __invert__(self) -> "Domain":
        """Return the smallest domain known to hold all other numbers."""
        if self.modulus == 2:
            return (
                Domain.residue(2, 1 - self.remainder)
                if not self.is_finite
                else (Domain.whole(is_integral=True))
            )
        if self.modulus > 1:
            return Domain.whole(is_integral=True)
        ends: list[Span] = []
        start: Number = -math.inf
        for low, high in self.spans:
            if low > start:
                ends.append((start, self._before(low)))
            start = self._after(high)
        if start < math.inf:
            ends.append((start, math.inf))
        return _normal(Domain(tuple(ends), self.is_integral))

    def values(self) -> Iterator[Number]:
        """Yield the integers of a finite domain in ascending order."""
        for low, high in self.spans:
            yield from range(int(low), int(high) + 1, self.modulus)

    def _before(self, value: Number) -> Number:
        return value - 1 if self.is_integral else math.nextafter(value, -math.inf)

    def _after(self, value: Number) -> Number:
        return value + 1 if self.is_integral else math.nextafter(value, math.inf)


def hull(domains: Iterable[Domain]) -> Domain:
    """Return the smallest domain known to hold all of some domains."""
    return reduce(Domain.__or__, domains)


def _normal(domain: Domain) -> Domain:
    """Return the same set with ends that belong to it, and touching spans joined."""
    spans: list[Span] = []
    gap = 0 if domain.modulus > 1 else 1 if domain.is_integral else 0
    for span in domain.spans:
        low, high = _ends(domain, *span)
        if low > high:
            continue
        if spans and low <= spans[-1][1] + gap:
            spans[-1] = (spans[-1][0], max(spans[-1][1], high))
        else:
            spans.append((low, high))
    if len(spans) > _MOST_SPANS:
        spans = [(spans[0][0], spans[-1][1])]
    return replace(domain, spans=tuple(spans), remainder=domain.remainder % domain.modulus)


def _ends(domain: Domain, low: Number, high: Number) -> Span:
    """Return the first and the last value of a span that the domain holds."""
    if domain.is_integral and not _is_infinite(low):
        low = math.ceil(low)
        low += (domain.remainder - low) % domain.modulus
    if domain.is_integral and not _is_infinite(high):
        high = math.floor(high)
        high -= (high - domain.remainder) % domain.modulus
    return low, high


def _is_infinite(value: Number) -> bool:
    return isinstance(value, float) and math.isinf(value)  # an int may be too large for isinf


def _merged(one: Domain, other: Domain) -> tuple[int, int] | None:
    """Return modulus and remainder of the integers that are in both classes; None if none are."""
    if other.modulus == 1:
        return one.modulus, one.remainder
    if one.modulus == 1:
        return other.modulus, other.remainder
    common = math.gcd(one.modulus, other.modulus)
    if (one.remainder - other.remainder) % common:
        return None
    step = other.modulus // common
    factor = (other.remainder - one.remainder) // common * pow(one.modulus // common, -1, step)
    modulus = one.modulus * step
    return modulus, (one.remainder + one.modulus * (factor % step)) % modulus
