"""Find constraints that allow more than their authors usually mean, or that are read in part."""

from steelyard.constraints._domain import Domain
from steelyard.constraints._facts import Texts
from steelyard.constraints._shapes import facts_of, shape_of
from steelyard.constraints._tree import Constraint
from steelyard.constraints._validator import Validator


def partly_read(validator: Validator) -> tuple[Constraint, ...]:
    """Return the constraints that state more than ranges, forms and relations which are known.

    They are checked as they are written; only what makes inputs does not know all of them.
    """
    found = facts_of(validator.types, validator.constraints)
    pairs = zip(validator.constraints, found, strict=True)
    return tuple(each for each, stated in pairs if not stated.is_whole)


def doubts_of(validator: Validator) -> tuple[str, ...]:
    """Return one line for each constraint that probably means less than it allows.

    `c in '.#'` for a text `c` asks for a part of `'.#'`, as in Python: the empty text is one. If
    other constraints leave single characters only, there is no doubt.
    """
    shapes, found = shape_of(validator), list[str]()
    for constraint, stated in zip(
        validator.constraints, facts_of(validator.types, validator.constraints), strict=True
    ):
        for fact in stated.facts:
            if not isinstance(fact, Texts) or not fact.usual:
                continue
            lengths = shapes.quantities.get(f"len({fact.path})", Domain.span(0, len(fact.usual)))
            more = [each for each in fact.values - fact.usual if len(each) in lengths]
            if more:
                least = min(more, key=len)
                found.append(
                    f"constraint {constraint.text!r} allows {least!r} too: `in` a text means a "
                    "part of it; add that the length is 1, or list the texts"
                )
    return tuple(dict.fromkeys(found))
