"""Make long lists with few and small numbers only: their items meet again and again."""

from itertools import islice

from steelyard.inputs._drafts import Drafts
from steelyard.inputs._make import as_cases
from steelyard.inputs._workshop import Workshop
from steelyard.schemas import AuthoredCase, Specification

_LENGTHS = ((64, 250), (250, 600))
"""Items of the longest list. Rare states of what handles operations come up in long ones only."""
_TRIES = 2
"""Attempts for each input that is wanted."""
_MOST_WORK = 300_000_000
"""Units of work, as of `make_inputs`."""


def dense_inputs(spec: Specification, *, seed: int, count: int) -> tuple[AuthoredCase, ...]:
    """Make inputs with a long list of few and small numbers, without outputs. All are valid.

    Args:
        spec: The specification. Without a list or text that may be long there are none.
        seed: The inputs depend on the specification and the seed alone.
        count: Limit on the inputs.

    Raises:
        SpecificationError: if a type or a constraint cannot be read.
    """
    shop = Workshop(spec, seed, _MOST_WORK)
    shop.unreached.clear()
    drafts = islice(Drafts(shop).dense(_LENGTHS), _TRIES * count)
    return as_cases([*islice(shop.finished(drafts), count)])
