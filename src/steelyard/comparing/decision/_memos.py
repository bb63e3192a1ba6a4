"""Which data of the project's modules is a function's own affair: a memo that only it reads."""

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from steelyard._python_trees import python_tree

_LIKE_A_CACHE = re.compile(r"cache|memo(?!r[iy])|lru", re.IGNORECASE)
_CHANGING = frozenset(
    {
        "add",
        "append",
        "appendleft",
        "clear",
        "discard",
        "extend",
        "insert",
        "pop",
        "popitem",
        "popleft",
        "remove",
        "set",
        "setdefault",
        "sort",
        "update",
    }
)
_GIVING = frozenset({"pop", "popitem", "popleft", "setdefault"})
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(slots=True)
class _Users:
    """The functions of a file that use a name, by their own names; "" for what is outside."""

    readers: set[str] = field(default_factory=set)
    writers: set[str] = field(default_factory=set)
    callers: dict[str, set[str]] = field(default_factory=dict)
    """By each name that is loaded anywhere: in which functions."""


class Memos:
    """Tells memos from data that others can see.

    A memo is private by its name, or called a cache, and whoever reads it fills it too, or is the
    function, or helps only these. Tests that empty it do not read it.

    Args:
        qualname: The function.
        sources: Gives path and text of each of the project's Python files.
    """

    def __init__(self, qualname: str, sources: Callable[[], Iterable[tuple[str, str]]]) -> None:
        self._function = qualname.removesuffix(".setter").rpartition(".")[2]
        self._sources = sources
        self._known: dict[str, bool] = {}

    def holds(self, name: str) -> bool:
        """Whether a name such as `shop.audit._seen` is a memo."""
        if name not in self._known:
            self._known[name] = self._is_memo(name)
        return self._known[name]

    def tables(self, path: str, source: str) -> list[str]:
        """Return the names of the function's module that functions read and other code changes.

        Args:
            path: The module's file.
            source: Its text.
        """
        tree = python_tree(source)
        tops = {
            target.id
            for node in tree.body
            if isinstance(node, ast.Assign | ast.AnnAssign)
            for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
            if isinstance(target, ast.Name)
        }
        return [name for name in sorted(tops) if self._is_changed_by_others(name, path, tree)]

    def _is_changed_by_others(self, name: str, path: str, tree: ast.Module) -> bool:
        users = _users_of(name, tree)
        called = {each for each, where in users.callers.items() if self._function in where}
        own = {self._function, *called}
        if not users.readers - {""} or users.writers & own:
            return False
        if users.writers - {""}:
            return True
        others = (text for other, text in self._sources() if other != path and name in text)
        return any(_users_of(name, found).writers for found in _trees(others))

    def _is_memo(self, name: str) -> bool:
        module, _, last = name.rpartition(".")
        if not (last.startswith("_") or _LIKE_A_CACHE.search(last)):
            return False
        for path, text in self._sources():
            if last not in text:
                continue
            try:
                tree = python_tree(text)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                return False
            users = _users_of(last, tree)
            if _is_within(module, path):
                if not self._are_its_own(users):
                    return False
            elif users.readers or _imports(tree, last):
                return False
        return True

    def _are_its_own(self, users: _Users) -> bool:
        mine = {self._function, *users.writers} - {""}
        left = users.readers - mine
        while left:
            helpers = {each for each in left if each and users.callers.get(each, {""}) <= mine}
            if not helpers:
                return False
            mine |= helpers
            left -= helpers
        return True


def _trees(texts: Iterable[str]) -> Iterator[ast.Module]:
    for text in texts:
        with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
            yield python_tree(text)


def _is_within(place: str, path: str) -> bool:
    """Return whether a module or class, by its dotted name, is in the file."""
    parts = path.removesuffix(".py").removesuffix("/__init__").split("/")
    names = (".".join(parts[at:]) for at in range(len(parts)))
    return any(place == name or place.startswith(f"{name}.") for name in names)


def _imports(tree: ast.Module, name: str) -> bool:
    return any(
        isinstance(node, ast.ImportFrom) and any(alias.name == name for alias in node.names)
        for node in ast.walk(tree)
    )


def _users_of(name: str, tree: ast.Module) -> _Users:
    users = _Users()
    for function, node, parent in _inside(tree, "", None):
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
            called = node.id if isinstance(node, ast.Name) else node.attr
            if called != name:
                users.callers.setdefault(called, set()).add(function)
                continue
            if not _only_changes(parent):
                users.readers.add(function)
            if _changes(parent):
                users.writers.add(function)
        elif isinstance(node, ast.Global | ast.Attribute):
            named = node.names if isinstance(node, ast.Global) else (node.attr,)
            if name in named:
                users.writers.add(function)
    return users


def _inside(
    node: ast.AST, function: str, parent: ast.AST | None
) -> Iterator[tuple[str, ast.AST, ast.AST | None]]:
    """Every node with the outermost function around it, and its parent."""
    pending = [(node, function, parent)]
    while pending:
        node, function, parent = pending.pop()
        yield function, node, parent
        inner = node.name if not function and isinstance(node, _Function) else function
        pending += [(child, inner, node) for child in ast.iter_child_nodes(node)]


def _changes(parent: ast.AST | None) -> bool:
    if isinstance(parent, ast.Attribute):
        return parent.attr in _CHANGING
    return isinstance(parent, ast.Subscript) and not isinstance(parent.ctx, ast.Load)


def _only_changes(parent: ast.AST | None) -> bool:
    """Whether nothing of what is held comes back."""
    if isinstance(parent, ast.Attribute) and parent.attr in _GIVING:
        return False
    return _changes(parent)
