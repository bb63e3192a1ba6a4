"""All tiny inputs of a specification, in order, and how far they reach."""

from collections.abc import Sequence
from itertools import islice, product
from math import prod

from pydantic import JsonValue

from steelyard.constraints import Validator, shape_of
from steelyard.inputs._meter import Meter
from steelyard.inputs._sizes import Sizes
from steelyard.inputs.nodes import MOST_LISTED, Node, Number, Sized, Text
from steelyard.schemas import Specification
from steelyard.values import canonical_json

_MOST_TRIED = MOST_LISTED - 1
_TRIES_EACH = 40
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
    return tiny_inputs(validator, Sizes(shape_of(validator)).nodes, most)


def tiny_inputs(validator: Validator, nodes: Sequence[Node], most: int) -> tuple[Calls, str]:
    """Return what `exhaustive_inputs` does, for constraints that have been read."""
    found, reach, tried = Calls(), "", 0
    known: dict[str, bool] = {}  # most calls of a level are those of the level before

    def is_valid(call: Sequence[JsonValue]) -> bool:
        text = repr(call)
        if text not in known:
            known[text] = validator.is_valid(call)
        return known[text]

    allowed = min(_MOST_TRIED, _TRIES_EACH * most)
    smallest = [value for node in nodes for value in islice(node.smallest(1), 1)]
    if len(smallest) == len(nodes):
        allowed = min(allowed, _MOST_WORK // Meter(validator).cost(smallest))
    for level in range(1, most + 2):
        columns = [node.listed(level) for node in nodes]
        count = prod(map(len, columns))
        if count == tried or count > allowed:
            break
        tried = count
        valid = tuple(call for call in product(*columns) if is_valid(call))
        if len(valid) > most:
            break
        if valid:
            found, reach = valid, _reach(tuple(validator.types), nodes, level)
    return tuple(sorted(found, key=_rank)), reach


def _rank(call: Sequence[JsonValue]) -> tuple[int, str]:
    text = canonical_json(list(call))
    return len(text), text


def _reach(names: Sequence[str], nodes: Sequence[Node], level: int) -> str:
    parts = [
        f"len({name}) <= {node.lengths_at(level)[-1]}"
        for name, node in zip(names, nodes, strict=True)
        if isinstance(node, Sized)
    ]
    spans: dict[str, None] = {}
    for leaf in (leaf for node in nodes for leaf in node.leaves):
        if isinstance(leaf, Number):
            numbers = [*leaf.smallest(level)]
            spans[f"values {min(numbers)}..{max(numbers)}"] = None
        elif isinstance(leaf, Text):
            spans[f"letters {leaf.letters[:level]!r}"] = None
    return ", ".join([*parts, *spans]) or "all inputs"
