"""Charge operators, slices, assignments and calls that work in C, each at a numbered place.

Every node that is added has the place of the one that it is for, so that tracebacks stay the same.
"""

from __future__ import annotations

import ast
import sys
from functools import cached_property
from typing import TypeVar

from steelyard.profiling.counting.incell import charged
from steelyard.profiling.counting.incell.bindings import Bindings

_Node = TypeVar("_Node", bound=ast.AST)
_REDUCING = (ast.Mod, ast.BitAnd)
_ORDERING = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_GLOBALS_GROW = sys.version_info < (3, 11)


class Operations(ast.NodeTransformer):
    """Numbers the places of a program, and charges the operators and calls that it visits.

    `charged` lists which calls, and the operand.

    Args:
        tree: The program.
    """

    def __init__(self, tree: ast.Module) -> None:
        self.places: list[tuple[str, int]] = []
        """The kind and line of each, by number; grows as nodes are visited."""
        self._bindings = Bindings(tree)
        self._scope = Scope(tree)
        self._makes_big = any(self._may_be_big(node) for node in ast.walk(tree))
        self._many_digits = any(
            isinstance(node, ast.Attribute) and node.attr == "set_int_max_str_digits"
            for node in ast.walk(tree)
        )

    def _generic(self, node: _Node) -> _Node:
        return self.generic_visit(node)  # type: ignore[return-value]  # it gives the same node

    def _visited(self, node: ast.expr) -> ast.expr:
        found: ast.expr = self.visit(node)
        return found

    def _passes(self, over: ast.expr, kind: str, node: ast.AST) -> ast.expr:
        """Return what is gone through, with a counter that takes a step for each element."""
        place = self._place(kind, node)
        counter = _name(f"c{place}")
        counted = ast.Call(_name("compress"), [self.visit(over), counter], [])
        return _located_like(counted, over)

    def _place(self, kind: str, node: ast.AST) -> int:
        self.places.append((kind, getattr(node, "lineno", 0)))
        return len(self.places) - 1

    def _tick(self, place: int, node: ast.AST) -> ast.expr:
        return _located_like(ast.Call(_name("next"), [_name(f"c{place}")], []), node)

    def _wrap(self, charge: str, node: ast.expr, *more: ast.expr) -> ast.expr:
        """Return the expression with a charge around it."""
        return self._located(charge, node, node, *more)

    def _located(self, charge: str, node: ast.expr, *operands: ast.expr) -> ast.expr:
        """Return the call that charges the operands, in place of the expression."""
        return self._call(charge, self._place("operator", node), node, *operands)

    def _call(self, charge: str, place: int, node: ast.expr, *operands: ast.expr) -> ast.expr:
        call = ast.Call(_name(charge), [ast.Constant(place), *operands], [])
        return _located_like(call, node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        if isinstance(node.op, (ast.Add, ast.Mult)):
            return self._sum_or_product(node)
        reduced = isinstance(node.op, _REDUCING) and not self._bindings.is_sequence(node.left)
        if reduced:
            node.left, node.right = self._uncharged(node.left), self._uncharged(node.right)
        else:
            node = self._generic(node)
        if isinstance(node.op, (ast.FloorDiv, ast.Mod, ast.RShift)):
            if self._makes_big and isinstance(node.left, ast.Name):
                node.left = self._wrap("weigh", node.left)
            if isinstance(node.op, ast.Mod) and self._bindings.is_sequence(node.left):
                return self._wrap("weigh", node)
            return node
        large = (isinstance(node.op, ast.LShift) and not isinstance(node.left, ast.Constant)) or (
            isinstance(node.op, ast.Pow) and not isinstance(node.right, ast.Constant)
        )
        if large or (isinstance(node.op, ast.LShift) and self._makes_big and not reduced):
            return self._wrap("weigh", node)
        tables = isinstance(node.op, (ast.BitOr, ast.Sub, ast.BitXor)) and (
            self._is_set(node.left) or self._is_set(node.right)
        )
        return self._wrap("weigh", node) if tables else node

    def _sum_or_product(self, node: ast.BinOp) -> ast.expr:
        is_product = isinstance(node.op, ast.Mult)
        numbers = self._bindings.is_number(node.left), self._bindings.is_number(node.right)
        names = isinstance(node.left, ast.Name) and isinstance(node.right, ast.Name)
        if is_product:
            small = isinstance(node.left, ast.Constant) or isinstance(node.right, ast.Constant)
            plain = all(numbers) and (small or _is_float(node))
        else:  # adding to itself makes a number as long as multiplying does
            plain = any(numbers) and not names
        left, right = self._operands(node)
        node.left, node.right = left, right
        if plain:
            return node
        if is_product:
            return self._located("multiply", node, left, right)
        return self._wrap("weigh", node)

    def _operands(self, node: ast.BinOp) -> tuple[ast.expr, ast.expr]:
        """Of a chain of sums the outermost is charged: it is at least as large as the others."""
        if isinstance(node.op, ast.Mult):
            return self.visit(node.left), self.visit(node.right)
        return (self._chained(node.left), self._chained(node.right))

    def _chained(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            node.left, node.right = self._chained(node.left), self._chained(node.right)
            return node
        return self._visited(node)

    def _uncharged(self, node: ast.expr) -> ast.expr:
        """Arithmetic whose result is made small at once, or is an index, and not kept."""
        grows = isinstance(node, ast.BinOp) and (
            isinstance(node.op, ast.Pow)
            or (isinstance(node.op, ast.LShift) and not isinstance(node.left, ast.Constant))
        )
        if isinstance(node, ast.BinOp) and not grows and not self._bindings.is_sequence(node):
            node.left, node.right = self._uncharged(node.left), self._uncharged(node.right)
            return node
        return self._visited(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AugAssign:
        number = self._bindings.is_number(node.value) or (
            self._bindings.is_number(node.target) and not isinstance(node.value, ast.Name)
        )
        node.target = self.visit(node.target)
        node.value = self.visit(node.value)
        if isinstance(node.op, ast.Mult) and isinstance(node.target, ast.Name):
            node.value = self._wrap("factor", node.value, _loaded(node.target))
        elif isinstance(node.op, ast.Add) and not number:
            node.value = self._grown(node.target, node.value)
        elif isinstance(node.op, (ast.FloorDiv, ast.Mod, ast.RShift)) and self._makes_big:
            if isinstance(node.target, ast.Name):  # what is taken off costs what there is
                node.value = self._wrap("taken", node.value, _loaded(node.target))
        elif isinstance(node.op, (ast.BitOr, ast.LShift, ast.BitAnd, ast.Sub)) and not number:
            node.value = self._wrap("weigh", node.value)
        return node

    def _grown(self, target: ast.expr, value: ast.expr) -> ast.expr:
        """Return the value that is added to a target, charged with what is copied of the target."""
        if isinstance(target, ast.Name):
            grows = self._scope.grows_in_place(target.id)
            return self._wrap("added" if grows else "grown", value, _loaded(target))
        holder = target.value if isinstance(target, (ast.Attribute, ast.Subscript)) else None
        if isinstance(target, ast.Attribute) and isinstance(holder, ast.Name):
            return self._wrap("grown_attribute", value, _loaded(holder), ast.Constant(target.attr))
        if isinstance(target, ast.Subscript) and isinstance(holder, ast.Name):
            if isinstance(target.slice, ast.Name):
                return self._wrap("grown_item", value, _loaded(holder), _loaded(target.slice))
            if isinstance(target.slice, ast.Constant):
                index = ast.Constant(target.slice.value)
                return self._wrap("grown_item", value, _loaded(holder), index)
        return self._wrap("weigh", value)

    def visit_Assign(self, node: ast.Assign) -> ast.Assign:
        value, target = node.value, node.targets[0]
        appends = (
            len(node.targets) == 1
            and isinstance(target, ast.Name)
            and isinstance(value, ast.BinOp)
            and isinstance(value.op, ast.Add)
            and isinstance(value.left, ast.Name)
            and value.left.id == target.id
            and self._scope.grows_in_place(target.id)
            and not self._bindings.is_number(value)
        )
        node.targets = [self.visit(each) for each in node.targets]
        if appends:  # `s = s + t` is done in place, if nothing comes between
            assert isinstance(value, ast.BinOp)
            assert isinstance(target, ast.Name)
            value.right = self._wrap("appended", self.visit(value.right), _loaded(target))
            return node
        node.value = self.visit(value)
        if any(
            isinstance(each, ast.Subscript) and isinstance(each.slice, ast.Slice)
            for each in node.targets
        ):
            node.value = self._wrap("weigh", node.value)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        if len(node.ops) != 1:
            return self._generic(node)
        operator, left, right = node.ops[0], node.left, node.comparators[0]
        if isinstance(operator, (ast.In, ast.NotIn)) and not self._bindings.is_table(right):
            call = self._located("within", node, self.visit(left), self.visit(right))
            if isinstance(operator, ast.In):
                return call
            return ast.copy_location(ast.UnaryOp(ast.Not(), call), node)
        sequences = self._bindings.is_sequence(left) or self._bindings.is_sequence(right)
        constant = isinstance(left, ast.Constant) or isinstance(right, ast.Constant)
        if isinstance(operator, (ast.Eq, ast.NotEq)) and sequences and not constant:
            name = "same" if isinstance(operator, ast.Eq) else "differ"
            return self._located(name, node, self.visit(left), self.visit(right))
        if isinstance(operator, _ORDERING) and not sequences:
            numbers = self._bindings.is_number(left) or self._bindings.is_number(right)
            # Texts are put together on both sides of a comparison, or on none.
            if numbers or not (isinstance(left, ast.BinOp) and isinstance(right, ast.BinOp)):
                node.left, node.comparators = self._uncharged(left), [self._uncharged(right)]
                return node
        return self._generic(node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        node.value = self.visit(node.value)
        if isinstance(node.slice, ast.Slice):
            for name in ("lower", "upper", "step"):
                part = getattr(node.slice, name)
                if part is not None:
                    setattr(node.slice, name, self._uncharged(part))
            return self._wrap("weigh", node) if isinstance(node.ctx, ast.Load) else node
        if not any(isinstance(each, ast.Slice) for each in ast.walk(node.slice)):
            node.slice = self._uncharged(node.slice)
        return node

    def visit_Delete(self, node: ast.Delete) -> ast.Delete:
        for target in node.targets:
            if isinstance(target, ast.Subscript):
                last = isinstance(target.slice, ast.UnaryOp)
                target.value = self.visit(target.value)
                if not last:
                    target.value = self._wrap("moved", target.value)
        return node

    def visit_Starred(self, node: ast.Starred) -> ast.Starred:
        node.value = self.visit(node.value)
        if isinstance(node.ctx, ast.Load):
            node.value = self._wrap("consume", node.value)
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        node.values = [self._formatted(each) for each in node.values]
        return self._wrap("weigh", node)

    def _formatted(self, node: ast.expr) -> ast.expr:
        """Visit a formatted value; its format specification must stay a joined string."""
        if isinstance(node, ast.FormattedValue):
            node.value = self.visit(node.value)
        return node

    def _may_be_big(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Call):
            called = self._bindings.dotted(node.func)
            return called in charged.BIG or (called == "builtins.pow" and len(node.args) == 2)
        if isinstance(node, ast.AugAssign):
            return isinstance(node.op, (ast.Mult, ast.Pow, ast.LShift))
        return isinstance(node, ast.BinOp) and (
            (isinstance(node.op, ast.Pow) and not isinstance(node.right, ast.Constant))
            or (isinstance(node.op, ast.LShift) and not isinstance(node.left, ast.Constant))
        )

    def _is_set(self, node: ast.expr) -> bool:
        return not isinstance(node, ast.Constant) and self._bindings.is_table(node)

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


def _is_float(node: ast.BinOp) -> bool:
    sides = (node.left, node.right)
    return any(isinstance(each, ast.Constant) and isinstance(each.value, float) for each in sides)


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


def _name(name: str) -> ast.Name:
    return ast.Name(charged.PREFIX + name, ast.Load())


def _loaded(node: ast.Name) -> ast.Name:
    """Return the name as a read, though the node is a binding."""
    return ast.Name(node.id, ast.Load())


def _located_like(node: ast.expr, other: ast.AST) -> ast.expr:
    """Return the node with all that is new in it at another's place."""
    ast.copy_location(node, other)
    for child in ast.iter_child_nodes(node):
        if "lineno" in child._attributes and not hasattr(child, "lineno"):
            _located_like(child, other)  # type: ignore[arg-type]
    return node


class Scope:
    """One function's, class's or module's names.

    Args:
        node: It.
    """

    def __init__(self, node: ast.AST) -> None:
        self._node = node

    def grows_in_place(self, name: str) -> bool:
        """Return whether `name += text` costs what is added, and not all that there is then."""
        if not isinstance(self._node, _FUNCTIONS):
            return _GLOBALS_GROW and isinstance(self._node, ast.Module)
        return name not in self._shared

    @cached_property
    def _shared(self) -> set[str]:
        """The names that are not this function's alone."""
        found: set[str] = set()
        body = self._node.body  # type: ignore[attr-defined]
        todo: list[tuple[ast.AST, bool]] = [
            (each, False) for each in (body if isinstance(body, list) else [body])
        ]
        while todo:
            node, inner = todo.pop()
            if isinstance(node, (ast.Global, ast.Nonlocal)):
                found.update(node.names)
            elif isinstance(node, ast.Name) and inner:
                found.add(node.id)
            inner = inner or isinstance(node, (*_FUNCTIONS, *_COMPREHENSIONS))
            todo += [(each, inner) for each in ast.iter_child_nodes(node)]
        return found
