"""Add counters to a program: one for each block, and a charge if a built-in works in C.

A loop's counter is a C iterator between its iterable and its body, which costs less than
a statement and counts exactly, however the loop is left. Other blocks begin with a statement.
"""

from __future__ import annotations

import ast
import json
import marshal
import os
import sys
from typing import Any, NoReturn

from steelyard.profiling.counting.incell.operations import Operations, Scope

_DEPTH = 100_000
"""Frames that a deeply nested expression may take."""


def main(arguments: list[str]) -> NoReturn:
    """Compile SOURCE with counters into the file CODE, and print their places.

    The places are JSON, with the kind and line of each.
    """
    source, code = arguments
    path = f"{os.getcwd()}/{source}"
    with open(source, "rb") as file:
        text = file.read()
    sys.setrecursionlimit(_DEPTH)
    tree, places = transform(text, path)
    data = marshal.dumps(compile(tree, path, "exec", dont_inherit=True))
    with open(code, "wb") as file:
        file.write(data)
    print(json.dumps(places))
    sys.stdout.flush()
    os._exit(0)


def transform(source: bytes | str, name: str) -> tuple[ast.Module, list[tuple[str, int]]]:
    """Return the program with its counters, and the kind and line of each place, in order.

    Raises:
        SyntaxError: if the program does not parse.
    """
    tree = ast.parse(source, name)
    transformer = _Transformer(tree)
    return ast.fix_missing_locations(transformer.visit(tree)), transformer.places


class _Transformer(Operations):
    """Counts the blocks that it visits, and charges their expressions."""

    def visit_Module(self, node: ast.Module) -> ast.Module:
        start = _preamble(node.body)
        head, rest = node.body[:start], node.body[start:]
        if rest:
            node.body = [*head, *self._block(rest, rest[0], "module")]
        return node

    def _function(self, node: Any) -> Any:
        node.decorator_list = [self.visit(each) for each in node.decorator_list]
        self._visit_defaults(node.args)
        around, self._scope = self._scope, Scope(node)
        start = 1 if _is_text(node.body[0]) else 0
        head, rest = node.body[:start], node.body[start:]
        if rest:
            node.body = [*head, *self._block(rest, node, "def")]
        self._scope = around
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = _function

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        self._visit_defaults(node.args)
        around, self._scope = self._scope, Scope(node)
        place = self._place("lambda", node)
        counted = ast.BoolOp(ast.And(), [self._tick(place, node.body), self.visit(node.body)])
        node.body = ast.copy_location(counted, node.body)
        self._scope = around
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        around, self._scope = self._scope, Scope(node)
        node = self._generic(node)
        self._scope = around
        return node

    def visit_For(self, node: ast.For) -> ast.For:
        node.target = self.visit(node.target)
        node.iter = self._passes(node.iter, "loop", node)
        node.body = self._plain(node.body)
        if node.orelse:
            node.orelse = self._block(node.orelse, node.orelse[0], "else")
        return node

    def visit_AsyncFor(self, node: ast.AsyncFor) -> ast.AsyncFor:
        node.target, node.iter = self.visit(node.target), self.visit(node.iter)
        node.body = self._block(node.body, node, "loop")
        node.orelse = self._plain(node.orelse)
        return node

    def visit_While(self, node: ast.While) -> ast.While:
        node.test = self.visit(node.test)
        node.body = self._block(node.body, node, "loop")
        if node.orelse:
            node.orelse = self._block(node.orelse, node.orelse[0], "else")
        return node

    def visit_If(self, node: ast.If) -> ast.If:
        node.test = self.visit(node.test)
        node.body = self._block(node.body, node.body[0], "if")
        if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
            node.orelse = self._plain(node.orelse)  # an elif: its own arms count
        elif node.orelse:
            node.orelse = self._block(node.orelse, node.orelse[0], "else")
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.ExceptHandler:
        if node.type:
            node.type = self.visit(node.type)
        node.body = self._block(node.body, node, "except")
        return node

    def visit_Try(self, node: ast.Try) -> ast.Try:
        node.body = self._plain(node.body)
        node.handlers = [self.visit(each) for each in node.handlers]
        if node.orelse:
            node.orelse = self._block(node.orelse, node.orelse[0], "else")
        node.finalbody = self._plain(node.finalbody)
        return node

    def visit_match_case(self, node: ast.match_case) -> ast.match_case:
        if node.guard:
            node.guard = self.visit(node.guard)
        node.body = self._block(node.body, node.body[0], "case")
        return node  # patterns stay: they cannot contain calls

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        node.ifs = [self.visit(each) for each in node.ifs]
        if node.is_async:
            node.iter = self.visit(node.iter)
        else:
            node.iter = self._passes(node.iter, "comprehension", node.iter)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AnnAssign:
        node.target = self.visit(node.target)
        if node.value:
            node.value = self.visit(node.value)
        return node

    def _visit_defaults(self, node: ast.arguments) -> None:
        node.defaults = [self.visit(each) for each in node.defaults]
        node.kw_defaults = [each and self.visit(each) for each in node.kw_defaults]

    def _plain(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """Statements that run as often as what is around them."""
        return [self.visit(each) for each in body]

    def _block(self, body: list[ast.stmt], node: ast.AST, kind: str) -> list[ast.stmt]:
        tick = ast.Expr(self._tick(self._place(kind, node), body[0]))
        return [ast.copy_location(tick, body[0]), *self._plain(body)]


def _preamble(body: list[ast.stmt]) -> int:
    """Return how many statements must stay first: a docstring, and imports from the future."""
    start = 1 if body and _is_text(body[0]) else 0
    for statement in body[start:]:
        if not isinstance(statement, ast.ImportFrom) or statement.module != "__future__":
            break
        start += 1
    return start


def _is_text(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )
