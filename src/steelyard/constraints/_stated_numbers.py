"""Read what comparisons of numbers state: spans, linear relations, remainders."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from steelyard.constraints._domain import Domain, Number
from steelyard.constraints._facts import Fact, Line, Within
from steelyard.constraints._places import Place, Places, Sum
from steelyard.constraints._tree import TURNED, Apply, Chain, Const, Many, Node, Sign

INFINITY = float("inf")
_TURNING = frozenset({"abs", "%", "max", "min"})


@dataclass(frozen=True, slots=True)
class Stated:
    """The facts that one constraint, or a part of one, states."""

    facts: tuple[Fact, ...]
    is_whole: bool
    """The facts are all that it states."""


NOTHING = Stated((), is_whole=False)


def all_of(parts: Iterable[Stated]) -> Stated:
    """Return what several parts state together."""
    parts = list(parts)
    return Stated(
        tuple(fact for part in parts for fact in part.facts), all(part.is_whole for part in parts)
    )


class NumberReading(ABC):
    """Reads comparisons of numbers, inside the loops that `places` has entered."""

    def __init__(self, places: Places) -> None:
        self.places = places

    def sum(self, node: Node) -> Sum | None:
        return self.places.sum(node)

    def place(self, node: Node) -> Place | None:
        """Return the part that a node names, if its rounds reach all such parts."""
        found = self.places.place(node)
        if found and found.covers and self.is_about_loops(found.slots):
            return found
        return None

    def is_about_loops(self, slots: frozenset[int]) -> bool:
        """Return whether the part changes with each loop around, so that none may be empty."""
        return slots >= frozenset(self.places.loops)

    def numbers(self, sign: Sign, left: Node, right: Node) -> Stated | None:
        match left, sign:
            case Apply(args=(inner,)), "<=" | "<" if left.name == "abs":
                upper, lower = self.sum(inner), self.sum(right)
                if not upper or not lower:
                    return None
                return all_of(
                    [self.line(sign, upper, lower), self.line(sign, Sum({}).plus(upper, -1), lower)]
                )
            case Apply(args=(number, Const(value=int(modulus)))), "==" | "!=" if left.name == "%":
                return self._residue(sign, number, modulus, right)
            case Apply(args=(Many() as many,)), "<=" | "<" | ">=" | ">" if left.name == (
                "max" if sign[0] == "<" else "min"
            ):
                found = self.for_all(
                    Many(Chain((many.body, right), (sign,)), many.loops, many.type), wanted=True
                )
                return Stated(found.facts, is_whole=False)  # and there must be a value
            case Apply(args=args), "<=" | "<" if left.name == "max" and len(args) > 1:
                return all_of(self.numbers(sign, arg, right) or NOTHING for arg in args)
            case Apply(args=args), ">=" | ">" if left.name == "min" and len(args) > 1:
                return all_of(self.numbers(sign, arg, right) or NOTHING for arg in args)
        if isinstance(right, Apply) and right.name == "//":
            return self._divided(sign, left, right)
        if isinstance(left, Apply) and left.name == "//":
            return self._divided(TURNED[sign], right, left)
        names = [each.name if isinstance(each, Apply) else "" for each in (left, right)]
        if names[1] in _TURNING and names[0] not in _TURNING:
            return self.numbers(TURNED[sign], right, left)
        one, other = self.sum(left), self.sum(right)
        return self.line(sign, one, other) if one and other else None

    def _divided(self, sign: Sign, left: Node, quotient: Apply) -> Stated | None:
        """Read `a <= b // 2` as `2 * a <= b`."""
        one, other, divisor = self.sum(left), self.sum(quotient.args[0]), quotient.args[1]
        if not one or not other or not isinstance(divisor, Const) or not one.is_integral:
            return None
        if sign in ("==", "!=") or type(divisor.value) is not int or divisor.value < 1:
            return None
        rest = Sum({}, divisor.value - 1 if sign in (">", ">=") else 0)
        if sign in ("<", ">"):
            one = one.plus(Sum({}, 1 if sign == "<" else -1))
        closed: Sign = "<=" if sign in ("<", "<=") else ">="
        return self.line(closed, Sum({}).plus(one, divisor.value).plus(rest), other)

    def line(self, sign: Sign, left: Sum, right: Sum) -> Stated:
        if sign in (">", ">="):
            left, right, sign = right, left, TURNED[sign]
        total = left.plus(right, -1)
        if not total.covers or not self.is_about_loops(total.slots) or not total.fits:
            return NOTHING
        if not total.terms:
            return NOTHING
        if len(total.terms) == 1:
            ((name, factor),) = total.terms.items()
            domain = solved(sign, factor, total.constant, is_integral=total.is_integral)
            return Stated((Within(name, domain),), True)
        is_strict = sign == "<"
        constant = total.constant + (is_strict and total.is_integral)
        closed: Any = "<=" if is_strict else sign
        line = Line(tuple(total.terms.items()), constant, closed)
        return Stated((line,), total.is_integral or not is_strict)

    def _residue(self, sign: Sign, number: Node, modulus: int, right: Node) -> Stated | None:
        total = self.sum(number)
        if not total or len(total.terms) != 1 or not isinstance(right, Const) or not total.covers:
            return None
        ((name, factor),) = total.terms.items()
        if factor != 1 or modulus < 1 or not total.is_integral or type(right.value) is not int:
            return None
        if not 0 <= right.value < modulus or not self.is_about_loops(total.slots):
            return None
        domain = Domain.residue(modulus, (right.value - int(total.constant)) % modulus)
        if sign == "==":
            return Stated((Within(name, domain),), True)
        return Stated((Within(name, ~domain),), modulus == 2)

    @abstractmethod
    def for_all(self, many: Many, *, wanted: bool) -> Stated:
        """Return what a condition states in all rounds of loops."""


def solved(sign: Sign, factor: Number, constant: Number, *, is_integral: bool) -> Domain:
    """Return the x for which factor * x + constant has this relation to 0."""
    exact = Fraction(-constant) / Fraction(factor)
    try:
        value: Any = exact if is_integral else float(exact)
    except OverflowError:
        return Domain.whole(is_integral=False)
    point = Domain.only([value], is_integral=is_integral)
    if sign in ("==", "!="):
        return point if sign == "==" else ~point
    is_upper = (factor > 0) is (sign in ("<", "<="))
    low, high = (-INFINITY, value) if is_upper else (value, INFINITY)
    domain = Domain.span(low, high, is_integral=is_integral)
    return domain & ~point if sign in ("<", ">") else domain
