"""Make large inputs only: no bound is aimed at, and repair comes last."""

from collections.abc import Iterator

from steelyard.inputs._drafts import Drafts
from steelyard.inputs._make import as_case
from steelyard.inputs._workshop import Workshop
from steelyard.schemas import AuthoredCase, Specification

_MOST_REPAIRED = 3


def stress_inputs(spec: Specification, *, seed: int, work: int) -> Iterator[AuthoredCase]:
    """Yield the largest inputs that constraints allow, each made when it is asked for.

    Those that are valid as they are built come first. A few others are repaired.

    Args:
        spec: The specification.
        seed: The inputs depend on the specification and the seed alone.
        work: Limit on the units of work, as of `make_inputs`.

    Raises:
        SpecificationError: if a type or a constraint cannot be read.
    """
    shop = Workshop(spec, seed, work)
    shop.unreached.clear()
    left = []
    for draft in Drafts(shop).stress():
        if shop.meter.spent:
            return
        if draft is None:
            continue
        valid = draft if shop.is_valid(draft.args) else shop.sieved(draft)
        if valid is None:
            left.append(draft)
        elif found := shop.new(valid):
            yield as_case(found)
    for draft in left[:_MOST_REPAIRED]:
        if shop.meter.spent:
            return
        if found := shop.finish(draft):
            yield as_case(found)
