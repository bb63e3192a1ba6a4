"""Families of whole numbers: which values there are, before anything puts them in order."""

import math
from itertools import islice

from steelyard.families._dice import Dice
from steelyard.families._table import family

_PSEUDOPRIMES = (
    341,
    561,
    1105,
    1729,
    2047,
    3277,
    1373653,
    25326001,
    3215031751,
    4759123141,
    2152302898747,
    3474749660383,
    341550071728321,
    3825123056546413051,
)
"""Composite numbers that tests of primality to few bases take for primes.

Source:
    OEIS A001567, A002997, A014233.
"""
_BASES = (2, 3, 5, 7)
_PRIMES_WITHIN = 300
"""Numbers among which the largest primes are searched for."""
_MERSENNE = (1 << 61) - 1
"""CPython's hash of an int is its remainder by this prime."""


def notable(low: int, high: int) -> list[int]:
    """Return the numbers of an interval that programs get wrong, ascending.

    The bounds and their neighbours, those around 0, powers of 2 and 10 and where machine numbers
    and floats end, primes, squares and highly composite numbers.
    """
    near = [low, low + 1, high - 1, high, *range(-2, 4), (low + high) // 2]
    for power in (2, 4, 5, 7, 8, 10, 15, 16, 24, 30, 31, 32, 52, 53, 62, 63, 64):
        near += [sign * (1 << power) + by for sign in (1, -1) for by in (-1, 0, 1)]
    near += [sign * 10**power + by for power in range(1, 19) for sign in (1, -1) for by in (-1, 0)]
    near += [7, 11, 13, 97, 7919, 10**9 + 7, 998244353, 999999937, 12, 60, 5040, 720720, 735134400]
    near += [root * root + by for root in (5, 12, 99, 1000, 31622, 10**9) for by in (-1, 0, 1)]
    near += _PSEUDOPRIMES
    near += [*_primes_below(high), *_primes_below(math.isqrt(max(0, high)))]
    return sorted({number for number in near if low <= number <= high})


def _primes_below(end: int) -> list[int]:
    """Return the two largest primes up to a number, with near certainty."""
    numbers = range(end, max(1, end - _PRIMES_WITHIN), -1)
    primes = (n for n in numbers if all(base == n or pow(base, n - 1, n) == 1 for base in _BASES))
    return list(islice(primes, 2)) if end < 1 << 64 else []


@family("values")
def uniform(n: int, low: int, high: int, seed: int = 0) -> list[int]:
    """Any numbers."""
    return Dice(seed).numbers(n, low, high)


@family("values")
def all_equal(n: int, low: int, high: int, seed: int = 0) -> list[int]:
    """One value: the lowest, the highest, or any other."""
    dice = Dice(seed)
    return [dice.pick([low, high, dice.between(low, high)])] * n


@family("values")
def distinct(n: int, low: int, high: int, seed: int = 0) -> list[int]:
    """Different numbers; as many as there are, and then repeated."""
    there = min(n, high - low + 1)
    return _repeated(Dice(seed).sample(low, high, there), n)


@family("values")
def consecutive(n: int, low: int, high: int, seed: int = 0) -> list[int]:
    """A run of successive numbers from anywhere in the interval."""
    there = min(n, high - low + 1)
    start = Dice(seed).pick([low, high - there + 1, Dice(seed, 1).between(low, high - there + 1)])
    return _repeated(list(range(start, start + there)), n)


@family("values")
def spread(n: int, low: int, high: int, seed: int = 0) -> list[int]:
    """Evenly from the lowest to the highest."""
    return [low + (high - low) * i // max(1, n - 1) for i in range(n)]


@family("values")
def ends(n: int, low: int, high: int, seed: int = 0) -> list[int]:
    """The lowest, the highest, and on towards the middle."""
    there = min(n, high - low + 1)
    return _repeated([low + i // 2 if i % 2 == 0 else high - i // 2 for i in range(there)], n)


@family("values")
def powers(n: int, low: int, high: int, seed: int = 0) -> list[int]:
    """Numbers that programs get wrong: ends of machine numbers, powers, primes, squares."""
    dice, kinds = Dice(seed), notable(low, high)
    return [dice.pick(kinds) for _ in range(n)]


@family("values")
def fibonacci(n: int, low: int, high: int, seed: int = 0) -> list[int]:
    """The Fibonacci word of two values: many repeats, and no period."""
    dice = Dice(seed)
    before, word = [dice.between(low, high)], [dice.between(low, high)]
    while len(word) < n:
        before, word = word, word + before
    return word[:n]


@family("values")
def walk(n: int, low: int, high: int, seed: int = 0) -> list[int]:
    """Neighbours differ by at most one: plateaus, peaks and valleys."""
    dice, numbers = Dice(seed), list[int]()
    at = min(max(low, 0), high)
    for _ in range(n):
        numbers.append(at)
        at = min(high, max(low, at + dice.below(3) - 1))
    return numbers


@family("values")
def colliding(n: int, low: int, high: int, seed: int = 0) -> list[int]:
    """Different numbers whose hashes collide in CPython's dicts and sets.

    Multiples of 2**61 - 1, which all hash to 0, where the interval has room for them. Within
    smaller intervals half of them fill the slots that probing visits from slot 0, and half are
    multiples of the table's size, which all start there.
    """
    if high // _MERSENNE - max(low, 0) // _MERSENNE >= n:
        return [_MERSENNE * (max(low, 0) // _MERSENNE + i + 1) for i in range(n)]
    size = 1 << max(3, (n * 3 // 2).bit_length())
    slot, keys = 0, list[int]()
    for _ in range(n // 2):
        slot = (5 * slot + 1) % size
        if low <= slot <= high:
            keys.append(slot)
    start = max(1, -(-low // size))
    keys += [size * k for k in range(start, min(start + n - len(keys), high // size + 1))]
    if len(keys) < n:
        taken = set(keys)
        free = (each for each in range(max(low, 0), high + 1) if each not in taken)
        keys += [each for each, _ in zip(free, range(n - len(keys)), strict=False)]
    return _repeated(keys or [low], n)


def _repeated(block: list[int], n: int) -> list[int]:
    return (block * (n // len(block) + 1))[:n] if n else []
