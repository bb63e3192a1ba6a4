"""Lists whose items follow different alternatives of a constraint, such as entries of a log."""

import ast
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from steelyard.constraints import plain_notation
from steelyard.errors import SpecificationError
from steelyard.families import Dice
from steelyard.inputs._made import Made, made
from steelyard.inputs._workshop import Workshop
from steelyard.schemas import Specification


def narrower(shop: Workshop) -> list[Workshop]:
    """Return a workshop for each alternative of the first constraint with `or`; none without."""
    found = []
    for spec in _narrowed(shop.spec):
        try:
            found.append(Workshop(spec, shop.seed))
        except SpecificationError:  # the alternative alone is no constraint
            continue
    return found


def mixed(choices: Sequence[Sequence[Made]], dice: Dice) -> list[Made]:
    """Return arguments of one choice whose lists have items of all choices."""
    parts = []
    for every in zip(*choices, strict=True):
        lists = [part.value for part in every if isinstance(part.value, list) and part.value]
        if len(lists) < len(every):
            parts.append(dice.pick(every))
            continue
        items: list[Any] = []
        for _ in range(dice.between(1, sum(map(len, lists)))):
            source = dice.pick(lists)
            items.append(source[dice.below(len(source))])
        parts.append(made(items))
    return parts


def _narrowed(spec: Specification) -> list[Specification]:
    """Return the specification with each alternative in the place of all."""
    for at, text in enumerate(spec.constraints):
        plain = plain_notation(text, {each.name for each in spec.parameters})
        for node in ast.walk(ast.parse(plain, mode="eval")):
            if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
                texts = [_with(plain, node, each) for each in node.values]
                every = [
                    (*spec.constraints[:at], one, *spec.constraints[at + 1 :]) for one in texts
                ]
                return [spec.model_copy(update={"constraints": each}) for each in every]
    return []


def _with(text: str, whole: ast.expr, part: ast.expr) -> str:
    """Return the text with a part of an expression in the place of the whole."""
    encoded = text.encode()
    starts = [0, *accumulate(map(len, encoded.splitlines(keepends=True)))]

    def span(node: ast.expr) -> tuple[int, int]:
        last_line, last_column = node.end_lineno or node.lineno, node.end_col_offset or 0
        return starts[node.lineno - 1] + node.col_offset, starts[last_line - 1] + last_column

    (start, end), (first, last) = span(whole), span(part)
    return b"".join((encoded[:start], b"(", encoded[first:last], b")", encoded[end:])).decode()
