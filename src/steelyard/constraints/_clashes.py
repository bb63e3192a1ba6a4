"""Find constraints that no arguments can meet together."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from steelyard.constraints._propagate import ClashError, Propagation
from steelyard.constraints._shapes import facts_of, facts_of_sets
from steelyard.constraints._tree import Constraint
from steelyard.constraints._validator import Validator
from steelyard.values import PlainType

_T = TypeVar("_T")


def clash_of(validator: Validator) -> tuple[str, ...]:
    """Return a smallest set of constraints that provably clash; empty if none are found.

    Leaving out any one of them ends this clash. The proof is by narrowing ranges, so that a clash
    of another kind is not found.
    """
    if not _clash(validator.types, validator.constraints):
        return ()
    least = smallest(validator.constraints, lambda rest: _clash(validator.types, rest))
    return tuple(constraint.text for constraint in least)


def clash_in_words(validator: Validator) -> str:
    """Return the fault of constraints that provably clash, with what to do; empty if none do."""
    clash = clash_of(validator)
    if len(clash) == 1:
        return f"no arguments meet the constraint {clash[0]!r}; relax or remove it"
    listed = "; ".join(map(repr, clash))
    return listed and f"no arguments meet these constraints together: {listed}; change one of them"


def smallest(
    items: Sequence[_T], fails: Callable[[Sequence[_T]], bool], most: int = 1_000
) -> list[_T]:
    """Return few of some items that fail together; without any one of them they do not.

    Args:
        items: Items that fail together.
        fails: Returns whether some of them, in their order, fail together.
        most: Limit on its calls; after that the items may not be the fewest.
    """
    left = list(items)
    size = len(left) // 2
    while size:  # first by large groups: most items have no part in a failure
        start = 0
        while start < len(left) and most > 0:
            rest = left[:start] + left[start + size :]
            most -= 1
            if fails(rest):
                left = rest
            else:
                start += size
        size //= 2
    return left


def _clash(types: Mapping[str, PlainType], constraints: Sequence[Constraint]) -> bool:
    stated = (fact for each in facts_of(types, constraints) for fact in each.facts)
    facts = [*facts_of_sets(types), *stated]
    try:
        Propagation(types).run(facts)
    except ClashError:
        return True
    return False
