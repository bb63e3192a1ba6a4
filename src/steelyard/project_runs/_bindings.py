"""Which names a body binds, and which definition of a name is in force when it has run."""

import ast
import operator
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
How: TypeAlias = Literal["function", "class", "assignment", "import", "deletion"]

_ROLES = ("setter", "deleter")
_COMPARISONS: dict[type[ast.cmpop], object] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_OLDEST = 11
"""The minor version of the oldest Python 3 that a project may run on."""


@dataclass(frozen=True, slots=True)
class Bound:
    """One binding of a name."""

    name: str
    """With `.setter` or `.deleter` for those of a property."""
    how: How
    node: ast.stmt
    outer: ast.stmt
    """The statement of the body that it stands in, or is."""
    sure: bool
    """Whether it runs whenever the body does."""
    origin: str = ""
    """What an import imports: `module:name`, `module`, or `module:*`, dots in front if relative."""


def bindings(body: Iterable[ast.stmt]) -> Iterator[Bound]:
    """What a body binds, in order, blocks within it included, functions and classes not."""
    for statement in body:
        yield from _of(statement, statement, True)


def in_force(bound: Iterable[Bound]) -> tuple[Bound | None, list[Bound]]:
    """The binding of one name that holds in the end, and others that may hold in its place.

    A definition gives way only to a later definition, or to another binding that surely runs.
    """
    current: Bound | None = None
    rivals: list[Bound] = []
    for one in bound:
        if one.how in ("function", "class") or one.sure or current is None:
            if current is not None and not one.sure:
                rivals.append(current)
            elif one.sure:
                rivals = []
            current = one
        else:
            rivals.append(one)
    return current, rivals


def dotted(node: ast.expr) -> str:
    """The dotted name of a decorator, a call's without its arguments; empty where it has none."""
    if isinstance(node, ast.Call):
        node = node.func
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join([node.id, *reversed(parts)])


def is_overload(node: Function) -> bool:
    """Whether it is a signature for type checkers only."""
    return any(dotted(item).rpartition(".")[2] == "overload" for item in node.decorator_list)


def truth(test: ast.expr) -> bool | None:
    """What a condition comes to wherever Python 3.11 or later runs on Linux; None: unknown."""
    match test:
        case ast.Constant(value=value):
            return bool(value)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inner = truth(operand)
            return None if inner is None else not inner
        case ast.Name() | ast.Attribute():
            name = dotted(test).rpartition(".")[2]
            return {"TYPE_CHECKING": False, "PY2": False, "PY3": True}.get(name)
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return _compare(dotted(left), op, right)
        case _:
            return None


def _compare(left: str, op: ast.cmpop, right: ast.expr) -> bool | None:
    known = {"sys.platform": "linux", "os.name": "posix", "platform.system": "Linux"}
    if left in known and isinstance(right, ast.Constant) and isinstance(right.value, str):
        if isinstance(op, ast.Eq | ast.NotEq):
            return (known[left] == right.value) is isinstance(op, ast.Eq)
        return None
    if left != "sys.version_info" or not isinstance(right, ast.Tuple):
        return None
    wanted = [item.value for item in right.elts if isinstance(item, ast.Constant)]
    version = tuple(value for value in wanted if isinstance(value, int))
    if len(version) != len(right.elts) or not version or version > (3, _OLDEST):
        return None
    if isinstance(op, ast.GtE | ast.Gt) and version <= (3, _OLDEST):
        return True if isinstance(op, ast.GtE) or version < (3, _OLDEST) else None
    return False if isinstance(op, ast.Lt) else None


def _of(node: ast.stmt, outer: ast.stmt, sure: bool) -> Iterator[Bound]:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            role = _role(node)
            if role is not None:
                yield Bound(node.name + role, "function", node, outer, sure)
        case ast.ClassDef():
            yield Bound(node.name, "class", node, outer, sure)
        case ast.Import() | ast.ImportFrom():
            yield from _imported(node, outer, sure)
        case ast.If():
            known = truth(node.test)
            if known is not False:
                yield from _block(node.body, outer, sure and known is True)
            if known is not True:
                yield from _block(node.orelse, outer, sure and known is False)
        case ast.Try() | ast.TryStar():
            yield from _tried(node, outer, sure)
        case ast.With() | ast.AsyncWith():
            for item in node.items:
                if item.optional_vars is not None:
                    yield from _targets([item.optional_vars], node, outer, sure)
            yield from _block(node.body, outer, sure)
        case ast.For() | ast.AsyncFor():
            yield from _targets([node.target], node, outer, False)
            yield from _block(node.body, outer, False)
            yield from _block(node.orelse, outer, sure)
        case ast.While():
            yield from _block(node.body, outer, False)
            yield from _block(node.orelse, outer, False)
        case ast.Match():
            for case in node.cases:
                yield from _block(case.body, outer, False)
        case ast.Assign():
            yield from _targets(node.targets, node, outer, sure)
        case ast.AugAssign():
            yield from _targets([node.target], node, outer, sure)
        case ast.AnnAssign(value=ast.expr()):
            yield from _targets([node.target], node, outer, sure)
        case ast.Delete():
            for bound in _targets(node.targets, node, outer, sure):
                yield Bound(bound.name, "deletion", node, outer, sure)
        case _:
            pass


def _block(body: list[ast.stmt], outer: ast.stmt, sure: bool) -> Iterator[Bound]:
    for statement in body:
        yield from _of(statement, outer, sure)


def _tried(node: ast.Try | ast.TryStar, outer: ast.stmt, sure: bool) -> Iterator[Bound]:
    tried = list(_block([*node.body, *node.orelse], outer, sure and not node.handlers))
    yield from tried
    defined = {bound.name for bound in tried if bound.how in ("function", "class")}
    for handler in node.handlers:
        for bound in _block(handler.body, outer, False):
            # What a handler defines stands in only where the tried definition failed.
            if bound.name not in defined:
                yield bound
    yield from _block(node.finalbody, outer, sure)


def _role(node: Function) -> str | None:
    """`.setter`, `.deleter` or nothing; None where it leaves the name's binding as it is."""
    for item in node.decorator_list:
        *owner, last = dotted(item).split(".")
        if last == "overload":
            return None
        if owner and owner[-1] == node.name:
            if last in _ROLES:
                return f".{last}"
            if last == "register":
                return None
    return ""


def _imported(node: ast.Import | ast.ImportFrom, outer: ast.stmt, sure: bool) -> Iterator[Bound]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            name = alias.asname or alias.name.partition(".")[0]
            origin = alias.name if alias.asname else name
            yield Bound(name, "import", node, outer, sure, origin)
        return
    module = "." * node.level + (node.module or "")
    for alias in node.names:
        name = alias.asname or alias.name
        yield Bound(name, "import", node, outer, sure, f"{module}:{alias.name}")


def _targets(
    targets: Iterable[ast.expr], node: ast.stmt, outer: ast.stmt, sure: bool
) -> Iterator[Bound]:
    stack = list(targets)
    while stack:
        target = stack.pop()
        match target:
            case ast.Name(id=name):
                yield Bound(name, "assignment", node, outer, sure)
            case ast.Tuple(elts=elts) | ast.List(elts=elts):
                stack.extend(elts)
            case ast.Starred(value=value):
                stack.append(value)
            case _:
                pass
