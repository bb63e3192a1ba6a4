"""Decide which characters a text can have that passes methods such as `isalpha`."""

from collections.abc import Iterable
from functools import lru_cache

from steelyard.authoring.constraints._domain import Domain

_OPPOSITE = {"islower": "isupper", "isupper": "islower"}


def passes(char: str, checks: Iterable[str], *, strictly: bool = False) -> bool:
    """Return whether a text that passes the checks can have a character.

    Args:
        char: The character.
        checks: Names of methods of `str`, such as `isalpha`.
        strictly: The character alone must pass too. `"a1".islower()` holds, `"1".islower()` not.
    """
    return all(
        getattr(char, name)() or (
            not strictly and name in _OPPOSITE and not getattr(char, _OPPOSITE[name])()
        )
        for name in checks
    )  # fmt: skip


@lru_cache(maxsize=256)
def any_passes(codes: Domain, checks: frozenset[str]) -> bool:
    """Return whether a text that passes the checks can have one of the characters."""
    if checks >= _OPPOSITE.keys():
        return False
    return any(passes(chr(int(code)), checks) for code in codes.values())
