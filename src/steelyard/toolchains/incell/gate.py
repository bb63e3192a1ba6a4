"""Check a program's text, which is parsed and never run, against a policy. Runs in a cell.

This is a format check and a first barrier, never the only one: Python has more ways around it
than any list can name, so a program that passes still runs in a cell. The gate prefers to reject.
A name at the top of a module or class counts as the built-in of that name, because a branch that
is not taken leaves the built-in visible. Only a function's own names are certainly not built-ins.
"""

from __future__ import annotations

import ast
import json
import re
import unicodedata
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

from steelyard.toolchains.incell.check import MAX_REPORTS, finding
from steelyard.toolchains.incell.names import (
    DYNAMIC_NAMES,
    FORMATTERS,
    GETTERS,
    HIDDEN,
    INTERNALS,
    LEAKED_MODULES,
    MATCHED_WHOLE,
    PLAIN_DUNDERS,
    SYSTEM_ATTRIBUTES,
    SYSTEM_MODULES,
    SYSTEM_NAMES,
)
from steelyard.toolchains.incell.scopes import FUNCTIONS, SHADOWED, Scope, parameters, under

_IN_FORMAT = re.compile(r"[.\[]\s*(\w+)")
_MOST_CHARS = 80
_ANY = 1 << 30


class Gate:
    """The check of one text against one policy."""

    def __init__(self, policy: str) -> None:
        given = json.loads(policy)
        self._modules: list[str] | None = given["modules"]
        self._rules = frozenset(given["forbid"])
        self._shapes: list[dict[str, Any]] = given["require"]
        self._found: dict[tuple[int, int, str], str] = {}
        self._tables: list[ast.AST] = []
        self._has_sys = False
        self._patterns: list[tuple[ast.AST, str]] = []
        self._harmless: set[ast.AST] = set()

    def examine(self, source: bytes, path: str) -> list[dict[str, object]]:
        """Return the violations in a text that compiles, in the order of the text.

        Raises:
            RecursionError, MemoryError: if the text nests too deeply to be parsed as a tree.
        """
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = compile(source, path, "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
        assert isinstance(tree, ast.Module)
        # The text sets the depth, so this uses a stack and no recursion.
        todo: list[tuple[ast.AST, Scope]] = [(tree, Scope())]
        while todo:
            node, names = todo.pop()
            todo.extend(self._look_at(node, names))
        if self._has_sys:
            for node in self._tables:
                self._say(node, "system", "access to modules")
        whole = MATCHED_WHOLE - _bound_anywhere(tree) if self._patterns else ()
        for node, name in self._patterns:
            if name not in whole:
                self._say(node, "dynamic", "a class pattern without names of attributes")
        self._check_shapes(tree)
        found = sorted(self._found.items())[:MAX_REPORTS]
        return [
            finding("error", f"policy: {text} (rule {rule})", line or None, column or None)
            for (line, column, rule), text in found
        ]

    def _look_at(self, node: ast.AST, names: Scope) -> Iterator[tuple[ast.AST, Scope]]:
        """Check one node, and return the nodes below it to check next."""
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self._harmless.update(_wraps_of(node))
        if node in self._harmless:
            pass
        elif isinstance(node, ast.Name):
            self._check_name(node, names)
        elif isinstance(node, ast.Attribute):
            if node.attr in FORMATTERS and not _is_text(node.value):
                self._say(node, "dynamic", f"{node.attr} of a text that is not written out")
            self._check_attribute(node, node.attr)
        elif isinstance(node, ast.Constant):
            self._check_constant(node)
        elif isinstance(node, ast.Import):
            self._check_import(node)
        elif isinstance(node, ast.ImportFrom):
            self._check_import_from(node)
        elif isinstance(node, ast.MatchClass):
            for name in node.kwd_attrs:  # `case object(__class__=c)` reads an attribute
                self._check_attribute(node, name)
            if node.patterns:  # reads what the class's `__match_args__` name
                self._patterns.append((node, getattr(node.cls, "id", "")))
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            self._check_use(node.target, node.target.id, names)  # it reads before it writes
        if isinstance(node, ast.Call) and (texts := _names_written_out(node, names)):
            for written, text in texts.items():
                for part in text.split("."):
                    if part in FORMATTERS:
                        self._say(written, "dynamic", f"access to {part}")
                    self._check_attribute(written, part)
            rest: list[ast.AST] = [each for each in node.args if each not in texts]
            rest += node.keywords
            if isinstance(node.func, ast.Attribute):
                rest.append(node.func.value)
            return ((each, names) for each in rest)
        return under(node, names)

    def _check_name(self, node: ast.Name, names: Scope) -> None:
        if isinstance(node.ctx, ast.Load):
            self._check_use(node, node.id, names)
        elif node.id in ("__builtins__", "__match_args__"):
            self._say(node, "dunder", f"use of {node.id}")

    def _check_use(self, node: ast.AST, name: str, names: Scope) -> None:
        name = _normal(name)
        if name in SHADOWED and name in names.here:
            return
        if name == "__import__":
            self._say(node, "import", "use of __import__")
        elif name in SYSTEM_NAMES:
            self._say(node, "system", f"use of {name}")
        elif name in DYNAMIC_NAMES | GETTERS:
            self._say(node, "dynamic", f"use of {name}")
        elif name == "input":
            self._say(node, "input", "use of input")
        elif _is_dunder(name) and name not in PLAIN_DUNDERS:
            self._say(node, "dunder", f"use of {name}")

    def _check_attribute(self, node: ast.AST, name: str) -> None:
        name = _normal(name)
        self._has_sys |= name.strip("_") == "sys"
        if name in ("import_module", "__import__"):
            self._say(node, "import", f"access to {name}")
        elif name in ("stdin", "__stdin__"):
            self._say(node, "input", f"access to {name}")
        elif name in INTERNALS or (_is_dunder(name) and name not in PLAIN_DUNDERS):
            self._say(node, "dunder", f"access to {name}")
        elif name in SYSTEM_ATTRIBUTES or self._is_leaked(name.strip("_")):
            self._say(node, "system", f"access to {name}")
        elif name in DYNAMIC_NAMES | GETTERS:
            self._say(node, "dynamic", f"access to {name}")
        elif name == "modules":  # a harmless name without `sys`
            self._tables.append(node)

    def _check_constant(self, node: ast.Constant) -> None:
        if not isinstance(node.value, str):
            return
        texts = [node.value] if _is_dunder(node.value) else []
        if "{" in node.value:
            texts += _IN_FORMAT.findall(node.value)
        for text in texts:
            if _normal(text) in HIDDEN:
                self._say(node, "dunder", f"the text {text}")

    def _check_import(self, node: ast.Import) -> None:
        for alias in node.names:
            name = _normal(alias.name)
            top = name.partition(".")[0]
            given = name if alias.asname else top  # `import a.b` gives a, `import a.b as c` a.b
            if not self._may_import(given):
                self._say(node, "import", f"import of {name}")
            self._has_sys |= top == "sys"

    def _check_import_from(self, node: ast.ImportFrom) -> None:
        module = "." * (node.level or 0) + _normal(node.module or "")
        self._has_sys |= module == "sys"
        for alias in node.names if module != "__future__" else ():
            name = _normal(alias.name)
            if f"{module}.{name}" in (self._modules or ()):
                continue
            if node.level or not self._may_import(module):
                self._say(node, "import", f"import of {module}")
            elif module == "sys" and name in ("modules", "*"):
                self._say(node, "system", f"import of {name} from sys")
            elif (module, name, alias.asname or name) != ("functools", "wraps", "wraps"):
                self._check_attribute(node, name)

    def _may_import(self, name: str) -> bool:
        if self._modules is None:
            return not name.startswith("_") and name.partition(".")[0] not in SYSTEM_MODULES
        return any(name == each or name.startswith(f"{each}.") for each in self._modules)

    def _is_leaked(self, name: str) -> bool:
        if name not in LEAKED_MODULES or (name == "sys" and self._modules is None):
            return False
        return self._modules is None or name not in self._modules

    def _check_shapes(self, tree: ast.Module) -> None:
        for shape in self._shapes:
            name, _, method = shape["name"].partition(".")
            wanted = "class" if method else "function"
            found = list(_bindings(tree.body, name))
            if not found:
                self._miss(None, f"there is no {wanted} {name}")
                continue
            last: ast.AST | None = found[-1]
            if method and isinstance(last, ast.ClassDef):
                inside = list(_bindings(last.body, method))
                if not inside and not last.bases and not last.keywords and not last.decorator_list:
                    self._miss(last, f"the class {name} has no method {method}")
                last = inside[-1] if inside else None
            elif method and isinstance(last, FUNCTIONS):
                self._miss(last, f"{name} is not a class")
                continue
            if isinstance(last, FUNCTIONS):
                count = shape["parameters"]
                if _parameter_count(last, is_method=bool(method)) < count:
                    many = f"{count} parameter{'s' * (count != 1)}"
                    self._miss(last, f"{shape['name']} takes fewer than {many}")

    def _miss(self, node: ast.AST | None, what: str) -> None:
        line = getattr(node, "lineno", 0)
        place = (line, getattr(node, "col_offset", -1) + 1, "shape")
        self._found[place] = what if len(what) <= _MOST_CHARS else f"{what[:_MOST_CHARS]}…"

    def _say(self, node: ast.AST, rule: str, what: str) -> None:
        if rule in self._rules:
            place = (getattr(node, "lineno", 0), getattr(node, "col_offset", -1) + 1, rule)
            short = what if len(what) <= _MOST_CHARS else f"{what[:_MOST_CHARS]}…"
            self._found.setdefault(place, f"{short} is not allowed")


def _wraps_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.AST]:
    """Return the `wraps` of `@wraps(f)` directly above a function, which is harmless.

    On anything but a function, or with chosen attributes, it gives access to a module's names.
    """
    for last in function.decorator_list[-1:]:
        if isinstance(last, ast.Call) and len(last.args) == 1 and not last.keywords:
            name = getattr(last.func, "id", None) or getattr(last.func, "attr", None)
            if name == "wraps" and not isinstance(last.args[0], ast.Starred):
                return [last.func]
    return []


def _names_written_out(call: ast.Call, names: Scope) -> dict[ast.AST, str]:
    """Return the literal names in `getattr(x, "name")` and similar calls."""
    called = call.func
    name = getattr(called, "id", None) or getattr(called, "attr", None)
    if name not in GETTERS or name in names.here:
        return {}
    if name == "attrgetter":
        wanted = call.args
    else:
        wanted = call.args[:1] if name == "methodcaller" else call.args[1:2]
    texts: dict[ast.AST, str] = {
        each: each.value
        for each in wanted
        if isinstance(each, ast.Constant) and isinstance(each.value, str)
    }
    starred = any(isinstance(each, ast.Starred) for each in call.args)
    return {} if starred or len(texts) < len(wanted) else texts


def _bound_anywhere(tree: ast.Module) -> set[str]:
    """Return the names that the text may bind in any of its scopes."""
    return {
        name
        for node in ast.walk(tree)
        for field in ("id", "name", "asname", "arg", "rest")
        if isinstance(name := getattr(node, field, None), str)
        and not isinstance(getattr(node, "ctx", None), ast.Load)
    }


def _bindings(body: Sequence[ast.AST], name: str) -> Iterator[ast.AST]:
    """Yield the nodes that bind a name at the top level, or in a branch or loop there, of a body.

    A star import may bind any name.
    """
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            if node.name == name:
                yield node
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                if name == (alias.asname or alias.name) or alias.name == "*":
                    yield alias
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                if isinstance(target, ast.Name) and target.id == name and node.value:
                    yield node.value
                elif not isinstance(target, ast.Name) and _stores(target, name):
                    yield target
        else:
            for field in ("body", "orelse", "finalbody", "handlers", "cases"):
                yield from _bindings(getattr(node, field, None) or (), name)


def _stores(target: ast.AST, name: str) -> bool:
    return any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(target))


def _parameter_count(function: ast.AST, *, is_method: bool) -> int:
    """Return the number of arguments that a function takes; `_ANY` with `*args`."""
    arguments: ast.arguments = function.args  # type: ignore[attr-defined]
    if arguments.vararg or arguments.kwarg:
        return _ANY
    decorators = getattr(function, "decorator_list", ())
    if any(getattr(each, "id", "") not in ("staticmethod", "classmethod") for each in decorators):
        return _ANY  # a decorator may change it into anything
    bound = is_method and not any(getattr(each, "id", "") == "staticmethod" for each in decorators)
    return len(parameters(arguments)) - bound


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _is_dunder(name: str) -> bool:
    return len(name) > 4 and name.startswith("__") and name.endswith("__")


def _normal(name: str) -> str:
    """Return the normalised name, as the interpreter looks it up."""
    return name if name.isascii() else unicodedata.normalize("NFKC", name)
