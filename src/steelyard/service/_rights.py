"""Decide what a caller may see: what is its own, and what its scopes open of all others'.

Everything that a service keeps belongs to an account, its owner, which is never found by a name.
"""

from typing import Literal

from steelyard.schemas import Scope
from steelyard.service._auth import Caller

Kept = Literal["run", "submission", "challenge", "test", "page", "peer"]
"""What a service keeps. `test`: tests of stored problems that their statements do not show, with
inputs, expected outputs and whatever quotes them. `page`: work that a page follows. `peer`: what
clients of other judges leave for an hour."""

_READERS: dict[Kept, frozenset[Scope]] = {
    "run": frozenset({"admin"}),
    "submission": frozenset({"admin"}),
    "challenge": frozenset({"author", "admin"}),
    "test": frozenset({"author", "admin"}),
    "page": frozenset({"admin"}),
    "peer": frozenset(),
}
"""The scopes that open what is not the caller's own."""


def may_see(caller: Caller, kept: Kept, owner: str | None = None) -> bool:
    """Return True if a caller may see something.

    Args:
        caller: The caller.
        kept: The kind of thing.
        owner: The account that it belongs to; None for anybody's.
    """
    return owner == caller.owner or not caller.scopes.isdisjoint(_READERS[kept])


def owner_seen(caller: Caller, kept: Kept) -> str | None:
    """Return the only account whose things of a kind a caller may see; None if it sees all."""
    return None if may_see(caller, kept) else caller.owner
