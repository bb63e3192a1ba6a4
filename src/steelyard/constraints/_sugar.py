"""Rewrite forms that are short for other forms, before a constraint is read.

`map(f, x)` is `(f(v) for v in x)`, `0 <= a, b < n` is `0 <= a < n and 0 <= b < n`.
"""

import ast
import string
from collections import Counter
from typing import cast

from steelyard.constraints._notation import SIZE
from steelyard.constraints._typing import FormError

_LETTERS = frozenset(
    {"ascii_lowercase", "ascii_uppercase", "ascii_letters", "digits", "hexdigits", "punctuation"}
)
SHORT_FORMS = frozenset({"map", "pairwise", "frozenset"})
"""Functions that are rewritten as others."""
NAMES = SHORT_FORMS | {"string", SIZE}
"""Names that a rewritten form begins with."""
_SAME = {"pairwise": "zip", "frozenset": "set"}
_ITEM = "item of map"  # no name that can be written


def plain_forms(tree: ast.expr, known: frozenset[str]) -> ast.expr:
    """Return an expression of the same meaning without short forms.

    Args:
        tree: The expression.
        known: Names that have a meaning.

    Raises:
        FormError: if commas separate conditions in a way that has several meanings.
    """
    if isinstance(tree, ast.Tuple):
        tree = ast.copy_location(ast.BoolOp(ast.And(), _between_commas(tree)), tree)
    return cast("ast.expr", _Rewriter(_defined(tree) - known).visit(tree))


def _defined(tree: ast.expr) -> set[str]:
    """Return the names that come once and for no loop: `n` in `1 <= n == len(nums)`."""
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    counts = Counter(each.id for each in names)
    return {each.id for each in names if counts[each.id] == 1 and isinstance(each.ctx, ast.Load)}


def _between_commas(node: ast.Tuple) -> list[ast.expr]:
    """Return the conditions of `0 <= a, b < n, a != b`: both bounds are for `a` and for `b`.

    The first bound is a constant: `a <= b, c <= d` may as well be two conditions.
    """
    parts, commas = list[ast.expr](), list[bool]()
    for each in node.elts:
        inner = [each]
        if isinstance(each, ast.BoolOp) and isinstance(each.op, ast.And):
            inner = each.values
        parts += inner
        commas += [*[False] * (len(inner) - 1), each is not node.elts[-1]]
    found: list[ast.expr] = []
    lows: list[ast.expr] = []
    ways: list[ast.cmpop] = []
    waiting: list[ast.expr] = []
    neighbours = zip([False, *commas[:-1]], commas, [*parts[1:], None], strict=True)
    for part, (was_comma, is_comma, after) in zip(parts, neighbours, strict=True):
        match part:
            case _ if not (was_comma or is_comma):
                found.append(part)
            case ast.Compare(left=low, ops=[way], comparators=[one]) if (
                not waiting and is_comma and _is_constant(low) and _may_go_on(after, way)
            ):
                lows, ways, waiting = [low], [way], [one]
            case ast.Compare(left=last, ops=signs, comparators=highs) if not waiting or (
                len(signs) == 1 and (not ways or _same_way(*ways, *signs))
            ):
                if is_comma and len(signs) == 1 and _same_way(*signs) and _may_go_on(after):
                    break
                for each in (*waiting, last):
                    sides = [*lows, each, *highs]
                    whole = ast.Compare(sides[0], [*ways, *signs], sides[1:])
                    found.append(ast.copy_location(whole, node))
                lows, ways, waiting = [], [], []
            case _ if is_comma and not _is_condition(part):
                waiting.append(part)
            case _:
                break
    else:
        if not waiting:
            return found
    raise FormError(node, "a comma is not a condition; write and between conditions")


def _may_go_on(after: ast.expr | None, *ways: ast.cmpop) -> bool:
    """Return True for what may belong to bounds before a comma: `b`, and `b < n`."""
    if isinstance(after, ast.Compare):
        return _same_way(*ways, after.ops[0]) and not (ways and _is_constant(after.left))
    return after is not None and not _is_condition(after)


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
    def __init__(self, defined: set[str]) -> None:
        self._defined = defined

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """Leave out a name that comes once and equals something."""
        operands, signs = [node.left, *node.comparators], [*node.ops]
        for at in reversed(range(len(operands))):
            name, equal = operands[at], [i for i in (at, at - 1) if i in range(len(signs))]
            equal = [i for i in equal if isinstance(signs[i], ast.Eq)]
            if isinstance(name, ast.Name) and name.id in self._defined and equal and signs[1:]:
                del operands[at], signs[equal[0]]
        node.left, *node.comparators = operands
        node.ops = signs
        return self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        match node:
            case ast.Attribute(value=ast.Name(id="string"), attr=attr) if attr in _LETTERS:
                return ast.copy_location(ast.Constant(getattr(string, attr)), node)
            case ast.Attribute(attr="length" | "size"):
                length = ast.Call(ast.Name("len", ast.Load()), [node.value], [])
                return self.generic_visit(_placed(length, node))
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        name, args = "", node.args
        match node.func:
            case ast.Attribute(attr="length" | "size") as attribute if not args:
                return self.visit_Attribute(attribute)
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
