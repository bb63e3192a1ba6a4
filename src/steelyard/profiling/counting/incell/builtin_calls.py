"""Charge calls of built-in functions and methods."""

from __future__ import annotations

import ast

from steelyard.profiling.counting.incell import charged
from steelyard.profiling.counting.incell.operators import Operators


class BuiltinCalls(Operators):
    """Charges calls as it visits them; `charged` lists which, and the operand."""

    def __init__(self, tree: ast.Module) -> None:
        super().__init__(tree)
        self._many_digits = any(
            isinstance(node, ast.Attribute) and node.attr == "set_int_max_str_digits"
            for node in ast.walk(tree)
        )

    def visit_Call(self, node: ast.Call) -> ast.expr:
        called = self._bindings.dotted(node.func)
        if called == "builtins.range":
            node.args = [self._uncharged(each) for each in node.args]
            return node
        if called in ("builtins.sorted", "statistics.median"):
            _make_list(node)
        numbers = [self._bindings.is_number(each) for each in node.args]
        node = self._generic(node)
        starred = any(isinstance(each, ast.Starred) for each in node.args)
        if called == "builtins.print":
            node.args = [
                each
                if isinstance(each, (ast.Starred, ast.Constant))
                else self._wrap("digits" if self._many_digits else "weigh", each)
                for each in node.args
            ]
            return node
        if called and not starred:
            known = self._function_call(node, called, numbers)
            if known is not None:
                return known
        if isinstance(node.func, ast.Attribute):
            return self._method_call(node, node.func, starred=starred)
        return node

    def _function_call(self, node: ast.Call, called: str, numbers: list[bool]) -> ast.expr | None:
        """Return the charged call of a function known by name; None for any other."""
        arguments = node.args
        if self._many_digits and called in charged.DIGITS and len(arguments) == 1:
            arguments[0] = self._wrap("digits", arguments[0])
        if called == "builtins.pow" and len(arguments) > 1:
            packed = self._located("power", node, *arguments)
            node.args = [ast.copy_location(ast.Starred(packed, ast.Load()), node)]
            return node
        if called in charged.INSORTS and len(arguments) == 2 and not node.keywords:
            packed = self._located("insorted", node, *arguments)
            node.args = [ast.copy_location(ast.Starred(packed, ast.Load()), node)]
            return node
        if called in charged.WHERE_ALONE and len(arguments) == 1:
            arguments[0] = self._wrap("consume", arguments[0])
            return node
        if called in charged.FUNCTIONS:
            charge, place = charged.FUNCTIONS[called]
            if len(arguments) > place:
                more = (ast.Constant(_is_keyed(node)),) if charge == "order" else ()
                arguments[place] = self._wrap(charge, arguments[place], *more)
        read = isinstance(node.func, ast.Name) and called.startswith("sys.stdin.")
        if read or (called in charged.RESULTS and not all(numbers[:1] or [False])):
            return self._wrap("weigh", node)
        known = called in charged.FUNCTIONS or called in charged.WHERE_ALONE
        return node if known or called.partition(".")[0] in charged.CHARGED_MODULES else None

    def _method_call(self, node: ast.Call, func: ast.Attribute, *, starred: bool) -> ast.expr:
        name = func.attr
        if isinstance(func.value, ast.Call) and getattr(func.value.func, "id", "") == "super":
            return node
        if name == "sort":
            if not node.args:
                keyed = ast.Constant(_is_keyed(node))
                func.value = self._wrap("order_list", func.value, keyed)
            return node
        if name in charged.METHOD_MOVES:
            return node if starred else self._moving(node, func)
        if name == "write" and len(node.args) == 1 and not starred:
            node.args[0] = self._wrap("weigh", node.args[0])
            return node
        if name in self._bindings.methods:
            return node
        if name in charged.METHOD_OBJECTS:
            func.value = self._wrap("weigh", func.value)
        if name in charged.METHOD_ARGUMENTS:
            node.args = [
                each if isinstance(each, ast.Starred) else self._wrap("consume", each)
                for each in node.args
            ]
        return self._wrap("weigh", node) if name in charged.METHOD_RESULTS else node

    def _moving(self, node: ast.Call, func: ast.Attribute) -> ast.expr:
        """Return a method that moves what lies behind an index."""
        if not node.args or len(node.args) > 2 or node.keywords:
            return node
        index = _constant_index(node.args[0])
        if index == -1 and func.attr == "pop":
            return node
        if index is not None:
            func.value = self._wrap("shift", func.value, ast.Constant(index))
            return node
        name = ast.Constant(func.attr)
        if func.attr.startswith("__"):
            return node
        node.func = ast.copy_location(
            self._call("pick", self._place("call", node), node, func.value, name), node.func
        )
        return node


def _is_keyed(node: ast.Call) -> bool:
    """Return whether what is sorted is not compared itself."""
    return any(each.arg == "key" or each.arg is None for each in node.keywords)


def _make_list(node: ast.Call) -> None:
    """A generator that is sorted is a list first, so that its order can be seen."""
    if node.args and isinstance(node.args[0], ast.GeneratorExp):
        given = node.args[0]
        if not any(each.is_async for each in given.generators):
            node.args[0] = ast.copy_location(ast.ListComp(given.elt, given.generators), given)


def _constant_index(node: ast.expr) -> int | None:
    sign = 1
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        sign, node = -1, node.operand
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return sign * node.value
    return None
