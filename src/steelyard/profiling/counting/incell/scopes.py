"""Find the names whose text grows in place when it is extended, as CPython does for locals."""

from __future__ import annotations

import ast
import sys
from functools import cached_property

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_GLOBALS_GROW = sys.version_info < (3, 11)


class Scope:
    """One function's, class's or module's names.

    Args:
        node: It.
    """

    def __init__(self, node: ast.AST) -> None:
        self._node = node

    def grows_in_place(self, name: str) -> bool:
        """Return whether `name += text` costs what is added, and not all that there is then."""
        if not isinstance(self._node, _FUNCTIONS):
            return _GLOBALS_GROW and isinstance(self._node, ast.Module)
        return name not in self._shared

    @cached_property
    def _shared(self) -> set[str]:
        """The names that are not this function's alone."""
        found: set[str] = set()
        body = self._node.body  # type: ignore[attr-defined]
        todo: list[tuple[ast.AST, bool]] = [
            (each, False) for each in (body if isinstance(body, list) else [body])
        ]
        while todo:
            node, inner = todo.pop()
            if isinstance(node, (ast.Global, ast.Nonlocal)):
                found.update(node.names)
            elif isinstance(node, ast.Name) and inner:
                found.add(node.id)
            inner = inner or isinstance(node, (*_FUNCTIONS, *_COMPREHENSIONS))
            todo += [(each, inner) for each in ast.iter_child_nodes(node)]
        return found
