"""Decide which characters a text can have that passes tests such as `isalpha`."""

from collections.abc import Iterable
from functools import lru_cache

from steelyard.constraints._domain import Domain

Tests = tuple[str | Domain, ...]
"""A character passes one of them: methods of `str`, and domains of code points."""

KINDS = "\0\t 0!Aa\x80\x85\xa1\xaa\xb2\xbc\xc0\u01bb\u0345\u0660\u2160\u2170\u24b6\u3405"
"""One character for each combination of answers that the methods of `str` give."""
_OPPOSITE = {"islower": "isupper", "isupper": "islower"}


def passes(char: str, every: Iterable[Tests], *, strictly: bool = False) -> bool:
    """Return whether a text can have a character: for all tests, it passes one of their parts.

    Args:
        char: The character.
        every: All that the text passes.
        strictly: The character alone must pass too. `"a1".islower()` holds, `"1".islower()` not.
    """
    return all(any(_passes(char, test, strictly) for test in tests) for tests in every)


def _passes(char: str, test: str | Domain, strictly: bool) -> bool:
    if isinstance(test, Domain):
        return ord(char) in test
    if getattr(char, test)():
        return True
    return not strictly and test in _OPPOSITE and not getattr(char, _OPPOSITE[test])()


@lru_cache(maxsize=256)
def any_passes(codes: Domain, every: frozenset[Tests]) -> bool:
    """Return whether a text that passes all tests can have one of the characters."""
    if {("islower",), ("isupper",)} <= every:
        return False
    methods = [tests for tests in every if not any(isinstance(test, Domain) for test in tests)]
    if not any(passes(char, methods) for char in KINDS):
        return False
    return any(passes(chr(int(code)), every) for code in codes.values())
