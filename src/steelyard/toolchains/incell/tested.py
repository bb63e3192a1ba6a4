"""Find the names that assertions test, from their text."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator


def names_tested(setup: str, code: str) -> list[str]:
    """Return the names that `code` uses without defining them: the candidate's functions."""
    used: dict[str, None] = {}
    defined = set(dir(builtins))
    for node in _nodes(setup, code):
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Load):
                used[node.id] = None
            else:
                defined.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            defined.add(node.name)
        elif isinstance(node, ast.arg):
            defined.add(node.arg)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            defined.update((each.asname or each.name).partition(".")[0] for each in node.names)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            defined.add(node.name)
    return [name for name in used if name not in defined]


def called_names(code: str) -> set[str]:
    """Return the names that `code` calls."""
    return {
        node.func.id
        for node in _nodes(code)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }


def only_called(code: str, names: list[str]) -> str | None:
    """Return the only name that the assertions call; None if they call none or several."""
    called = called_names(code)
    found = [name for name in names if name in called]
    return found[0] if len(found) == 1 else None


def builtins_called(setup: str, code: str) -> list[str]:
    """Return the built-in names that `code` calls and does not define."""
    called: dict[str, None] = {}
    defined: set[str] = set()
    for node in _nodes(code):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            called[node.func.id] = None
    for node in _nodes(setup, code):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            defined.add(node.name)
    return [name for name in called if hasattr(builtins, name) and name not in defined]


def calls_check(code: str) -> bool:
    """Return True if a top-level statement calls `check`, so that the call always runs."""
    return any(
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and getattr(node.value.func, "id", "") == "check"
        for node in ast.parse(code).body
    )


def _nodes(*texts: str) -> Iterator[ast.AST]:
    for text in texts:
        yield from ast.walk(ast.parse(text))
