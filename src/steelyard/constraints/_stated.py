"""Read the facts that a constraint states, as far as they are spans, relations and marks."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from steelyard.constraints._domain import LAST_CHARACTER, Domain, hull
from steelyard.constraints._facts import (
    Either,
    Fact,
    Letters,
    Line,
    Link,
    Mark,
    Texts,
    Within,
)
from steelyard.constraints._idioms import argument
from steelyard.constraints._places import Place, Places, Sum
from steelyard.constraints._stated_graphs import graph_facts, permutation_facts
from steelyard.constraints._stated_numbers import (
    INFINITY,
    NOTHING,
    NumberReading,
    Stated,
    all_of,
    solved,
)
from steelyard.constraints._tree import (
    INT,
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
_MOST_EXCLUDED = 100
_MOST_LETTERS = 64
_NUMBERS = frozenset({"int", "float", "bool"})
_CHARACTER = Domain.span(0, LAST_CHARACTER)
_NOT_EMPTY = frozenset(
    {"isalpha", "isdigit", "isdecimal", "isnumeric", "isalnum", "islower", "isupper", "isspace"}
)
CHECKS = _NOT_EMPTY | {"isascii", "isprintable"}
_ABOUT_ONE = frozenset(
    {
        "is_sorted",
        "is_increasing",
        "is_descending",
        "is_decreasing",
        "is_unique",
        "is_palindrome",
        "is_balanced",
        "is_rectangular",
        "is_level_order",
        "is_parents",
    }
)
_GRAPHS = frozenset({"is_tree", "is_forest", "is_connected", "is_simple", "is_dag", "is_bipartite"})


def stated(constraint: Constraint, count: int, equal: Mapping[str, str]) -> Stated:
    """Return the facts that a constraint states.

    Args:
        constraint: The constraint.
        count: Number of parameters.
        equal: For a quantity, the common name of all that equal it.
    """
    return _Reading(Places(count, equal)).read(constraint.tree, wanted=True)


class _Reading(NumberReading):
    def read(self, node: Node, *, wanted: bool) -> Stated:
        match node:
            case Logic(sign="not", items=(item,)):
                return self.read(item, wanted=not wanted)
            case Logic(sign=sign, items=items):
                parts = [self.read(item, wanted=wanted) for item in items]
                return all_of(parts) if (sign == "and") is wanted else self._either(items, parts)
            case Chain() if chain := node if wanted else inverted(node):
                pairs = zip(chain.signs, pairwise(chain.operands), strict=True)
                return all_of(self._atom(sign, left, right) for sign, (left, right) in pairs)
            case Apply(args=(Many() as many,)) if node.name == ("all" if wanted else "any"):
                return self.for_all(many, wanted=wanted)
            case Apply():
                return self._applied(node, wanted=wanted)
        return NOTHING

    def for_all(self, many: Many, *, wanted: bool) -> Stated:
        with self.places.inside(many.loops) as is_known:
            needs, self.places.needs = self.places.needs, []
            if not is_known:
                return NOTHING
            found = self.read(many.body, wanted=wanted)
            return Stated((*needs, *found.facts), found.is_whole)

    def _either(self, items: tuple[Node, ...], parts: list[Stated]) -> Stated:
        """Join alternatives: of one quantity as its domain, of others as groups."""
        parts = [part for item, part in zip(items, parts, strict=True) if not is_none_test(item)]
        if len(parts) == 1:
            return parts[0]
        merged = [_domain_of(part) for part in parts]
        names = {each[0] for each in merged if each}
        if len(names) == 1 and all(merged):
            return Stated((Within(names.pop(), hull(each[1] for each in merged if each)),), True)
        single = [part.facts[0] for part in parts if len(part.facts) == 1 and part.is_whole]
        if len(single) == len(parts):
            joined = _joined_texts(single) or _joined_letters(single)
            if joined:
                return Stated((joined,), True)
        if not all(part.facts for part in parts):
            return NOTHING
        return Stated((Either(tuple(part.facts for part in parts)),), is_whole=False)

    def _atom(self, sign: Sign, left: Node, right: Node) -> Stated:
        self.places.needs = []
        found = self._comparison(sign, left, right)
        if found is None:
            return NOTHING
        needs, self.places.needs = self.places.needs, []
        return Stated((*found.facts, *needs), found.is_whole)

    def _comparison(self, sign: Sign, left: Node, right: Node) -> Stated | None:
        if sign in ("in", "not in"):
            return self._member(left, right, is_in=sign == "in")
        if sign == "==" and (found := self._distinct(left, right) or self._distinct(right, left)):
            return found
        if left.type.base.is_number and right.type.base.is_number:
            return self.numbers(sign, left, right)
        if sign in ("<=", "<") and isinstance(left, Apply) and left.name == "set":
            found = self._only_items(left.args[0], right)
            return found and Stated(found.facts, found.is_whole and sign == "<=")
        return self._texts(sign, left, right)

    def _distinct(self, count: Node, length: Node) -> Stated | None:
        """Read `len({f(x) for x in items}) == len(items)`: no two items are equal."""
        items = argument(length, "len")
        match argument(count, "len"):
            case Apply(name="set", args=(Many(loops=(loop,)),)) if loop.source == items:
                place = None if loop.conditions else self.place(loop.source)
                with self.places.inside((loop,)):  # notes what a row that is unpacked needs
                    return Stated((Mark(place.path, "unique"),), False) if place else None
        return None

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
                return Stated((Within(f"len({place.path})", Domain.span(1, INFINITY)),), True)
            return None
        if len(right.value) != 1:
            return None
        domain = solved(sign, 1, -ord(right.value), is_integral=True) & _CHARACTER
        return Stated((Within(place.path, domain),), True)

    def _member(self, left: Node, right: Node, *, is_in: bool) -> Stated | None:
        if isinstance(left, Const) and isinstance(left.value, str) and len(left.value) == 1:
            place = self.place(right)
            if place and place.type.base.kind == "str" and not is_in:
                return Stated((Within(f"{place.path}[]", ~Domain.only([ord(left.value)])),), True)
            return None
        one, other = self.places.place(left), self.places.place(right)
        if one and other and is_in:
            return Stated((Link("member", one.path, other.path),), False)
        return self._among(self.place(left), right, is_in=is_in)

    def _among(self, place: Place | None, right: Node, *, is_in: bool = True) -> Stated | None:
        if place is None:
            return None
        if isinstance(right, Apply) and right.name == "range" and is_in:
            return self._range(place, right)
        values = _values(right)
        if values is None or (not is_in and len(values) > _MOST_EXCLUDED):
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
        if not is_in or place.type.base.kind not in ("str", "any"):
            return None
        if not isinstance(right, Const):
            return Stated((Texts(place.path, frozenset(values)),), True)
        if len(values) > _MOST_LETTERS:
            return None
        text, ends = right.value, range(len(values) + 1)
        parts = frozenset(text[start:end] for start in ends for end in ends)
        return Stated((Texts(place.path, parts, frozenset(values)),), True)

    def _range(self, place: Place, node: Apply) -> Stated | None:
        if len(node.args) > 2 or place.type.base.kind != "int":
            return None
        low: Node = node.args[0] if len(node.args) == 2 else Const(0, INT)
        start, stop = self.sum(low), self.sum(node.args[-1])
        if not start or not stop:
            return None
        value = Sum({place.path: 1}, slots=place.slots)
        return all_of([self.line("<=", start, value), self.line("<", value, stop)])

    def _only_items(self, items: Node, allowed: Node) -> Stated | None:
        """Read `set(items) <= allowed`."""
        place = self.place(items)
        if place is None:
            return None
        each = self.places.each(place)
        inner = allowed.args[0] if isinstance(allowed, Apply) and allowed.name == "set" else allowed
        return self._among(each, inner)

    def _applied(self, node: Apply, *, wanted: bool) -> Stated:
        name, args = node.name, node.args
        if not wanted:
            return NOTHING
        if name in CHECKS and (place := self.place(args[0])):
            if place.is_character:
                return Stated((Letters(place.path, (name,)),), True)
            facts: list[Fact] = [Letters(f"{place.path}[]", (name,))]
            if name in _NOT_EMPTY:
                facts.append(Within(f"len({place.path})", Domain.span(1, INFINITY)))
            return Stated(tuple(facts), True)
        if name == "issubset":
            base = args[0]
            items = base.args[0] if isinstance(base, Apply) and base.name == "set" else base
            return self._only_items(items, args[1]) or NOTHING
        if name in _ABOUT_ONE and (place := self.place(args[0])):
            return Stated((Mark(place.path, name.removeprefix("is_")),), True)
        if name == "is_permutation" and (place := self.place(args[0])):
            return self._permutation(place, args[1])
        if name == "is_subsequence":
            one, other = self.place(args[0]), self.place(args[1])
            if one and other:
                return Stated((Link("subsequence", one.path, other.path),), False)
        if name in _GRAPHS and isinstance(args[2], Const) and not self.places.loops:
            nodes, place = self.sum(args[0]), self.place(args[1])
            if nodes and place:
                listed = graph_facts(name.removeprefix("is_"), place.path, nodes, args[2].value)
                return Stated(tuple(listed), True)
        return NOTHING

    def _permutation(self, place: Place, other: Node) -> Stated:
        if isinstance(other, Const) and isinstance(other.value, int):
            return Stated(permutation_facts(place.path, other.value), True)
        source = self.place(other)
        if source is None:
            return NOTHING
        same = Line(((f"len({place.path})", 1), (f"len({source.path})", -1)), 0, "==")
        return Stated((Link("permutation", place.path, source.path), same), False)


def _domain_of(part: Stated) -> tuple[str, Domain] | None:
    """Return the quantity that a part is about and its domain, None if it is about more."""
    found: tuple[str, Domain] | None = None
    for fact in part.facts:
        if not isinstance(fact, Within) or (found and found[0] != fact.quantity):
            return None
        found = (fact.quantity, found[1] & fact.domain if found else fact.domain)
    return found if part.is_whole else None


def _joined_texts(facts: list[Fact]) -> Fact | None:
    """Return the fact that one of several facts about the same text holds."""
    texts = [fact for fact in facts if isinstance(fact, Texts)]
    if len(texts) < len(facts) or len({fact.path for fact in texts}) > 1:
        return None
    usual = (
        [fact.usual or fact.values for fact in texts] if any(each.usual for each in texts) else []
    )
    return Texts(
        texts[0].path,
        frozenset[str]().union(*(fact.values for fact in texts)),
        frozenset[str]().union(*usual),
    )


def _joined_letters(facts: list[Fact]) -> Fact | None:
    """Return the fact that one of several facts about the same characters holds."""
    tests: list[tuple[str, tuple[str | Domain, ...]]] = []
    for fact in facts:
        if isinstance(fact, Letters):
            tests.append((fact.path, fact.tests))
        elif isinstance(fact, Within):
            tests.append((fact.quantity, (fact.domain,)))
    if len(tests) < len(facts) or len({path for path, _ in tests}) > 1:
        return None
    return Letters(tests[0][0], tuple(test for _, each in tests for test in each))


def is_none_test(node: Node) -> bool:
    """`x is None`: the other alternatives are about an x that is not None, or not a number."""
    match node:
        case Chain(operands=(Name(), Const(value=None)), signs=("==",)):
            return True
        case Apply(args=(Name(), Const(value=classes))):
            return node.name == "isinstance" and _NUMBERS.issuperset(classes)
    return False


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
