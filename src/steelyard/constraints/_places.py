"""Name the parts of arguments that a constraint speaks of: parameters, items, sums, lengths."""

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from steelyard.constraints._domain import Domain, Number
from steelyard.constraints._facts import Fact, Within, needed_length
from steelyard.constraints._idioms import argument, shifted
from steelyard.constraints._operations import entry_of, item_of
from steelyard.constraints._tree import (
    INT,
    STR,
    Apply,
    Const,
    Item,
    Loop,
    Many,
    Name,
    Node,
    Part,
    Target,
)
from steelyard.values import PlainType

_SAME_ITEMS = frozenset({"set", "list", "tuple", "sorted", "reversed"})
_ENTRIES = {"keys": "[0]", "values": "[1]", "items": ""}
"""Parts of the entries of a dict, by the method that lists them."""
_HUGE = 10**300


@dataclass(frozen=True, slots=True)
class Place:
    """A part of the arguments, in all rounds of the loops around."""

    path: str
    type: PlainType
    slots: frozenset[int] = frozenset()
    """The loops' variables that choose it."""
    is_character: bool = False
    covers: bool = True
    """All rounds together reach every such part."""


@dataclass(frozen=True, slots=True)
class Positions:
    """A loop's variable that counts from `low` to a length minus `less`."""

    length: str
    low: int = 0
    less: int = 0


@dataclass
class Sum:
    """A sum of quantities times factors, and a constant."""

    terms: dict[str, Number]
    constant: Number = 0
    is_integral: bool = True
    slots: frozenset[int] = frozenset()
    covers: bool = True

    def plus(self, other: "Sum", factor: Number = 1) -> "Sum":
        """Return this sum plus another one times a factor."""
        terms = dict(self.terms)
        for name, each in other.terms.items():
            terms[name] = terms.get(name, 0) + each * factor
        return Sum(
            {name: each for name, each in terms.items() if each},
            self.constant + other.constant * factor,
            self.is_integral and other.is_integral,
            self.slots | other.slots,
            self.covers and other.covers,
        )

    @property
    def fits(self) -> bool:
        """The numbers are of a size that floats have too."""
        return all(abs(each) < _HUGE for each in (self.constant, *self.terms.values()))


@dataclass
class Places:
    """Finds the part of the arguments that a node names, inside the loops entered so far."""

    count: int
    """Number of parameters."""
    equal: Mapping[str, str] = field(default_factory=dict)
    """For a length or number, the common name of all that equal it."""
    scope: dict[int, Place | Positions] = field(default_factory=dict)
    loops: list[int] = field(default_factory=list)
    """The variables of the loops around."""
    needs: list[Fact] = field(default_factory=list)
    """Facts without which a node has no value, such as a length for an index."""

    def place(self, node: Node) -> Place | None:
        """Return the part that a node names, None if it names none."""
        match node:
            case Name(name=name, slot=slot, type=kind):
                if slot <= self.count:
                    return Place(name, kind)
                found = self.scope.get(slot)
                return found if isinstance(found, Place) else None
            case Item(base=base, index=index, type=kind):
                inside = self.place(base)
                return inside and self._item(inside, index, kind)
            case Apply(args=(base, *between)) if node.name == "split":
                return self._part(base, self._separator(between), node.type)
            case Part(base=base, low=low, high=high, step=None):
                return self._part(base, _span(low, high), node.type)
        return None

    def _part(self, base: Node, way: str | None, kind: PlainType) -> Place | None:
        """Return the pieces of a text, or a slice of it."""
        inside = self.place(base)
        if way is None or inside is None or inside.type.base != STR or inside.is_character:
            return None
        return replace(inside, path=f"{inside.path}/{way}", type=kind)

    @staticmethod
    def _separator(between: Sequence[Node]) -> str | None:
        match between:
            case []:
                return ""
            case [Const(value=str(text))] if len(text) == 1:
                return str(ord(text))
        return None

    def _item(self, inside: Place, index: Node, kind: PlainType) -> Place | None:
        is_character = inside.type.base.kind == "str"
        if inside.type.base.kind == "dict":
            key = self.place(index)
            if key is None or key.path != f"{inside.path}[][0]":
                return None
            return Place(f"{inside.path}[][1]", kind, inside.slots | key.slots, covers=key.covers)
        if isinstance(index, Const):
            if not isinstance(index.value, int) or index.value < -1:
                return None
            path = f"{inside.path}[{index.value}]"
            self.needs += [
                Within(f"len({each})", Domain.span(least, math.inf))
                for each, least in needed_length(path)
            ]
            return Place(path, kind, inside.slots, is_character, inside.covers)
        slot, shift = shifted(index)
        counted = self.scope.get(slot)
        if not isinstance(counted, Positions):
            return None
        reaches = counted.low + shift <= 0 and shift >= counted.less
        same = self.named(counted.length) == self.named(f"len({inside.path})")
        covers = inside.covers and reaches and same
        return Place(f"{inside.path}[]", kind, inside.slots | {slot}, is_character, covers)

    def named(self, quantity: str) -> str:
        """Return the one name of all quantities that equal this one."""
        return self.equal.get(quantity, quantity)

    def sum(self, node: Node) -> Sum | None:
        """Return a node as a sum of quantities, None if it is not one."""
        found = self._sum(node)
        return found if found and found.fits else None

    def _sum(self, node: Node) -> Sum | None:
        if isinstance(node, Const):
            if type(node.value) in (int, float):
                return Sum({}, node.value, isinstance(node.value, int))
            return None
        if isinstance(node, Apply):
            return self._arithmetic(node)
        place = self.place(node)
        if place and place.type.base.kind in ("int", "float"):
            return self._one(place.path, place, place.type.base.kind == "int")
        return None

    def _one(self, quantity: str, place: Place, is_integral: bool = True) -> Sum:
        return Sum({quantity: 1}, 0, is_integral, place.slots, place.covers)

    def _arithmetic(self, node: Apply) -> Sum | None:
        name, args = node.name, node.args
        if name in ("+", "-", "*") and node.type.is_number:
            left, right = self.sum(args[0]), self.sum(args[1])
            if not left or not right:
                return None
            if name != "*":
                return left.plus(right, 1 if name == "+" else -1)
            if right.terms and not left.terms:
                left, right = right, left
            if not right.terms:
                return Sum({}, 0, right.is_integral).plus(left, right.constant)
            return self._product(left, right)
        if name == "neg":
            inner = self.sum(args[0])
            return inner and Sum({}).plus(inner, -1)
        if name in ("len", "sum", "min", "max") and len(args) == 1:
            return self._aggregate(name, args[0])
        if name == "int":
            place = self.place(args[0])
            is_text = place is not None and place.type.base == STR and not place.is_character
            return self._one(f"int({place.path})", place) if place and is_text else None
        if name == "ord":
            place = self.place(args[0])
            return self._one(place.path, place) if place and place.is_character else None
        return None

    def _product(self, left: Sum, right: Sum) -> Sum | None:
        """Multiply out: `n * (n - 1)` is `n*n - n`."""
        if "*" in "".join((*left.terms, *right.terms)) or len(left.terms) * len(right.terms) > 4:
            return None
        total = Sum({}, 0).plus(left, right.constant).plus(right, left.constant)
        total.constant -= left.constant * right.constant
        for one, a in left.terms.items():
            for other, b in right.terms.items():
                total = total.plus(Sum({"*".join(sorted((one, other))): a * b}))
        return total

    def _aggregate(self, name: str, node: Node) -> Sum | None:
        if isinstance(node, Many) and name == "sum":
            with self.inside(node.loops) as is_known:
                inner = self.sum(node.body) if is_known and len(node.loops) == 1 else None
            if not inner or len(inner.terms) != 1 or inner.constant or not inner.covers:
                return None
            ((quantity, factor),) = inner.terms.items()
            if factor != 1 or len(inner.slots) != 1:
                return None
            inside = f"sum({quantity[:-2]})" if quantity.endswith("[]") else f"sum({quantity})"
            return Sum({inside: 1}, 0, inner.is_integral)
        counted = argument(node, "set") if name == "len" else None
        place = self.place(counted or node)
        if not place:
            return None
        if counted:
            return self._one(f"len(set({place.path}))", place)
        item = item_of(place.type).base
        if name == "len" or item.kind in ("int", "float"):
            return self._one(f"{name}({place.path})", place, name == "len" or item.kind == "int")
        return None

    @contextmanager
    def inside(self, loops: tuple[Loop, ...]) -> Iterator[bool]:
        """Enter loops; gives whether all their variables are known parts without conditions."""
        before, around = dict(self.scope), list(self.loops)
        is_known = True
        try:
            for loop in loops:
                is_known &= self._enter(loop) and not loop.conditions
            yield is_known
        finally:
            self.scope, self.loops = before, around

    def _enter(self, loop: Loop) -> bool:
        source = loop.source
        if isinstance(loop.target, int):
            self.loops.append(loop.target)
        while isinstance(source, Apply) and source.name in _SAME_ITEMS and source.args:
            source = source.args[0]
        part = "[0]"
        if isinstance(source, Apply) and source.name in _ENTRIES:
            part, source = _ENTRIES[source.name], source.args[0]
        if isinstance(source, Apply) and source.name != "split":
            return self._enter_call(loop.target, source)
        place = self.place(source)
        if place is None:
            return False
        each = self.each(place, loop.target)
        if place.type.base.kind == "dict":
            entry = entry_of(place.type)
            kind = entry.items[int(part[1])] if part else entry
            each = replace(each, path=each.path + part, type=kind)
        return self._bind(loop.target, each)

    def each(self, place: Place, target: Target | None = None) -> Place:
        """Return the items of a part, chosen by a loop's variable."""
        slots = place.slots | ({target} if isinstance(target, int) else set())
        is_character = place.type.base.kind == "str"
        item = item_of(place.type)
        return Place(f"{place.path}[]", item, slots, is_character, place.covers)

    def _bind(self, target: Target, place: Place) -> bool:
        if isinstance(target, int):
            self.scope[target] = place
            return True
        length = len(target)
        self.needs.append(Within(f"len({place.path})", Domain.only([length])))
        first = next((each for each in target if isinstance(each, int)), None)
        if first is None:
            return False
        self.loops.append(first)
        kinds = place.type.base.items if place.type.base.kind == "tuple" else ()
        for index, each in enumerate(target):
            kind = kinds[index] if len(kinds) == length else item_of(place.type)
            path = f"{place.path}[{index}]"
            part = Place(path, kind, place.slots | {first}, covers=place.covers)
            if not self._bind(each, part):
                return False
        return True

    def _enter_call(self, target: Target, source: Apply) -> bool:
        args = source.args
        if source.name == "range" and isinstance(target, int) and len(args) <= 2:
            low = args[0] if len(args) == 2 else Const(0, INT)
            stop = self.sum(args[-1])
            if not isinstance(low, Const) or not stop or list(stop.terms.values()) != [1]:
                return False
            self.scope[target] = Positions(next(iter(stop.terms)), low.value, -int(stop.constant))
            return True
        if source.name == "enumerate" and isinstance(target, tuple) and isinstance(target[0], int):
            place, start = self.place(args[0]), args[1]
            if place is None:
                return False
            if start == Const(0, INT):
                self.scope[target[0]] = Positions(f"len({place.path})")
            item = self.each(place, target[0])
            self.loops.append(target[0])
            return self._bind(target[1], item)
        if source.name == "zip" and isinstance(target, tuple) and isinstance(target[0], int):
            places = [self.place(arg) for arg in args]
            lengths = {self.named(f"len({place.path})") for place in places if place}
            if len(lengths) != 1 or len(places) != len(target):
                return False
            self.loops.append(target[0])
            return all(
                place is not None and self._bind(each, self.each(place, target[0]))
                for each, place in zip(target, places, strict=True)
            )
        return False


def _span(low: Node | None, high: Node | None) -> str | None:
    """Return a slice with constant ends, from the start."""
    match low, high:
        case None, Const(value=int(end)) if end > 0:
            return f"0:{end}"
        case Const(value=int(start)), Const(value=int(end)) if 0 <= start < end:
            return f"{start}:{end}"
    return None
