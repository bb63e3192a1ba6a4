"""Check that the size of an input follows n up to the largest n."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from steelyard.rendering import count
from steelyard.solving.portfolio._layout import whole_number

_SMALLEST = 4
_SHARE = 0.45
"""The last increment must be this share of what the earlier increments promise. A doubling adds as
much as the one before it, or more, for sizes from log n to powers of n."""
_STEEPEST = 8.0
_NUMBER_BYTES = 24
"""More bytes for each token are words that grow, not numbers with more digits."""
_FAR = 16
_FEW = 1_000


@dataclass(frozen=True)
class Size:
    """The size of one input."""

    tokens: int
    size_bytes: int
    largest: int
    """The largest whole number, by absolute value; 0 without any, or if there are many numbers."""

    def larger(self, other: "Size") -> "Size":
        """Return the larger of both in each respect."""
        return Size(
            max(self.tokens, other.tokens),
            max(self.size_bytes, other.size_bytes),
            max(self.largest, other.largest),
        )


def size_of(text: str) -> Size:
    """Return the size of an input."""
    words = text.split()
    numbers = map(whole_number, words if len(words) <= _FEW else ())
    largest = max((abs(number) for number in numbers if number is not None), default=0)
    return Size(len(words), len(text), largest)


def doublings(largest: int) -> list[int]:
    """Return the sizes at which an input is measured, each about twice the one before."""
    halved = [largest]
    while halved[-1] // 2 >= _SMALLEST:
        halved.append(halved[-1] // 2)
    return halved[::-1]


def growth_fault(ns: Sequence[int], sizes: Sequence[Size]) -> str | None:
    """Return how the size stops following n; None if it follows n to the end.

    Args:
        ns: From `doublings`.
        sizes: The size of the input for each n.
    """
    if len(ns) < 3:
        return None
    tokens = [size.tokens for size in sizes]
    if max(tokens) > 2 * min(tokens) + 2:
        return _stalled("tokens", ns, tokens)
    lengths = [size.size_bytes for size in sizes]
    if max(lengths) > _NUMBER_BYTES * max(tokens):
        return _stalled("bytes", ns, lengths)
    largest = [size.largest for size in sizes]
    before = [value for n, value in zip(ns, largest, strict=True) if n * _FAR <= ns[-1]]
    if largest[-1] > max(before or largest[:1]):
        return None
    return (
        f"it ignores n: its input for n = {count(ns[-1])} has {tokens[-1]:,} tokens and no larger "
        f"number than for n = {count(ns[0])}; make the size of its input grow with n"
    )


def _stalled(unit: str, ns: Sequence[int], sizes: Sequence[int]) -> str | None:
    """Return the fault if the last increment is far below what the earlier ones promise."""
    *earlier, last = [high - low for low, high in pairwise(sizes)]
    promised = float(max(earlier))
    if len(earlier) > 1 and earlier[-1] > earlier[-2] > 0:
        promised = max(promised, earlier[-1] * min(_STEEPEST, earlier[-1] / earlier[-2]))
    if last >= _SHARE * promised:
        return None
    return (
        f"its input stops growing: it has {sizes[-2]:,} {unit} for n = {count(ns[-2])} and "
        f"{sizes[-1]:,} for n = {count(ns[-1])}; make the size of its input follow n up to the "
        "largest n"
    )
