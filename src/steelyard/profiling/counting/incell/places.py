"""Make the nodes that are added to a program, and the numbered places that they count for.

Every node that is added has the place of the one that it is for, so that tracebacks stay the same.
"""

from __future__ import annotations

import ast
from typing import TypeVar

from steelyard.profiling.counting.incell.bindings import Bindings
from steelyard.profiling.counting.incell.charged import PREFIX
from steelyard.profiling.counting.incell.scopes import Scope

_Node = TypeVar("_Node", bound=ast.AST)


class Places(ast.NodeTransformer):
    """Numbers the places of a program, and makes what counts at them.

    Args:
        tree: The program.
    """

    def __init__(self, tree: ast.Module) -> None:
        self.places: list[tuple[str, int]] = []
        """The kind and line of each, by number; grows as nodes are visited."""
        self._bindings = Bindings(tree)
        self._scope = Scope(tree)

    def _generic(self, node: _Node) -> _Node:
        return self.generic_visit(node)  # type: ignore[return-value]  # it gives the same node

    def _visited(self, node: ast.expr) -> ast.expr:
        found: ast.expr = self.visit(node)
        return found

    def _passes(self, over: ast.expr, kind: str, node: ast.AST) -> ast.expr:
        """Return what is gone through, with a counter that takes a step for each element."""
        place = self._place(kind, node)
        counter = _name(f"c{place}")
        counted = ast.Call(_name("compress"), [self.visit(over), counter], [])
        return _located_like(counted, over)

    def _place(self, kind: str, node: ast.AST) -> int:
        self.places.append((kind, getattr(node, "lineno", 0)))
        return len(self.places) - 1

    def _tick(self, place: int, node: ast.AST) -> ast.expr:
        return _located_like(ast.Call(_name("next"), [_name(f"c{place}")], []), node)

    def _wrap(self, charge: str, node: ast.expr, *more: ast.expr) -> ast.expr:
        """Return the expression with a charge around it."""
        return self._located(charge, node, node, *more)

    def _located(self, charge: str, node: ast.expr, *operands: ast.expr) -> ast.expr:
        """Return the call that charges the operands, in place of the expression."""
        return self._call(charge, self._place("operator", node), node, *operands)

    def _call(self, charge: str, place: int, node: ast.expr, *operands: ast.expr) -> ast.expr:
        call = ast.Call(_name(charge), [ast.Constant(place), *operands], [])
        return _located_like(call, node)


def _name(name: str) -> ast.Name:
    return ast.Name(PREFIX + name, ast.Load())


def loaded(node: ast.Name) -> ast.Name:
    """Return the name as a read, though the node is a binding."""
    return ast.Name(node.id, ast.Load())


def _located_like(node: ast.expr, other: ast.AST) -> ast.expr:
    """Return the node with all that is new in it at another's place."""
    ast.copy_location(node, other)
    for child in ast.iter_child_nodes(node):
        if "lineno" in child._attributes and not hasattr(child, "lineno"):
            _located_like(child, other)  # type: ignore[arg-type]
    return node
