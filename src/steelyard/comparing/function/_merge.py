"""A candidate's source put into its module: the function, and what it brings along.

1. The function replaces the original, line by line.
2. A definition, or an assignment to one name, replaces the one that binds its name.
3. An import that hides nothing follows the module's imports above all that changes.
4. What else the module lacks goes right above the function, or below it if it follows it: above
   the outermost class for a method's, within it for methods.
"""

import ast
from collections.abc import Sequence

from steelyard.comparing.function._edits import Edit, apply_edits, newline_of
from steelyard.comparing.function._snippet import Snippet, frozen_lines
from steelyard.project_runs._bindings import Bound, Function, bindings, in_force
from steelyard.project_runs._definitions import Definition, span
from steelyard.project_runs._parsing import Source
from steelyard.project_runs._signature import same_tree

_COOKIE = ("#!", "# -*-", "# coding", "#coding", "# vim")
_BLOCKS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_IMPORTS = (ast.Import, ast.ImportFrom)


def merge(original: Source, definition: Definition, snippet: Snippet) -> tuple[str, list[str]]:
    """Return the module's text with the candidate in it, and notes on what else changed."""
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
        self.futures: list[ast.stmt] = []
        self.imports: list[ast.stmt] = []
        self.bodies = [original.body, *(one.body for one in definition.classes)]
        self.above: list[list[ast.stmt]] = [[] for _ in self.bodies]
        self.below: list[list[ast.stmt]] = [[] for _ in self.bodies]

    def run(self) -> tuple[str, list[str]]:
        lines = self.original.lines
        self._replace(self.definition.node, self.snippet.node, "the function")
        given = self.snippet.classes
        depth = len(self.bodies) - len(given)
        bodies = [self.snippet.source.body, *(one.body for one in given)]
        for index, (body, inner) in enumerate(
            zip(bodies, (*given, self.snippet.node), strict=True)
        ):
            self._take_body(body, inner, depth + index - 1 if index else 0)
        first = next(one for one in self.original.body if not _is_head(one))
        top = _line_above(first, self.original)
        gap = "" if isinstance(first, _IMPORTS) else 2 * self.newline
        edits = self._added(top, self.futures, "", gap)
        changed = min(start for start, _, _ in self.edits)
        ends = [one.end_lineno or 0 for one in self.original.body if isinstance(one, _IMPORTS)]
        at = max((end for end in ends if end <= changed), default=top)
        gap = "" if at in ends else 2 * self.newline
        edits += self._added(at, self.imports, "", gap)
        for index, anchor in enumerate(self.definition.outers):
            indent, gap = _indent_of(anchor, lines), self.newline * (1 if index else 2)
            top = self.bodies[index].index(anchor)
            while top and _is_part_of(self.bodies[index][top - 1], anchor):
                top -= 1
            at = _line_above(self.bodies[index][top], self.original)
            edits += self._added(at, self.above[index], indent, gap)
            end = span(anchor, lines)[1]
            edits += self._added(end, self.below[index], indent, gap, is_below=True)
        return apply_edits(self.original.text, lines, [*edits, *self.edits]), self.notes

    def _take_body(self, body: list[ast.stmt], inner: ast.stmt, depth: int) -> None:
        """Take what is next to the function in one body of the candidate."""
        last = {one.name: one.node for one in bindings(body) if one.how in ("function", "class")}
        added = self.above
        for node in body:
            if _holds(node, inner):
                added = self.below
                if node is not inner:
                    self.notes.append("the blocks around the candidate's function are left out")
            elif not isinstance(node, _BLOCKS) or node in last.values():
                into = len(self.bodies) - 1 if self._is_method(node) else depth
                if self._is_lacking(node, self.bodies[into], is_in_class=into > 0):
                    added[into].append(node)

    def _is_lacking(self, node: ast.stmt, body: list[ast.stmt], *, is_in_class: bool) -> bool:
        """Return whether a statement is to be added; what it replaces is replaced at once."""
        left_out = _left_out(node)
        if left_out is not None:
            self.notes += [f"its {left_out} left out"] if left_out else []
            return False
        tried = (each for one in body if isinstance(one, ast.Try) for each in one.body)
        if any(same_tree(node, one) for one in (*body, *tried)):
            return False
        names = list(bindings([node]))
        rebound = []
        known = 0
        for one in names:
            old, _ = in_force(other for other in bindings(body) if other.name == one.name)
            if old is None:
                continue
            if old.how == one.how == "import" and old.origin == one.origin:
                known += _submodules(one) <= _submodules(old)
                continue
            if old.node is self.definition.node or old.node in self.definition.classes:
                return False
            if len(names) == 1 and _is_replaceable(old.node, node, self.original):
                self._replace_known(old.node, node, one.name)
                return False
            verb = {"import": "imports", "deletion": "deletes"}.get(old.how, "binds")
            line = old.node.lineno
            rebound.append(f"'{one.name}' is rebound: the module {verb} it in line {line}")
        self.notes += rebound
        if not isinstance(node, _IMPORTS) or is_in_class or rebound:
            return True
        if known < len(names):
            (self.futures if _is_future(node) else self.imports).append(node)
            if _is_future(node):
                self.notes.append("an import from __future__ now applies to the whole module")
        return False

    def _replace_known(self, old: ast.stmt, new: ast.stmt, name: str) -> None:
        if _is_stub(new) and not _is_stub(old):
            self.notes.append(f"'{name}' is only sketched: the original's is kept")
        elif not _are_same_but_decorators(old, new):
            self.notes.append(f"'{name}' is replaced too (line {old.lineno})")
            self._replace(old, new, f"'{name}'")

    def _replace(self, old: ast.stmt, new: ast.stmt, name: str) -> None:
        """Replace a statement; without decorators of its own it keeps the old ones."""
        first, last = span(old, self.original.lines)
        if getattr(old, "decorator_list", ()) and not getattr(new, "decorator_list", ()):
            self.notes.append(f"{name} keeps the original's decorators")
            first = old.lineno
        indent = _indent_of(old, self.original.lines)
        self.edits.append((first - 1, last, self._moved(new, indent, is_commented=False)))

    def _added(
        self, at: int, nodes: Sequence[ast.stmt], indent: str, gap: str, *, is_below: bool = False
    ) -> list[Edit]:
        """Return the edit that adds statements, and a gap between them and what is there."""
        lines: list[str] = []
        for before, node in zip((None, *nodes), nodes, strict=False):
            if isinstance(before, _BLOCKS) or (before and isinstance(node, _BLOCKS)):
                lines.append(gap)
            elif isinstance(before, _IMPORTS) and not isinstance(node, _IMPORTS):
                lines.append(self.newline)
            lines += self._moved(node, indent)
        new = [gap, *lines] if is_below else [*lines, gap]
        return [(at, at, [*filter(None, new)])] if lines else []

    def _moved(self, node: ast.stmt, indent: str, *, is_commented: bool = True) -> list[str]:
        """Return a statement of the candidate at another indentation, with comments above it."""
        source = self.snippet.source
        if not _has_own_lines(node, source):
            text = ast.get_source_segment(source.text, node) or ""
            return [f"{indent}{text}{self.newline}"]
        first, last = span(node, source.lines)
        while is_commented and first > 1 and _is_comment(source.lines[first - 2]):
            first -= 1
        old = _indent_of(node, source.lines)
        moved = []
        for number, line in enumerate(source.lines[first - 1 : last], first):
            text = line.rstrip("\r\n")
            if number not in self.frozen and old != indent:
                text = text.removeprefix(old) if text.startswith(old) else text.lstrip(" \t\f")
                text = indent + text if text.strip(" \t\f") else ""
            moved.append(text + self.newline)
        return moved

    def _is_method(self, node: ast.stmt) -> bool:
        """Return whether a function next to a bare method is a method too: it is reached so."""
        classes = self.definition.classes
        if not isinstance(node, Function) or not classes or self.snippet.classes:
            return False
        defining = [
            any(one.name == node.name for one in bindings(body))
            for body in (self.bodies[-1], self.original.body)
        ]
        arguments = self.snippet.node.args
        owners = {one.arg for one in [*arguments.posonlyargs, *arguments.args][:1]}
        owners |= {one.name for one in classes}
        return defining == [True, False] or any(
            isinstance(one, ast.Attribute)
            and one.attr == node.name
            and getattr(one.value, "id", "") in owners
            for one in ast.walk(self.snippet.node)
        )


def _left_out(node: ast.stmt) -> str | None:
    """Return the words for a statement that the module does not need; None if it may need it."""
    match node:
        case ast.Pass() | ast.Expr(value=ast.Constant()):
            return ""
        case ast.If(test=ast.Compare(left=ast.Name(id="__name__"))):
            return "`if __name__ == ...` block is"
        case ast.Assert() | ast.Expr(value=ast.Call(func=ast.Name(id="print"))):
            return "prints and asserts outside the function are"
    return None


def _is_replaceable(old: ast.stmt, new: ast.stmt, original: Source) -> bool:
    """Return whether one statement may replace the other: two definitions, or two assignments."""
    if isinstance(old, _BLOCKS):
        return isinstance(new, _BLOCKS)
    match old, new:
        case (
            ast.Assign(targets=[ast.Name()]) | ast.AnnAssign(target=ast.Name()),
            ast.Assign(targets=[ast.Name()]) | ast.AnnAssign(target=ast.Name()),
        ):
            return _has_own_lines(old, original)
    return False


def _is_stub(node: ast.stmt) -> bool:
    """Return whether a definition has no body yet; candidates sketch what they only use."""
    for each in getattr(node, "body", (node,)):
        match each:
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                continue
            case ast.Raise(exc=ast.Name(id=name) | ast.Call(func=ast.Name(id=name))):
                if name == "NotImplementedError":
                    continue
        return False
    return True


def _are_same_but_decorators(old: ast.stmt, new: ast.stmt) -> bool:
    """Return whether a definition without decorators is the old one."""
    if not isinstance(new, _BLOCKS) or type(old) is not type(new) or new.decorator_list:
        return False
    fields = [name for name in new._fields if name not in ("decorator_list", "type_comment")]
    return all(same_tree(getattr(old, name), getattr(new, name)) for name in fields)


def _submodules(bound: Bound) -> set[str]:
    """Return the submodules that a plain import loads in addition to the name that it binds."""
    names = bound.node.names if isinstance(bound.node, ast.Import) else []
    return {each.name for each in names if not each.asname and "." in each.name}


def _holds(outer: ast.stmt, inner: ast.stmt) -> bool:
    return outer.lineno <= inner.lineno and (inner.end_lineno or 0) <= (outer.end_lineno or 0)


def _is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _is_head(node: ast.stmt) -> bool:
    """Return whether a statement must be the first of its module."""
    return _is_future(node) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))


def _is_part_of(before: ast.stmt, anchor: ast.stmt) -> bool:
    """Return whether a definition belongs to the one below it, as an overload or an accessor."""
    named = isinstance(before, Function) and isinstance(anchor, Function)
    return named and getattr(before, "name", "") == getattr(anchor, "name", None)


def _line_above(node: ast.stmt, source: Source) -> int:
    """Return the index of the line to insert at: above the comments of a statement."""
    at, lines = span(node, source.lines)[0] - 1, source.lines
    while at and _is_comment(lines[at - 1]) and not (at <= 2 and lines[at - 1].startswith(_COOKIE)):
        at -= 1
    return at


def _is_comment(line: str) -> bool:
    return line.lstrip(" \t").startswith("#")


def _indent_of(node: ast.stmt, lines: list[str]) -> str:
    """Return the white space in front of a statement that starts its line."""
    line = lines[node.lineno - 1]
    return line[: len(line) - len(line.lstrip(" \t\f"))]


def _has_own_lines(node: ast.stmt, source: Source) -> bool:
    """Return whether no other statement shares a line with a statement."""
    first = source.lines[node.lineno - 1].encode("utf-8", "surrogatepass")
    last = source.lines[(node.end_lineno or node.lineno) - 1].encode("utf-8", "surrogatepass")
    after = last[node.end_col_offset :].strip()
    return not first[: node.col_offset].strip() and (not after or after.startswith(b"#"))
