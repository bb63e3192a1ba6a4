"""Check that the arguments of an operation, and the sides of a comparison, have types that fit."""

import ast

from steelyard.constraints._operations import ANY, item_of
from steelyard.constraints._tree import STR, Node, Sign
from steelyard.values import PlainType

_ORDERED = frozenset({"<", "<=", ">", ">="})
_WHAT = {
    "n": "a number",
    "i": "an int",
    "s": "a text",
    "q": "a list or text",
    "l": "a list",
    "m": "a list of rows",
    "e": "a list of edges",
    "N": "a list of numbers",
    "S": "a list of texts",
    "B": "a list of conditions",
    "0": "an int",
    "1": "an int or list",
}


class FormError(Exception):
    """A form that the language lacks, at a node."""

    def __init__(self, node: ast.AST, message: str) -> None:
        super().__init__(message)
        self.column = getattr(node, "col_offset", 0) + 1


def check(node: ast.AST, name: str, code: str, value: Node) -> None:
    """Raise a fault if an argument's type does not fit its code."""
    kind = value.type.base
    has_items = kind.kind in ("list", "tuple", "str", "set", "dict", "any")
    item = item_of(kind).base if has_items else ANY
    unknown = ANY in (kind, item)
    fits = {
        "a": True,
        "n": kind.is_number,
        "i": kind.kind in ("int", "bool"),
        "0": kind.kind in ("int", "bool"),
        "1": has_items or kind.kind == "int",
        "s": kind == STR,
        "q": has_items,
        "l": kind.kind in ("list", "tuple"),
        "m": has_items and (item.is_sequence or unknown),
        "e": has_items and (unknown or (item.is_sequence and item_of(item).kind in ("int", "any"))),
        "N": has_items and (item.is_number or unknown),
        "S": has_items and (item == STR or unknown),
        "B": has_items,
    }
    if kind != ANY and not fits[code]:
        raise FormError(node, f"{name} needs {_WHAT[code]}, got {value.type}")


def check_comparison(node: ast.AST, left: Node, sign: Sign, right: Node) -> None:
    one, other = _family(left.type), _family(right.type)
    if sign in ("in", "not in"):
        check(node, sign, "q", right)
        if other == "str" and one not in ("str", "any"):
            raise FormError(node, f"{sign} a text needs a text, got {left.type}")
        return
    if "any" in (one, other) or (sign not in _ORDERED and "none" in (one, other)):
        return
    if one != other or (sign in _ORDERED and one in ("dict", "none")):
        raise FormError(node, f"{left.type} cannot be compared with {right.type} by {sign}")


def _family(kind: PlainType) -> str:
    kind = kind.base
    return "number" if kind.is_number else "list" if kind.kind == "tuple" else kind.kind
