"""A candidate given as source: where in it the function is, however it is wrapped."""

import ast
from dataclasses import dataclass

from steelyard.project_runs._bindings import Function, bindings, in_force
from steelyard.project_runs._definitions import NotDefinedError, find_definition
from steelyard.project_runs._parsing import Source, UnparsableError, parse, split_lines


@dataclass(frozen=True, eq=False)
class Snippet:
    """The function in a candidate's source."""

    source: Source
    node: Function
    classes: tuple[ast.ClassDef, ...]
    """Those of the original's classes that the candidate writes around it."""


def parse_snippet(text: str) -> Source:
    """The tree of a source that may be indented as a whole, its first line left out or not.

    Raises:
        UnparsableError: where it is not Python either way.
    """
    try:
        return parse(text)
    except UnparsableError as error:
        indented = _indented(text)
        if indented is None:
            raise
        try:
            wrapped = parse("if 1:\n" + indented)
        except UnparsableError:
            raise error from None
        block = wrapped.tree.body[0]
        if len(wrapped.tree.body) > 1 or not isinstance(block, ast.If) or block.orelse:
            raise
        return Source(wrapped.text, wrapped.tree, block.body)


def find_in_snippet(source: Source, qualname: str) -> Snippet:
    """The function, alone or within some or all of its classes.

    Raises:
        NotDefinedError: where it is not there.
    """
    name, _, role = qualname.partition(".setter")
    if not role and name == qualname:
        name, _, role = qualname.partition(".deleter")
    parts = name.split(".")
    suffix = qualname[len(name) :]
    first: NotDefinedError | None = None
    for index in range(len(parts)):
        try:
            found = find_definition(source, ".".join(parts[index:]) + suffix)
        except NotDefinedError as error:
            first = first or error
        else:
            return Snippet(source, found.node, found.classes)
    if suffix:
        # A setter without its decorator, as it takes the original's.
        bound, _ = in_force(one for one in bindings(source.body) if one.name == parts[-1])
        if bound is not None and isinstance(bound.node, Function) and not bound.node.decorator_list:
            return Snippet(source, bound.node, ())
    raise first or NotDefinedError(f"'{qualname}' is not defined")


def frozen_lines(source: Source) -> frozenset[int]:
    """Numbers of the lines that begin within a string, where indentation is a value.

    Docstrings are not among them: they move with their function.
    """
    docstrings: set[ast.AST] = set()
    frozen: set[int] = set()
    for node in ast.walk(source.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                docstrings.add(first.value)
        is_text = isinstance(node, ast.JoinedStr) or (
            isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
        )
        if not is_text or node in docstrings or not isinstance(node, ast.expr):
            continue
        last = node.end_lineno or node.lineno
        if last > node.lineno and _spans_lines(source.lines[node.lineno - 1 : last]):
            frozen.update(range(node.lineno + 1, last + 1))
    return frozenset(frozen)


def _spans_lines(lines: list[str]) -> bool:
    """Whether a string itself goes on over a line end, not only its neighbours in brackets."""
    text = "".join(lines)
    return '"""' in text or "'''" in text or "\\\n" in text or "\\\r" in text


def _indented(text: str) -> str | None:
    """The text with its first line indented as the rest; None where it is not indented."""
    lines = split_lines(text)
    code = [
        index
        for index, line in enumerate(lines)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    if not code:
        return None
    first = lines[code[0]]
    if first[0] in " \t":
        return text
    if len(code) < 2 or not first.lstrip().startswith("@"):
        return None
    second = lines[code[1]]
    indent = second[: len(second) - len(second.lstrip(" \t"))]
    if not indent:
        return None
    lines[code[0]] = indent + first
    return "".join(lines)
