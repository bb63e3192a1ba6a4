"""Count the work of checks: the same on every machine.

A unit is about one node of a constraint that is evaluated once. The work is estimated from the
constraints' loops before a check, and counted by the validator too: a loop over `range(n)` is long
for a short argument.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from steelyard.constraints import (
    Apply,
    Constraint,
    Many,
    Name,
    Node,
    Target,
    Validator,
    children,
    walk,
)

MOST_WORK = 300_000_000
"""Units for the inputs of one specification: some 20 seconds."""
_SMALL_SHARE = 1_000
"""Once half of the work is done, one input may take one in so many units of the whole."""
_MOST_EACH = 20_000_000
"""What the validator spends on one constraint at most."""
_CALL = 500
_LEAVES, _ROWS = {int, float, bool, type(None), str}, {list, tuple}


class Meter:
    """The work that is left for one specification."""

    def __init__(self, validator: Validator, most: int = MOST_WORK) -> None:
        """Read the loops of the constraints.

        Args:
            validator: What counts its work.
            most: Units that may be spent.
        """
        self._most = most
        self._loops = [(sum(1 for _ in walk(c.tree)), power_of(c)) for c in validator.constraints]
        self._work, self._before = validator.work, validator.work.steps
        self._estimated = 0

    def cost(self, args: Sequence[Any]) -> int:
        """Return the units that a check of arguments takes."""
        items, longest = visits(args), longest_of(args)
        units = (
            min(_MOST_EACH, nodes * max(items, longest**power)) if power else nodes
            for nodes, power in self._loops
        )
        return _CALL + sum(units)

    def charge(self, units: int) -> None:
        """Take units from what is left."""
        self._estimated += units

    @property
    def counted(self) -> int:
        """The units that the validator's checks have taken."""
        return self._work.steps - self._before

    @property
    def allowance(self) -> int:
        """The units that one more input may take.

        The second half of the work is kept for small inputs, or a few large ones would take it all.
        """
        return max(self._most // 2 - self.done, self._most // _SMALL_SHARE)

    @property
    def done(self) -> int:
        """The units that are spent."""
        return max(self._estimated, self.counted)

    @property
    def spent(self) -> str:
        """The budget that is spent, in words; empty while none is."""
        return f"{self._most:,} units of work" if self.done > self._most else ""


def visits(value: Any) -> int:
    """Return the items and characters of a value: what a check of it may visit."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return 1 + _visits_of(value)
    return 1 + len(value) if isinstance(value, str) else 1


def _visits_of(items: Sequence[Any]) -> int:
    """Return the visits of all items: those of rows at once, for there may be many."""
    kinds = set(map(type, items))
    if kinds <= _LEAVES:
        return len(items) + sum(len(each) for each in items if type(each) is str)
    if kinds <= _ROWS:
        return len(items) + _visits_of([*chain.from_iterable(items)])
    return sum(map(visits, items))


def longest_of(value: Any) -> int:
    """Return the length of the longest list or text inside a value."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return max(len(value), _longest_in(value))
    return len(value) if isinstance(value, str) else 0


def _longest_in(items: Sequence[Any]) -> int:
    """Return the length of the longest list or text among items, or inside of one."""
    kinds = set(map(type, items))
    if kinds <= _LEAVES:
        return max((len(each) for each in items if type(each) is str), default=0)
    if kinds <= _ROWS:
        longest = max(map(len, items))
        return max(longest, _longest_in([*chain.from_iterable(items)]))
    return max(map(longest_of, items), default=0)


def power_of(constraint: Constraint) -> int:
    """Return 2 for a constraint whose work grows with the square of the items, 1 if linearly."""
    return _power(constraint.tree, frozenset())


def _power(node: Node, variables: frozenset[int]) -> int:
    """Return the power of the work of a node inside loops with these variables."""
    inside, loops = variables, 0
    if isinstance(node, Many):
        powers = [0]
        for loop in node.loops:
            powers.append(loops + _power(loop.source, inside))
            named = {each.slot for each in walk(loop.source) if isinstance(each, Name)}
            # A loop over the items of an item visits no item twice.
            is_range = isinstance(loop.source, Apply) and loop.source.name == "range"
            loops += is_range or not named & inside
            inside |= frozenset(_slots(loop.target))
            powers += [loops + _power(each, inside) for each in loop.conditions]
        return max(*powers, loops + _power(node.body, inside))
    least = 0
    if isinstance(node, Apply) and node.operation.is_linear:
        named = {each.slot for arg in node.args for each in walk(arg) if isinstance(each, Name)}
        # What is computed from constants alone takes as long for every input.
        least = int(bool(named) and not isinstance(node.args[0], Many) and not named & variables)
    return max([least, *(_power(each, variables) for each in children(node))])


def _slots(target: Target) -> Iterator[int]:
    if isinstance(target, int):
        yield target
    else:
        for each in target:
            yield from _slots(each)
