"""Narrow the domains of all quantities until the facts narrow them no further."""

import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from steelyard.constraints._differences import has_circle
from steelyard.constraints._domain import LAST_CHARACTER, Domain, Number, hull
from steelyard.constraints._facts import (
    Either,
    Fact,
    Letters,
    Line,
    Link,
    Mark,
    Texts,
    Within,
    containers,
    generalisations,
    quantities_of,
)
from steelyard.constraints._letters import Tests, any_passes
from steelyard.constraints._operations import entry_of, item_of, list_of
from steelyard.constraints._tree import INT, STR
from steelyard.values import PlainType

_ROUNDS = 60
_MOST_STEPS = 6_000  # applications of facts, so that hostile constraints cost little
_RISING, _FALLING = frozenset({"sorted", "increasing"}), frozenset({"descending", "decreasing"})
_BRACKETS = Domain.only(map(ord, "()[]{}<>"))
_DIFFERENT = frozenset({"unique", "permutation", "increasing", "decreasing"})


class ClashError(Exception):
    """No arguments meet the facts."""


@dataclass
class Propagation:
    """The domains of all quantities that facts name."""

    types: Mapping[str, PlainType]
    domains: dict[str, Domain] = field(default_factory=dict)
    absent: set[str] = field(default_factory=set)
    """Quantities that cannot exist, because a list around them must be empty."""
    _changed: bool = False

    def run(self, facts: Sequence[Fact]) -> None:
        """Narrow the domains by facts.

        Raises:
            ClashError: if no arguments meet them.
        """
        with suppress(OverflowError):  # numbers beyond floats; what is narrowed so far holds
            self._run(facts)

    def _run(self, facts: Sequence[Fact]) -> None:
        for fact in facts:
            for quantity in quantities_of(fact):
                self.domain(quantity)
        for _ in range(min(_ROUNDS, _MOST_STEPS // (len(facts) + 1))):
            self._changed = False
            for fact in facts:
                self._apply(fact)
            for quantity in list(self.domains):
                self._relate(quantity)
            if not self._changed:
                break
        for path in {fact.path for fact in facts if isinstance(fact, Mark)}:
            self._check_order(
                path, {each.name for each in facts if isinstance(each, Mark) and each.path == path}
            )
        lines = [
            fact
            for fact in facts
            if isinstance(fact, Line) and not any(self._is_optional(name) for name, _ in fact.terms)
        ]
        if has_circle(lines):
            raise ClashError
        self._check_characters(facts)

    def domain(self, quantity: str) -> Domain:
        """Return what a quantity may be."""
        if quantity not in self.domains:
            self.domains[quantity] = self._first(quantity)
        return self.domains[quantity]

    def narrow(self, quantity: str, domain: Domain) -> None:
        """Keep only what is in a domain too.

        Raises:
            ClashError: if nothing is left, and the quantity must exist.
        """
        old = self.domain(quantity)
        new = old & domain
        if new == old or quantity in self.absent:
            return
        self._changed = True
        if new:
            self.domains[quantity] = new
            return
        self.absent.add(quantity)
        if self._is_optional(quantity):
            return
        around = containers(quantity)
        if not around:
            raise ClashError
        self.narrow(f"len({around[-1]})", Domain.only([0]))

    def type_of(self, path: str) -> PlainType | None:
        """Return the type at a path, None for a path that the parameters lack."""
        (name, *ways), *steps = (step.split("/") for step in path.replace("]", "").split("["))
        kind = _part_of(self.types.get(name), ways)
        for index, *ways in steps:
            if kind is None:
                return None
            base = kind.base
            if base.kind == "dict":
                kind = entry_of(base)
            elif base.kind == "tuple" and index and int(index) < len(base.items):
                kind = base.items[int(index)]
            else:
                kind = item_of(base)
            kind = _part_of(kind, ways)
        return kind

    def _is_number(self, path: str) -> bool:
        kind = self.type_of(path)
        return kind is not None and kind.kind in ("int", "float")

    def _is_optional(self, quantity: str) -> bool:
        path = quantity.strip("()").split("(")[-1]
        while path:
            kind = self.type_of(path)
            if kind is not None and kind.kind in ("optional", "union"):
                return True
            path = path.rpartition("[")[0]
        return False

    def _first(self, quantity: str) -> Domain:
        if quantity.startswith("len("):
            return Domain.span(0, math.inf)
        if "*" in quantity:
            parts = [self.domain(part) for part in quantity.split("*")]
            return Domain.whole(is_integral=all(part.is_integral for part in parts))
        path = quantity.strip("()").split("(")[-1]
        if quantity.startswith("sum(len("):
            return Domain.span(0, math.inf)
        kind = INT if quantity.startswith("int(") else self.type_of(path)
        if "(" in quantity and kind is not None and kind.base.kind == "list":
            kind = item_of(kind)
        if kind is not None and kind.base.kind == "str":
            return Domain.span(0, LAST_CHARACTER)
        return Domain.whole(is_integral=kind is None or kind.base.kind != "float")

    def _exists(self, quantity: str, inside: Iterable[str] = ()) -> bool:
        """Return whether all lists around a quantity have an item, leaving some lists out."""
        return not self._is_optional(quantity) and all(
            self.domain(f"len({each})").low >= 1
            for each in containers(quantity)
            if each not in inside
        )

    def _apply(self, fact: Fact) -> None:
        match fact:
            case Within(quantity=quantity, domain=domain):
                self.narrow(quantity, domain)
            case Line(sign="!="):
                pass
            case Line(terms=terms, constant=constant, sign=sign):
                self._bound(terms, constant)
                if sign == "==":
                    self._bound([(name, -factor) for name, factor in terms], -constant)
            case Texts(path=path, values=values):
                self.narrow(f"len({path})", Domain.only(map(len, values)))
            case Mark(path=path, name=name) if name in _DIFFERENT:
                count = self._choices(path)
                self.narrow(f"len({path})", Domain.span(0, count))
            case Mark(path=path, name="rectangular") if f"len({path}[0])" in self.domains:
                self.narrow(f"len({path}[])", self.domain(f"len({path}[0])"))
            case Mark(path=path, name="balanced") if not self.domain(f"{path}[]") & ~_BRACKETS:
                self.narrow(f"len({path})", Domain.residue(2, 0))
            case Link(name="member", one=one, other=other):
                if not containers(f"{one}{other}") and not self._is_optional(one):
                    self.narrow(f"len({other})", Domain.span(1, math.inf))
                if self._is_number(one):
                    self.narrow(one, self.domain(f"{other}[]"))
            case Either(branches=branches):
                self._alternatives(branches)

    def _bound(self, terms: Iterable[tuple[str, Number]], constant: Number) -> None:
        """Narrow each term of a sum that is at most 0 by the least of the others."""
        terms = list(terms)
        least = [self._least(name, factor) for name, factor in terms]
        for index, (name, factor) in enumerate(terms):
            rest = [each for at, each in enumerate(least) if at != index]
            around = containers(name)
            if not all(self._exists(other, around) for other, _ in terms if other != name):
                continue
            if math.inf in rest or -math.inf in rest:
                continue
            total = sum(rest, constant)
            domain = self.domain(name)
            limit = self._limit(-total, factor, is_integral=domain.is_integral)
            span = (-math.inf, limit) if factor > 0 else (limit, math.inf)
            self.narrow(name, Domain.span(*span, is_integral=domain.is_integral))

    def _least(self, name: str, factor: Number) -> Number:
        domain = self.domain(name)
        if not domain:
            return math.inf
        end = domain.low if factor > 0 else domain.high
        return end if factor == 1 else end * factor

    @staticmethod
    def _limit(total: Number, factor: Number, *, is_integral: bool) -> Number:
        if is_integral and isinstance(total, int) and isinstance(factor, int):
            return total // factor if factor > 0 else -(total // -factor)
        return total / factor

    def _choices(self, path: str) -> Number:
        """Return how many different items a list can have."""
        kind = self.type_of(path)
        item = None if kind is None else item_of(kind).base
        if item is None or item.kind not in ("int", "str") or self._is_optional(f"{path}[]"):
            return math.inf
        if item.kind == "int" or (kind is not None and kind.base.kind == "str"):
            return self.domain(f"{path}[]").count
        letters, most = self.domain(f"{path}[][]").count, self.domain(f"len({path}[])").high
        if letters > 100 or most > 10:
            return math.inf
        return sum(math.prod([int(letters)] * length) for length in range(int(most) + 1))

    def _alternatives(self, branches: Sequence[Sequence[Fact]]) -> None:
        """Keep what one of the branches allows."""
        names = {name for branch in branches for fact in branch for name in quantities_of(fact)}
        found: list[Mapping[str, Domain]] = []
        for branch in branches:
            trial = Propagation(self.types, dict(self.domains), set(self.absent))
            try:
                for fact in branch:
                    trial._apply(fact)
            except ClashError:
                continue
            found.append({name: trial.domain(name) for name in names})
        if not found:
            raise ClashError
        for name in names:
            self.narrow(name, hull(each[name] for each in found))

    def _relate(self, quantity: str) -> None:
        """Narrow a quantity by those that it is part of, or is computed from."""
        if "*" in quantity:
            self._multiply(quantity)
            return
        for wide in generalisations(quantity):
            self.narrow(quantity, self.domain(wide))
        name, _, inside = quantity.removesuffix(")").partition("(")
        if name in ("min", "max"):
            item = self.domain(f"{inside}[]")
            self.narrow(f"len({inside})", Domain.span(1, math.inf))
            self.narrow(quantity, Domain.span(item.low, item.high, is_integral=item.is_integral))
            own = self.domain(quantity)
            span = (own.low, math.inf) if name == "min" else (-math.inf, own.high)
            self.narrow(f"{inside}[]", Domain.span(*span, is_integral=own.is_integral))
        elif quantity.startswith("len(set("):
            path = inside[4:-1]
            count = self.domain(f"len({path})").high
            self.narrow(quantity, Domain.span(0, min(count, self._choices(path))))
            self.narrow(f"len({path})", Domain.span(self.domain(quantity).low, math.inf))
        elif name == "sum":
            is_nested = "(" in inside
            item = self.domain(inside if is_nested else f"{inside}[]")
            path = containers(inside)[-1] if is_nested else inside
            size = self.domain(f"len({path})")
            if item and size:
                self.narrow(quantity, _product(size, item))
                self._share(quantity, inside if is_nested else f"{inside}[]")

    def _share(self, total: str, item: str) -> None:
        """Narrow one item of a sum: what no item below 0 takes back is at most the sum."""
        if self.domain(item).low >= 0:
            most = self.domain(total).high
            self.narrow(item, Domain.span(0, most, is_integral=self.domain(item).is_integral))

    def _multiply(self, quantity: str) -> None:
        one, other = quantity.split("*")
        a, b = self.domain(one), self.domain(other)
        if not a or not b:
            return
        self.narrow(quantity, _product(a, b))
        most = self.domain(quantity).high
        for name, by in ((one, b), (other, a)):
            if by.low >= 1 and self.domain(name).low >= 0 and most < math.inf:
                limit = self._limit(most, by.low, is_integral=self.domain(name).is_integral)
                span = Domain.span(0, limit, is_integral=self.domain(name).is_integral)
                if self._exists(quantity, containers(name)):
                    self.narrow(name, span)

    def _check_order(self, path: str, names: set[str]) -> None:
        """Leave one item to a list that must rise and fall."""
        if names & _RISING and names & _FALLING and names & _DIFFERENT:
            self.narrow(f"len({path})", Domain.span(0, 1))

    def _check_characters(self, facts: Sequence[Fact]) -> None:
        """Look for a character that passes all checks of a text's characters."""
        every: dict[str, set[Tests]] = {}
        for fact in facts:
            if isinstance(fact, Letters):
                every.setdefault(fact.path, set()).add(fact.tests)
        for path, tests in every.items():
            if not any_passes(self.domain(path), frozenset(tests)):
                self.narrow(path, Domain(()))


def _part_of(kind: PlainType | None, ways: Sequence[str]) -> PlainType | None:
    """Return the type of what a text is taken apart into: a slice, or pieces."""
    for way in ways:
        kind = STR if ":" in way else list_of(STR)
    return kind


def _product(one: Domain, other: Domain) -> Domain:
    ends = [_times(a, b) for a in (one.low, one.high) for b in (other.low, other.high)]
    is_integral = one.is_integral and other.is_integral
    return Domain.span(min(ends), max(ends), is_integral=is_integral)


def _times(one: Number, other: Number) -> Number:
    if not one or not other:
        return 0
    if isinstance(one, float) or isinstance(other, float):
        try:
            return float(one) * float(other)
        except OverflowError:
            return math.inf if (one > 0) is (other > 0) else -math.inf
    return one * other
