"""What callers see of a definition: its parameters, its kind and how it is bound."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from steelyard._printable import printable
from steelyard.project_runs._bindings import Function, dotted

FunctionKind: TypeAlias = Literal["function", "async function", "generator", "async generator"]
Binding: TypeAlias = Literal["plain", "method", "staticmethod", "classmethod", "property"]

_BOUND_BY: dict[str, Binding] = {
    "staticmethod": "staticmethod",
    "classmethod": "classmethod",
    "property": "property",
    "cached_property": "property",
    "abstractproperty": "property",
    "setter": "property",
    "getter": "property",
    "deleter": "property",
}
_BOUND_BY_NAME: dict[str, Binding] = {
    "__new__": "staticmethod",
    "__init_subclass__": "classmethod",
    "__class_getitem__": "classmethod",
}
_POSITION = {"/": "positional-only", "": "ordinary", "*": "keyword-only"}


@dataclass(frozen=True, slots=True)
class _Parameter:
    name: str
    how: str
    """One of `/`, nothing, `*`, `*args`, `**kwargs`."""
    default: ast.expr | None

    def __str__(self) -> str:
        return self.name if self.how in _POSITION else self.how[: -len("args")] + self.name


def kind_of(node: Function) -> FunctionKind:
    """What calling it gives: a value, a coroutine, a generator or an asynchronous one."""
    yields = _yields(node)
    if isinstance(node, ast.AsyncFunctionDef):
        return "async generator" if yields else "async function"
    return "generator" if yields else "function"


def binding_of(node: Function, *, in_class: bool) -> Binding:
    """How an instance reaches it."""
    if not in_class:
        return "plain"
    for decorator in node.decorator_list:
        bound = _BOUND_BY.get(dotted(decorator).rpartition(".")[2])
        if bound is not None:
            return bound
    return _BOUND_BY_NAME.get(node.name, "method")


def decorator_texts(node: Function) -> tuple[str, ...]:
    """The decorators, from the top, without their `@`."""
    return tuple(_shown(item, most=200) for item in node.decorator_list)


def signature_of(arguments: ast.arguments) -> str:
    """The parameters without annotations, in one canonical text.

    Raises:
        ValueError: where a default is too large to be written.
    """
    parts = []
    for one in _parameters(arguments):
        default = "" if one.default is None else f"={_dumped(one.default)}"
        parts.append(f"{one.how}:{one.name}{default}")
    return ", ".join(parts)


def first_difference(original: ast.arguments, candidate: ast.arguments) -> str:
    """What a caller of the candidate would have to write otherwise; empty if nothing."""
    before, after = list(_parameters(original)), list(_parameters(candidate))
    names = [one.name for one in before], [one.name for one in after]
    if names[0] != names[1]:
        return _renamed(before, after)
    for old, new in zip(before, after, strict=True):
        if old.how != new.how:
            became = _POSITION.get(new.how, str(new))
            return f"parameter '{old}' became {became}"
        if old.default is None and new.default is not None:
            return f"parameter '{old}' gained the default {_shown(new.default)}"
        if old.default is not None and new.default is None:
            return f"parameter '{old}' lost its default {_shown(old.default)}"
        if old.default is None or new.default is None:
            continue
        if not same_tree(old.default, new.default):
            shown = f"{_shown(old.default)} to {_shown(new.default)}"
            return f"default of '{old}' changed from {shown}"
    return ""


def same_tree(one: object, other: object) -> bool:
    """Whether two trees are alike but for their places in the text, however deep they are."""
    stack: list[tuple[object, object]] = [(one, other)]
    while stack:
        left, right = stack.pop()
        if type(left) is not type(right):
            return False
        if isinstance(left, ast.AST):
            stack.extend(
                (getattr(left, field, None), getattr(right, field, None))
                for field in left._fields
                if field not in ("kind", "type_comment", "ctx")
            )
        elif isinstance(left, list) and isinstance(right, list):
            if len(left) != len(right):
                return False
            stack.extend(zip(left, right, strict=True))
        elif isinstance(left, float | complex):
            if repr(left) != repr(right):
                return False
        elif left != right:
            return False
    return True


def _yields(node: Function) -> bool:
    stack: list[ast.AST] = list(node.body)
    while stack:
        one = stack.pop()
        if isinstance(one, ast.Yield | ast.YieldFrom):
            return True
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            continue
        stack.extend(ast.iter_child_nodes(one))
    return False


def _parameters(arguments: ast.arguments) -> Iterator[_Parameter]:
    ordinary = [*arguments.posonlyargs, *arguments.args]
    bare = len(ordinary) - len(arguments.defaults)
    defaults: list[ast.expr | None] = [*[None] * bare, *arguments.defaults]
    for index, (one, default) in enumerate(zip(ordinary, defaults, strict=True)):
        how = "/" if index < len(arguments.posonlyargs) else ""
        yield _Parameter(one.arg, how, default)
    if arguments.vararg is not None:
        yield _Parameter(arguments.vararg.arg, "*args", None)
    for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield _Parameter(one.arg, "*", default)
    if arguments.kwarg is not None:
        yield _Parameter(arguments.kwarg.arg, "**args", None)


def _renamed(before: list[_Parameter], after: list[_Parameter]) -> str:
    old, new = [one.name for one in before], [one.name for one in after]
    added = [f"'{one}'" for one in after if one.name not in old]
    gone = [f"'{one}'" for one in before if one.name not in new]
    if not added and not gone:
        return f"the parameters' order changed from ({_list(before)}) to ({_list(after)})"
    if len(added) == len(gone) == 1 and len(old) == len(new):
        return f"parameter {gone[0]} became {added[0]}"
    parts = []
    for names, verb in ((added, "added"), (gone, "removed")):
        if names:
            plural = "parameters" if len(names) > 1 else "parameter"
            more = " and more" if len(names) > 5 else ""
            was = "were" if len(names) > 1 else "was"
            parts.append(f"{plural} {', '.join(names[:5])}{more} {was} {verb}")
    return "; ".join(parts)


def _list(parameters: list[_Parameter]) -> str:
    text = ", ".join(map(str, parameters))
    return text if len(text) <= 80 else text[:77] + "..."


def _shown(node: ast.expr, *, most: int = 60) -> str:
    try:
        text = printable(ast.unparse(node))
    except (RecursionError, ValueError):
        return "..."
    return text if len(text) <= most else text[: most - 3] + "..."


def _dumped(node: ast.expr) -> str:
    for one in ast.walk(node):
        if isinstance(one, ast.Constant):
            one.kind = None
    try:
        return ast.dump(node)
    except RecursionError as error:
        raise ValueError("a default is nested too deeply") from error
