"""Make long lists whose columns are each one number, a run or blocks, so that some go together."""

from itertools import islice

from steelyard.inputs._columns import column_in_order, width_of, with_columns
from steelyard.inputs._drafts import Drafts
from steelyard.inputs._made import Made
from steelyard.inputs._make import as_cases
from steelyard.inputs._workshop import Draft, Input, Workshop
from steelyard.schemas import AuthoredCase, Specification

_TRIES = 3
"""Attempts for each input that is wanted."""
_SHARE, _ORDERS, _LEAST_LONG = 0.8, 3, 20
"""The share of columns that are put in an order, how many orders are tried until one is valid, and
the items from which on a list has any."""
_MOST_WORK = 300_000_000
"""Units of work, as of `make_inputs`."""


def ordered_inputs(spec: Specification, *, seed: int, count: int) -> tuple[AuthoredCase, ...]:
    """Make inputs with lists of 600 items in simple orders, without outputs. All are valid.

    Args:
        spec: The specification. Without a list that may be longer there are none.
        seed: The inputs depend on the specification and the seed alone.
        count: Limit on the inputs.

    Raises:
        SpecificationError: if a type or a constraint cannot be read.
    """
    shop = Workshop(spec, seed, _MOST_WORK)
    shop.unreached.clear()
    bases = shop.finished(islice(Drafts(shop).middling(), _TRIES * count))
    made = (shop.new(Draft(_in_order(base, shop), "stress", "ordered")) for base in bases)
    return as_cases([*islice((each for each in made if each), count)])


def _in_order(base: Input, shop: Workshop) -> list[Made]:
    """Return arguments of which most columns are in an order, one after another if valid."""
    parts, dice = list(base.parts), shop.dice
    widths = [width_of(part.value) if _is_long(part) else 0 for part in parts]
    places = [(at, column) for at, width in enumerate(widths) for column in range(width)]
    columns: list[dict[int, Made]] = [{} for _ in parts]
    for at, column in dice.shuffled(places):
        if shop.meter.spent:
            break
        for _ in range(_ORDERS if dice.chance(_SHARE) else 0):
            order = column_in_order(base.parts[at], shop.grounds[at], dice, column)
            new = with_columns(base.parts[at], {**columns[at], column: order})
            if shop.can_take([each.value for each in (*parts[:at], new, *parts[at + 1 :])]):
                parts[at] = new
                columns[at][column] = order
                break
    return parts


def _is_long(part: Made) -> bool:
    return isinstance(part.value, list) and len(part.value) >= _LEAST_LONG
