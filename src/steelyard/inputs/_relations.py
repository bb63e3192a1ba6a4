"""Make one argument of a call from others, or one item of a list from other items.

Relations that constraints ask for are always made: `is_permutation(p, q)`, `x in nums`. Of others
one is drawn: programs that search, match, merge or count meet what they look for only so.

Source:
    Research of this project: of all mechanisms these find the most wrong programs.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from steelyard.families import Dice
from steelyard.inputs._made import Made, call, made
from steelyard.inputs._meter import visits
from steelyard.inputs.nodes import Changes, Mapping, Node, Number, Row, Sized, Text, Truth, Union
from steelyard.inputs.nodes import Sequence as Listed

_ACROSS, _INSIDE = 0.8, 0.4
"""Share of calls in which one argument is made from others; and of the rest in which an item is."""
_AS_IN_EXAMPLES = 0.8
"""Share of pairs in which the argument that is larger in the examples holds the other."""
_FROM_TWO = 0.4
"""Share of arguments with two others of their type that are made from both."""
_EDITED = 0.3
"""Share of arguments that are changed a little after they are made from another."""
_TRIES = 6
_SMALL = 300
"""Items of arguments up to which a related one is written as it is."""
Related = tuple[int, Made, str]
FORMS = (
    "planted",
    "part",
    "short part",
    "drawn",
    "mixed",
    "shuffled",
    "copy",
    "cycled",
    "reversed",
    "overlapped",
    "renamed",
)
_PARTS = frozenset({"part", "short part"})
FIXED = frozenset({"tree", "forest", "permutation", "level_order", "parents", "balanced"})
"""Flags of lists in which an item cannot be chosen by itself."""


def alike(one: Node, other: Node) -> bool:
    """Return True if the first value has the type of the other, whatever their bounds."""
    match one, other:
        case Number(), Number():
            return True
        case (Listed(item=a), Listed(item=b)):
            return alike(a, b)
        case Row(columns=a), Row(columns=b):
            return len(a) == len(b) and all(map(alike, a, b))
        case Union(options=a), _:
            return all(alike(each, other) for each in a)
        case _, Union(options=b):
            return any(alike(one, each) for each in b)
    return type(one) is type(other) and isinstance(one, Text | Truth)


@dataclass(frozen=True)
class Relations:
    """Draws how the arguments of one call relate."""

    parts: Sequence[Made]
    """The arguments."""
    nodes: Sequence[Node]
    """What each may be."""
    usual_sizes: Sequence[int]
    """Items of each argument in all examples."""
    dice: Dice

    def drawn(self, free: Sequence[int]) -> Related | None:
        """Return the position of an argument, what is made in its place, and the relation's name.

        Args:
            free: The positions of those that may be made anew.
        """
        dice = self.dice
        if dice.chance(_ACROSS):
            for at in dice.shuffled(free):
                for source in dice.shuffled([i for i in range(len(self.parts)) if i != at]):
                    if found := self._across(source, at):
                        return found
        if dice.chance(_INSIDE):
            for at in dice.shuffled(free):
                if inside := _inside(self.parts[at], self.nodes[at], dice):
                    return at, *inside
        return None

    def _across(self, source: int, at: int) -> Related | None:
        """Return an argument made from another one; None if they have nothing in common."""
        node, holder, value = self.nodes[at], self.nodes[source], self.parts[source].value
        if isinstance(node, Number):
            if isinstance(holder, Number) and self.dice.chance(0.5):
                return None
            others = [each.value for i, each in enumerate(self.parts) if i not in (at, source)]
            number = number_from(value, others, node, self.dice)
            return number and (at, *number)
        if visits(value) <= _SMALL and isinstance(holder, Listed) and alike(holder.item, node):
            return _element(value, node, at, self.dice)
        return self._kin(source, at)

    def _kin(self, source: int, at: int) -> Related | None:
        is_mutual = _is_kin(self.nodes[at], self.nodes[source])
        if not _is_kin(self.nodes[source], self.nodes[at]):
            return None
        if merged := self._merged(source, at):
            return merged
        for _ in range(_TRIES):
            form = self.dice.pick(FORMS)
            if is_mutual and self.dice.chance(_AS_IN_EXAMPLES):
                small, large = sorted((source, at), key=self.usual_sizes.__getitem__)
                source, at = (large, small) if form in _PARTS else (small, large)
            node = self.nodes[at]
            if isinstance(node, Sized) and self.parts[source].value and self.parts[at].value:
                given, own = _items(self.parts[source]), _items(self.parts[at])
                items = _formed(form, given, own, node.longest, self.dice)
                if found := _fitting(items, self.parts[at], node, self.dice):
                    return at, found, form
        return None

    def _merged(self, source: int, at: int) -> Related | None:
        """Return a list or text made from two others, each in its own order; mostly None."""
        node = self.nodes[at]
        kin = [i for i, each in enumerate(self.nodes) if i != at and _is_kin(each, node)]
        if len(kin) < 2 or not isinstance(node, Sized) or not self.dice.chance(_FROM_TWO):
            return None
        one, two = self.dice.shuffled([source, *(i for i in kin if i != source)][:2])
        pair = _items(self.parts[one]), _items(self.parts[two])
        items = call("interleaved", *pair, self.dice.below(1_000_000))
        found = _fitting(items, self.parts[at], node, self.dice)
        return (at, found, "interleaved") if found else None


def _items(part: Made) -> Made:
    """Return the letters of a text, or the keys of a dict, as a list."""
    if isinstance(part.value, str):
        return call("letters", part)
    return call("keys_of", part) if isinstance(part.value, dict) else part


def _element(value: Any, node: Node, at: int, dice: Dice) -> Related | None:
    if not value:
        return None
    item = dice.pick((value[0], value[-1], dice.pick(value)))
    if item is not None and dice.chance(_EDITED):
        item = node.tidy(node.changed(item, Changes(dice, value)))
    return (at, made(item), "element") if node.holds(item) else None


def _is_kin(source: Node, target: Node) -> bool:
    """Return True if a list or text can be made from the items, keys or letters of another."""
    if not isinstance(target, Text | Listed) or target.flags & FIXED:
        return False
    if isinstance(target, Listed) and (target.slope or target.graph):
        return False
    if isinstance(source, Mapping):
        return isinstance(target, Listed) and alike(source.key, target.item)
    return isinstance(source, Text | Listed) and alike(source, target)


def _formed(form: str, given: Made, own: Made, longest: int, dice: Dice) -> Made:
    """Return a list made from another one.

    Args:
        form: The relation.
        given: The other list, not empty.
        own: The list in the place of which the result comes: it gives the length, and strays.
        longest: The largest length.
        dice: Chooses what the relation leaves open.
    """
    n, size, seed = len(own.value), len(given.value), dice.below(1_000_000)
    start = dice.below(size)
    match form:
        case "drawn" | "shuffled" | "renamed":
            return call(form, given, *([n] if form == "drawn" else []), seed)
        case "mixed":
            return call("mixed", call("drawn", given, n, seed), own, seed)
        case "planted" if size < n:
            return call("planted", own, given, seed)
        case "planted" | "part":
            return call("part", given, start, start + 1 + dice.below(size - start))
        case "short part":
            return call("part", given, start, start + 1 + dice.below(3))
        case "cycled":
            return call("cycled", given, dice.pick((n, 2 * size)))
        case "overlapped":
            return call(form, given, max(n, min(4 * size, longest, 400)), seed)
        case "reversed":
            return call("backwards", given)
    return given


def _fitting(items: Made, like: Made, node: Sized, dice: Dice) -> Made | None:
    """Return a list, or a text of its letters, sometimes changed a little; None if it cannot be."""
    found = call("joined", items) if isinstance(like.value, str) else items
    if len(found.value) > _SMALL:
        return found if len(found.value) in node.lengths and not node.flags else None
    value = found.value
    if dice.chance(_EDITED):
        value = node.changed(value, Changes(dice, [like.value], parts=0.2))
    value = node.tidy(value)
    if not node.holds(value):
        return None
    return found if value == found.value else made(value)


def _inside(part: Made, node: Node, dice: Dice) -> tuple[Made, str] | None:
    """Return a list or text with one item made from others, or with alike halves or ends."""
    value = part.value
    if not isinstance(node, Text | Listed) or node.flags & FIXED:
        return None
    if len(value) < 2 or visits(value) > _SMALL:
        return None
    at, items = dice.below(len(value)), list(value)
    half = items[: len(items) // 2]
    match dice.below(5):
        case 0:
            name, items = "halves equal", [*half, *half, *items[2 * len(half) :]]
        case 1:
            name, items = (
                "halves mirrored",
                [*half, *items[len(half) : len(items) - len(half)], *half[::-1]],
            )
        case 2:
            name, items = "ends equal", [*items[:-1], items[0]]
        case _ if isinstance(node, Listed) and isinstance(node.item, Number):
            found = number_from(
                [each for i, each in enumerate(items) if i != at], (), node.item, dice
            )
            if not found:
                return None
            items[at], name = found[0].value, f"items {found[1]}"
        case _ if isinstance(node, Listed):
            other = items[dice.below(len(items))]
            items[at], name = (
                node.item.tidy(node.item.changed(other, Changes(dice, items)))
                if other is not None
                else other,
                "items alike",
            )
        case _:
            name, items[at] = "items repeated", items[dice.below(len(items))]
    plain = node.tidy("".join(items) if isinstance(value, str) else items)
    return (made(plain), name) if node.holds(plain) else None


def number_from(
    value: Any, others: Sequence[Any], node: Number, dice: Dice
) -> tuple[Made, str] | None:
    """Return a number that is computed from another value, with a name; None if none fits.

    Args:
        value: A number, text, list or dict.
        others: Further arguments, of which a number may take part.
        node: What the number may be.
        dice: Chooses.
    """
    sources = [*_numbers_of(value, dice)]
    if not sources:
        return None
    word = dice.pick(("sum", "length", ""))  # what is asked for most of numbers
    sources = [each for each in sources if word in each[0]] or sources
    more = [each for each in others if type(each) in (int, float)]
    for _ in range(_TRIES):
        name, number = dice.pick(sources)
        if more and dice.chance(_EDITED):
            sign, by = dice.pick(("+", "-", "*")), dice.pick(more)
            number = {"+": number + by, "-": number - by, "*": number * by}[sign]
            name = f"{name} {sign} another"
        change, changed = dice.pick(_CHANGED) if dice.chance(0.5) else ("", _CHANGED[0][1])
        try:
            number = changed(number, dice)
            number = int(number) if node.is_whole else float(number)
        except (ValueError, OverflowError, ZeroDivisionError):
            continue
        if node.holds(number):
            return made(number), f"{name} {change}".strip()
    return None


_CHANGED: Sequence[tuple[str, Callable[[Any, Dice], Any]]] = (
    ("", lambda n, _: n),
    ("and one", lambda n, _: n + 1),
    ("less one", lambda n, _: n - 1),
    ("doubled", lambda n, _: 2 * n),
    ("halved", lambda n, _: n // 2),
    ("negated", lambda n, _: -n),
    ("multiple", lambda n, dice: n * dice.between(2, 6)),
    ("squared", lambda n, _: n * n),
    ("power", lambda n, dice: dice.between(2, 12) ** min(int(n), 64) + dice.between(-1, 1)),
    ("root", lambda n, _: math.isqrt(int(n))),
    ("reversed", lambda n, _: int(str(abs(int(n)))[::-1])),
)


def _numbers_of(value: Any, dice: Dice) -> Iterator[tuple[str, Any]]:
    """Yield numbers that a value leads to, with their names."""
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, int | float):
        yield "equal", value
        return
    yield "length", len(value)
    if isinstance(value, dict):
        value = list(value.values())
    yield "different items", len({repr(each) for each in value[:_SMALL]})
    if isinstance(value, str) or not value:
        return
    if all(isinstance(each, list) for each in value):
        for _ in range(3):
            yield from _numbers_of(dice.pick(value), dice)
        return
    numbers = [each for each in value if type(each) in (int, float)]
    if not numbers:
        return
    start = dice.below(len(numbers))
    stop = start + 1 + dice.below(len(numbers) - start)
    one, other = dice.pick(numbers), dice.pick(numbers)
    yield from (
        ("element", one),
        ("pair sum", one + other),
        ("difference", one - other),
        ("product", one * other),
        ("total", sum(numbers)),
        ("part's sum", sum(numbers[start:stop])),
        ("start's sum", sum(numbers[:stop])),
        ("some items' sum", sum(each for each in numbers if dice.chance(0.5))),
        ("largest", max(numbers)),
        ("smallest", min(numbers)),
        ("absent", _absent(numbers)),
    )


def _absent(numbers: Sequence[Any]) -> int:
    taken, start = set(numbers), int(min(numbers)) + 1
    return next(n for n in range(start, start + len(numbers) + 1) if n not in taken)
