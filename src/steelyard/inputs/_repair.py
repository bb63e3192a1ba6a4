"""Lead arguments to valid ones: change a little, keep what is not farther from the constraints.

Source:
    Research of this project: 300 steps solve 16 of 20 kinds of constraints that no family builds.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from steelyard.constraints import Validator
from steelyard.families import Dice
from steelyard.inputs._meter import Meter
from steelyard.inputs.nodes import Changes, Node, Number
from steelyard.inputs.nodes import Sequence as Listed

_STEPS = 300
_STRICT = 0.25
"""Share of the steps, the first ones, in which only what is closer is kept."""
_LEAVES = 0.7
"""Share of the changes of a list or text that change one number or letter inside it."""
_JUMPS = 4
"""Large changes, one after another."""
_LONGEST_JUMP = 1e15
_MOST_WORK = 4_000_000
"""Units of work of one repair, so that large arguments get fewer steps."""


def repaired(
    args: Sequence[Any],
    nodes: Sequence[Node],
    validator: Validator,
    meter: Meter,
    dice: Dice,
    *,
    leave: int | None = None,
    strays: float = 0.0,
) -> list[Any] | None:
    """Return valid arguments close to these, or None if no change led to any.

    Args:
        args: Arguments of the right types.
        nodes: What each argument may be.
        validator: The constraints.
        meter: What counts the work.
        dice: What chooses the changes.
        leave: The position of an argument that stays as it is.
        strays: The share of changes that may leave the nodes.
    """
    each, before, allowance = meter.cost(args), meter.done, meter.allowance
    most = min(_MOST_WORK, allowance)
    steps = min(_STEPS, most // each)
    best, distance = list(args), validator.distance(args)
    if leave is not None and len(best) == 1:
        return None if distance else best
    free = [at for at in range(len(best)) if at != leave]
    focus, stale = _at_fault(validator, best, free), 0
    for _ in range(_JUMPS if distance else 0):
        start = distance
        for changed in _jumps(best, nodes, distance, focus):
            if meter.done - before > allowance:
                return None
            meter.charge(each)
            reached = validator.distance(changed)
            if reached < distance:
                best, distance = changed, reached
                focus = _at_fault(validator, best, free) if distance else focus
                break
        if distance == start or not distance:
            break
    for step in range(steps):
        if not distance or meter.done - before > most:
            break
        changed = list(best)
        for _ in range(1 + (stale > 40) + dice.chance(0.2)):
            at = dice.pick(focus) if dice.chance(0.9) else dice.pick(free)
            changes = Changes(dice, best, strays, leaves=_LEAVES)
            changed[at] = nodes[at].changed(changed[at], changes)
        if changed == best:
            continue
        meter.charge(each)
        reached = validator.distance(changed)
        stale += 1
        if reached < distance or (reached == distance and step >= _STRICT * steps):
            if reached < distance:
                focus, stale = _at_fault(validator, changed, free), 0
            best, distance = changed, reached
    return None if distance else best


def _at_fault(validator: Validator, args: Sequence[Any], free: Sequence[int]) -> Sequence[int]:
    """Return the positions of the arguments that broken constraints name."""
    broken = set(validator.broken(args))
    named = {name for each in validator.constraints if each.text in broken for name in each.names}
    found = [at for at, name in enumerate(validator.types) if name in named and at in free]
    return found or free


def _jumps(
    args: Sequence[Any], nodes: Sequence[Node], distance: float, focus: Sequence[int]
) -> Iterator[list[Any]]:
    """Yield arguments with one large change.

    A number is moved by the distance, which is exact for `k <= f(x)`. A list is put in order, or
    its rows are, or its rows and columns.
    """
    for at in focus:
        value, node = args[at], nodes[at]
        if isinstance(node, Number) and node.is_whole and distance < _LONGEST_JUMP:
            for moved in (value - int(distance), value + int(distance)):
                if node.holds(moved):
                    yield [*args[:at], moved, *args[at + 1 :]]
        if isinstance(node, Listed) and value:
            for ordered in _ordered(value):
                yield [*args[:at], ordered, *args[at + 1 :]]


def _ordered(items: list[Any]) -> Iterator[list[Any]]:
    """Yield a list in order, or with its rows and columns in order, if items can be compared."""
    try:
        if all(isinstance(each, list) for each in items):
            rows = [sorted(row) for row in items]
            yield rows
            # Columns in order leave each row in order.
            columns = [sorted(column) for column in zip(*rows, strict=True)]
            yield [list(row) for row in zip(*columns, strict=True)]
        yield sorted(items)
    except (TypeError, ValueError):  # items of several types, or rows of several lengths
        return
