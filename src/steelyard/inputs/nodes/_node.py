"""A node of the tree of what arguments may be: it draws values, changes them, and lists small ones.

| node | values |
|---|---|
| `Number` | whole numbers and floats of a domain |
| `Truth`, `Nothing` | True and False; None |
| `Union` | what one of several nodes allows |
| `Text` | texts of some letters |
| `Sequence` | lists with one kind of items, edges of graphs among them |
| `Row` | lists with a node for each position |
| `Mapping` | dicts |
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from steelyard.families import Dice
from steelyard.inputs._made import Made, call, listed, made
from steelyard.inputs.nodes._style import Style

ASCENDING = frozenset({"sorted", "increasing"})
DESCENDING = frozenset({"descending", "decreasing"})
DIFFERENT = frozenset({"unique", "increasing", "decreasing"})
_MOST_LEAVES, _TRIES, _FRESH_ROOM = 50, 6, 40
_MOST_CHANGES = 5
MOST_LISTED = 60_000
"""Smallest values of a node that are listed."""
_MANY = 40
"""From this many values on they are drawn from a few different ones, so that they are short to
write."""


@dataclass
class Changes:
    """The dice and the surroundings of changes of one call's values.

    Args:
        dice: Chooses.
        others: The arguments: numbers and texts of one are often what another needs.
        strays: The share of numbers, letters and lengths that may leave what is allowed.
        parts: The share of changes of a list or text that change many of its items at once.
        leaves: The share of changes of a list or text that change one number or letter inside it.
    """

    dice: Dice
    others: Sequence[Any] = ()
    strays: float = 0.0
    parts: float = 0.0
    leaves: float = 0.0
    _leaves: dict[type, list[Any]] = field(default_factory=dict)

    def stray(self) -> bool:
        """Return whether this change may leave what is allowed."""
        return bool(self.strays) and self.dice.chance(self.strays)

    def fresh(self, node: "Node") -> Any:
        """Return a small value of a node."""
        return node.one(replace(Style.drawn(self.dice), room=_FRESH_ROOM)).value

    def found(self, kind: type) -> list[Any]:
        """Return numbers or texts of the arguments, and lengths."""
        if not self._leaves:
            self._leaves = {int: [], float: [], str: []}
            _collect(list(self.others), self._leaves, _MOST_LEAVES)
        return self._leaves[kind]


def _collect(value: Any, leaves: dict[type, list[Any]], most: int) -> None:
    if isinstance(value, dict):
        value = [*value.items()]
    if isinstance(value, list | tuple):
        leaves[int].append(len(value))
        for item in value[:most]:
            _collect(item, leaves, most // 2)
    elif type(value) in leaves:
        leaves[type(value)].append(value)


@dataclass(frozen=True)
class Node(ABC):
    """All that a value may be."""

    @abstractmethod
    def one(self, style: Style) -> Made:
        """Return a value of this look, with at most as many items as there is room for."""

    def many(self, n: int, style: Style, *, different: bool = False) -> Made:
        """Return a list of n values; unless they are to differ, many may be equal."""
        kinds = n if different or style.kinds is None else min(n, style.kinds)
        kinds = min(kinds, n if different else _MANY)
        values = [self.one(style.inside(n)) for _ in range(kinds)]
        if different:
            values = self._different(values, style)
        elif len(values) > 1 and style.dice.chance(0.4):
            values = self._akin(values, style)
        if len(values) == n or different:
            return listed(values)
        return call("chosen", style.ranks(n, 0, len(values) - 1), listed(values))

    def _different(self, values: list[Made], style: Style) -> list[Made]:
        found: dict[str, Made] = {}
        for value in values:
            drawn = value
            for _ in range(_TRIES):
                if repr(drawn.value) not in found:
                    break
                drawn = self.one(style.free())
            found.setdefault(repr(drawn.value), drawn)
        return list(found.values())

    def _akin(self, values: list[Made], style: Style) -> list[Made]:
        """Return values some of which are others with small changes."""
        changes = Changes(style.dice, [each.value for each in values], parts=0.5)
        for at in range(1, len(values)):
            if style.dice.chance(0.5):
                value = values[style.dice.below(at)].value
                for _ in range(style.dice.below(3)):
                    value = self.changed(value, changes)
                values[at] = made(value)
        return values

    @abstractmethod
    def changed(self, value: Any, changes: Changes) -> Any:
        """Return a value with one small change, or with many items changed at once."""

    @abstractmethod
    def holds(self, value: Any) -> bool:
        """Return whether a value may be one of the node's, as far as is easily seen."""

    def always(self) -> "Node":
        """Return the node without None."""
        return self

    def tidy(self, value: Any) -> Any:
        """Return a value in the order that is asked for, and without repeats if it is to be."""
        return value

    @abstractmethod
    def smallest(self, level: int) -> Iterator[Any]:
        """Yield all values up to a size: lengths and the number of values grow with the level."""

    def listed(self, level: int) -> list[Any]:
        """Return what `smallest` yields; of more than `MOST_LISTED` values only the first."""
        return [*islice(self.smallest(level), MOST_LISTED)]

    @property
    def leaves(self) -> Iterator["Node"]:
        """The numbers and texts inside, or the node itself."""
        yield self

    @property
    def is_sized(self) -> bool:
        """True if it has a length that may vary."""
        return False


def changed_args(
    args: Sequence[Any], nodes: Sequence[Node], changes: Changes, positions: Sequence[int] = ()
) -> list[Any]:
    """Return the arguments of a call with one to five changes, which may break constraints.

    Args:
        args: The arguments.
        nodes: What each may be.
        changes: Chooses.
        positions: Of those that may be changed; empty for all.
    """
    new, dice = list(args), changes.dice
    for _ in range(1 + dice.below(_MOST_CHANGES)):
        at = dice.pick(positions or range(len(new)))
        new[at] = nodes[at].tidy(nodes[at].changed(new[at], changes))
    return new


def changed_part(items: Any, most: int, changes: Changes) -> Any:
    """Return a list or text of which a part is repeated, turned, merged, ordered or thinned.

    Args:
        items: A list or text, not empty.
        most: The largest length.
        changes: Chooses.
    """
    dice = changes.dice
    start = 0 if dice.chance(0.3) else dice.below(len(items))
    end = len(items) if dice.chance(0.3) else start + 1 + dice.below(len(items) - start)
    before, part, after = items[:start], items[start:end], items[end:]
    match dice.below(7):
        case 0 | 1:
            times = min(1 + dice.below(4), max(0, most - len(items)) // len(part))
            return before + part * (1 + times) + after
        case 2:
            return before + part[::-1] + after
        case 3:
            return before + (part[:1] * len(part)) + after
        case 4:
            rest = before + after
            at = dice.below(len(rest) + 1)
            return rest[:at] + part + rest[at:]
        case 5:
            thin = part[:: dice.pick((2, 3, len(part) + 1))]
            return before + thin + after
    try:
        ordered = sorted(part, reverse=dice.chance(0.5))
    except TypeError:  # None among them
        return before + after
    return before + ("".join(ordered) if isinstance(items, str) else ordered) + after
