"""List the bounds that constraints state, so that a suite can show which of them it reaches."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Literal

from pydantic import JsonValue

from steelyard.constraints._evaluate import Environment, each_round, runner
from steelyard.constraints._operations import DIFFERENCE, FUNCTIONS, SUM
from steelyard.constraints._places import Places, Sum
from steelyard.constraints._prose import phrase_of
from steelyard.constraints._shapes import Shapes, shape_of
from steelyard.constraints._stated import is_none_test
from steelyard.constraints._tree import (
    BOOL,
    INT,
    TURNED,
    Apply,
    Chain,
    Const,
    Constraint,
    Logic,
    Loop,
    Many,
    Node,
    Sign,
    weight,
)
from steelyard.constraints._validator import Validator
from steelyard.values import PlainType

_SIDES: dict[str, Literal["low", "high"]] = {"<=": "high", "<": "high", ">=": "low", ">": "low"}
_SHIFTS = {"<": -1, ">": 1}


@dataclass(frozen=True)
class Bound:
    """One end of what a number, an item or a length may be."""

    where: str
    """The quantity in words: `k`, `each item of nums`, `the length of nums`."""
    side: Literal["low", "high"]
    value: int | float | str
    """The end itself, or the text of what it depends on: `the length of nums`."""
    constraint: str
    """The text of the constraint that states it."""
    goal: Constraint = field(repr=False, compare=False)
    """A constraint that holds for valid arguments at the bound, and for no others."""
    _reached: Callable[[Sequence[JsonValue]], bool] = field(repr=False, compare=False)

    def reached_by(self, args: Sequence[JsonValue]) -> bool:
        """Return whether the quantity, or one of its items, is at the bound for valid arguments."""
        return self._reached(args)


def bounds_of(validator: Validator) -> tuple[Bound, ...]:
    """Return the bounds of scalars, items, sums and lengths that some arguments can reach."""
    shapes = shape_of(validator)
    found: dict[tuple[str, str, int | float | str], Bound] = {}
    for constraint in validator.constraints:
        for bound in _Search(validator, shapes, constraint).bounds(constraint.tree, ()):
            found.setdefault((bound.where, bound.side, bound.value), bound)
    return tuple(found.values())


class _Search:
    def __init__(self, validator: Validator, shapes: Shapes, constraint: Constraint) -> None:
        self._validator = validator
        self._shapes = shapes
        self._constraint = constraint
        self._places = Places(len(validator.types))

    def bounds(self, node: Node, loops: tuple[Loop, ...]) -> Iterator[Bound]:
        match node:
            case Logic(sign="and", items=items):
                for item in items:
                    yield from self.bounds(item, loops)
            case Logic(sign="or", items=items):  # `x is None or 1 <= x`
                numeric = [item for item in items if not is_none_test(item)]
                if len(numeric) == 1:
                    yield from self.bounds(numeric[0], loops)
            case Apply(args=(Many(body=body, loops=inner),)) if node.name == "all":
                with self._places.inside(inner) as is_known:
                    if is_known:
                        yield from self.bounds(body, (*loops, *inner))
            case Chain(operands=operands, signs=signs):
                for sign, (left, right) in zip(signs, pairwise(operands), strict=True):
                    yield from self._bound(sign, left, right, loops)

    def _bound(
        self, sign: Sign, left: Node, right: Node, loops: tuple[Loop, ...]
    ) -> Iterator[Bound]:
        if sign not in _SIDES or not (left.type.base.is_number and right.type.base.is_number):
            return
        if isinstance(left, Const) or (self._is_size(left) and not self._is_size(right)):
            left, right, sign = right, left, TURNED[sign]
        one, other = self._places.sum(left), self._places.sum(right)
        if not one or not other or not one.terms or (other.terms and not self._is_size(right)):
            return
        is_strict = sign in ("<", ">")
        if is_strict and not (one.is_integral and other.is_integral):
            return
        if is_strict:
            operation = DIFFERENCE if sign == "<" else SUM
            right = Apply(operation, (right, Const(1, INT)), INT)
        value = phrase_of(right, ()) if other.terms else other.constant + _SHIFTS.get(sign, 0)
        if isinstance(value, str) or self._can_be(one, value):
            where = phrase_of(left, loops)
            test = Chain((left, right), ("==",))
            tree: Node = test
            if loops:
                rounds = Many(test, loops, PlainType("list", (BOOL,)))
                tree = Apply(FUNCTIONS["any"], (rounds,), BOOL)
            goal = replace(self._constraint, tree=tree)
            reached = self._reached(test, loops)
            yield Bound(where, _SIDES[sign], value, self._constraint.text, goal, reached)

    def _is_size(self, node: Node) -> bool:
        """Return whether a node is made of parameters and of lengths that no loop chooses."""
        found = self._places.sum(node)
        return found is not None and not found.slots

    def _can_be(self, total: Sum, value: float) -> bool:
        if len(total.terms) != 1:
            return True
        ((name, factor),) = total.terms.items()
        domain = self._shapes.quantities.get(name)
        return domain is None or factor != 1 or value - total.constant in domain

    def _reached(self, test: Chain, loops: tuple[Loop, ...]) -> Callable[[Any], bool]:
        run = runner(test)
        rounds = each_round(loops, run, weight(test)) if loops else None

        def reached(env: Environment) -> bool:
            return any(rounds(env)) if rounds else bool(run(env))

        return lambda args: self._validator.holds(self._constraint, reached, args)
