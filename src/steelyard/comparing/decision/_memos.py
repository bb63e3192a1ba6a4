"""Tell data of modules that is a function's own affair: a memo that only it reads."""

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress

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


class _Users:
    """The functions of a module that use a name, by their own names; "" for what is outside."""

    def __init__(self, name: str, tree: ast.Module) -> None:
        self.readers: set[str] = set()
        self.writers: set[str] = set()
        self.callers: dict[str, set[str]] = {}
        """By each name that is loaded anywhere: in which functions."""
        self.is_imported = False
        for function, node, parent in _inside(tree):
            match node:
                case (
                    ast.Name(id=called, ctx=ast.Load()) | ast.Attribute(attr=called, ctx=ast.Load())
                ):
                    self.callers.setdefault(called, set()).add(function)
                    changes, gives = _change(parent)
                    if called == name and (gives or not changes):
                        self.readers.add(function)
                    if called == name and changes:
                        self.writers.add(function)
                case ast.Attribute(attr=changed) if changed == name:
                    self.writers.add(function)
                case ast.Global(names=names) if name in names:
                    self.writers.add(function)
                case ast.ImportFrom(names=aliases):
                    self.is_imported |= any(alias.name == name for alias in aliases)


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
        """Return whether a name such as `shop.audit._seen` is a memo."""
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
        users = _Users(name, tree)
        called = {each for each, where in users.callers.items() if self._function in where}
        if not users.readers - {""} or users.writers & {self._function, *called}:
            return False
        others = (found for other, found in self._users(name) if other != path)
        return bool(users.writers - {""}) or any(found.writers for found in others)

    def _users(self, name: str) -> Iterator[tuple[str, _Users]]:
        """Yield the users of a name by the files that hold it; what cannot be read uses nothing."""
        for path, text in self._sources():
            if name in text:
                with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
                    yield path, _Users(name, python_tree(text))

    def _is_memo(self, name: str) -> bool:
        module, _, last = name.rpartition(".")
        return bool(last.startswith("_") or _LIKE_A_CACHE.search(last)) and all(
            self._are_its_own(users)
            if _is_within(module, path)
            else not users.readers and not users.is_imported
            for path, users in self._users(last)
        )

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


def _is_within(name: str, path: str) -> bool:
    """Return whether a module or class, by its dotted name, is in the file."""
    parts = path.removesuffix(".py").removesuffix("/__init__").split("/")
    modules = (".".join(parts[at:]) for at in range(len(parts)))
    return any(f"{name}.".startswith(f"{module}.") for module in modules)


def _inside(tree: ast.Module) -> Iterator[tuple[str, ast.AST, ast.AST | None]]:
    """Yield every node with the outermost function around it, and its parent."""
    pending: list[tuple[str, ast.AST, ast.AST | None]] = [("", tree, None)]
    while pending:
        function, node, parent = pending.pop()
        yield function, node, parent
        is_outermost = not function and isinstance(node, _Function)
        inner = getattr(node, "name", "") if is_outermost else function
        pending += [(inner, child, node) for child in ast.iter_child_nodes(node)]


def _change(parent: ast.AST | None) -> tuple[bool, bool]:
    """Return whether what is held is changed, and whether some of it comes back."""
    if isinstance(parent, ast.Attribute):
        return parent.attr in _CHANGING, parent.attr in _GIVING
    return isinstance(parent, ast.Subscript) and not isinstance(parent.ctx, ast.Load), False
