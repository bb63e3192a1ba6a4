"""Find the names that are a function's own, and so cannot be the built-ins. Runs in a cell."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from steelyard.toolchains.incell.names import DYNAMIC_NAMES, GETTERS, SYSTEM_NAMES

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
SHADOWED = SYSTEM_NAMES | DYNAMIC_NAMES | GETTERS | {"input"}
"""The names that the gate checks unless they are a function's own."""
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Scope:
    """The shadowed names, which cannot be the built-ins, in this code and in its functions.

    The two sets differ in a class's body: it looks up its names in the module and the built-ins
    if it has not bound them, while its methods skip the class's scope. The sets are computed
    when a checked name occurs, which is rare.
    """

    __slots__ = ("_around", "_both", "_node")

    def __init__(self, node: ast.AST | None = None, around: Scope | None = None) -> None:
        self._node = node
        self._around = around
        self._both: tuple[frozenset[str], frozenset[str]] | None = None

    @property
    def here(self) -> frozenset[str]:
        """Shadowed names in this code itself."""
        return self._sets()[0]

    @property
    def below(self) -> frozenset[str]:
        """Shadowed names in the functions of this code."""
        return self._sets()[1]

    def _sets(self) -> tuple[frozenset[str], frozenset[str]]:
        if self._both is None:
            outer = self._around.below if self._around else frozenset[str]()
            node = self._node
            if isinstance(node, ast.ClassDef):
                self._both = frozenset(), outer - _bound_in(node.body)[1]
            else:
                own = _own_names(node, outer) if node else outer
                self._both = own, own
        return self._both


def _own_names(node: ast.AST, outer: frozenset[str]) -> frozenset[str]:
    """Return the shadowed names of a function or comprehension, with those of outer scopes."""
    if isinstance(node, FUNCTIONS):
        bound, global_names = _bound_in(_body(node))
        return ((outer | bound | parameters(node.args)) & SHADOWED) - global_names
    targets = {
        each.id
        for generator in node.generators  # type: ignore[attr-defined]
        for each in ast.walk(generator.target)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }
    return outer | (targets & SHADOWED)


def under(node: ast.AST, names: Scope) -> Iterator[tuple[ast.AST, Scope]]:
    """Yield the child nodes of a node, each with the names of its own scope."""
    if isinstance(node, (ast.ClassDef, *FUNCTIONS)):
        return _with_scopes(node, _body(node), Scope(node, names), names)
    if isinstance(node, _COMPREHENSIONS):
        return _in_comprehension(node, Scope(node, names), names)
    return ((child, names) for child in _children(node))


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the children as `ast.iter_child_nodes` does, without the load and store contexts."""
    for field in node._fields:
        value = getattr(node, field, None)
        if isinstance(value, list):
            yield from (each for each in value if isinstance(each, ast.AST))
        elif isinstance(value, ast.AST) and field != "ctx":
            yield value


def _body(node: ast.AST) -> list[ast.AST]:
    body = node.body  # type: ignore[attr-defined]
    return body if isinstance(body, list) else [body]


def _with_scopes(
    node: ast.AST, body: Sequence[ast.AST], inside: Scope, outside: Scope
) -> Iterator[tuple[ast.AST, Scope]]:
    """Yield the children; decorators, defaults, bases and annotations are in the outer scope."""
    inner = {id(child) for child in body}
    for child in _children(node):
        yield child, inside if id(child) in inner else outside


def _in_comprehension(
    node: ast.AST, inside: Scope, outside: Scope
) -> Iterator[tuple[ast.AST, Scope]]:
    """Yield the children; the iterable of the first `for` is in the outer scope."""
    first = True
    for child in _children(node):
        if not isinstance(child, ast.comprehension):
            yield child, inside
            continue
        for part in _children(child):
            yield part, outside if first and part is child.iter else inside
        first = False


def parameters(arguments: ast.arguments) -> set[str]:
    """Return the names of all parameters."""
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    every += [each for each in (arguments.vararg, arguments.kwarg) if each]
    return {each.arg for each in every}


def _bound_in(body: Sequence[ast.AST]) -> tuple[set[str], set[str]]:
    """Return the names that a body binds in its own scope, and those that it declares `global`.

    Nested scopes are skipped: missing a bound name only rejects more.
    """
    bound: set[str] = set()
    global_names: set[str] = set()
    todo = list(body)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Store):
                bound.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            bound.add(node.name)
            continue
        elif isinstance(node, (ast.Lambda, *_COMPREHENSIONS)):
            continue
        elif isinstance(node, ast.Global):
            global_names.update(node.names)
        elif isinstance(node, (ast.MatchAs, ast.MatchStar, ast.ExceptHandler)) and node.name:
            bound.add(node.name)
        todo.extend(_children(node))
    return bound, global_names
