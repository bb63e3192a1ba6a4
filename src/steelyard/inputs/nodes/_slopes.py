"""Read how the items of a list depend on their positions."""

from itertools import pairwise

from steelyard.constraints import (
    Apply,
    Chain,
    Const,
    Item,
    Many,
    Name,
    Node,
    Shapes,
)

_Ends = tuple[int, int]
Slope = tuple[int, int, int, int]
"""Ends of whole numbers that depend on the position: a step and the lowest at 0, and likewise the
highest."""


def slope_of(shapes: Shapes, name: str) -> Slope | None:
    """Return the ends of a list's items that depend on their positions.

    They are read from `all(A <= name[i] < B for i in range(...))`, in which A and B are sums of
    constants and multiples of i.
    """
    for constraint in shapes.rest:
        match constraint.tree:
            case Apply(args=(Many(body=Chain() as body, loops=(loop,)),)) if (
                constraint.tree.name == "all" and not loop.conditions
            ):
                found = _slope(body, loop.source, loop.names, name)
                if found:
                    return found
    return None


def _slope(body: Chain, source: Node, names: tuple[str, ...], name: str) -> Slope | None:
    match source:
        case Apply(args=(*starts, _)) if source.name == "range" and len(starts) <= 1:
            start = starts[0] if starts else None
        case _:
            return None
    if len(names) != 1 or not (start is None or isinstance(start, Const)):
        return None
    low = high = None
    for sign, (one, other) in zip(body.signs, pairwise(body.operands), strict=True):
        if sign not in ("<", "<=", ">", ">="):
            return None
        strict = int(sign in ("<", ">"))
        left, right = (one, other) if sign[0] == "<" else (other, one)
        if _is_item(right, name, names[0]):
            low = _shifted(_affine(left, names[0]), strict)
        elif _is_item(left, name, names[0]):
            high = _shifted(_affine(right, names[0]), -strict)
    if low is None or high is None or not (low[0] or high[0]):
        return None
    return (*low, *high)


def _is_item(node: Node, name: str, variable: str) -> bool:
    match node:
        case Item(base=Name(name=base), index=Name(name=index)):
            return (base, index) == (name, variable)
    return False


def _affine(node: Node, variable: str) -> _Ends | None:
    """Return the factor of the variable, and the constant."""
    match node:
        case Const(value=int(value)):
            return 0, value
        case Name(name=name) if name == variable:
            return 1, 0
        case Apply(args=(one, other)) if node.name in ("+", "-"):
            first, second = _affine(one, variable), _affine(other, variable)
            if first and second:
                sign = 1 if node.name == "+" else -1
                return first[0] + sign * second[0], first[1] + sign * second[1]
    return None


def _shifted(ends: _Ends | None, by: int) -> _Ends | None:
    return ends and (ends[0], ends[1] + by)
