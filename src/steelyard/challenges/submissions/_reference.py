"""The current reference solution of a problem: the last one that took another's place."""

from collections.abc import Sequence
from typing import Final

from steelyard.schemas import SolutionRole, StoredSolution

REFERENCES: Final[tuple[SolutionRole, ...]] = ("optimised", "reference", "brute-force")
"""The roles of solutions that are meant to be right, the preferred one first."""
_REPLACES: Final = "replaces"
"""Key of a solution's evidence: the digest of the reference solution whose place it takes."""


def reference_of(solutions: Sequence[StoredSolution]) -> StoredSolution | None:
    """Return the current reference solution of a problem; None if it has none."""
    after = {
        str(each.evidence[_REPLACES]): each for each in solutions if _REPLACES in each.evidence
    }
    written = [
        each for each in solutions if each.role in REFERENCES and _REPLACES not in each.evidence
    ]
    current = min(written, key=rank_of, default=None)
    while current is not None and current.digest in after:
        current = after[current.digest]
    return current


def replacement_of(new: StoredSolution, old: StoredSolution, **changes: str) -> StoredSolution:
    """Return a solution as the reference in place of another one.

    Args:
        new: The solution that takes the place.
        old: The reference solution until then.
        **changes: Other fields of the new record.
    """
    evidence = {**new.evidence, _REPLACES: old.digest}
    return StoredSolution.model_validate(new.model_dump() | {"evidence": evidence, **changes})


def rank_of(solution: StoredSolution) -> tuple[int, str]:
    """Return the rank of a solution; the smallest is preferred."""
    roles = REFERENCES
    return roles.index(solution.role) if solution.role in roles else len(roles), solution.digest
