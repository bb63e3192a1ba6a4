"""Mutate a program: print its mutants as edits of its text, each proved to be applied.

The text is only parsed and compiled here, never run.
"""

from __future__ import annotations

import ast
import json
import os
import random
import sys
import types
import warnings
from collections.abc import Hashable, Iterator
from typing import NoReturn

from steelyard.strength.incell.operators import replacements
from steelyard.strength.incell.sites import Site, sites_of

_DEPTH = 5_000
"""Frames that a nested expression may take; a text that needs more has fewer mutants."""


def main(arguments: list[str]) -> NoReturn:
    """Print the mutants of SOURCE, at most MOST of them, as a JSON object.

    A third argument, `imported`, is for a module whose functions are called.

    `edits` has for each its operator, the line, the first and last byte, and the text that takes
    their place; `possible` is the number of edits before any was left out.
    """
    path, most = arguments[0], int(arguments[1])
    with open(path, "rb") as file:
        source = file.read()
    sys.setrecursionlimit(_DEPTH)
    warnings.simplefilter("ignore")
    try:
        found = Mutator(source).mutants(most, imported="imported" in arguments[2:])
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        found = {"error": f"{type(error).__name__}: {error}"[:500]}
    json.dump(found, sys.stdout)
    sys.stdout.flush()
    os._exit(0)


class Mutator:
    """The mutants of one program.

    Args:
        source: Its text in UTF-8, whose lines end with a line feed.
    """

    def __init__(self, source: bytes) -> None:
        self._source = source
        self._tree = ast.parse(source)
        self._starts = [0]
        for line in source.split(b"\n"):
            self._starts.append(self._starts[-1] + len(line) + 1)
        self._seen: set[Hashable] = {_form(_compiled(source))}
        self._texts: set[bytes] = {source}

    def mutants(self, most: int, *, imported: bool = False) -> dict[str, object]:
        """Return the mutants in the order of the text."""
        every = [
            (operator, site, node)
            for site in sites_of(self._tree, imported=imported)
            for operator, node in replacements(
                site.node, site.names, is_condition=site.is_condition
            )
        ]
        chosen: list[tuple[str, int, int, int, str]] = []
        for operator, site, node in every if len(every) <= most else _spread(every):
            if len(chosen) >= most:
                break
            edit = self._edit(site, node)
            if edit is not None:
                chosen.append((operator, getattr(site.node, "lineno", 0), *edit))
        chosen.sort(key=lambda each: each[2:])
        return {"edits": chosen, "possible": len(every)}

    def _edit(self, site: Site, node: ast.AST) -> tuple[int, int, str] | None:
        """Return an edit that changes the program exactly as wanted; None if it is not a new one.

        The edited text must parse to the mutated tree, and compile to code that neither the program
        nor another mutant has.
        """
        try:
            start, end = self._span(site.node)
            site.put(node)
            try:
                wanted, text = ast.dump(self._tree.body[site.top]), ast.unparse(node)
            finally:
                site.put(site.node)
            for written in (text, f"({text})"):
                edited = b"".join((self._source[:start], written.encode(), self._source[end:]))
                if edited in self._texts:
                    return None
                if self._parses_to(wanted, edited, site.top):
                    break
            else:
                return None
            self._texts.add(edited)
            form = _form(_compiled(edited))
        except (SyntaxError, ValueError, RecursionError, MemoryError, AttributeError):
            return None
        if form in self._seen:
            return None
        self._seen.add(form)
        return start, end, written

    def _parses_to(self, wanted: str, edited: bytes, top: int) -> bool:
        """Return True if a text has this statement at the top, and as many others as before.

        The others are as they were, since their text is.
        """
        try:
            body = ast.parse(edited).body
        except SyntaxError:
            return False
        return len(body) == len(self._tree.body) and ast.dump(body[top]) == wanted

    def _span(self, node: ast.AST) -> tuple[int, int]:
        """Return the first byte of a node and the one behind it."""
        first = self._starts[node.lineno - 1] + node.col_offset  # type: ignore[attr-defined]
        last = self._starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[attr-defined]
        return first, last


def _spread(
    every: list[tuple[str, Site, ast.AST]],
) -> Iterator[tuple[str, Site, ast.AST]]:
    """Yield all, each operator in turn and its sites in a fixed random order."""
    groups: dict[str, list[tuple[str, Site, ast.AST]]] = {}
    for each in every:
        groups.setdefault(each[0], []).append(each)
    order = random.Random(0)  # noqa: S311 - the same choice in every run
    for group in groups.values():
        order.shuffle(group)
    while groups:
        for operator in list(groups):
            yield groups[operator].pop()
            if not groups[operator]:
                del groups[operator]


def _compiled(source: bytes) -> types.CodeType:
    return compile(source, "mutant", "exec", dont_inherit=True)


def _form(code: types.CodeType) -> Hashable:
    """Return what two codes share if they do the same, whatever lines they are on."""
    return (
        code.co_name,
        code.co_code,
        code.co_flags,
        code.co_argcount,
        code.co_kwonlyargcount,
        code.co_posonlyargcount,
        code.co_names,
        code.co_varnames,
        code.co_freevars,
        code.co_cellvars,
        getattr(code, "co_exceptiontable", b""),
        tuple(
            _form(each) if isinstance(each, types.CodeType) else _constant(each)
            for each in code.co_consts
        ),
    )


def _constant(value: object) -> Hashable:
    """Return a constant with the types of its parts: 1, True and 1.0 are equal."""
    if isinstance(value, (tuple, frozenset)):
        parts = [_constant(each) for each in value]
        return type(value), tuple(parts) if isinstance(value, tuple) else frozenset(parts)
    return type(value), repr(value)
