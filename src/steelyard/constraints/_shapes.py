"""Describe what each argument may be, as constraints state it: ranges, lengths, letters, flags."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from steelyard.constraints._domain import LAST_CHARACTER, Domain, Number
from steelyard.constraints._facts import Either, Fact, Letters, Line, Link, Mark, Texts
from steelyard.constraints._letters import Tests, passes
from steelyard.constraints._operations import entry_of, item_of, list_of
from steelyard.constraints._propagate import ClashError, Propagation
from steelyard.constraints._stated import stated
from steelyard.constraints._stated_numbers import Stated
from steelyard.constraints._tree import STR, Constraint
from steelyard.constraints._validator import Validator
from steelyard.values import PlainType

_PRINTABLE = range(0x20, 0x7F)
_MOST_LETTERS = 500
_MOST_COLUMNS = 12


@dataclass(frozen=True)
class Graph:
    """The properties of a list of edges."""

    names: frozenset[str]
    """`tree`, `forest`, `connected`, `simple`, `dag`, `bipartite`."""
    start: int
    """The first node."""
    nodes: tuple[tuple[tuple[str, Number], ...], Number]
    """The number of nodes: quantities times factors, plus a constant."""

    def count(self, known: Mapping[str, Number]) -> int | None:
        """Return the number of nodes, None if a quantity of it is not known."""
        terms, constant = self.nodes
        if not all(name in known for name, _ in terms):
            return None
        return int(constant + sum(known[name] * factor for name, factor in terms))


@dataclass(frozen=True)
class Shape:
    """The range of one part of the arguments: at least as wide as the constraints allow."""

    path: str
    type: PlainType
    value: Domain | None = None
    """For a number: what it may be."""
    size: Domain | None = None
    """For a list, a text or a dict: what its length may be."""
    item: "Shape | None" = None
    """For a list: each item."""
    columns: tuple["Shape", ...] = ()
    """For a tuple, or a list of one known length: each item by its position. For a dict: each key
    and each value."""
    places: Mapping[int, "Shape"] = field(default_factory=dict)
    """Items at positions of which constraints state more: 0 for the first, -1 for the last."""
    characters: Domain | None = None
    """For a text: the code points of its characters."""
    tests: frozenset[Tests] = frozenset()
    """For a text: what each character passes, such as `isalpha`."""
    texts: tuple[str, ...] = ()
    """For a text: all that it may be; empty if that is not a list of texts."""
    number: Domain | None = None
    """For a text that is a number: what it may be."""
    parts: Mapping[str, "Shape"] = field(default_factory=dict)
    """For a text: its slices, and its pieces by the code of what separates them; see `_facts`."""
    options: tuple["Shape", ...] = ()
    """If it is one of several things: each of them."""
    flags: frozenset[str] = frozenset()
    """`sorted`, `increasing`, `descending`, `decreasing`, `unique`, `permutation`, `palindrome`,
    `balanced`, `rectangular`, `level_order`, `parents`, `not_equal` (two columns that differ)."""
    start: int = 0
    """For a permutation: its smallest number."""
    graph: Graph | None = None
    """For a list of edges."""

    @cached_property
    def letters(self) -> str | None:
        """The characters that a text may have: ASCII ones if there are any; None if all may be."""
        if self.characters is None or (
            self.characters == Domain.span(0, LAST_CHARACTER) and not self.tests
        ):
            return None
        ascii_ones = "".join(filter(self.allows, map(chr, _PRINTABLE)))
        if ascii_ones and self.characters.count > _MOST_LETTERS:
            return ascii_ones
        found = (chr(int(code)) for code in self.characters.values())
        return "".join(each for _, each in zip(range(_MOST_LETTERS), filter(self.allows, found)))  # noqa: B905

    def allows(self, char: str) -> bool:
        """Return whether a text of this character alone would pass."""
        return (self.characters is None or ord(char) in self.characters) and passes(
            char, self.tests, strictly=True
        )


@dataclass(frozen=True)
class Shapes:
    """The shapes of all parameters, and what relates them. Iterating gives the shapes in order."""

    types: Mapping[str, PlainType]
    facts: tuple[Fact, ...]
    quantities: Mapping[str, Domain]
    """What each quantity of the facts may be: `k`, `nums[]`, `len(nums)`, `sum(nums)`."""
    rest: tuple[Constraint, ...] = ()
    """Constraints that state more than the facts."""

    def __iter__(self) -> Iterator[Shape]:
        return (self._shape(name, kind) for name, kind in self.types.items())

    def __getitem__(self, name: str) -> Shape:
        return self._shape(name, self.types[name])

    @property
    def lines(self) -> tuple[Line, ...]:
        """The linear relations between quantities."""
        return tuple(fact for fact in self.facts if isinstance(fact, Line))

    @property
    def links(self) -> tuple[Link, ...]:
        """The pairs of parts of which one is made from the other."""
        return tuple(fact for fact in self.facts if isinstance(fact, Link))

    def given(self, known: Mapping[str, Number]) -> "Shapes | None":
        """Return the shapes if some quantities have been chosen; None if no arguments fit then.

        Args:
            known: Values of quantities, such as `{"n": 5, "len(edges)": 4}`.
        """
        propagation = Propagation(self.types, dict(self.quantities))
        try:
            for name, value in known.items():
                is_integral = propagation.domain(name).is_integral
                propagation.narrow(name, Domain.only([value], is_integral=is_integral))
            propagation.run(self.facts)
        except ClashError:
            return None
        return Shapes(self.types, self.facts, propagation.domains, self.rest)

    def _domain(self, quantity: str) -> Domain:
        if quantity in self.quantities:
            return self.quantities[quantity]
        return Propagation(self.types, dict(self.quantities)).domain(quantity)

    def _shape(self, path: str, kind: PlainType) -> Shape:
        whole = self._whole(path, kind)
        either = next((e for e in self.facts if isinstance(e, Either) and e.about == path), None)
        if either is None:
            return whole
        narrowed = (self._narrowed(either, branch) for branch in either.branches)
        options = tuple(each._shape(path, kind) for each in narrowed if each)  # noqa: SLF001
        return replace(whole, options=options)

    def _narrowed(self, either: Either, branch: tuple[Fact, ...]) -> "Shapes | None":
        """Return the shapes under one alternative."""
        facts = tuple(dict.fromkeys((*(each for each in self.facts if each != either), *branch)))
        propagation = Propagation(self.types, dict(self.quantities))
        try:
            propagation.run(facts)
        except ClashError:
            return None
        return Shapes(self.types, facts, propagation.domains, self.rest)

    def _whole(self, path: str, kind: PlainType) -> Shape:
        base = kind.base
        if base.kind in ("int", "float", "bool"):
            return Shape(path, kind, self._domain(path))
        if base.kind == "none":
            return Shape(path, kind)
        if base.kind == "union":
            return Shape(path, kind, columns=tuple(self._shape(path, each) for each in base.items))
        if base.kind == "tuple":
            columns = tuple(
                self._shape(f"{path}[{index}]", item) for index, item in enumerate(base.items)
            )
            return Shape(path, kind, columns=columns, flags=self._order(path, len(columns)))
        size = self._domain(f"len({path})")
        if base.kind == "str":
            return Shape(
                path,
                kind,
                size=size,
                characters=self._domain(f"{path}[]"),
                tests=self._tests(path),
                texts=self._texts(path),
                number=self.quantities.get(f"int({path})"),
                parts=self._parts(path),
                flags=self._flags(path),
            )
        if base.kind == "dict":
            entry = self._shape(f"{path}[]", entry_of(base))
            return Shape(path, kind, size=size, columns=entry.columns)
        if base.kind == "set":  # as JSON has it
            listed = list_of(*base.items)
            kind = listed if kind is base else replace(kind, items=(listed,))
        item = self._shape(f"{path}[]", item_of(base))
        columns, places = self._positions(path, size, item_of(base))
        order = self._order(path, len(columns)) if columns else frozenset[str]()
        starts = [fact.start for fact in self._marks(path) if fact.name == "permutation"]
        return Shape(
            path,
            kind,
            size=size,
            item=item,
            columns=columns,
            places=places,
            flags=self._flags(path) | order,
            start=starts[0] if starts else 0,
            graph=self._graph(path),
        )

    def _parts(self, path: str) -> dict[str, Shape]:
        start = f"{path}/"
        inside = {name.strip("()").rpartition("(")[2] for name in self.quantities}
        inside |= {each.path for each in self.facts if isinstance(each, Texts)}
        ways = {name[len(start) :].partition("[")[0] for name in inside if name.startswith(start)}
        found = {
            way: self._shape(start + way, STR if ":" in way else list_of(STR))
            for way in sorted(ways)
            if "/" not in way
        }
        for name in inside:
            if match := re.fullmatch(rf"{re.escape(path)}\[(\d+)\]", name):
                one, at = Domain.only([1]), int(match[1])
                found[f"{at}:{at + 1}"] = Shape(name, STR, size=one, characters=self._domain(name))
        return found

    def _texts(self, path: str) -> tuple[str, ...]:
        found = [each for each in self.facts if isinstance(each, Texts) and each.path == path]
        if not found:
            return ()
        usual = frozenset.intersection(*(each.usual or each.values for each in found))
        return tuple(sorted(usual or frozenset.intersection(*(each.values for each in found))))

    def _tests(self, path: str) -> frozenset[Tests]:
        letters = [each for each in self.facts if isinstance(each, Letters)]
        return frozenset(each.tests for each in letters if each.path == f"{path}[]")

    def _positions(
        self, path: str, size: Domain, kind: PlainType
    ) -> tuple[tuple[Shape, ...], dict[int, Shape]]:
        start = f"{path}["
        inner = {name.strip("()").split("(")[-1] for name in self.quantities}
        known = {
            int(place)
            for name in inner
            if name.startswith(start) and (place := name[len(start) :].split("]")[0])
        }
        if known and size.count == 1 and size.high <= _MOST_COLUMNS:
            indexes = [*range(int(size.high))]
            if -1 in known and indexes and indexes[-1] not in known:
                indexes[-1] = -1
            return tuple(self._shape(f"{path}[{index}]", kind) for index in indexes), {}
        return (), {index: self._shape(f"{path}[{index}]", kind) for index in sorted(known)}

    def _marks(self, path: str) -> list[Mark]:
        return [fact for fact in self.facts if isinstance(fact, Mark) and fact.path == path]

    def _flags(self, path: str) -> frozenset[str]:
        return frozenset(fact.name for fact in self._marks(path) if fact.nodes is None)

    def _graph(self, path: str) -> Graph | None:
        marks = [fact for fact in self._marks(path) if fact.nodes is not None]
        if not marks or marks[0].nodes is None:
            return None
        return Graph(frozenset(mark.name for mark in marks), marks[0].start, marks[0].nodes)

    def _order(self, path: str, count: int) -> frozenset[str]:
        """Return the order that lines state of all neighbouring columns of a row."""
        signs = [
            self._relation(f"{path}[{index}]", f"{path}[{index + 1}]") for index in range(count - 1)
        ]
        if signs and all(sign in ("<", "<=") for sign in signs):
            return frozenset({"increasing" if signs == ["<"] * len(signs) else "sorted"})
        return frozenset({"not_equal"}) if signs == ["!="] else frozenset()

    def _relation(self, one: str, other: str) -> str:
        signs = {
            line.sign if line.sign != "<=" else "<" if line.constant == 1 else "<="
            for line in self.lines
            if dict(line.terms) == {one: 1, other: -1} and line.constant in (0, 1)
        }
        return "<" if signs in ({"<"}, {"<=", "!="}, {"<", "<="}) else next(iter(signs), "")


def shape_of(validator: Validator) -> Shapes:
    """Return what the constraints state of each argument.

    Constraints that clash give wider shapes; `clash_of` names them.
    """
    whole = facts_of(validator.types, validator.constraints)
    given = [*facts_of_sets(validator.types), *(fact for each in whole for fact in each.facts)]
    facts = tuple(dict.fromkeys(given))
    propagation = Propagation(validator.types)
    try:
        propagation.run(facts)
    except ClashError:
        propagation = Propagation(validator.types)
    rest = tuple(
        constraint
        for constraint, each in zip(validator.constraints, whole, strict=True)
        if not each.is_whole
    )
    return Shapes(validator.types, facts, propagation.domains, rest)


def facts_of_sets(types: Mapping[str, PlainType]) -> Iterator[Fact]:
    """Yield that the items of each set are different, and listed in order if they have one."""
    for path, kind in types.items():
        base, columns = kind.base, [f"[{at}]" for at in range(len(kind.base.items))]
        if base.kind == "set":
            is_ordered = base.items[0].is_number or base.items[0].kind == "str"
            yield Mark(path, "increasing" if is_ordered else "unique")
        inside = {"list": ["[]"], "dict": ["[][1]"], "tuple": columns}.get(base.kind, [])
        parts = zip(inside, base.items, strict=False)
        yield from facts_of_sets({f"{path}{at}": each for at, each in parts})


def facts_of(
    types: Mapping[str, PlainType], constraints: Sequence[Constraint]
) -> tuple[Stated, ...]:
    """Return the facts of each constraint; all are read first to know which lengths are equal."""
    first = [stated(constraint, len(types), {}) for constraint in constraints]
    names = _equal(fact for each in first for fact in each.facts)
    return tuple(stated(each, len(types), names) for each in constraints) if names else tuple(first)


def _equal(facts: Iterator[Fact]) -> dict[str, str]:
    """Return one name for each quantity that equals others."""
    names: dict[str, str] = {}
    for fact in facts:
        if not isinstance(fact, Line) or fact.sign != "==" or fact.constant:
            continue
        if sorted(factor for _, factor in fact.terms) == [-1, 1]:
            one, other = (names.get(name, name) for name, _ in fact.terms)
            for name in [each for each, top in names.items() if top == other]:
                names[name] = one
            names[one] = names[other] = one
    return names
