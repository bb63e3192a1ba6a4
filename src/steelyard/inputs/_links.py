"""Make arguments from others where a constraint asks for it: a permutation, a part, a member."""

import re
from collections.abc import Iterator, Sequence

from steelyard.constraints import Apply, Chain, Link, Name, Node, Shapes, Validator
from steelyard.families import Dice
from steelyard.inputs._choices import Choices
from steelyard.inputs._edges import neighbours_for
from steelyard.inputs._ground import DIFFERENT, Ground
from steelyard.inputs._made import Made, call, made

_ROWS = [-1, 1, -1]
"""The path to the items of a dict's values, if these are lists."""


def links_of(validator: Validator, shapes: Shapes) -> tuple[Link, ...]:
    """Return pairs of which the first, an argument or what it holds, is made from the second."""
    subsets = (link for each in validator.constraints for link in _subsets(each.tree))
    found = [*shapes.links, *subsets]
    # What names items of an argument comes first: an argument may be made from the result.
    found.sort(key=lambda each: "[" not in each.one)
    return tuple(
        each
        for each in found
        if {_owner(each.one), each.other} <= validator.types.keys()
        and ("[" not in each.one or each.name == "member")
    )


def _owner(path: str) -> str:
    return path.partition("[")[0]


def linked(
    parts: Sequence[Made],
    names: Sequence[str],
    grounds: Sequence[Ground],
    links: Sequence[Link],
    choices: Choices,
) -> list[Made]:
    """Return the arguments of a call with those made anew that depend on others."""
    changed, dice = list(parts), choices.dice
    for link in links:
        at, source = names.index(_owner(link.one)), names.index(link.other)
        if link.name == "permutation" and _width(grounds[at]) < _width(grounds[source]):
            at, source = source, at
        other = changed[source]
        if not other.value or not isinstance(other.value, list | str | dict):
            continue
        items = other
        if not isinstance(other.value, list):
            items = call("keys_of" if isinstance(other.value, dict) else "letters", other)
        if "[" in link.one:
            changed[at] = _referring(link.one, changed[at], items, grounds[at], choices)
        else:
            changed[at] = _made_from(link.name, other, items, changed[at], grounds[at], dice)
    return changed


def _referring(path: str, part: Made, items: Made, ground: Ground, choices: Choices) -> Made:
    """Return an argument that names items of another one, or its own keys, at a path."""
    steps = [int(step or -1) for step in re.findall(r"\[(\d*)\]", path)]
    if isinstance(part.value, dict) and steps == _ROWS and items.value == list(part.value):
        rows = neighbours_for(choices, len(items.value))
        rows = call("named", rows, items, ground.items[0].longest)
        return call("keyed", items, rows)
    return call("referring", part, steps, items, choices.seed())


def _width(ground: Ground) -> float:
    """Return how many values the numbers or letters of a ground have."""
    leaf = next(ground.leaves)
    return len(leaf.letters) if leaf.kind == "str" else float(leaf.high - leaf.low)


def _made_from(name: str, other: Made, items: Made, part: Made, ground: Ground, dice: Dice) -> Made:
    if name == "member":
        return made(dice.pick((items.value[0], items.value[-1], dice.pick(items.value))))
    size = len(part.value) if isinstance(part.value, list | str) else 0
    found = _from_items(name, items, size, ground, dice.below(1_000_000))
    return call("joined", found) if isinstance(other.value, str) else found


def _from_items(name: str, other: Made, size: int, ground: Ground, seed: int) -> Made:
    if name == "permutation":
        return call("shuffled", other, seed)
    if name == "subset" and not ground.flags & DIFFERENT:
        return call("drawn", other, size, seed)
    part = call("sampled", other, size, seed)
    return part if name == "subsequence" else call("shuffled", part, seed)


def _subsets(node: Node) -> Iterator[Link]:
    """Yield links for `set(one) <= set(other)`, both arguments."""
    match node:
        case Chain(
            operands=(
                Apply(name="set", args=(Name(name=one),)),
                Apply(name="set", args=(Name(name=other),)),
            ),
            signs=("<=",),
        ):
            yield Link("subset", one, other)
