"""Calls made of what only a candidate's text holds: the values that it may treat in its own way."""

import ast
import operator
import random
from collections.abc import Callable
from typing import Any

from steelyard._python_trees import python_tree
from steelyard.comparing._baseline import CompareBaseline
from steelyard.comparing._kinds import PLANTING
from steelyard.comparing._texts import texts_written
from steelyard.comparing.decision._behaviour import compare_calls
from steelyard.comparing.incell.told import NewCall, PlantLiterals
from steelyard.comparing.recording._versions import ORIGINAL, RECORDED, Version
from steelyard.schemas import BehaviourCase, TestType

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


def cases_of_literals(baseline: CompareBaseline, version: Version) -> list[BehaviourCase]:
    """Both versions on calls that hold literals of the candidate's own; none without such.

    Raises:
        InfrastructureError: where the machine failed.
    """
    path = baseline.subject.path
    text = version.edits.get(path, b"").decode("utf-8", "replace")
    literals = new_literals(baseline.subject.source, text)
    recorded = sorted(
        (call.pickled for call in baseline.calls if call.test_type in RECORDED), key=len
    )
    if not literals or not recorded or not baseline.options.generate:
        return []
    seed = baseline.seed
    if len(literals) > _MOST_LITERALS:  # a table
        literals = random.Random(seed).sample(literals, _MOST_LITERALS)  # noqa: S311 - no secret
    step = -(-len(recorded) // _MOST_RECORDED)
    asked = PlantLiterals(
        calls=recorded[::step],
        literals=[repr(each) for each in literals],
        count=min(_MOST_CALLS, _CALLS_A_LITERAL * len(literals)),
        seed=seed,
        call_seconds=_QUICK_CALL_S,
    )
    run = baseline.stand.run(PLANTING, asked, ORIGINAL, seconds=_ALLOWED_S)
    found = [each.call for each in run.told.of(NewCall)]
    return cases_of_new_calls(baseline, version, found, "literal", TestType.GENERATED_REGRESSION)


def cases_of_new_calls(
    baseline: CompareBaseline, version: Version, calls: list[bytes], name: str, kind: TestType
) -> list[BehaviourCase]:
    """Both versions on calls that were made for this candidate; flaky ones are dropped.

    Raises:
        InfrastructureError: where the machine failed.
    """
    if not calls:
        return []
    names = [(f"{name} {i + 1}", kind) for i in range(len(calls))]
    one, again = baseline.make_calls(ORIGINAL, calls), baseline.make_calls(ORIGINAL, calls)
    lost = {i: "the call cannot be made" for i in range(len(calls)) if (i, True) not in one.calls}
    dropped = {
        index: case.note or "it is flaky"
        for index, case in enumerate(compare_calls(one, again, names, lost, baseline.strictness))
        if case.outcome in ("different", "dropped")
    }
    two = baseline.make_calls(version, calls)
    return compare_calls(one, two, names, dropped, baseline.strictness)


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
    """The number that an expression of plain numbers stands for; None for others."""
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
