"""Make the inputs of a suite: categories in turn, bounds that were missed, and in which order."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from steelyard.constraints import doubts_of
from steelyard.families import as_compact
from steelyard.inputs._drafts import Drafts
from steelyard.inputs._meter import MOST_WORK
from steelyard.inputs._workshop import Draft, Input, Tally, Workshop
from steelyard.schemas import AuthoredCase, Specification

_TURNS = (
    "edges",
    "small",
    "small",
    "changes",
    "small",
    "edges",
    "small",
    "small",
    "small",
    "large",
    "small",
    "small",
)
"""How often each source of drafts has its turn."""
_MOST_FAILURES = 30
"""Drafts in a row without a new input, after which a source is left."""
_AIM_AT = 0.6
"""Share of the inputs after which bounds that none of them reaches are aimed at."""
LARGE = 200
"""Items from which on arguments are written as an expression, and come last."""
_END = Draft([], "basic", "")


@dataclass(frozen=True)
class DerivedInputs:
    """Inputs made without a model, and what could not be made."""

    cases: tuple[AuthoredCase, ...]
    notes: tuple[str, ...]
    """Constraints that allow more than is usually meant, sources that gave fewer inputs than asked
    for, bounds that no input reaches, budgets."""
    tallies: Mapping[str, Tally]
    """What became of drafts, by the first word of their origin: `family`, `bound`, `relation`."""
    bounds: int
    """The number of bounds."""
    unreached: tuple[str, ...]
    """The bounds that no input reaches."""


def derive_inputs(
    spec: Specification, *, seed: int, count: int, work: int = MOST_WORK
) -> DerivedInputs:
    """Make inputs from types and constraints, and note what could not be made.

    All are valid, no two are equal. The examples come first; the largest come last.

    Args:
        spec: The specification.
        seed: The inputs depend on the specification, the seed and the count alone.
        count: Limit on the inputs.
        work: Limit on the units of work: about one node of a constraint that is evaluated once.

    Raises:
        SpecificationError: if a type or a constraint cannot be read.
    """
    shop = Workshop(spec, seed, work)
    drafts = Drafts(shop)
    chosen = [found for draft in drafts.examples() if (found := shop.new(draft))][:count]
    sources: dict[str, Iterator[Draft | None]] = {
        "edges": drafts.edges(),
        "small": drafts.small(),
        "changes": drafts.changes(),
        "large": (draft for _, draft in drafts.large([each.args for each in chosen])),
    }
    failures, is_aimed = Counter[str](), False
    while len(chosen) < count and sources and not shop.meter.spent:
        for name in _TURNS:
            if len(chosen) >= count or shop.meter.spent:
                break
            if not is_aimed and len(chosen) >= _AIM_AT * count:
                is_aimed = True
                chosen += _aimed(shop, drafts)[: count - len(chosen)]
                continue
            draft = next(sources[name], _END) if name in sources else _END
            if draft is _END:
                sources.pop(name, None)
                continue
            found = shop.finish(draft) if draft else None
            failures[name] = 0 if found else failures[name] + 1
            if found:
                chosen.append(found)
            elif failures[name] >= _MOST_FAILURES:
                drafts.notes.append(
                    f"{name}: {_MOST_FAILURES} attempts in a row gave no valid and new input"
                )
                del sources[name]
    if not is_aimed:
        chosen += _aimed(shop, drafts)[: count - len(chosen)]
    if shop.meter.spent:
        drafts.notes.append(
            f"stopped after {shop.meter.spent}; made {len(chosen)} of {count} inputs"
        )
    return _derived(shop, drafts, chosen, count)


def _aimed(shop: Workshop, drafts: Drafts) -> list[Input]:
    """Return inputs that reach bounds which none has reached so far."""
    found: list[Input] = []
    for index in list(shop.unreached):
        if shop.meter.spent:
            break
        for draft in drafts.aimed(shop.bounds[index]):
            made = shop.finish(draft) if draft else None
            if made and index not in shop.unreached:
                found.append(made)
                break
    return found


def _derived(shop: Workshop, drafts: Drafts, chosen: list[Input], count: int) -> DerivedInputs:
    chosen.sort(key=lambda each: (not each.origin.startswith("example"), each.items > LARGE))
    unreached = tuple(
        f"{bound.where}: {bound.side} {bound.value}"
        for bound in (shop.bounds[index] for index in shop.unreached)
    )
    notes = [*doubts_of(shop.validator), *drafts.notes]
    notes += (f"no input reaches the bound of {each}" for each in unreached)
    if len(chosen) < count and not shop.meter.spent:
        notes.append(f"made {len(chosen)} of {count} inputs; no further ones were found")
    return DerivedInputs(
        as_cases(chosen),
        tuple(dict.fromkeys(notes)),
        dict(shop.tallies),
        len(shop.bounds),
        unreached,
    )


def as_cases(chosen: Sequence[Input]) -> tuple[AuthoredCase, ...]:
    """Return inputs as cases without outputs, named by their categories and numbers."""
    numbers = Counter[str]()
    cases = []
    for each in chosen:
        numbers[each.category] += 1
        cases.append(as_case(each, numbers[each.category]))
    return tuple(cases)


def as_case(made: Input, number: int = 1) -> AuthoredCase:
    """Return an input as a case without an output, named by its category and a number."""
    expression = made.expression() if made.items > LARGE else ""
    return AuthoredCase(
        name=f"{made.category} {number}",
        category=made.category,
        origin=made.origin[:200],
        input=as_compact(made.args, expression),
    )
