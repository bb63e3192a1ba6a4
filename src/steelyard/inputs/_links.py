"""Make arguments from others where a constraint asks for it: a permutation, a part, a member."""

from collections.abc import Iterator, Sequence

from steelyard.constraints import Apply, Chain, Link, Name, Node, Shapes, Validator
from steelyard.families import Dice
from steelyard.inputs._ground import DIFFERENT, Ground
from steelyard.inputs._made import Made, call, made


def links_of(validator: Validator, shapes: Shapes) -> tuple[Link, ...]:
    """Return the pairs of arguments of which the first is to be made from the second."""
    subsets = (link for each in validator.constraints for link in _subsets(each.tree))
    found = [*shapes.links, *subsets]
    return tuple(each for each in found if {each.one, each.other} <= validator.types.keys())


def linked(
    parts: Sequence[Made],
    names: Sequence[str],
    grounds: Sequence[Ground],
    links: Sequence[Link],
    dice: Dice,
) -> list[Made]:
    """Return the arguments of a call with those made anew that depend on others."""
    changed = list(parts)
    for link in links:
        at, source = names.index(link.one), names.index(link.other)
        if link.name == "permutation" and _width(grounds[at]) < _width(grounds[source]):
            at, source = source, at
        other = changed[source]
        if isinstance(other.value, list | str) and other.value:
            changed[at] = _made_from(link.name, other, changed[at], grounds[at], dice)
    return changed


def _width(ground: Ground) -> float:
    """Return how many values the numbers or letters of a ground have."""
    leaf = next(ground.leaves)
    return len(leaf.letters) if leaf.kind == "str" else float(leaf.high - leaf.low)


def _made_from(name: str, other: Made, part: Made, ground: Ground, dice: Dice) -> Made:
    seed = dice.below(1_000_000)
    if name == "member":
        return made(dice.pick(other.value))
    size = len(part.value) if isinstance(part.value, list | str) else 0
    if isinstance(other.value, str):
        found = _from_items(name, call("letters", other), size, ground, seed)
        return call("joined", found)
    return _from_items(name, other, size, ground, seed)


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
