"""Find the places of a program that may be mutated, with the variables that are known there.

What nothing can notice is left out: annotations, docstrings, the branch of `__main__`, texts such
as `__version__`, and what only a type checker reads. Of a module that is imported also the
statements that only set up others (logging, warnings, type variables), and the values of an
enumeration that are used as identities alone.
"""

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


def sites_of(tree: ast.Module, *, imported: bool = False) -> Iterator[Site]:
    """Yield the sites in the order of the text: statements, expressions and slices.

    Args:
        tree: The program.
        imported: True for a module whose functions are called, and which is not run as a program.
    """
    unnoticed = {id(node) for node in _unnoticed(tree)}
    if imported:
        unnoticed |= {id(node) for node in _unnoticed_in_module(tree)}
    # The text sets the depth, so this uses a stack and no recursion.
    todo: list[tuple[ast.AST, list[tuple[int, str]], int]] = [(tree, [], -1)]
    while todo:
        node, bound, top = todo.pop()
        below = []
        for field, index, child in _children(node):
            if id(child) in unnoticed:
                continue
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


def _unnoticed(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield what no program reads: texts of names such as `__version__`, and types to check."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            names = [getattr(target, "id", "") for target in node.targets]
            if all(name[:2] == name[-2:] == "__" for name in names) and _holds_texts(node.value):
                yield node
        elif isinstance(node, ast.If) and _last_name(node.test) == "TYPE_CHECKING":
            yield from (node.test, *node.body)


def _holds_texts(node: ast.expr) -> bool:
    inner = node.elts if isinstance(node, (ast.Tuple, ast.List, ast.Set)) else [node]
    return all(isinstance(each, ast.Constant) and isinstance(each.value, str) for each in inner)


_SET_UP = frozenset({"logging", "typing", "typing_extensions", "warnings"})
"""Modules whose calls at the top of another one change nothing that its functions compute."""


def _unnoticed_in_module(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield what no caller of a module's functions notices."""
    sources = {
        (name.asname or name.name).partition(".")[0]: getattr(node, "module", None) or name.name
        for node in ast.walk(tree)
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for name in node.names
    }
    todo: list[ast.AST] = [*tree.body]
    while todo:
        node = todo.pop()
        call = getattr(node, "value", None)
        source = sources.get(_first_name(call.func), "") if isinstance(call, ast.Call) else ""
        if source and (isinstance(node, ast.Expr) or source.partition(".")[0] in _SET_UP):
            yield node
        elif isinstance(node, (ast.If, ast.Try, ast.With)):
            todo.extend(ast.iter_child_nodes(node))
        elif isinstance(node, ast.ClassDef):
            yield from _identities(node, tree)


def _identities(node: ast.ClassDef, tree: ast.Module) -> Iterator[ast.AST]:
    """Yield the values of a plain enumeration that the module never reads."""
    is_plain = any(_last_name(base) == "Enum" for base in node.bases) and len(node.bases) == 1
    read = any(
        (isinstance(each, ast.Attribute) and each.attr in ("value", "_value_"))
        or (isinstance(each, ast.Call) and _last_name(each.func) == node.name)
        for each in ast.walk(tree)
    )
    if is_plain and not read:
        yield from (each.value for each in node.body if isinstance(each, ast.Assign))


def _first_name(node: ast.AST) -> str:
    while isinstance(node, (ast.Attribute, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return str(getattr(node, "id", ""))


def _last_name(node: ast.AST) -> str:
    return str(getattr(node, "attr", getattr(node, "id", "")))


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
