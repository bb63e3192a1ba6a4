"""Make arguments from others where a constraint asks for it: a permutation, a part, a member."""

import re
from collections.abc import Iterator, Sequence

from steelyard.constraints import Apply, Chain, Link, Name, Shapes, Validator
from steelyard.constraints import Node as Expression
from steelyard.families import Dice
from steelyard.inputs._made import Made, call, made
from steelyard.inputs.nodes import Mapping, Node, Number, Sized, Style, Text, neighbours

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
    nodes: Sequence[Node],
    links: Sequence[Link],
    style: Style,
) -> list[Made]:
    """Return the arguments of a call with those made anew that depend on others."""
    changed, dice = list(parts), style.dice
    for link in links:
        at, source = names.index(_owner(link.one)), names.index(link.other)
        if link.name == "permutation" and _width(nodes[at]) < _width(nodes[source]):
            at, source = source, at
        other = changed[source]
        if not other.value or not isinstance(other.value, list | str | dict):
            continue
        items = other
        if not isinstance(other.value, list):
            items = call("keys_of" if isinstance(other.value, dict) else "letters", other)
        if "[" in link.one:
            changed[at] = _referring(link.one, changed[at], items, nodes[at], style)
        else:
            changed[at] = _made_from(link.name, other, items, changed[at], nodes[at], dice)
    return changed


def _referring(path: str, part: Made, items: Made, node: Node, style: Style) -> Made:
    """Return an argument that names items of another one, or its own keys, at a path."""
    steps = [int(step or -1) for step in re.findall(r"\[(\d*)\]", path)]
    if isinstance(part.value, dict) and steps == _ROWS and items.value == list(part.value):
        assert isinstance(node, Mapping)
        assert isinstance(node.value, Sized)
        rows = call("named", neighbours(style, len(items.value), 0), items, node.value.longest)
        return call("keyed", items, rows)
    return call("referring", part, steps, items, style.seed())


def _width(node: Node) -> float:
    """Return how many values the numbers or letters of a node have."""
    leaf = next(node.leaves)
    if isinstance(leaf, Text):
        return len(leaf.letters)
    return float(leaf.high - leaf.low) if isinstance(leaf, Number) else 0.0


def _made_from(name: str, other: Made, items: Made, part: Made, node: Node, dice: Dice) -> Made:
    if name == "member":
        return made(dice.pick((items.value[0], items.value[-1], dice.pick(items.value))))
    size = len(part.value) if isinstance(part.value, list | str) else 0
    found = _from_items(name, items, size, node, dice.below(1_000_000))
    return call("joined", found) if isinstance(other.value, str) else found


def _from_items(name: str, other: Made, size: int, node: Node, seed: int) -> Made:
    if name == "permutation":
        return call("shuffled", other, seed)
    if name == "subset" and not (isinstance(node, Sized) and node.is_different):
        return call("drawn", other, size, seed)
    part = call("sampled", other, size, seed)
    return part if name == "subsequence" else call("shuffled", part, seed)


def _subsets(node: Expression) -> Iterator[Link]:
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
