"""Charge operators, slices and assignments that work in C."""

from __future__ import annotations

import ast

from steelyard.profiling.counting.incell import charged
from steelyard.profiling.counting.incell.places import Places, loaded

_REDUCING = (ast.Mod, ast.BitAnd)
_ORDERING = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


class Operators(Places):
    """Charges operators as it visits them."""

    def __init__(self, tree: ast.Module) -> None:
        super().__init__(tree)
        self._makes_big = any(self._may_be_big(node) for node in ast.walk(tree))

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
            node.value = self._wrap("factor", node.value, loaded(node.target))
        elif isinstance(node.op, ast.Add) and not number:
            node.value = self._grown(node.target, node.value)
        elif isinstance(node.op, (ast.FloorDiv, ast.Mod, ast.RShift)) and self._makes_big:
            if isinstance(node.target, ast.Name):  # what is taken off costs what there is
                node.value = self._wrap("taken", node.value, loaded(node.target))
        elif isinstance(node.op, (ast.BitOr, ast.LShift, ast.BitAnd, ast.Sub)) and not number:
            node.value = self._wrap("weigh", node.value)
        return node

    def _grown(self, target: ast.expr, value: ast.expr) -> ast.expr:
        """Return the value that is added to a target, charged with what is copied of the target."""
        if isinstance(target, ast.Name):
            grows = self._scope.grows_in_place(target.id)
            return self._wrap("added" if grows else "grown", value, loaded(target))
        holder = target.value if isinstance(target, (ast.Attribute, ast.Subscript)) else None
        if isinstance(target, ast.Attribute) and isinstance(holder, ast.Name):
            return self._wrap("grown_attribute", value, loaded(holder), ast.Constant(target.attr))
        if isinstance(target, ast.Subscript) and isinstance(holder, ast.Name):
            if isinstance(target.slice, ast.Name):
                return self._wrap("grown_item", value, loaded(holder), loaded(target.slice))
            if isinstance(target.slice, ast.Constant):
                index = ast.Constant(target.slice.value)
                return self._wrap("grown_item", value, loaded(holder), index)
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
            value.right = self._wrap("appended", self.visit(value.right), loaded(target))
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


def _is_float(node: ast.BinOp) -> bool:
    sides = (node.left, node.right)
    return any(isinstance(each, ast.Constant) and isinstance(each.value, float) for each in sides)
