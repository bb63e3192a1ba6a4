"""All tiny inputs of a specification, in order, and how far they reach."""

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from math import comb, prod
from typing import Any

from pydantic import JsonValue

from steelyard.constraints import Validator, shape_of
from steelyard.inputs._ground import Ground
from steelyard.inputs._meter import Meter
from steelyard.inputs._sizes import Sizes
from steelyard.schemas import Specification
from steelyard.values import canonical_json

_MOST_TRIED = 60_000
_TRIES_EACH = 40
_LONGEST = 40
_MOST_WORK = 40_000_000

Calls = tuple[tuple[JsonValue, ...], ...]


def exhaustive_inputs(spec: Specification, most: int) -> tuple[Calls, str]:
    """Return all valid inputs up to some size, the small ones first, and that size in words.

    Lengths and the number of values grow together, as far as there are at most `most` inputs.

    Args:
        spec: The specification.
        most: Limit on the inputs.

    Returns:
        The arguments, and such as `len(nums) <= 3, values -1..2`; nothing and an empty text if
        even the smallest size has more inputs than `most`.

    Raises:
        SpecificationError: if a type or a constraint cannot be read.
    """
    validator = Validator.of(spec)
    return tiny_inputs(validator, Sizes(shape_of(validator)).grounds, most)


def tiny_inputs(validator: Validator, grounds: Sequence[Ground], most: int) -> tuple[Calls, str]:
    """Return what `exhaustive_inputs` does, for constraints that have been read."""
    found, reach, tried = Calls(), "", 0
    known: dict[str, bool] = {}  # most calls of a level are those of the level before

    def is_valid(call: Sequence[JsonValue]) -> bool:
        text = repr(call)
        if text not in known:
            known[text] = validator.is_valid(call)
        return known[text]

    allowed = min(_MOST_TRIED, _TRIES_EACH * most)
    if prod(_count(ground, 1) for ground in grounds) <= allowed:
        smallest = [next(_values(ground, 1)) for ground in grounds]
        allowed = min(allowed, _MOST_WORK // Meter(validator).cost(smallest))
    for level in range(1, most + 2):
        count = prod(_count(ground, level) for ground in grounds)
        if count == tried or count > allowed:
            break
        tried = count
        calls = product(*(list(_values(ground, level)) for ground in grounds))
        valid = tuple(call for call in calls if is_valid(call))
        if len(valid) > most:
            break
        if valid:
            found, reach = valid, _reach(tuple(validator.types), grounds, level)
    return tuple(sorted(found, key=_rank)), reach


def _rank(call: Sequence[JsonValue]) -> tuple[int, str]:
    text = canonical_json(list(call))
    return len(text), text


def _lengths(ground: Ground, level: int) -> range:
    return range(ground.shortest, min(ground.longest, ground.shortest + level - 1) + 1)


def _count(ground: Ground, level: int) -> int:
    if ground.is_sized and ground.shortest > _LONGEST:
        return _MOST_TRIED + 1
    if ground.is_optional:
        return 1 + _count(ground.always(), level)
    if ground.kind == "union":
        return sum(_count(each, level) for each in ground.items)
    if ground.columns:
        return prod(_count(column, level) for column in ground.columns)
    if ground.kind == "str":
        return sum(len(ground.letters[:level]) ** length for length in _lengths(ground, level))
    if ground.kind == "list":
        item = _count(ground.items[0], level)
        return sum(_power(item, length) for length in _lengths(ground, level))
    if ground.kind == "dict":
        assert ground.keys
        keys, item = _count(ground.keys, level), _count(ground.items[0], level)
        return sum(comb(keys, size) * _power(item, size) for size in _lengths(ground, level))
    return len(_leaves(ground, level))


def _power(base: int, exponent: int) -> int:
    return int(base ** min(exponent, 64))


def _values(ground: Ground, level: int) -> Iterator[Any]:
    if ground.is_optional:
        yield None
        yield from _values(ground.always(), level)
    elif ground.kind == "union":
        for each in ground.items:
            yield from _values(each, level)
    elif ground.columns:
        yield from map(list, product(*(list(_values(each, level)) for each in ground.columns)))
    elif ground.kind == "str":
        for length in _lengths(ground, level):
            yield from map("".join, product(ground.letters[:level], repeat=length))
    elif ground.kind == "list":
        items = list(_values(ground.items[0], level))
        for length in _lengths(ground, level):
            yield from map(list, product(items, repeat=length))
    elif ground.kind == "dict":
        assert ground.keys
        items, keys = list(_values(ground.items[0], level)), list(_values(ground.keys, level))
        for size in _lengths(ground, level):
            for chosen in combinations(keys, size):
                for values in product(items, repeat=size):
                    yield dict(zip(chosen, values, strict=True))
    else:
        yield from _leaves(ground, level)


def _leaves(ground: Ground, level: int) -> list[Any]:
    if ground.kind == "bool":
        return [False, True]
    return [None] if ground.kind == "none" else ground.nearest(level + 1)


def _reach(names: Sequence[str], grounds: Sequence[Ground], level: int) -> str:
    parts = []
    with_length = [(n, g) for n, g in zip(names, grounds, strict=True) if g.is_sized]
    for name, ground in with_length:
        parts.append(f"len({name}) <= {_lengths(ground, level)[-1]}")
    spans: dict[str, None] = {}
    for ground in grounds:
        for leaf in ground.leaves:
            if leaf.kind in ("int", "float"):
                numbers = _leaves(leaf, level)
                spans[f"values {min(numbers)}..{max(numbers)}"] = None
            elif leaf.kind == "str":
                spans[f"letters {leaf.letters[:level]!r}"] = None
    return ", ".join([*parts, *spans]) or "all inputs"
