"""What a candidate's text reaches for that no faster version needs: the interpreter, the harness.

The text is read and never run. This is no fence, as Python offers more ways round than any list can
name: what passes still runs in a cell, and what it does there is compared. It says early and with a
line what a reviewer would ask about. It leans to silence: what makes programs faster in an ordinary
way must never be named here.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator

from steelyard._python_trees import python_tree
from steelyard.comparing.screening._computed import Computed
from steelyard.comparing.screening._facilities import (
    ANYWHERE,
    MODULES,
    NAMES,
    OF_MODULES,
    STORED,
    TEXTS,
    TEXTS_STARTING,
    TEXTS_WHOLE,
)
from steelyard.comparing.screening._written import (
    bound_again,
    bound_at_top,
    imported_by,
    modules_bound,
    texts_written,
)

__all__ = ["screen"]

_GETTERS = frozenset({"getattr", "setattr", "delattr", "hasattr"})
_SETTERS = frozenset({"setattr", "delattr"})
_IMPORTERS = frozenset({"import_module", "__import__"})
_OF_MODULE = frozenset({"__dict__", "__setattr__", "__delattr__"})
_PASSES_FOR = frozenset({"__builtins__", "__file__", "__loader__", "__name__", "__spec__"})
_LEAKED = frozenset({"builtins", "gc", "inspect", "os", "sys"})


def screen(original_module: str, candidate_module: str) -> tuple[str, ...]:
    """What the candidate's text reaches for, and the original's does not.

    Args:
        original_module: The text of the whole module, with the original.
        candidate_module: The same with the candidate.

    Returns:
        A sentence for each facility, with the line of the candidate's module where it is first
        reached for, in the order of the lines. A text that cannot be read reaches for nothing.
    """
    known = _facilities(original_module)
    found = _facilities(candidate_module)
    new = sorted((line, what) for what, line in found.items() if what not in known)
    return tuple(f"Line {line} uses {what}." for line, what in new)


def _facilities(text: str) -> dict[str, int]:
    """Each facility with the first line that reaches for it."""
    try:
        tree = python_tree(text)
        found: dict[str, int] = {}
        for node, what in _Walk(tree).found():
            line = getattr(node, "lineno", 1)
            found[what] = min(line, found.get(what, line))
    except (SyntaxError, RecursionError, MemoryError, ValueError):
        return {}
    return found


class _Walk:
    """One module's tree, and what its names mean."""

    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree
        self._modules = modules_bound(tree)
        self._own = bound_at_top(tree)
        self._again = bound_again(tree)
        self._texts, self._written = texts_written(tree)
        self._computed = Computed(tree, self._written, self._modules)

    def found(self) -> Iterator[tuple[ast.AST, str]]:
        """Each place that reaches for something, with the words for it."""
        for node in ast.walk(self._tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    yield from self._module(node, alias.name)
            elif isinstance(node, ast.ImportFrom) and not node.level:
                yield from self._import_from(node)
            elif isinstance(node, ast.Attribute):
                yield from self._attribute(node, node.value, node.attr)
                if not isinstance(node.ctx, ast.Load):
                    yield from self._store(node, node.value, node.attr)
            elif isinstance(node, ast.Name):
                yield from self._name(node)
            elif isinstance(node, ast.Call):
                yield from self._call(node)
            elif isinstance(node, ast.MatchClass):
                for name in node.kwd_attrs:
                    yield from self._attribute(node, None, name)
            elif isinstance(node, ast.keyword) and (node.arg or "").startswith("co_"):
                yield node, "the code of functions"
            if self._computed.used_at(node):
                yield node, "names built at run time"
        for node, text in self._texts.items():
            yield from self._text(node, text)

    def _module(self, node: ast.AST, name: str) -> Iterator[tuple[ast.AST, str]]:
        parts = name.split(".")
        for count in range(1, len(parts) + 1):
            if what := MODULES.get(".".join(parts[:count])):
                yield node, what
        for count in range(1, len(parts)):
            yield from self._of_module(node, ".".join(parts[:count]), parts[count])

    def _import_from(self, node: ast.ImportFrom) -> Iterator[tuple[ast.AST, str]]:
        module = node.module or ""
        yield from self._module(node, module)
        for alias in node.names:
            if alias.name == "*":
                for what in sorted(set(OF_MODULES.get(module, {}).values())):
                    yield node, what
            else:
                yield from self._module(node, f"{module}.{alias.name}")

    def _of_module(self, node: ast.AST, module: str, name: str) -> Iterator[tuple[ast.AST, str]]:
        if what := OF_MODULES.get(module, {}).get(name, ANYWHERE.get(name)):
            yield node, what

    def _attribute(
        self, node: ast.AST, of: ast.AST | None, name: str
    ) -> Iterator[tuple[ast.AST, str]]:
        module = self._module_of(of)
        yield from self._of_module(node, module or "", name)
        if module is not None and name in _OF_MODULE:
            yield node, f"the names of the module {module}"

    def _store(self, node: ast.AST, of: ast.AST, name: str) -> Iterator[tuple[ast.AST, str]]:
        if what := STORED.get(name):
            yield node, what
        module = self._module_of(of)
        if module is None:
            return
        is_standard = module.partition(".")[0] in sys.stdlib_module_names
        if is_standard or _first_name(of) not in self._again:
            shown = f"{module}.{name}" if name else "any"
            yield node, f"attributes that others read from {module} ({shown})"

    def _name(self, node: ast.Name) -> Iterator[tuple[ast.AST, str]]:
        if isinstance(node.ctx, ast.Load):
            if (what := NAMES.get(node.id)) and node.id not in self._own:
                yield node, what
        elif node.id in _PASSES_FOR:
            yield node, f"the module's identity ({node.id})"

    def _call(self, node: ast.Call) -> Iterator[tuple[ast.AST, str]]:
        name = getattr(node.func, "id", None) or getattr(node.func, "attr", "")
        first = node.args[0] if node.args else None
        if name in _IMPORTERS and first is not None:
            text = self._written.get(first)
            if text is None:
                yield node, f"modules with names built at run time ({name})"
            else:
                yield from self._module(node, text)
        if isinstance(node.func, ast.Attribute):
            return
        if name in _GETTERS and len(node.args) > 1:
            wanted = self._written.get(node.args[1])
            if wanted is not None:
                yield from self._attribute(node, first, wanted)
            elif _is_pieced(node.args[1]):
                yield node, "names built at run time"
            if name in _SETTERS:
                yield from self._store(node, node.args[0], wanted or "")
        elif name == "vars" and (module := self._module_of(first)) is not None:
            yield node, f"the names of the module {module}"

    def _text(self, node: ast.AST, text: str) -> Iterator[tuple[ast.AST, str]]:
        for piece, what in TEXTS.items():
            if piece in text:
                yield node, what
        for start, what in TEXTS_STARTING.items():
            if text.startswith(start):
                yield node, what
        if text in TEXTS_WHOLE:
            yield node, TEXTS_WHOLE[text]

    def _module_of(self, node: ast.AST | None) -> str | None:
        """The module that an expression means, as far as it can be told."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if parts and parts[0].strip("_") in _LEAKED:  # another module's: `random._os`
            return parts[0].strip("_")
        base = self._modules.get(node.id) if isinstance(node, ast.Name) else imported_by(node)
        leaked = (base or "").rpartition(".")[2].strip("_")
        if leaked in _LEAKED:  # `from random import _os`
            base = leaked
        return None if base is None else ".".join([base, *reversed(parts)])


def _first_name(node: ast.AST) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _is_pieced(node: ast.AST) -> bool:
    """Whether a name is made of pieces with two underscores in a row among them."""
    if not isinstance(node, (ast.BinOp, ast.JoinedStr, ast.Call)):
        return False
    return any(
        isinstance(each, ast.Constant) and isinstance(each.value, str) and "__" in each.value
        for each in ast.walk(node)
    )
