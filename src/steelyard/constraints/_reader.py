"""Turn Python's syntax, checked form by form, into a typed tree.

Nothing of the text is compiled or run. What is not on the list of forms is a fault with its column.
"""

import ast
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NoReturn, cast

from steelyard.constraints._free import Length
from steelyard.constraints._notation import SIZE
from steelyard.constraints._operations import (
    ANY,
    FUNCTIONS,
    JOINED,
    METHODS,
    NEGATIVE,
    OPERATORS,
    REPEATED,
    UNITED,
    item_of,
    joint,
    list_of,
)
from steelyard.constraints._tree import (
    BOOL,
    FLOAT,
    INT,
    NONE,
    STR,
    Apply,
    Chain,
    Choice,
    Const,
    Display,
    Item,
    Logic,
    Loop,
    Many,
    Name,
    Node,
    Operation,
    Part,
    Sign,
    Target,
)
from steelyard.constraints._typing import FormError, check, check_comparison
from steelyard.values import PlainType

_MAX_NODES = 500
_MAX_DEPTH = 40
_SIGNS: dict[type[ast.cmpop], Sign] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.Is: "==",
    ast.IsNot: "!=",
}
_OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
}
_FORMS: dict[type[ast.AST], str] = {
    ast.Lambda: "a lambda",
    ast.JoinedStr: "an f-string",
    ast.NamedExpr: "an assignment",
    ast.DictComp: "a dict comprehension",
    ast.Dict: "a dict",
    ast.Starred: "a starred item",
    ast.Await: "await",
    ast.Yield: "yield",
    ast.YieldFrom: "yield",
}
_CONSTANTS = {str: STR, bool: BOOL, int: INT, float: FLOAT, type(None): NONE}
CLASSES = frozenset({"int", "float", "bool", "str", "list", "tuple", "dict"})


class Reader:
    """Reads the expressions of one constraint."""

    def __init__(self, parameters: Mapping[str, PlainType]) -> None:
        self._scope = {
            name: Name(name, slot, _erased(kind))
            for slot, (name, kind) in enumerate(parameters.items(), 1)
        }
        self._parameters = frozenset(parameters)
        self.slots = len(parameters) + 1
        self.used: set[str] = set()
        self._nodes = 0
        self._depth = 0

    def condition(self, node: ast.expr) -> Node:
        """Read something that is true or false; a list is true unless it is empty."""
        if isinstance(node, ast.Tuple):
            raise FormError(node, "a comma is not a condition; write and between conditions")
        value = self.value(node)
        if value.type in (BOOL, ANY):
            return value
        if isinstance(value, Many):
            raise FormError(node, "a loop alone is not a condition; write all(... for ...)")
        if value.type.is_number:
            return Chain((value, Const(0, INT)), ("!=",))
        return Apply(FUNCTIONS["bool"], (value,), BOOL)

    def value(self, node: ast.expr) -> Node:
        self._nodes += 1
        self._depth += 1
        if self._nodes > _MAX_NODES or self._depth > _MAX_DEPTH:
            raise FormError(node, "the expression is too large or too deep; write it shorter")
        try:
            return self._read(node)
        finally:
            self._depth -= 1

    def _read(self, node: ast.expr) -> Node:
        match node:
            case ast.Constant(value=value):
                kind = _CONSTANTS.get(type(value))
                if kind is None or (isinstance(value, float) and not math.isfinite(value)):
                    raise FormError(node, "use numbers, texts, True, False and None")
                return Const(value, kind)
            case ast.Name():
                return self._name(node)
            case ast.Compare():
                return self._chain(node)
            case ast.BoolOp(op=op, values=values):
                items = tuple(map(self.condition, values))
                return Logic("and" if isinstance(op, ast.And) else "or", items)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return Logic("not", (self.condition(operand),))
            case ast.UnaryOp(op=ast.USub() | ast.UAdd() as op, operand=operand):
                return self._signed(node, op, self.value(operand))
            case ast.BinOp(left=left, op=op, right=right):
                return self._binary(node, op, self.value(left), self.value(right))
            case ast.IfExp(test=test, body=body, orelse=orelse):
                then, other = self.value(body), self.value(orelse)
                return Choice(self.condition(test), then, other, joint([then.type, other.type]))
            case ast.Subscript(value=base, slice=index):
                return self._item(node, self.value(base), index)
            case ast.List(elts=elts) | ast.Tuple(elts=elts) | ast.Set(elts=elts):
                items = tuple(map(self.value, elts))
                if isinstance(node, ast.Tuple):
                    return Display(items, PlainType("tuple", tuple(each.type for each in items)))
                kind = joint([each.type for each in items])
                return Display(
                    items, PlainType("set" if isinstance(node, ast.Set) else "list", (kind,))
                )
            case ast.GeneratorExp() | ast.ListComp():
                return self._many(node.elt, node.generators)
            case ast.SetComp():
                many = self._many(node.elt, node.generators)
                return Apply(FUNCTIONS["set"], (many,), PlainType("set", many.type.items))
            case ast.Call():
                return self._call(node)
        return self._refuse(node)

    def _refuse(self, node: ast.expr) -> NoReturn:
        form = _FORMS.get(type(node), "this form")
        if isinstance(node, ast.Attribute):
            form = f"the attribute {node.attr[:40]}"
        raise FormError(
            node, f"{form} is not in the language; use comparisons, all(...) and len(...)"
        )

    def _name(self, node: ast.Name) -> Node:
        name = self._scope.get(node.id)
        if name is None:
            if node.id in FUNCTIONS:
                raise FormError(node, f"{node.id} is a function; call it")
            known = ", ".join(sorted(self._parameters))
            raise FormError(
                node, f"{node.id[:40]!r} is not a parameter; the parameters are {known}"
            )
        if name.slot <= len(self._parameters):
            self.used.add(node.id)
        return name

    def _chain(self, node: ast.Compare) -> Node:
        operands = tuple(map(self.value, (node.left, *node.comparators)))
        signs = tuple(_SIGNS[type(op)] for op in node.ops)
        for sign, op, left, right in zip(signs, node.ops, operands, operands[1:], strict=False):
            if isinstance(op, ast.Is | ast.IsNot) and right.type != NONE:
                raise FormError(node, "is compares identities; use == or is None")
            check_comparison(node, left, sign, right)
        return Chain(operands, signs)

    @staticmethod
    def _signed(node: ast.expr, op: ast.unaryop, value: Node) -> Node:
        check(node, "-", "n", value)
        if isinstance(op, ast.UAdd):
            return value
        if isinstance(value, Const):
            return Const(-value.value, _CONSTANTS[type(-value.value)])
        return Apply(NEGATIVE, (value,), NEGATIVE.gives([value.type]))  # type: ignore[operator]

    def _binary(self, node: ast.BinOp, op: ast.operator, left: Node, right: Node) -> Node:
        sign = _OPERATORS.get(type(op))
        if sign is None:
            raise FormError(node, "the operator @ is not in the language")
        kinds = {left.type.base.kind, right.type.base.kind}
        if sign == "^" and (isinstance(left, Const) or isinstance(right, Const)):
            raise FormError(node, "^ is a power or the exclusive or; write ** for a power")
        if sign == "+" and kinds <= {"list", "tuple", "str"} and len(kinds - {"tuple"}) <= 1:
            return _applied(JOINED, left, right)
        if sign == "*" and len(kinds & {"int", "bool"}) == 1 and kinds & {"list", "str", "tuple"}:
            return _applied(REPEATED, left, right)
        if sign in UNITED and kinds == {"set"}:
            return _applied(UNITED[sign], left, right)
        operation = OPERATORS[sign]
        for code, value in zip(operation.takes, (left, right), strict=True):
            check(node, sign, code, value)
        return _folded(_applied(operation, left, right))

    def _item(self, node: ast.Subscript, base: Node, index: ast.expr) -> Node:
        kind = base.type.base
        if isinstance(index, ast.Slice):
            check(node, "a slice", "q", base)
            ends = [
                None if end is None else self.value(end)
                for end in (index.lower, index.upper, index.step)
            ]
            for end in ends:
                if end is not None:
                    check(node, "a slice", "i", end)
            whole = PlainType("list", (item_of(kind),)) if kind.kind == "tuple" else kind
            return Part(base, ends[0], ends[1], ends[2], whole)
        key = self.value(index)
        if kind.kind == "dict":
            check(node, "a key", "s" if kind.key == STR else "i", key)
            return Item(base, key, kind.items[0])
        check(node, "an index", "q", base)
        if kind.kind == "set":
            raise FormError(node, "a set has no index")
        check(node, "an index", "i", key)
        if kind.kind == "tuple" and isinstance(key, Const):
            if not -len(kind.items) <= key.value < len(kind.items):
                raise FormError(node, f"{kind} has no item {key.value}")
            return Item(base, key, kind.items[key.value])
        return Item(base, key, item_of(kind))

    def _many(
        self,
        body: ast.expr,
        generators: Sequence[ast.comprehension],
        read: Callable[[ast.expr], Node] | None = None,
    ) -> Many:
        outside = dict(self._scope)
        try:
            loops = tuple(map(self._loop, generators))
            value = (read or self.value)(body)
        finally:
            self._scope = outside
        return Many(value, loops, list_of(value.type))

    def _loop(self, generator: ast.comprehension) -> Loop:
        source = self.value(generator.iter)
        check(generator.iter, "for", "q", source)
        if generator.is_async:
            raise FormError(generator.iter, "async is not in the language")
        names: list[str] = []
        target = self._target(generator.target, item_of(source.type), names)
        return Loop(target, tuple(names), source, tuple(map(self.condition, generator.ifs)))

    def _target(self, node: ast.expr, kind: PlainType, names: list[str]) -> Target:
        if isinstance(node, ast.Name):
            slot, self.slots = self.slots, self.slots + 1
            self._scope[node.id] = Name(node.id, slot, kind)
            names.append(node.id)
            return slot
        if not isinstance(node, ast.Tuple | ast.List):
            raise FormError(node, "a loop's target must be a name, or names with commas")
        if kind.kind not in ("list", "tuple", "str", "any"):
            raise FormError(node, f"{kind} cannot be unpacked into {len(node.elts)} names")
        kinds: Iterable[PlainType] = [item_of(kind)] * len(node.elts)
        if kind.kind == "tuple" and len(kind.items) == len(node.elts):
            kinds = kind.items
        return tuple(
            self._target(each, item, names) for each, item in zip(node.elts, kinds, strict=True)
        )

    def _call(self, node: ast.Call) -> Node:
        if node.keywords:
            raise FormError(node, f"the keyword {node.keywords[0].arg} is not in the language")
        match node.func:
            case ast.Name(id="isinstance") if len(node.args) == 2:
                names = _class_names(node.args[1])
                value = self.value(node.args[0])
                return Apply(FUNCTIONS["isinstance"], (value, Const(names, ANY)), BOOL)
            case ast.Name(id="all" | "any" as name) if len(node.args) == 1 and isinstance(
                arg := node.args[0], ast.GeneratorExp | ast.ListComp
            ):
                many = self._many(arg.elt, arg.generators, self.condition)
                return Apply(FUNCTIONS[name], (many,), BOOL)
            case ast.Name(id="bool") if len(node.args) == 1:
                return self.condition(node.args[0])
            case ast.Name(id=name) if name == SIZE and len(node.args) == 1:
                value = self.value(node.args[0])
                name = "abs" if value.type.base.is_number else "len"
                return self._applied(node, FUNCTIONS[name], [value])
            case ast.Name(id=name) if name in FUNCTIONS and name not in self._scope:
                args = [self.value(arg) for arg in node.args]
                return self._applied(node, FUNCTIONS[name], args)
            case ast.Name(id=name):
                raise FormError(node, f"{name[:40]!r} is not a function of the language")
            case ast.Attribute(value=base, attr=name):
                return self._method(node, self.value(base), name)
        raise FormError(node, "only functions and methods of the language can be called")

    def _method(self, node: ast.Call, base: Node, name: str) -> Node:
        kind = "list" if base.type.base.kind == "tuple" else base.type.base.kind
        operation = METHODS.get(kind, {}).get(name)
        if operation is None and kind == "any":
            operation = next((table[name] for table in METHODS.values() if name in table), None)
        if operation is None:
            raise FormError(node, f"{base.type} has no method {name[:40]} in the language")
        return self._applied(node, operation, [base, *map(self.value, node.args)])

    def _applied(self, node: ast.Call, operation: Operation, args: list[Node]) -> Node:
        takes, name = operation.takes, operation.name
        needed = len(takes.split("?")[0].rstrip("01*"))
        codes = takes.replace("?", "")
        if "*" in codes:
            codes = codes[0] * max(1, len(args))
        if not needed <= len(args) <= len(codes):
            raise FormError(
                node, f"{name} takes {needed} to {len(codes)} arguments, got {len(args)}"
            )
        name = "an index" if isinstance(node, Length) else name
        for code, arg in zip(codes, args, strict=False):
            check(node, name, code, arg)
        rest = [Const(int(code), INT) for code in codes[len(args) :] if code.isdigit()]
        return _applied(operation, *args, *rest)


def _erased(kind: PlainType) -> PlainType:
    """Return a type in which a union is anything."""
    return ANY if kind.kind == "union" else replace(kind, items=tuple(map(_erased, kind.items)))


def _applied(operation: Operation, *args: Node) -> Node:
    kind = operation.gives
    if not isinstance(kind, PlainType):
        kind = kind([arg.type for arg in args])
    return Apply(operation, args, kind)


def _folded(node: Node) -> Node:
    """Compute an expression of constants: `10**5`. One that has no value stays as it is."""
    if isinstance(node, Apply) and all(isinstance(arg, Const) for arg in node.args):
        try:
            value = node.operation.run(*(cast("Const", arg).value for arg in node.args))
        except (ArithmeticError, ValueError):
            return node
        if type(value) in (int, float):
            return Const(value, _CONSTANTS[type(value)])
    return node


def _class_names(node: ast.expr) -> tuple[str, ...]:
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    names = tuple(part.id for part in parts if isinstance(part, ast.Name) and part.id in CLASSES)
    if len(names) != len(parts):
        raise FormError(node, "isinstance takes int, float, bool, str, list, tuple or dict")
    return names
