"""Find constraints that no arguments can meet together."""

from collections.abc import Mapping, Sequence

from steelyard.authoring.constraints._propagate import ClashError, Propagation
from steelyard.authoring.constraints._shapes import facts_of
from steelyard.authoring.constraints._tree import Constraint
from steelyard.authoring.constraints._validator import Validator
from steelyard.authoring.plain import PlainType


def clash_of(validator: Validator) -> tuple[str, ...]:
    """Return a smallest set of constraints that provably clash; empty if none are found.

    Leaving out any one of them ends this clash. The proof is by narrowing ranges, so that a clash
    of another kind is not found.
    """
    constraints = list(validator.constraints)
    if not _clash(validator.types, constraints):
        return ()
    size = len(constraints) // 2
    while size:  # first by large groups: most constraints have no part in a clash
        start = 0
        while start < len(constraints):
            rest = constraints[:start] + constraints[start + size :]
            if _clash(validator.types, rest):
                constraints = rest
            else:
                start += size
        size //= 2
    return tuple(constraint.text for constraint in constraints)


def _clash(types: Mapping[str, PlainType], constraints: Sequence[Constraint]) -> bool:
    facts = [fact for each in facts_of(types, constraints) for fact in each.facts]
    try:
        Propagation(types).run(facts)
    except ClashError:
        return True
    return False
