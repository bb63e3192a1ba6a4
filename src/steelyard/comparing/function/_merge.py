"""A candidate's source put into its module: the function, and what it brings along."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field

from steelyard.comparing.function._edits import (
    Edit,
    apply_edits,
    indent_of,
    newline_of,
    own_lines,
    reindented,
    text_of,
)
from steelyard.comparing.function._snippet import Snippet, frozen_lines
from steelyard.project_runs._bindings import Bound, Function, bindings, in_force, is_overload
from steelyard.project_runs._definitions import Definition, span
from steelyard.project_runs._parsing import Source
from steelyard.project_runs._signature import same_tree

_COOKIE = ("#!", "# -*-", "# coding", "#coding", "# vim")


@dataclass
class _Scope:
    """A body of the original that takes what stands beside the function in the candidate."""

    body: list[ast.stmt]
    anchor: ast.stmt
    """Its statement that holds the function."""
    indent: str
    in_class: bool
    above: list[ast.stmt] = field(default_factory=list)
    below: list[ast.stmt] = field(default_factory=list)


def merge(original: Source, definition: Definition, snippet: Snippet) -> tuple[str, list[str]]:
    """The module's text with the candidate in it, and notes on what else changed.

    The function takes the place of the original, line by line; a definition beside it takes the
    place of the one with its name; everything else that the module lacks goes right above the
    function (above the outermost class for a method's), or below it if it stands there.
    """
    return _Merge(original, definition, snippet).run()


class _Merge:
    def __init__(self, original: Source, definition: Definition, snippet: Snippet) -> None:
        self.original = original
        self.definition = definition
        self.snippet = snippet
        self.newline = newline_of(original.text)
        self.frozen = frozen_lines(snippet.source)
        self.edits: list[Edit] = []
        self.notes: list[str] = []
        bodies = [original.body, *(one.body for one in definition.classes)]
        self.scopes = [
            _Scope(body, outer, indent_of(outer, original.lines), index > 0)
            for index, (body, outer) in enumerate(zip(bodies, definition.outers, strict=True))
        ]

    def run(self) -> tuple[str, list[str]]:
        self._replace(self.definition.node, self.snippet.node, self.definition.qualname)
        given = self.snippet.classes
        skipped = len(self.definition.classes) - len(given)
        bodies = [self.snippet.source.body, *(one.body for one in given)]
        for index, body in enumerate(bodies):
            inner = given[index] if index < len(given) else self.snippet.node
            scope = self.scopes[index + skipped] if index else self.scopes[0]
            self._take_body(body, inner, scope, bare=not given)
        for scope in self.scopes:
            self._insert(scope)
        text = apply_edits(self.original.text, self.original.lines, self.edits)
        return text, self.notes

    def _take_body(
        self, body: list[ast.stmt], inner: ast.stmt, scope: _Scope, *, bare: bool
    ) -> None:
        past = False
        last = {one.name: one.node for one in bindings(body) if one.how in ("function", "class")}
        for node in body:
            if node is inner:
                past = True
                continue
            if _holds(node, inner):
                past = True
                self.notes.append("the blocks around the candidate's function are left out")
                continue
            if isinstance(node, Function | ast.ClassDef):
                if isinstance(node, Function) and is_overload(node):
                    continue
                if node not in last.values():
                    continue
                target = scope
                if bare and isinstance(node, Function) and self._is_method(node):
                    target = self.scopes[-1]
                self._take_definition(node, target, past)
            else:
                self._take_statement(node, scope, past)

    def _take_definition(self, node: Function | ast.ClassDef, scope: _Scope, past: bool) -> None:
        bound = next((one for one in bindings([node])), None)
        if bound is None:
            self._keep(node, scope, past)
            return
        old, _ = in_force(one for one in bindings(scope.body) if one.name == bound.name)
        if old is None:
            self._keep(node, scope, past)
        elif isinstance(old.node, Function | ast.ClassDef):
            if old.node is self.definition.node or old.node in self.definition.classes:
                return
            if _same_but_decorators(old.node, node):
                return
            if _is_stub(node) and not _is_stub(old.node):
                self.notes.append(f"'{node.name}' is only sketched: the original's is kept")
                return
            self.notes.append(f"'{bound.name}' is replaced too (line {old.node.lineno})")
            self._replace(old.node, node, bound.name)
        else:
            self.notes.append(f"'{node.name}' is redefined: the module {_binds(old)}")
            self._keep(node, scope, past)

    def _take_statement(self, node: ast.stmt, scope: _Scope, past: bool) -> None:
        match node:
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                return
            case ast.ImportFrom(module="__future__"):
                self._take_future(node)
                return
            case ast.If(test=ast.Compare(left=ast.Name(id="__name__"))):
                self.notes.append("its `if __name__ == ...` block is left out")
                return
            case ast.Assert() | ast.Expr(value=ast.Call(func=ast.Name(id="print"))):
                self.notes.append("its prints and asserts outside the function are left out")
                return
            case ast.Import() | ast.ImportFrom():
                if self._imports_already(node, scope):
                    return
        if any(same_tree(node, one) for one in _flat(scope.body)):
            return
        names = list(bindings([node]))
        for one in names:
            old, _ = in_force(other for other in bindings(scope.body) if other.name == one.name)
            if old is None or (old.how == one.how == "import" and old.origin == one.origin):
                continue
            simple = len(names) == 1 and _is_simple(node) and _is_simple(old.node)
            if simple and own_lines(old.node, self.original):
                self.notes.append(f"'{one.name}' is replaced too (line {old.node.lineno})")
                self._replace_lines(old.node, node)
                return
            self.notes.append(f"'{one.name}' is rebound: the module {_binds(old)}")
        self._keep(node, scope, past)

    def _take_future(self, node: ast.ImportFrom) -> None:
        body = self.original.body
        known = {
            alias.name
            for one in body
            if isinstance(one, ast.ImportFrom) and one.module == "__future__"
            for alias in one.names
        }
        wanted = [alias.name for alias in node.names if alias.name not in known]
        if not wanted:
            return
        at = 0
        for index, one in enumerate(body):
            is_docstring = not index and isinstance(one, ast.Expr)
            is_future = isinstance(one, ast.ImportFrom) and one.module == "__future__"
            if not is_docstring and not is_future:
                break
            at = one.end_lineno or 0
        if not at:
            lines = self.original.lines
            while at < len(lines) and lines[at].startswith("#"):
                at += 1
        line = f"from __future__ import {', '.join(wanted)}{self.newline}"
        self.edits.append(Edit(at, at, (line,)))
        self.notes.append(f"`{line.strip()}` now applies to the whole module")

    def _keep(self, node: ast.stmt, scope: _Scope, past: bool) -> None:
        (scope.below if past else scope.above).append(node)

    def _insert(self, scope: _Scope) -> None:
        lines = self.original.lines
        if scope.above:
            at = _above(scope, self.original)
            early = [edit.start for edit in self.edits if edit.end > edit.start and edit.start < at]
            imports = [one for one in scope.above if isinstance(one, ast.Import | ast.ImportFrom)]
            if early and imports and not scope.in_class:
                first = _statement_at(scope.body, min(early) + 1, at, lines)
                block = self._block(imports, scope)
                self.edits.append(Edit(first, first, (*block, self.newline)))
                scope.above = [one for one in scope.above if one not in imports]
            if scope.above:
                block = self._block(scope.above, scope)
                gap = self._gap(scope)
                self.edits.append(Edit(at, at, (*block, *gap)))
        if scope.below:
            end = span(scope.anchor, lines)[1]
            block = self._block(scope.below, scope)
            self.edits.append(Edit(end, end, (*self._gap(scope), *block)))

    def _gap(self, scope: _Scope) -> list[str]:
        return [self.newline] * (1 if scope.in_class else 2)

    def _block(self, nodes: Sequence[ast.stmt], scope: _Scope) -> list[str]:
        lines: list[str] = []
        before: ast.stmt | None = None
        for node in nodes:
            if before is not None:
                if isinstance(before, _BLOCKS) or isinstance(node, _BLOCKS):
                    lines.extend(self._gap(scope))
                elif isinstance(before, _IMPORTS) and not isinstance(node, _IMPORTS):
                    lines.append(self.newline)
            lines.extend(self._moved(node, scope.indent))
            before = node
        return lines

    def _moved(self, node: ast.stmt, indent: str) -> tuple[str, ...]:
        """A statement of the candidate at the original's indentation."""
        source = self.snippet.source
        own = text_of(node, source)
        if not own_lines(node, source):
            return tuple(indent + line + self.newline for line in own)
        first = span(node, source.lines)[1] - len(own) + 1
        old = indent_of(node, source.lines)
        return reindented(own, first, self.frozen, old, indent, self.newline)

    def _replace(
        self, old: Function | ast.ClassDef, new: Function | ast.ClassDef, name: str
    ) -> None:
        """A definition for a definition; without decorators of its own it keeps the old ones."""
        lines, source = self.original.lines, self.snippet.source
        first, last = span(old, lines)
        keeps = old.decorator_list and not new.decorator_list
        if keeps:
            what = "the function" if old is self.definition.node else f"'{name}'"
            self.notes.append(f"{what} keeps the original's decorators")
            first = old.lineno
        start, end = span(new, source.lines)
        moved = reindented(
            tuple(source.lines[start - 1 : end]),
            start,
            self.frozen,
            indent_of(new, source.lines),
            indent_of(old, lines),
            self.newline,
        )
        self.edits.append(Edit(first - 1, last, moved))

    def _replace_lines(self, old: ast.stmt, new: ast.stmt) -> None:
        first, last = span(old, self.original.lines)
        moved = self._moved(new, indent_of(old, self.original.lines))
        self.edits.append(Edit(first - 1, last, moved))

    def _is_method(self, node: Function) -> bool:
        """Whether a function beside a bare method is a method too: the method reaches it so."""
        if not self.definition.classes:
            return False
        arguments = self.snippet.node.args
        owners = {one.arg for one in [*arguments.posonlyargs, *arguments.args][:1]}
        owners |= {one.name for one in self.definition.classes}
        owns = any(one.name == node.name for one in bindings(self.scopes[-1].body))
        if owns and not any(one.name == node.name for one in bindings(self.original.body)):
            return True
        return any(
            isinstance(one, ast.Attribute)
            and one.attr == node.name
            and isinstance(one.value, ast.Name)
            and one.value.id in owners
            for one in ast.walk(self.snippet.node)
        )

    def _imports_already(self, node: ast.Import | ast.ImportFrom, scope: _Scope) -> bool:
        before = span(scope.anchor, self.original.lines)[0]
        known = {
            (one.name, one.origin, _whole(one))
            for one in bindings(scope.body)
            if one.how == "import" and one.node.lineno < before
        }
        return all((one.name, one.origin, _whole(one)) in known for one in bindings([node]))


_IMPORTS = (ast.Import, ast.ImportFrom)
_BLOCKS = (
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.If,
    ast.Try,
    ast.With,
    ast.For,
    ast.While,
)


def _whole(bound: Bound) -> frozenset[str]:
    """The submodules that a plain import loads beside the name that it binds."""
    if not isinstance(bound.node, ast.Import):
        return frozenset()
    names = (alias.name for alias in bound.node.names if not alias.asname)
    return frozenset(name for name in names if name.startswith(f"{bound.name}."))


def _holds(outer: ast.stmt, inner: ast.stmt) -> bool:
    return outer.lineno <= inner.lineno and (inner.end_lineno or 0) <= (outer.end_lineno or 0)


def _above(scope: _Scope, source: Source) -> int:
    """Index of the line to insert at: above the comments, overloads and accessors of the anchor."""
    lines = source.lines
    index = scope.body.index(scope.anchor)
    while index and _belongs(scope.body[index - 1], scope.anchor):
        index -= 1
    at = span(scope.body[index], lines)[0] - 1
    top = at
    while top and lines[top - 1].lstrip(" \t").startswith("#"):
        if top <= 2 and lines[top - 1].startswith(_COOKIE):
            break
        top -= 1
    return top


def _belongs(before: ast.stmt, anchor: ast.stmt) -> bool:
    return (
        isinstance(before, Function)
        and isinstance(anchor, Function)
        and before.name == anchor.name
        and before is not anchor
    )


def _statement_at(body: list[ast.stmt], line: int, otherwise: int, lines: list[str]) -> int:
    """Index of the first line of the statement that holds a line."""
    for node in body:
        first, last = span(node, lines)
        if first <= line <= last:
            return first - 1
    return otherwise


def _is_simple(node: ast.stmt) -> bool:
    match node:
        case ast.Assign(targets=[ast.Name()]) | ast.AnnAssign(target=ast.Name()):
            return True
        case _:
            return False


def _is_stub(node: ast.stmt) -> bool:
    """Whether it says nothing but that something is there; candidates write such bodies."""
    for one in getattr(node, "body", []):
        match one:
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                continue
            case ast.Raise(exc=ast.Name(id="NotImplementedError")):
                continue
            case ast.Raise(exc=ast.Call(func=ast.Name(id="NotImplementedError"))):
                continue
            case _:
                return False
    return True


def _same_but_decorators(old: ast.stmt, new: ast.stmt) -> bool:
    if same_tree(old, new):
        return True
    if not isinstance(new, Function | ast.ClassDef) or type(old) is not type(new):
        return False
    if new.decorator_list:
        return False
    fields = [name for name in new._fields if name not in ("decorator_list", "type_comment")]
    return all(same_tree(getattr(old, name), getattr(new, name)) for name in fields)


def _flat(body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements of a body and of the `try` blocks in it, which run as a rule."""
    flat: list[ast.stmt] = []
    for node in body:
        flat.append(node)
        if isinstance(node, ast.Try):
            flat.extend(node.body)
    return flat


def _binds(old: Bound) -> str:
    verb = {"import": "imports", "deletion": "deletes"}.get(old.how, "binds")
    return f"{verb} it in line {old.node.lineno}"
