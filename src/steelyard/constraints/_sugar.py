"""Rewrite forms that are short for other forms, before a constraint is read.

`map(f, x)` is `(f(v) for v in x)`, `0 <= a, b < n` is `0 <= a < n and 0 <= b < n`.
"""

import ast
import string
from typing import cast

_LETTERS = frozenset(
    {"ascii_lowercase", "ascii_uppercase", "ascii_letters", "digits", "hexdigits", "punctuation"}
)
_MODULES = frozenset({"math", "itertools"})
SHORT_FORMS = frozenset({"map", "pairwise", "frozenset"})
"""Functions that are rewritten as others."""
NAMES = SHORT_FORMS | _MODULES | {"string"}
"""Names that a rewritten form begins with."""
_SAME = {"pairwise": "zip", "frozenset": "set"}
_ITEM = "item of map"  # no name that can be written


class CommaError(Exception):
    """A comma between conditions, without one meaning."""

    def __init__(self, node: ast.expr) -> None:
        super().__init__("a comma is not a condition; write and between conditions")
        self.node = node


def plain_forms(tree: ast.expr) -> ast.expr:
    """Return an expression of the same meaning without short forms.

    Raises:
        CommaError: if commas separate conditions in a way that has several meanings.
    """
    if isinstance(tree, ast.Tuple):
        tree = ast.copy_location(ast.BoolOp(ast.And(), _between_commas(tree)), tree)
    return cast("ast.expr", _Rewriter().visit(tree))


def _between_commas(node: ast.Tuple) -> list[ast.expr]:
    """Return the conditions of `0 <= a, b < n`: both bounds are for all that is between them.

    The first bound is a constant: `a <= b, c <= d` may as well be two conditions.
    """
    before, after = list[ast.expr](), list[ast.expr]()
    items = [*node.elts]
    match items:  # `a != b and 0 <= a, b < n and a > 5`
        case [ast.BoolOp(op=ast.And(), values=[*before, first_one]), *_]:
            items[0] = first_one
    match items:
        case [*_, ast.BoolOp(op=ast.And(), values=[last_one, *after])]:
            items[-1] = last_one
    match items:
        case [
            ast.Compare(left=low, ops=[first], comparators=[one]),
            *middle,
            ast.Compare(left=last, ops=[second], comparators=[high]),
        ] if _is_constant(low) and _same_way(first, second) and not any(map(_is_condition, middle)):
            between = [
                ast.copy_location(ast.Compare(low, [first, second], [each, high]), node)
                for each in (one, *middle, last)
            ]
            return [*before, *between, *after]
    if node.elts and all(isinstance(each, ast.Compare) and len(each.ops) > 1 for each in node.elts):
        return node.elts
    raise CommaError(node)


def _is_constant(node: ast.expr) -> bool:
    return not any(isinstance(each, ast.Name) for each in ast.walk(node))


def _same_way(*signs: ast.cmpop) -> bool:
    return any(
        all(isinstance(each, way) for each in signs) for way in (ast.Lt | ast.LtE, ast.Gt | ast.GtE)
    )


def _is_condition(node: ast.expr) -> bool:
    return isinstance(node, ast.Compare | ast.BoolOp) or (
        isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    )


class _Rewriter(ast.NodeTransformer):
    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        match node:
            case ast.Attribute(value=ast.Name(id="string"), attr=attr) if attr in _LETTERS:
                return ast.copy_location(ast.Constant(getattr(string, attr)), node)
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        name, args = "", node.args
        match node.func:
            case ast.Attribute(value=ast.Name(id=base), attr=attr) if base in _MODULES:
                name = attr
            case ast.Attribute(value=ast.Name(id="str"), attr=attr) if args:
                node.func, node.args = ast.Attribute(args[0], attr), args[1:]
            case ast.Name(id=name):
                pass
        if name == "map" and len(args) == 2:
            return self.generic_visit(_mapped(node))
        if name == "pairwise" and len(args) == 1:
            node.args = [args[0], ast.Subscript(args[0], ast.Slice(ast.Constant(1)))]
        if name:
            node.func = ast.Name(_SAME.get(name, name), ast.Load())
        match node.keywords:
            case [ast.keyword(arg="reverse", value=ast.Constant(value=True) as reverse)] if (
                name == "sorted"
            ):
                node.args, node.keywords = [*args, reverse], []
            case [ast.keyword(arg="default", value=default)] if name in ("min", "max"):
                node.keywords = []
                listed = ast.Call(ast.Name("list", ast.Load()), args, [])
                chosen = ast.IfExp(listed, node, default)
                return self.generic_visit(_placed(chosen, node))
        return self.generic_visit(_placed(node, node))


def _mapped(node: ast.Call) -> ast.expr:
    item, target = ast.Name(_ITEM, ast.Load()), ast.Name(_ITEM, ast.Store())
    function, source = node.args
    if isinstance(function, ast.Attribute):
        body = ast.Call(ast.Attribute(item, function.attr), [], [])
    else:
        body = ast.Call(function, [item], [])
    loop = ast.comprehension(target, source, [], 0)
    return _placed(ast.GeneratorExp(body, [loop]), node)


def _placed(tree: ast.expr, at: ast.expr) -> ast.expr:
    """Give the new nodes of a tree the place of another one, for messages."""
    for node in ast.walk(tree):
        if isinstance(node, ast.expr) and not hasattr(node, "col_offset"):
            ast.copy_location(node, at)
    return tree
