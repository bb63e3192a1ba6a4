"""Write large arguments briefly, and read them again with their digest checked."""

import ast
from collections.abc import Sequence
from typing import Any

from pydantic import JsonValue

from steelyard.errors import SpecificationError
from steelyard.families._expander import MOST_CHARS, expand
from steelyard.schemas import CompactInput
from steelyard.values import canonical_json, digest_of

MOST_PLAIN_CHARS = 2_048
"""Arguments with more characters of JSON are written as an expression, if that is shorter."""
_LONGEST_BLOCK = 16
_RUN = 8


def as_compact(args: Sequence[JsonValue], expression: str = "") -> CompactInput:
    """Return the arguments of a call, as short as they can be written.

    Args:
        args: The arguments.
        expression: An expression of the same arguments, if one is known. Runs and repeated blocks
            are found without it.

    Raises:
        SpecificationError: if the arguments cannot be written as JSON.
    """
    text = canonical_json(list(args))
    digest = digest_of(args)
    if len(text) <= MOST_PLAIN_CHARS:
        return CompactInput(args=tuple(args), digest=digest)
    most = min(MOST_CHARS, len(text) // 2)

    def describes(expression: str) -> bool:
        return 0 < len(expression) <= most and _describes(expression, digest)

    if not describes(expression):
        expression = literal(list(args))
        if not describes(expression):
            return CompactInput(args=tuple(args), digest=digest)
    return CompactInput(expression=expression, digest=digest)


def _describes(expression: str, digest: str) -> bool:
    """Return True if an expression gives the arguments of a digest.

    Values that are equal and differ, such as 1 and True, form no run.
    """
    try:
        return digest_of(expand(expression)) == digest
    except SpecificationError:
        return False


def args_of(given: CompactInput) -> tuple[JsonValue, ...]:
    """Return the arguments of a compact input.

    Raises:
        SpecificationError: if its expression cannot be expanded, or gives other arguments than its
            digest was made of.
    """
    args = given.args if given.args is not None else tuple(expand(given.expression))
    if digest_of(args) != given.digest:
        shown = given.expression[:60] or canonical_json(list(args))[:60]
        raise SpecificationError(
            f"input {shown!r} does not have the digest {given.digest[:12]}...; "
            "it was changed, or made by another version: make it again"
        )
    return args


def parts_of(given: CompactInput) -> list[tuple[JsonValue, str]]:
    """Return each argument of a compact input, with its part of the expression.

    Raises:
        SpecificationError: as for `args_of`.
    """
    args = args_of(given)
    tree = ast.parse(given.expression, mode="eval").body if given.expression else None
    if isinstance(tree, ast.List) and len(tree.elts) == len(args):
        return [(arg, ast.unparse(node)) for arg, node in zip(args, tree.elts, strict=True)]
    return [(arg, literal(arg)) for arg in args]


def literal(value: Any) -> str:
    """Return a value in the language of inputs; repeated blocks and runs are written briefly."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {literal(item)}" for key, item in value.items()) + "}"
    if not isinstance(value, list | tuple | str):
        return repr(value)
    for size in range(1, min(_LONGEST_BLOCK, len(value) // _RUN) + 1):
        if value[size:] == value[:-size]:
            times, rest = divmod(len(value), size)
            block = f"{_whole(value[:size])} * {times}"
            return f"{block} + {_whole(value[:rest])}" if rest else block
    return _in_runs(value) if len(value) >= 4 * _RUN else _whole(value)


def _whole(items: Sequence[Any]) -> str:
    return repr(items) if isinstance(items, str) else "[" + ", ".join(map(literal, items)) + "]"


def _in_runs(items: Sequence[Any]) -> str:
    """Write items as the sum of runs of one value, runs of one step, and the rest."""
    parts, plain, at = [], 0, 0
    while at < len(items):
        end, step = _run(items, at)
        if end - at < _RUN:
            at = max(at + 1, end - 1)
            continue
        if plain < at:
            parts.append(_whole(items[plain:at]))
        first = items[at]
        run = f"range({first}, {items[end - 1] + step}, {step})" if step else ""
        parts.append(run or f"{_whole(items[at : at + 1])} * {end - at}")
        plain = at = end
    if plain < len(items):
        parts.append(_whole(items[plain:]))
    return " + ".join(parts)


def _run(items: Sequence[Any], start: int) -> tuple[int, int]:
    """Return the end of the longest run from an item on, and its step."""
    first = items[start]
    end, step = start + 1, 0
    if end < len(items) and type(first) is type(items[end]) is int:
        step = items[end] - first
    while end < len(items) and (
        type(items[end]) is int and items[end] - items[end - 1] == step and type(first) is int
        if step
        else type(items[end]) is type(first) and items[end] == first
    ):
        end += 1
    return end, step
