"""Read grounds from shapes: open ends get a usual limit, and examples show what is usual."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from math import isinf
from typing import Any

from steelyard.constraints import Domain, Shape, Shapes, hull
from steelyard.families import UNUSUAL
from steelyard.inputs._ground import Ground
from steelyard.schemas import Specification

_MOST_LENGTH = 1_000
"""Length of the longest list where the constraints name none."""
_MOST_INNER_LENGTH = 30
"""The same for texts and lists inside of others."""
_MOST_NUMBER = 10**9
"""The largest number where the constraints name none."""
_MOST_COLUMNS = 12
_MOST_KEYS = 1_000
"""Integers that a dict may have as keys, besides the notable ones."""
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
        letters = "".join(sorted({c for leaf in leaves if isinstance(leaf, str) for c in leaf}))
        if name in unread:
            lengths = [len(leaf) for leaf in leaves if isinstance(leaf, str)]
            found[name] = Usual(_hull(numbers), letters, _hull(lengths))
    return found


def _hull(numbers: list[Any]) -> Domain | None:
    return Domain.span(min(numbers), max(numbers), is_integral=False) if numbers else None


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, list | tuple):
        for item in value:
            yield from _leaves(item)
    elif isinstance(value, dict):
        yield from _leaves([*value, *value.values()])
    else:
        yield value


def ground_of(shape: Shape, known: Mapping[str, Any], usual: Usual, depth: int = 0) -> Ground:
    """Return the ground of a shape: open ends get a usual limit.

    Args:
        shape: What the constraints leave of a value.
        known: The quantities that are decided, among them those that count the nodes of graphs.
        usual: The numbers and letters of values of which no constraint is known.
        depth: How many lists the value is inside of.
    """
    base = shape.type.base
    inner = partial(ground_of, known=known, usual=usual, depth=depth + 1)
    if base.kind == "union":
        items = tuple(map(inner, shape.columns))
        return Ground("union", is_optional=shape.type.kind == "optional", items=items)
    is_dict, graph = base.kind == "dict", None
    # Outside of other lists, positions of which more is stated are the exception.
    is_row = not is_dict and (depth > 0 or base.kind == "tuple" or _is_stated_by_position(shape))
    columns = tuple(map(inner, shape.columns)) if is_row else ()
    part = shape.columns[1] if is_dict else shape.item
    item = inner(part) if part else None
    lengths = _finite_lengths(shape.size, depth)
    is_stated = shape.size is not None and shape.size.is_finite
    if depth and base.kind == "str" and not is_stated and usual.lengths and lengths & usual.lengths:
        lengths &= usual.lengths
    if shape.graph:
        nodes = shape.graph.count(known)
        graph = (nodes, shape.graph.start) if nodes is not None else None
    listed = () if is_row or is_dict else shape.columns
    positions = {**shape.places, **dict(enumerate(listed))}
    places = {index: inner(each) for index, each in positions.items()}
    if item and not columns and lengths.count == 1 and lengths.high <= _MOST_COLUMNS and depth:
        columns = (item,) * int(lengths.high)
    if item and columns and item.kind in ("int", "float") and not _is_bounded(shape.item):
        item = replace(item, numbers=hull(column.numbers for column in columns))
    if item and shape.graph and not item.columns:
        item = item.with_columns(max(2, item.shortest))
    return Ground(
        kind=base.kind,
        is_optional=shape.type.kind == "optional",
        numbers=_finite_numbers(shape, usual),
        lengths=lengths,
        letters=_letters(shape, usual.letters) if base.kind == "str" else "",
        texts=shape.texts if any(len(text) != 1 for text in shape.texts) else (),
        items=columns if base.kind == "tuple" else (item,) if item else (),
        keys=_as_texts(inner(shape.columns[0])) if is_dict else None,
        flags=shape.flags | (shape.graph.names if shape.graph else frozenset()),
        graph=graph,
        start=shape.start if "permutation" in shape.flags else None,
        columns=columns,
        places=places,
    )


def _as_texts(keys: Ground) -> Ground:
    """Return integers as the texts that are keys in JSON: some of them, near 0 and at the ends."""
    if keys.kind != "int":
        return keys
    texts = tuple(map(str, sorted({*keys.notable, *keys.nearest(_MOST_KEYS)})))
    lengths = Domain.span(1, max(map(len, texts)))
    return Ground("str", lengths=lengths, letters="0123456789", texts=texts)


def _is_stated_by_position(shape: Shape) -> bool:
    """Return True for a row of numbers of which only the positions have bounds, such as a cell."""
    columns = shape.columns
    return bool(columns) and not _is_bounded(shape.item) and all(map(_is_bounded, columns))


def _is_bounded(shape: Shape | None) -> bool:
    return shape is not None and shape.value is not None and shape.value.is_finite


def _finite_lengths(size: Domain | None, depth: int) -> Domain:
    most = _MOST_INNER_LENGTH if depth else _MOST_LENGTH
    if size is None or not size:
        return Domain.span(0, most if size is None else 0)
    if size.is_finite:
        return size
    return (size & Domain.span(0, max(most, 2 * size.low))) or Domain.only([size.low])


def _finite_numbers(shape: Shape, usual: Usual) -> Domain:
    domain, is_integral = shape.value, shape.type.base.kind != "float"
    if domain is None:
        domain = Domain.whole(is_integral=is_integral)
    if not domain:
        return Domain.only([0], is_integral=is_integral)
    if domain.is_finite:
        return domain
    if usual.numbers and domain & usual.numbers:
        return domain & usual.numbers
    low, high = domain.low, domain.high
    if isinf(low):
        low = min(-_MOST_NUMBER, (0 if isinf(high) else 2 * high) - _MOST_NUMBER)
    if isinf(high):
        high = max(_MOST_NUMBER, 2 * low + _MOST_NUMBER)
    return domain & Domain.span(low, high, is_integral=is_integral)


def _letters(shape: Shape, usual: str) -> str:
    if shape.texts and all(len(text) == 1 for text in shape.texts):
        return "".join(shape.texts)
    known = shape.letters
    if known is None:
        return usual or _USUAL + UNUSUAL
    return known + "".join(c for c in UNUSUAL if c not in known and shape.allows(c))
