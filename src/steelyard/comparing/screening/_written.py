"""What a module's text binds names to, and the texts that are written out in it, also in pieces."""

from __future__ import annotations

import ast
from collections.abc import Iterator

_MOST_CHARS = 4_096
_MOST_ROUNDS = 8
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def modules_bound(tree: ast.Module) -> dict[str, str]:
    """The names that mean modules anywhere in a text, with the modules.

    What is imported from a module counts too, by its full name: of a class, too, others get theirs.
    """
    bound: dict[str, str] = {}
    copies: list[tuple[str, str]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                bound[alias.asname or top] = alias.name if alias.asname else top
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                bound[alias.asname or alias.name] = f"{node.module}.{alias.name}"
        elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr)):
            value = node.value
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if isinstance(value, ast.Name):
                copies += [(each.id, value.id) for each in targets if isinstance(each, ast.Name)]
            elif imported_by(value) is not None:
                for each in targets:
                    if isinstance(each, ast.Name):
                        bound[each.id] = str(imported_by(value))
    for _ in range(_MOST_ROUNDS):
        size = len(bound)
        for name, source in copies:
            if source in bound:
                bound.setdefault(name, bound[source])
        if len(bound) == size:
            break
    return bound


def imported_by(value: ast.AST | None) -> str | None:
    """The module of `__import__("os")` and `import_module("os")`."""
    if isinstance(value, ast.Call) and value.args:
        name = getattr(value.func, "id", None) or getattr(value.func, "attr", None)
        first = value.args[0]
        if name in ("__import__", "import_module") and isinstance(first, ast.Constant):
            return first.value if isinstance(first.value, str) else None
    return None


def bound_at_top(tree: ast.Module) -> frozenset[str]:
    """The names that a module surely binds itself, outside any branch."""
    names: set[str] = set()
    for node in tree.body:
        if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names |= {alias.asname or alias.name for alias in node.names}
    return frozenset(names)


def bound_again(tree: ast.Module) -> frozenset[str]:
    """The names that are a parameter or a variable somewhere in a text."""
    return frozenset(
        node.arg if isinstance(node, ast.arg) else node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.arg)
        or (isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load))
    )


def texts_written(tree: ast.Module) -> tuple[dict[ast.AST, str], dict[ast.AST, str]]:
    """The texts of a module that are not documentation, put together where they are in pieces.

    Returns:
        The texts that are no part of a larger one; and all of them.
    """
    nodes = list(ast.walk(tree))
    documentation = {
        node.value
        for node in nodes
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    known: dict[ast.AST, str] = {}
    parts: set[ast.AST] = set()
    for node in reversed(nodes):  # what is inside comes first
        text = _value(node, known)
        if text is not None and len(text) <= _MOST_CHARS:
            known[node] = text
            parts.update(_inside(node))
    whole = {
        node: text
        for node, text in known.items()
        if node not in parts and node not in documentation
    }
    return whole, known


def _value(node: ast.AST, known: dict[ast.AST, str]) -> str | None:
    if isinstance(node, ast.Constant):
        if isinstance(node.value, bytes):
            return node.value.decode("latin-1")
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.FormattedValue):
        return known.get(node.value) if node.conversion == -1 and not node.format_spec else None
    if isinstance(node, ast.JoinedStr):
        return _joined("", [known.get(each) for each in node.values])
    if isinstance(node, ast.BinOp):
        return _combined(node, known)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        between = known.get(node.func.value)
        listed = node.args[0] if len(node.args) == 1 else None
        if node.func.attr == "join" and isinstance(listed, (ast.List, ast.Tuple)):
            return _joined(between, [known.get(each) for each in listed.elts])
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        text, step = known.get(node.value), node.slice.step
        if text is not None and isinstance(step, ast.UnaryOp) and isinstance(step.op, ast.USub):
            return text[::-1]
    return None


def _combined(node: ast.BinOp, known: dict[ast.AST, str]) -> str | None:
    left, right = known.get(node.left), known.get(node.right)
    if isinstance(node.op, ast.Add):
        return _joined("", [left, right])
    if isinstance(node.op, ast.Mult):
        text, times = (left, node.right) if left is not None else (right, node.left)
        if text is not None and isinstance(times, ast.Constant) and type(times.value) is int:
            return text * min(times.value, _MOST_CHARS // max(len(text), 1) + 1)
    return None


def _joined(between: str | None, pieces: list[str | None]) -> str | None:
    if between is None or any(piece is None for piece in pieces):
        return None
    return between.join(piece for piece in pieces if piece is not None)


def _inside(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, (ast.JoinedStr, ast.BinOp, ast.Call, ast.FormattedValue, ast.Subscript)):
        yield from ast.iter_child_nodes(node)
