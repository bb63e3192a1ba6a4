"""Read the facts that a constraint states, as far as they are spans, relations and marks."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from steelyard.authoring.constraints._domain import LAST_CHARACTER, Domain, Number, hull
from steelyard.authoring.constraints._facts import Either, Fact, Line, Link, Mark, Texts, Within
from steelyard.authoring.constraints._places import Place, Places, Sum
from steelyard.authoring.constraints._tree import (
    INT,
    NONE,
    TURNED,
    Apply,
    Chain,
    Const,
    Constraint,
    Display,
    Logic,
    Many,
    Name,
    Node,
    Sign,
    inverted,
)

_MOST_VALUES = 1_000
_CHARACTER = Domain.span(0, LAST_CHARACTER)
_NOT_EMPTY = frozenset({
    "isalpha", "isdigit", "isdecimal", "isnumeric", "isalnum", "islower", "isupper", "isspace"
})  # fmt: skip
CHECKS = _NOT_EMPTY | {"isascii", "isprintable"}
_ABOUT_ONE = frozenset({
    "is_sorted", "is_increasing", "is_descending", "is_decreasing", "is_unique", "is_palindrome",
    "is_balanced", "is_rectangular", "is_level_order", "is_parents",
})  # fmt: skip
_GRAPHS = frozenset({
    "is_tree", "is_forest", "is_connected", "is_simple", "is_dag", "is_bipartite"
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Stated:
    """The facts that one constraint states."""

    facts: tuple[Fact, ...]
    is_whole: bool
    """The facts are all that it states."""


_NOTHING = Stated((), is_whole=False)


def stated(constraint: Constraint, count: int, equal: Mapping[str, str]) -> Stated:
    """Return the facts that a constraint states.

    Args:
        constraint: The constraint.
        count: Number of parameters.
        equal: For a quantity, the common name of all that equal it.
    """
    return _Reading(Places(count, equal)).read(constraint.tree, wanted=True)


class _Reading:
    def __init__(self, places: Places) -> None:
        self._places = places

    def read(self, node: Node, *, wanted: bool) -> Stated:
        match node:
            case Logic(sign="not", items=(item,)):
                return self.read(item, wanted=not wanted)
            case Logic(sign=sign, items=items):
                parts = [self.read(item, wanted=wanted) for item in items]
                return _all(parts) if (sign == "and") is wanted else self._either(items, parts)
            case Chain() if chain := node if wanted else inverted(node):
                pairs = zip(chain.signs, pairwise(chain.operands), strict=True)
                return _all(self._atom(sign, left, right) for sign, (left, right) in pairs)
            case Apply(args=(Many() as many,)) if node.name == ("all" if wanted else "any"):
                return self._for_all(many, wanted=wanted)
            case Apply():
                return self._applied(node, wanted=wanted)
        return _NOTHING

    def _for_all(self, many: Many, *, wanted: bool) -> Stated:
        with self._places.inside(many.loops) as is_known:
            needs, self._places.needs = self._places.needs, []
            if not is_known:
                return _NOTHING
            found = self.read(many.body, wanted=wanted)
            return Stated((*needs, *found.facts), found.is_whole)

    def _either(self, items: tuple[Node, ...], parts: list[Stated]) -> Stated:
        """Join alternatives: of one quantity as its domain, of others as groups."""
        parts = [part for item, part in zip(items, parts, strict=True) if not _is_none_test(item)]
        if len(parts) == 1:
            return parts[0]
        merged = [_domain_of(part) for part in parts]
        names = {each[0] for each in merged if each}
        if len(names) == 1 and all(merged):
            return Stated((Within(names.pop(), hull(each[1] for each in merged if each)),), True)
        texts = [part.facts[0] for part in parts if len(part.facts) == 1 and part.is_whole]
        if len(texts) == len(parts) and len({getattr(each, "path", "") for each in texts}) == 1:
            choices = [each for each in texts if isinstance(each, Texts)]
            if len(choices) == len(parts):
                values = frozenset[str]().union(*(each.values for each in choices))
                return Stated((Texts(choices[0].path, values),), True)
        if self._places.loops or not all(part.facts for part in parts):
            return _NOTHING
        return Stated((Either(tuple(part.facts for part in parts)),), is_whole=False)

    def _atom(self, sign: Sign, left: Node, right: Node) -> Stated:
        self._places.needs = []
        found = self._comparison(sign, left, right)
        if found is None:
            return _NOTHING
        needs, self._places.needs = self._places.needs, []
        return Stated((*found.facts, *needs), found.is_whole)

    def _comparison(self, sign: Sign, left: Node, right: Node) -> Stated | None:
        if sign in ("in", "not in"):
            return self._member(left, right, is_in=sign == "in")
        if Const(None, NONE) in (left, right):
            return None
        if left.type.base.is_number and right.type.base.is_number:
            return self._numbers(sign, left, right)
        if sign in ("<=", "<") and isinstance(left, Apply) and left.name == "set":
            found = self._only_items(left.args[0], right)
            return found and Stated(found.facts, found.is_whole and sign == "<=")
        return self._texts(sign, left, right)

    def _numbers(self, sign: Sign, left: Node, right: Node) -> Stated | None:
        match left, sign:
            case Apply(args=(inner,)), "<=" | "<" if left.name == "abs":
                upper, lower = self.sum(inner), self.sum(right)
                if not upper or not lower:
                    return None
                return _all([
                    self._line(sign, upper, lower), self._line(sign, Sum({}).plus(upper, -1), lower)
                ])  # fmt: skip
            case Apply(args=(number, Const(value=int(modulus)))), "==" | "!=" if left.name == "%":
                return self._residue(sign, number, modulus, right)
            case Apply(args=(Many() as many,)), "<=" | "<" | ">=" | ">" if left.name == (
                "max" if sign[0] == "<" else "min"
            ):
                found = self._for_all(
                    Many(Chain((many.body, right), (sign,)), many.loops, many.type), wanted=True
                )
                return Stated(found.facts, is_whole=False)  # and there must be a value
            case Apply(args=args), "<=" | "<" if left.name == "max" and len(args) > 1:
                return _all(self._numbers(sign, arg, right) or _NOTHING for arg in args)
            case Apply(args=args), ">=" | ">" if left.name == "min" and len(args) > 1:
                return _all(self._numbers(sign, arg, right) or _NOTHING for arg in args)
        if isinstance(right, Apply) and right.name == "//":
            return self._divided(sign, left, right)
        if isinstance(left, Apply) and left.name == "//":
            return self._divided(TURNED[sign], right, left)
        if isinstance(right, Apply) and right.name in ("abs", "%", "max", "min"):
            turned = TURNED.get(sign)
            if turned and not (isinstance(left, Apply) and left.name == right.name):
                return self._numbers(turned, right, left)
        one, other = self.sum(left), self.sum(right)
        return self._line(sign, one, other) if one and other else None

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
        return self._line(closed, Sum({}).plus(one, divisor.value).plus(rest), other)

    def sum(self, node: Node) -> Sum | None:
        return self._places.sum(node)

    def _line(self, sign: Sign, left: Sum, right: Sum) -> Stated:
        if sign in (">", ">="):
            left, right, sign = right, left, TURNED[sign]
        total = left.plus(right, -1)
        if not total.covers or not self._is_about_loops(total.slots) or not total.fits:
            return _NOTHING
        if not total.terms:
            return _NOTHING
        if len(total.terms) == 1:
            ((name, factor),) = total.terms.items()
            domain = _solved(sign, factor, total.constant, is_integral=total.is_integral)
            return Stated((Within(name, domain),), True)
        is_strict = sign == "<"
        constant = total.constant + (is_strict and total.is_integral)
        closed: Any = "<=" if is_strict else sign
        line = Line(tuple(total.terms.items()), constant, closed)
        return Stated((line,), total.is_integral or not is_strict)

    def _is_about_loops(self, slots: frozenset[int]) -> bool:
        """Return whether the part changes with each loop around, so that none may be empty."""
        return slots >= frozenset(self._places.loops)

    def _residue(self, sign: Sign, number: Node, modulus: int, right: Node) -> Stated | None:
        total = self.sum(number)
        if not total or len(total.terms) != 1 or not isinstance(right, Const) or not total.covers:
            return None
        ((name, factor),) = total.terms.items()
        if factor != 1 or modulus < 1 or not total.is_integral or type(right.value) is not int:
            return None
        if not 0 <= right.value < modulus or not self._is_about_loops(total.slots):
            return None
        domain = Domain.residue(modulus, (right.value - int(total.constant)) % modulus)
        if sign == "==":
            return Stated((Within(name, domain),), True)
        return Stated((Within(name, ~domain),), modulus == 2)

    def _texts(self, sign: Sign, left: Node, right: Node) -> Stated | None:
        """Read a comparison of a text, or of one character, with a constant."""
        if isinstance(left, Const) and sign in TURNED:
            left, right, sign = right, left, TURNED[sign]
        place = self.place(left)
        if place is None or not isinstance(right, Const) or not isinstance(right.value, str):
            return None
        if not place.is_character:
            if sign == "==":
                return Stated((Texts(place.path, frozenset({right.value})),), True)
            if sign == "!=" and not right.value:
                return Stated((Within(f"len({place.path})", Domain.span(1, _INFINITY)),), True)
            return None
        if len(right.value) != 1:
            return None
        domain = _solved(sign, 1, -ord(right.value), is_integral=True) & _CHARACTER
        return Stated((Within(place.path, domain),), True)

    def place(self, node: Node) -> Place | None:
        """Return the part that a node names, if its rounds reach all such parts."""
        found = self._places.place(node)
        if found and found.covers and self._is_about_loops(found.slots):
            return found
        return None

    def _member(self, left: Node, right: Node, *, is_in: bool) -> Stated | None:
        if isinstance(left, Const) and isinstance(left.value, str) and len(left.value) == 1:
            place = self.place(right)
            if place and place.type.base.kind == "str" and not is_in:
                return Stated((Within(f"{place.path}[]", ~Domain.only([ord(left.value)])),), True)
            return None
        one, other = self._places.place(left), self._places.place(right)
        if one and other and is_in:
            return Stated((Link("member", one.path, other.path),), False)
        return self._among(self.place(left), right, is_in=is_in)

    def _among(self, place: Place | None, right: Node, *, is_in: bool = True) -> Stated | None:
        if place is None:
            return None
        if isinstance(right, Apply) and right.name == "range" and is_in:
            return self._range(place, right)
        values = _values(right)
        if values is None:
            return None
        if all(type(each) in (int, float) for each in values) and place.type.base.is_number:
            is_integral = place.type.base.kind == "int"
            domain = Domain.only(values, is_integral=is_integral)
            return Stated((Within(place.path, domain if is_in else ~domain),), True)
        if not all(isinstance(each, str) for each in values):
            return None
        if place.is_character:
            domain = Domain.only({ord(each) for each in values if len(each) == 1})
            return Stated((Within(place.path, domain if is_in else ~domain & _CHARACTER),), True)
        if is_in and place.type.base.kind == "str" and not isinstance(right, Const):
            return Stated((Texts(place.path, frozenset(values)),), True)
        return None

    def _range(self, place: Place, node: Apply) -> Stated | None:
        if len(node.args) > 2 or place.type.base.kind != "int":
            return None
        low: Node = node.args[0] if len(node.args) == 2 else Const(0, INT)
        start, stop = self.sum(low), self.sum(node.args[-1])
        if not start or not stop:
            return None
        value = Sum({place.path: 1}, slots=place.slots)
        return _all([self._line("<=", start, value), self._line("<", value, stop)])

    def _only_items(self, items: Node, allowed: Node) -> Stated | None:
        """Read `set(items) <= allowed`."""
        place = self.place(items)
        if place is None:
            return None
        each = self._places.each(place)
        inner = allowed.args[0] if isinstance(allowed, Apply) and allowed.name == "set" else allowed
        return self._among(each, inner)

    def _applied(self, node: Apply, *, wanted: bool) -> Stated:
        name, args = node.name, node.args
        if name == "bool" and (place := self.place(args[0])) and place.type.kind != "optional":
            domain = Domain.span(1, _INFINITY) if wanted else Domain.only([0])
            return Stated((Within(f"len({place.path})", domain),), True)
        if not wanted:
            return _NOTHING
        if name in CHECKS and (place := self.place(args[0])):
            if place.is_character:
                return Stated((Mark(place.path, name),), True)
            facts: list[Fact] = [Mark(f"{place.path}[]", name)]
            if name in _NOT_EMPTY:
                facts.append(Within(f"len({place.path})", Domain.span(1, _INFINITY)))
            return Stated(tuple(facts), True)
        if name == "issubset":
            base = args[0]
            items = base.args[0] if isinstance(base, Apply) and base.name == "set" else base
            return self._only_items(items, args[1]) or _NOTHING
        if name in _ABOUT_ONE and (place := self.place(args[0])):
            return Stated((Mark(place.path, name.removeprefix("is_")),), True)
        if name == "is_permutation" and (place := self.place(args[0])):
            return self._permutation(place, args[1])
        if name == "is_subsequence":
            one, other = self.place(args[0]), self.place(args[1])
            if one and other:
                return Stated((Link("subsequence", one.path, other.path),), False)
        if name in _GRAPHS:
            return self._graph(name.removeprefix("is_"), args)
        return _NOTHING

    def _permutation(self, place: Place, other: Node) -> Stated:
        if isinstance(other, Const) and isinstance(other.value, int):
            low, path = other.value, place.path
            facts = (
                Mark(path, "permutation", low),
                Within(f"{path}[]", Domain.span(low, _INFINITY)),
                Line(((f"{path}[]", 1), (f"len({path})", -1)), 1 - low, "<="),
            )
            return Stated(facts, True)
        source = self.place(other)
        if source:
            same = Line(((f"len({place.path})", 1), (f"len({source.path})", -1)), 0, "==")
            return Stated((Link("permutation", place.path, source.path), same), False)
        return _NOTHING

    def _graph(self, name: str, args: tuple[Node, ...]) -> Stated:
        nodes, place, start = self.sum(args[0]), self.place(args[1]), args[2]
        if not nodes or not place or not isinstance(start, Const) or self._places.loops:
            return _NOTHING
        path, first = place.path, int(start.value)
        terms = tuple(nodes.terms.items())
        facts: list[Fact] = [
            Mark(path, name, first, (terms, nodes.constant)),
            Within(f"len({path}[])", Domain.span(2, _INFINITY)),
        ]
        for end in (f"{path}[][0]", f"{path}[][1]"):
            facts.append(Within(end, Domain.span(first, _INFINITY)))
            below = Sum({end: 1}).plus(nodes, -1)
            facts.append(Line(tuple(below.terms.items()), below.constant + 1 - first, "<="))
        edges = Sum({f"len({path})": 1}).plus(nodes, -1)
        edges.constant += 1
        if name in ("tree", "forest", "connected"):
            enough = Sum({}).plus(edges, -1)
            if name != "forest":
                facts.append(Line(tuple(enough.terms.items()), enough.constant, "<="))
                facts.append(self._at_least_one(nodes))
            if name != "connected":
                facts.append(Line(tuple(edges.terms.items()), edges.constant, "<="))
        return Stated(tuple(facts), True)

    def _at_least_one(self, nodes: Sum) -> Fact:
        return Line(tuple((name, -each) for name, each in nodes.terms.items()),
                    1 - nodes.constant, "<=")  # fmt: skip


_INFINITY = float("inf")


def _all(parts: Iterable[Stated]) -> Stated:
    parts = list(parts)
    return Stated(
        tuple(fact for part in parts for fact in part.facts), all(part.is_whole for part in parts)
    )


def _domain_of(part: Stated) -> tuple[str, Domain] | None:
    """Return the quantity that a part is about and its domain, None if it is about more."""
    found: tuple[str, Domain] | None = None
    for fact in part.facts:
        if not isinstance(fact, Within) or (found and found[0] != fact.quantity):
            return None
        found = (fact.quantity, found[1] & fact.domain if found else fact.domain)
    return found if part.is_whole else None


def _is_none_test(node: Node) -> bool:
    """`x is None`: the other alternatives are about an x that is not None."""
    match node:
        case Chain(operands=(Name(), Const(value=None)), signs=("==",)):
            return True
        case Logic(sign="not", items=(Name(type=kind),)):
            return kind.kind == "optional"
    return False


def _solved(sign: Sign, factor: Number, constant: Number, *, is_integral: bool) -> Domain:
    """Return the x for which factor * x + constant has this relation to 0."""
    exact = Fraction(-constant) / Fraction(factor)
    value: Any = exact if is_integral else float(exact)
    point = Domain.only([value], is_integral=is_integral)
    if sign in ("==", "!="):
        return point if sign == "==" else ~point
    is_upper = (factor > 0) is (sign in ("<", "<="))
    low, high = (-_INFINITY, value) if is_upper else (value, _INFINITY)
    domain = Domain.span(low, high, is_integral=is_integral)
    return domain & ~point if sign in ("<", ">") else domain


def _values(node: Node) -> list[Any] | None:
    """Return the values of a constant text, list or set."""
    match node:
        case Const(value=str(text)):
            return list(text)
        case Display(items=items):
            if len(items) <= _MOST_VALUES and all(isinstance(item, Const) for item in items):
                return [item.value for item in items if isinstance(item, Const)]
        case Apply(args=(inner,)) if node.name in ("set", "list", "tuple"):
            return _values(inner)
    return None
