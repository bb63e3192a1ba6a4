"""Find the names that assertions test, from their text."""

from __future__ import annotations

import ast
import builtins
import functools
import importlib
import itertools
import sys
from collections.abc import Iterator

_ALIASES = {"np": "numpy", "pd": "pandas", "plt": "matplotlib.pyplot"}
MODULES = frozenset(getattr(sys, "stdlib_module_names", ())) | {*_ALIASES, *_ALIASES.values()}
"""Modules that assertions use without importing them."""
_WITH_CLASSES = ("collections", "datetime", "decimal", "fractions", "typing")


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
    return [name for name in used if name not in defined | MODULES]


def called_names(*texts: str) -> set[str]:
    """Return the names that texts call."""
    return {
        node.func.id
        for node in _nodes(*texts)
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


def module_called(name: str) -> object:
    """Return the module that programs import under this name.

    Raises:
        ImportError: if there is none.
    """
    return importlib.import_module(_ALIASES.get(name, name))


def class_called(name: str) -> object:
    """Return the standard class of this name whose values assertions make too; None if none is."""
    for module in map(importlib.import_module, _WITH_CLASSES):
        found = getattr(module, name, None)
        if isinstance(found, type) or (found and module.__name__ == "typing"):
            return found
    return None


def called_at_the_top(code: str) -> set[str]:
    """Return the names that top-level statements call, so that the calls always run."""
    return {
        getattr(node.value.func, "id", "")
        for node in _nodes_of(code)[0].body  # type: ignore[attr-defined]  # of a module
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    }


def patched(setup: str, code: str) -> str | None:
    """Return what assertions replace by `unittest.mock.patch`, but for their `sys.stdout`."""
    if "patch" not in setup + code:
        return None
    for node in _nodes(setup, code):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        function, target = node.func, node.args[0]
        is_part = isinstance(function, ast.Attribute) and function.attr in ("object", "dict")
        whole = function.value if is_part else function  # type: ignore[attr-defined]  # as above
        if "patch" in (getattr(whole, "id", ""), getattr(whole, "attr", "")):
            what = target.value if isinstance(target, ast.Constant) else ast.unparse(target)
            if what != "sys.stdout":
                return str(what)
    return None


def _nodes(*texts: str) -> Iterator[ast.AST]:
    return itertools.chain.from_iterable(map(_nodes_of, texts))


@functools.cache
def _nodes_of(text: str) -> list[ast.AST]:
    return list(ast.walk(ast.parse(text)))
