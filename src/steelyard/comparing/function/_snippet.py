"""A candidate given as source: where in it the function is, however it is wrapped."""

import ast
from contextlib import suppress
from dataclasses import dataclass

from steelyard.project_runs._bindings import Function
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
    """Return the tree of a source that may be indented as a whole, its first line left out or not.

    Raises:
        UnparsableError: if it is not Python either way.
    """
    try:
        return parse(text)
    except UnparsableError:
        indented = _indented(text)
        if indented is not None:
            with suppress(UnparsableError):
                wrapped = parse("if 1:\n" + indented)
                match wrapped.tree.body:
                    case [ast.If(body=body, orelse=[])]:
                        return Source(wrapped.text, wrapped.tree, body)
        raise


def find_in_snippet(source: Source, qualname: str) -> Snippet:
    """Return the function, alone or within some or all of its classes.

    Raises:
        NotDefinedError: if it is not there.
    """
    name = qualname.removesuffix(".setter").removesuffix(".deleter")
    parts, suffix = name.split("."), qualname.removeprefix(name)
    names = [".".join(parts[index:]) + suffix for index in range(len(parts))]
    errors: list[NotDefinedError] = []
    for each in (*names, parts[-1]):
        try:
            found = find_definition(source, each)
        except NotDefinedError as error:
            errors.append(error)
        else:  # a setter without its decorator takes the original's
            if each in names or not found.node.decorator_list:
                return Snippet(source, found.node, found.classes)
    raise errors[0]


def frozen_lines(source: Source) -> frozenset[int]:
    """Return the lines that begin within a string, where indentation is a value.

    Docstrings are not among them: they move with their function.
    """
    nodes = list(ast.walk(source.tree))
    statements = {node.value for node in nodes if isinstance(node, ast.Expr)}
    frozen: set[int] = set()
    for node in nodes:
        if isinstance(node, ast.Constant | ast.JoinedStr) and node not in statements:
            first, last = node.lineno, node.end_lineno or 0
            lines = source.lines[first - 1 : last] if last > first else []
            # In brackets, strings of one line each are next to each other.
            if any(mark in "".join(lines) for mark in ('"""', "'''", "\\\n", "\\\r")):
                frozen.update(range(first + 1, last + 1))
    return frozenset(frozen)


def _indented(text: str) -> str | None:
    """Return the text with its first line indented as the rest; None if it is not indented."""
    lines = (line for line in split_lines(text) if not line.lstrip().startswith("#"))
    code = [line for line in lines if line.strip()]
    indents = [line[: len(line) - len(line.lstrip(" \t"))] for line in code[:2]]
    if any(indents[:1]):
        return text
    if any(indents) and code[0].startswith("@"):
        return text.replace(code[0], indents[1] + code[0], 1)
    return None
