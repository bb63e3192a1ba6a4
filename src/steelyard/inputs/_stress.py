"""Make large inputs only: no bound is aimed at, and repair comes last."""

from collections.abc import Iterable, Iterator, Sequence

from pydantic import JsonValue

from steelyard.constraints import Work
from steelyard.inputs._drafts import Drafts
from steelyard.inputs._made import made
from steelyard.inputs._make import as_case
from steelyard.inputs._meter import visits
from steelyard.inputs._workshop import Draft, Workshop
from steelyard.schemas import AuthoredCase, Specification

_MOST_REPAIRED = 3
_MOST_FAILURES = 100
"""Drafts in a row without a valid and new input, after which no more are made: arguments of one
size may be few."""
_MAKING = 100
"""Units of work for each item or character of a draft: to make it, write it and read it again."""


def stress_inputs(
    spec: Specification,
    *,
    seed: int,
    work: int,
    counter: Work,
    bases: Sequence[Sequence[JsonValue]] = (),
    kinds: Iterable[int] | None = None,
) -> Iterator[tuple[int, AuthoredCase]]:
    """Yield the largest inputs that constraints allow and their kinds, each made when asked for.

    Those that are valid as they are built come first, and those of which the largest argument is
    valid with the other ones of a base. A few others are repaired.

    Args:
        spec: The specification.
        seed: The inputs depend on the specification, the bases and the seed alone.
        work: Limit on the units of work, as of `derive_inputs`.
        counter: Counts them; a limit of several calls, begun together, is one if they share it.
        bases: Small arguments, but for the largest one valid ones.
        kinds: Numbers, each of one kind of inputs at all sizes; None for the first ones.

    Raises:
        SpecificationError: if a type or a constraint cannot be read.
    """
    shop = Workshop(spec, seed, work, counter)
    shop.unreached.clear()
    left, failures = list[tuple[int, Draft]](), 0
    for kind, draft in Drafts(shop).large(bases, kinds):
        if shop.meter.spent:
            return
        if failures == _MOST_FAILURES:
            break
        failures += 1
        if draft is None:
            continue
        counter.steps += _MAKING * visits(draft.args)
        valid = draft if shop.is_valid(draft.args) else None
        if not valid and draft.may_change:
            valid = shop.sieved(draft) or _on_a_base(draft, bases, shop)
        if not valid:
            left += [(kind, draft)] * draft.may_change
        elif found := shop.new(valid):
            failures = 0
            yield kind, as_case(found)
    for kind, draft in left[:_MOST_REPAIRED]:
        if shop.meter.spent:
            return
        if found := shop.finish(draft):
            yield kind, as_case(found)


def _on_a_base(draft: Draft, bases: Sequence[Sequence[JsonValue]], shop: Workshop) -> Draft | None:
    """Return the largest argument of a draft with the others of a base; None if none is valid."""
    largest = max(range(len(draft.parts)), key=lambda at: visits(draft.parts[at].value))
    for base in bases:
        parts = [*map(made, base)]
        parts[largest] = draft.parts[largest]
        if shop.is_valid([part.value for part in parts]):
            return Draft(parts, draft.category, f"{draft.origin}, on an example")
    return None
