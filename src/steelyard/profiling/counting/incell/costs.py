"""Return the cost of one built-in operation, in passes of a loop, by the size of its operands.

It is one for each element, one for sixteen bytes of text, and words to the power of log2(3) where
large integers are multiplied.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable
from itertools import chain, islice
from operator import lt
from typing import Any

Charge = Callable[..., Any]
"""Takes the place, then what it is for."""
TEXTS = frozenset({str, bytes, bytearray})
"""Charged by their length in bytes."""
ITEMS = frozenset(
    {list, tuple, set, frozenset, dict, deque, Counter, OrderedDict, defaultdict, range}
    | {type({}.keys()), type({}.values()), type({}.items())}
)
"""Charged by the number of their elements."""
SEARCHED = frozenset({list, tuple, deque, type({}.values())})
"""Of these, those in which an element is found only by going through them."""
LAZY = frozenset(
    {map, filter, zip, enumerate, reversed, type(iter(int, 0))}
    | {type(iter(kind())) for kind in (list, tuple, str, bytes, set, dict)}
    | {type(iter({}.items())), type(iter({}.values())), type(iter(range(0))), type(reversed([]))}
    | {each for each in vars(itertools).values() if isinstance(each, type)}
)
"""Charged step by step, as they are gone through: they have no length."""
ATOMS = frozenset({int, float, str, bytes, bool})
"""Comparing two of them is of the interpreter's own doing."""
TEXT_BYTES = 16
"""Of a text, handled in the time of one pass."""
WORD_BITS = 64
"""Of an integer, handled in the time of one pass."""
SHORT_INT = 1 << 256
"""Below it arithmetic takes less than what the interpreter does around it, and costs nothing: a
count must not jump where the values of n, or their products, need another word."""
KARATSUBA = 1.58
"""Exponent of the words of a product: log2(3)."""
_SMALL_RUN = 32  # shorter ones are lengthened by insertion
_SHORT_RUNS = 4
"""Elements to a turn below which no run is longer than those that insertion makes."""


def compare_cost(value: Any) -> int:
    """Return what it costs to find that something else equals a value."""
    kind = type(value)
    if kind in TEXTS:
        return len(value) // TEXT_BYTES + 1
    return len(value) if kind in ITEMS else 1


def product_cost(left: int, right: int) -> int:
    """Return the cost of multiplying two integers: Karatsuba on the shorter one's words."""
    short, long = sorted((left.bit_length() // WORD_BITS + 1, right.bit_length() // WORD_BITS + 1))
    return round(long / short * math.pow(short, KARATSUBA))


def log_cost(size: int) -> float:
    """Return the steps of one search in so many ordered elements."""
    return max(1.0, math.log2(size)) if size else 0.0


def sort_cost(values: Any) -> float:
    """Return the comparisons of a merge sort that finds runs, from the runs that the values have.

    Args:
        values: What is sorted without a key; its elements are compared only where they are plain.

    Source:
        Auger, Juge, Nicaud, Pivoteau, On the Worst-Case Complexity of TimSort: n + n H(runs).
    """
    size = len(values)
    if size < 2:
        return size
    if not _is_plain(values):
        return size * log_cost(size)
    try:
        falls = bytes(map(lt, islice(values, 1, None), values))
    except TypeError:  # it will be raised again where it belongs
        return size
    turns = falls.count(b"\0\1") + falls.count(b"\1\0")
    if turns == 0:
        return size
    shortest = min(size, _SMALL_RUN)
    if turns > size // _SHORT_RUNS:
        return size * math.log2(shortest) + size * math.log2(max(1.0, size / shortest))
    return size * math.log2(shortest) + size * _entropy(falls, shortest)


def _entropy(falls: bytes, shortest: int) -> float:
    """Return the entropy of the lengths of runs, where short ones are lengthened by insertion."""
    size = len(falls) + 1
    total, start = 0.0, 0
    while start < size:
        direction = falls[start : start + 1] or b"\0"
        end = falls.find(b"\0" if direction == b"\1" else b"\1", start)
        length = (size if end < 0 else end + 1) - start
        length = min(max(length, shortest), size - start)
        total -= length / size * math.log2(length / size)
        start += length
    return total


def _is_plain(values: Iterable[Any]) -> bool:
    """Return whether comparing the elements runs none of the program's own code."""
    kinds = set(map(type, values))
    if kinds <= {tuple, list}:
        return set(map(type, chain.from_iterable(values))) <= ATOMS
    return kinds <= ATOMS
