"""Calls made of what only a candidate's text has: values and characters that it may treat anew."""

import ast
import operator
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

from steelyard._python_trees import python_tree
from steelyard.comparing._baseline import CompareBaseline
from steelyard.comparing._kinds import PLANTING
from steelyard.comparing._texts import texts_written
from steelyard.comparing.calls._more_calls import numbered
from steelyard.comparing.calls.incell.oddities import characters_for
from steelyard.comparing.incell.told import NewCall, PlantLiterals
from steelyard.comparing.recording._versions import ORIGINAL, RECORDED, KnownCall, Version
from steelyard.schemas import TestType

_MOST_LITERALS, _MOST_CHARS = 24, 400
_CALLS_A_LITERAL, _MOST_CALLS = 9, 90
_MOST_RECORDED = 8
_QUICK_CALL_S, _ALLOWED_S = 0.25, 60.0
_TRIED_ANYWAY = 2
"""Whole numbers up to this are among what is made up for any function."""
_MOST_NUMBER = 1 << 64
_FOLDED: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}


def calls_of_candidate(baseline: CompareBaseline, version: Version) -> list[KnownCall]:
    """Calls with literals of the candidate's own, and with characters that its own calls point to.

    Raises:
        InfrastructureError: where the machine failed.
    """
    text = version.edits.get(baseline.subject.path, b"").decode("utf-8", "replace")
    literals = new_literals(baseline.subject.source, text)
    recorded = sorted(
        (call.pickled for call in baseline.calls if call.test_type in RECORDED), key=len
    )
    if not baseline.options.generate or not recorded:
        return []
    seed = baseline.seed
    rng = random.Random(seed)  # noqa: S311 - no secret
    if len(literals) > _MOST_LITERALS:  # a table
        literals = rng.sample(literals, _MOST_LITERALS)
    pieces = new_characters(baseline.subject.source, text)
    literals += rng.sample(pieces, min(len(pieces), _MOST_LITERALS))
    if not literals:
        return []
    step = -(-len(recorded) // _MOST_RECORDED)
    asked = PlantLiterals(
        calls=recorded[::step],
        literals=[repr(each) for each in literals],
        count=min(_MOST_CALLS, _CALLS_A_LITERAL * len(literals)),
        seed=seed,
        call_seconds=_QUICK_CALL_S,
    )
    run = baseline.stand.run(PLANTING, asked, ORIGINAL, seconds=_ALLOWED_S)
    return numbered("literal", TestType.GENERATED_REGRESSION, run.told.of(NewCall))


def new_characters(original: str, candidate: str) -> list[str]:
    """Return the characters that matter to what a candidate calls and its original does not.

    Args:
        original: The text of the whole module, with the original.
        candidate: The same with the candidate.
    """
    known, names = _names(original), _names(candidate)
    patterns = [value for value in new_literals(original, candidate) if isinstance(value, str)]
    return list(characters_for({*(names - known)}, patterns if "re" in names else []))


def _names(text: str) -> Counter[str]:
    """Count the names and attributes that a module uses."""
    try:
        tree = python_tree(text)
    except (SyntaxError, RecursionError, MemoryError, ValueError):
        return Counter()
    return Counter(
        node.id if isinstance(node, ast.Name) else node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Name | ast.Attribute)
    )


def new_literals(original: str, candidate: str) -> list[object]:
    """The numbers, texts and bytes that stand in the candidate's module and not in the original's.

    Args:
        original: The text of the whole module, with the original.
        candidate: The same with the candidate.
    """
    known = _literals(original)
    return [value for key, value in _literals(candidate).items() if key not in known]


def _literals(text: str) -> dict[str, object]:
    try:
        tree = python_tree(text)
        found: dict[str, object] = {
            repr(value): value
            for value in texts_written(tree).values()
            if value and len(value) <= _MOST_CHARS
        }
        for node in ast.walk(tree):
            value = _number(node)
            if value is None and isinstance(node, ast.Constant) and type(node.value) is bytes:
                value = node.value
            if value is not None and (not isinstance(value, int) or abs(value) > _TRIED_ANYWAY):
                found[repr(value)] = value
    except (SyntaxError, RecursionError, MemoryError, ValueError):
        return {}
    return found


def _number(node: ast.AST) -> Any:
    """Return the value of an expression of plain numbers; None for others."""
    if isinstance(node, ast.Constant):
        value: Any = node.value
        return value if type(value) in (int, float) and abs(value) < _MOST_NUMBER else None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _number(node.operand)
        return None if value is None else -value
    if isinstance(node, ast.BinOp) and type(node.op) in _FOLDED:
        one, two = _number(node.left), _number(node.right)
        if one is not None and two is not None:
            value = _FOLDED[type(node.op)](one, two)
            return value if abs(value) < _MOST_NUMBER else None
    return None
