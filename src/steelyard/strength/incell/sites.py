"""Find the places of a program that may be mutated, with the variables that are known there."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_SCOPES = (*_FUNCTIONS, ast.ClassDef, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_LEFT_OUT = frozenset(
    {"annotation", "returns", "decorator_list", "type_params", "type_comment", "ctx", "op", "ops"}
)
"""Fields without effect on what a function computes, and those that belong to their node."""


class Site(NamedTuple):
    """A node, and where it hangs in the tree."""

    node: ast.AST
    parent: ast.AST
    field: str
    position: int
    """Its position if the field is a list, else -1."""
    names: list[str]
    """Variables of the function that are bound before it, in order."""
    is_condition: bool
    top: int
    """The position of the module's statement that it is part of."""

    def put(self, node: ast.AST) -> None:
        """Put a node in this place of the tree."""
        if self.position < 0:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.position] = node


def sites_of(tree: ast.Module) -> Iterator[Site]:
    """Yield the sites in the order of the text: statements, expressions and slices."""
    # The text sets the depth, so this uses a stack and no recursion.
    todo: list[tuple[ast.AST, list[tuple[int, str]], int]] = [(tree, [], -1)]
    while todo:
        node, bound, top = todo.pop()
        below = []
        for field, index, child in _children(node):
            at_top = index if node is tree else top
            if isinstance(child, (ast.stmt, ast.expr, ast.Slice)):
                line = getattr(child, "lineno", 0)
                names = [name for at, name in bound if at < line]
                condition = field in ("test", "ifs") and not isinstance(node, ast.Assert)
                yield Site(child, node, field, index, names, condition, at_top)
            known = _bound_in(child) if isinstance(child, _FUNCTIONS) else bound
            below.append((child, known, at_top))
        todo.extend(reversed(below))


def _children(node: ast.AST) -> Iterator[tuple[str, int, ast.AST]]:
    if isinstance(node, (ast.JoinedStr, ast.Assert)) or _is_main_guard(node):
        return
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return  # a docstring
    for field, value in ast.iter_fields(node):
        if field in _LEFT_OUT:
            continue
        if isinstance(value, ast.AST):
            yield field, -1, value
        elif isinstance(value, list):
            for index, item in enumerate(value):
                if isinstance(item, ast.AST):
                    yield field, index, item


def _is_main_guard(node: ast.AST) -> bool:
    """Return True for `if __name__ == "__main__"`, which nobody runs who calls a function."""
    test = getattr(node, "test", None)
    return isinstance(test, ast.Compare) and getattr(test.left, "id", "") == "__name__"


def _bound_in(function: ast.AST) -> list[tuple[int, str]]:
    """Return a function's own variables, each with the line that binds it first, by line."""
    arguments: ast.arguments = function.args  # type: ignore[attr-defined]
    first = getattr(function, "lineno", 1)
    known: dict[str, int] = {}
    for group in (arguments.posonlyargs, arguments.args, arguments.kwonlyargs):
        for each in group:
            if each.arg not in ("self", "cls"):
                known[each.arg] = first - 1
    body = getattr(function, "body", [])
    todo: list[ast.AST] = list(body) if isinstance(body, list) else []
    while todo:
        node = todo.pop(0)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            line = node.lineno
            known[node.id] = min(line, known.get(node.id, line))
        if not isinstance(node, _SCOPES):
            todo[:0] = ast.iter_child_nodes(node)
    return sorted((line, name) for name, line in known.items())
