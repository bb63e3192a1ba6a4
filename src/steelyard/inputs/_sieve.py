"""Leave out of long lists the rows that break a constraint by themselves.

Repair changes one thing after the other, which takes too long for thousands of rows.
"""

from collections.abc import Sequence
from typing import Any

from steelyard.constraints import Validator
from steelyard.families import Dice
from steelyard.inputs._made import Made, call

_LEAST_ROWS, _MOST_TRIED = 64, 300
_MOST_WORK = 5_000_000
"""Units of work, as of `make_inputs`, after which no further row is tried."""


def with_valid_rows(parts: Sequence[Made], validator: Validator, dice: Dice) -> list[Made] | None:
    """Return arguments with valid rows alone, as many as before; None if no list gets better.

    Rows are tried one by one. Those that break no more than each of them does are the valid ones;
    the new list has only these, in random order.

    Args:
        parts: Arguments that break constraints.
        validator: The constraints.
        dice: Chooses rows.
    """
    new = list(parts)
    for at, part in enumerate(parts):
        rows = part.value
        if not isinstance(rows, list) or len(rows) < _LEAST_ROWS:
            continue
        if not all(isinstance(row, list | str) for row in rows):
            continue
        some = [rows[i] for i in dice.sample(0, len(rows) - 1, min(len(rows), _MOST_TRIED))]
        good = _good(some, [each.value for each in parts], at, validator)
        if 0 < len(good) < len(some):
            ranks = call("uniform", len(rows), 0, len(good) - 1, dice.below(1_000_000))
            new[at] = call("chosen", ranks, good)
    return None if new == list(parts) else new


def _good(rows: Sequence[Any], args: Sequence[Any], at: int, validator: Validator) -> list[Any]:
    """Return the rows that break, each alone in its list, only what every row breaks."""
    names = list(validator.types)
    naming = tuple(each for each in validator.constraints if names[at] in each.names)
    needed = set[str]().union(*(each.names for each in naming))
    narrower = Validator(validator.types, naming, work=validator.work)
    # An argument that no constraint of the rows names may be anything: each row breaks its type.
    alone = [arg if name in needed else None for name, arg in zip(names, args, strict=True)]
    last, found = validator.work.steps + _MOST_WORK, []
    for row in rows:
        alone[at] = [row]
        found.append((row, {*narrower.broken(alone)}))
        if validator.work.steps > last:
            break
    always = set.intersection(*(broken for _, broken in found))
    return [row for row, broken in found if broken == always]
