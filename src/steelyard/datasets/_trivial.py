"""Programs and answers that solve nothing: tests that accept them prove nothing."""

import ast
import builtins
from collections import Counter
from contextlib import suppress

from steelyard._python_trees import python_tree
from steelyard.judging import Judge, ProgramChecker
from steelyard.schemas import Task

__all__ = ["NOTHING", "constant_answers", "trivial_programs"]

NOTHING, CONSTANT = "does nothing", "always gives the same answer"
_FUNCTION = "def {name}(*args, **named):\n    return {value}\n"
_CLASS = (
    "class {name}:\n    def __init__(self, *args, **named):\n        pass\n\n"
    "    def __getattr__(self, name):\n        return lambda *args, **named: {value}\n"
)
_EQUALITIES = ("assertEqual", "assertEquals")


def constant_answers(judge: Judge) -> dict[str, int]:
    """Return, for answers that are the same for each input, the number of cases that accept them.

    The checker decides at once: no program has to run. There are none for assertions.
    """
    cases = judge.suite.cases
    if judge.entry.kind == "asserts" or not cases:
        return {}
    ((answer, _),) = Counter(each.expected for each in cases).most_common(1)
    passed = {
        NOTHING: len(judge.passed_by_nothing),
        CONSTANT: sum(judge.checker.check(case, answer).passed for case in cases),
    }
    if isinstance(judge.checker, ProgramChecker):
        passed[NOTHING] = sum(judge.checker.check(case, b"").passed for case in cases)
    return passed


def trivial_programs(task: Task, judge: Judge) -> dict[str, str]:
    """Return programs for assertions: functions that return None, or the first expected value."""
    if judge.entry.kind != "asserts":
        return {}
    code = str(task.tests[0].get("code", "")) if task.tests else ""
    try:
        tree: ast.AST = python_tree(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    names = [judge.entry.name] if judge.entry.name else _called(tree)
    values = {NOTHING: "None"}
    if (expected := _expected(tree)) not in ("", "None"):
        values[CONSTANT] = expected
    return {what: "\n\n".join(_defined(name, value) for name in names)
            for what, value in values.items()}  # fmt: skip


def _defined(name: str, value: str) -> str:
    return (_CLASS if name[:1].isupper() else _FUNCTION).format(name=name, value=value)


def _called(tree: ast.AST) -> list[str]:
    """Return the names of the functions that a text calls and does not have itself."""
    called = dict.fromkeys(
        node.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    )
    own = {getattr(node, "name", "") for node in ast.walk(tree)}
    return [name for name in called if not hasattr(builtins, name) and name not in own]


def _expected(tree: ast.AST) -> str:
    """Return the first plain value that a text expects, as Python text; empty if there is none."""
    for node in ast.walk(tree):
        match node:
            case ast.Compare(left, [ast.Eq()], [right]):
                sides = [left, right]
            case ast.Call(ast.Attribute(_, name), [left, right, *_]) if name in _EQUALITIES:
                sides = [left, right]
            case _:
                continue
        for side in sides:
            with suppress(ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
                ast.literal_eval(side)
                return ast.unparse(side)
    return ""
