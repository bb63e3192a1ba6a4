"""Read the tree of a parameter's values from its shape; open ends get a usual limit."""

from collections.abc import Iterator
from collections.abc import Mapping as Table
from dataclasses import dataclass, replace
from functools import partial
from math import isinf
from typing import Any

from steelyard.constraints import Domain, Shape, Shapes
from steelyard.families import UNUSUAL
from steelyard.inputs.nodes._lists import Mapping, Row, Sequence
from steelyard.inputs.nodes._node import Node
from steelyard.inputs.nodes._scalars import Nothing, Number, Truth, Union
from steelyard.inputs.nodes._slopes import slope_of
from steelyard.inputs.nodes._style import MOST_INNER
from steelyard.inputs.nodes._texts import Sliced, Text, Written
from steelyard.schemas import Specification

_MOST_LENGTH, _MOST_INNER_LENGTH = 1_000, 30
"""Length of the longest list if constraints name none; and of texts and lists inside of others."""
_MOST_NUMBER = 10**9
"""The largest number if constraints name none."""
_MOST_COLUMNS = 12
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_USUAL = f"{_LETTERS}{_LETTERS.upper()}0123456789 " + "".join(
    chr(code) for code in range(33, 127) if not chr(code).isalnum()
)


@dataclass(frozen=True)
class Usual:
    """The numbers and letters of examples, for arguments whose constraints no shape shows."""

    numbers: Domain | None = None
    letters: str = ""
    lengths: Domain | None = None
    """Lengths of texts."""


def usual_of(spec: Specification, shapes: Shapes) -> dict[str, Usual]:
    """Return what is usual, by parameter, for those of which constraints state more than shapes."""
    unread = {name for constraint in shapes.rest for name in constraint.names}
    found = {}
    for at, name in enumerate(shapes.types):
        leaves = [leaf for example in spec.examples for leaf in _leaves(example.args[at])]
        numbers = [leaf for leaf in leaves if type(leaf) in (int, float)]
        texts = [leaf for leaf in leaves if isinstance(leaf, str)]
        if name in unread:
            letters = "".join(sorted({letter for text in texts for letter in text}))
            found[name] = Usual(_hull(numbers), letters, _hull([*map(len, texts)]))
    return found


def _hull(numbers: list[Any]) -> Domain | None:
    return Domain.span(min(numbers), max(numbers), is_integral=False) if numbers else None


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, list | tuple):
        for item in value:
            yield from _leaves(item)
    else:
        yield value


def tree_of(shapes: Shapes, name: str, known: Table[str, Any], usual: Usual) -> Node:
    """Return what a parameter may be.

    Args:
        shapes: What the constraints leave of all parameters.
        name: The parameter.
        known: The quantities that are decided, among them those that count the nodes of graphs.
        usual: The numbers and letters of values of which no constraint is known.
    """
    node = _Reading(known, usual).node(shapes[name], 0)
    slope = slope_of(shapes, name)
    if slope and isinstance(node, Sequence):
        node = replace(node, slope=slope)
    return node


def numbers_of(shape: Shape, usual: Usual) -> Number:
    """Return what a parameter may be that is a number."""
    return Number(_finite_numbers(shape.value, shape.type.base.kind != "float", usual))


def lengths_of(shape: Shape) -> Number:
    """Return the lengths of a parameter."""
    return Number(_finite_lengths(shape.size, 0))


@dataclass(frozen=True)
class _Reading:
    known: Table[str, Any]
    usual: Usual

    def node(self, shape: Shape, depth: int) -> Node:
        """Return what a value inside so many lists may be."""
        kind = shape.type.base.kind
        if shape.options:
            options = dict.fromkeys(self.node(each, depth) for each in shape.options)
            return Union(tuple(options)) if len(options) > 1 else next(iter(options))
        found = Nothing() if kind == "none" else self._node(shape, kind, depth)
        return Union((Nothing(), found)) if shape.type.kind == "optional" else found

    def _node(self, shape: Shape, kind: str, depth: int) -> Node:
        inner = partial(self.node, depth=depth + 1)
        if kind == "bool":
            return Truth()
        if kind in ("int", "float"):
            return numbers_of(shape, self.usual)
        if kind == "str":
            return self._text(shape, depth)
        lengths = _finite_lengths(shape.size, depth)
        if kind == "dict":
            key, value = map(inner, shape.columns)
            if isinstance(key, Number):  # as JSON has it
                key = Written(letters="-0123456789", meaning=key)
            return Mapping(lengths, shape.flags, key, value)
        if kind == "union":
            return Union(tuple(self.node(each, depth) for each in shape.columns))
        # Outside of other lists, positions of which more is stated are the exception.
        is_row = depth > 0 or kind == "tuple" or _is_stated_by_position(shape)
        columns = tuple(map(inner, shape.columns)) if is_row else ()
        item = inner(shape.item) if shape.item else None
        is_fixed = lengths.count == 1 and lengths.high <= _MOST_COLUMNS
        if item and not columns and depth and is_fixed:
            columns = (item,) * int(lengths.high)
        if columns or kind == "tuple" or item is None:
            return Row(columns, shape.flags)
        listed = () if is_row else shape.columns
        places = {
            at: inner(each) for at, each in {**shape.places, **dict(enumerate(listed))}.items()
        }
        graph = None
        if shape.graph:
            nodes = shape.graph.count(self.known)
            if nodes is not None and nodes <= MOST_INNER:
                graph = nodes, shape.graph.start
            if not isinstance(item, Row) and isinstance(item, Sequence):
                item = Row(
                    tuple(item.places.get(at, item.item) for at in range(max(2, item.shortest))),
                    item.flags,
                )
        return Sequence(
            lengths,
            shape.flags | (shape.graph.names if shape.graph else frozenset()),
            item,
            places,
            graph,
            shape.start if "permutation" in shape.flags else None,
        )

    def _text(self, shape: Shape, depth: int) -> Text:
        texts = shape.texts if any(len(text) != 1 for text in shape.texts) else ()
        lengths = self._text_lengths(shape, _finite_lengths(shape.size, depth), depth)
        plain = (lengths, shape.flags, self._letters(shape), texts)
        if shape.texts:
            return Text(*plain)
        if shape.number is not None:
            return Written(*plain, Number(_finite_numbers(shape.number, True, self.usual)))
        slices, pieces = [], None
        for way, part in shape.parts.items():
            if ":" in way:
                start, end = map(int, way.split(":"))
                slices.append((start, end, self.node(part, depth + 1)))
            else:
                pieces = pieces or (chr(int(way)) if way else " ", part)
        if pieces:
            return Written(*plain, self.node(pieces[1], depth + 1), pieces[0])
        return Sliced(*plain, tuple(slices)) if slices else Text(*plain)

    def _text_lengths(self, shape: Shape, lengths: Domain, depth: int) -> Domain:
        usual = self.usual.lengths
        is_stated = shape.size is not None and shape.size.is_finite
        return lengths & usual if depth and not is_stated and usual and lengths & usual else lengths

    def _letters(self, shape: Shape) -> str:
        if shape.texts and all(len(text) == 1 for text in shape.texts):
            return "".join(shape.texts)
        known = shape.letters
        if known is None:
            return self.usual.letters or _USUAL + UNUSUAL
        return known + "".join(c for c in UNUSUAL if c not in known and shape.allows(c))


def _is_stated_by_position(shape: Shape) -> bool:
    """Return True for a row of numbers of which only the positions have bounds, such as a cell."""
    columns = shape.columns
    return bool(columns) and not _is_bounded(shape.item) and all(map(_is_bounded, columns))


def _is_bounded(shape: Shape | None) -> bool:
    return shape is not None and shape.value is not None and shape.value.is_finite


def _finite_numbers(domain: Domain | None, is_whole: bool, usual: Usual) -> Domain:
    if domain is None:
        domain = Domain.whole(is_integral=is_whole)
    if not domain:
        return Domain.only([0], is_integral=is_whole)
    if domain.is_finite:
        return domain
    if usual.numbers and domain & usual.numbers:
        return domain & usual.numbers
    low, high = domain.low, domain.high
    if isinf(low):
        low = min(-_MOST_NUMBER, (0 if isinf(high) else 2 * high) - _MOST_NUMBER)
    if isinf(high):
        high = max(_MOST_NUMBER, 2 * low + _MOST_NUMBER)
    return domain & Domain.span(low, high, is_integral=is_whole)


def _finite_lengths(size: Domain | None, depth: int) -> Domain:
    most = _MOST_INNER_LENGTH if depth else _MOST_LENGTH
    if size is None or not size:
        return Domain.span(0, most if size is None else 0)
    if size.is_finite:
        return size
    return (size & Domain.span(0, max(most, 2 * size.low))) or Domain.only([size.low])
