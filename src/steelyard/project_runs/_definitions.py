"""The definition that a qualified name stands for, in one module's tree."""

import ast
import difflib
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from steelyard.project_runs._bindings import Bound, Function, bindings, in_force
from steelyard.project_runs._parsing import Source

_ACCESSORS = {
    "setter": ".setter",
    "fset": ".setter",
    "deleter": ".deleter",
    "fdel": ".deleter",
}


_MOST_FUNCTIONS = 5000


class NotDefinedError(Exception):
    """No function has the name; `bound` is what binds it or a part of it instead, if anything."""

    def __init__(self, text: str, bound: Bound | None = None) -> None:
        super().__init__(text)
        self.bound = bound


@dataclass(frozen=True, eq=False)
class Definition:
    """A function's definition and where it stands."""

    qualname: str
    """In one spelling: a property's setter is `name.setter`."""
    node: Function
    classes: tuple[ast.ClassDef, ...]
    """Around it, from the outside in."""
    outers: tuple[ast.stmt, ...]
    """The statement of each body that leads to it: the module's first, then each class's."""
    notes: tuple[str, ...] = ()


def find_definition(source: Source, qualname: str) -> Definition:
    """The definition in force of a function.

    Args:
        source: The module.
        qualname: Such as `f`, `Class.method`, `Outer.Inner.method` or `Class.property.setter`.

    Raises:
        NotDefinedError: where no function has that name.
    """
    parts = qualname.split(".")
    if "<locals>" in parts:
        raise NotDefinedError(_nested(parts[0]))
    body: list[ast.stmt] = source.body
    classes: list[ast.ClassDef] = []
    outers: list[ast.stmt] = []
    for index, part in enumerate(parts):
        name, rest = part, parts[index + 1 :]
        role = _ACCESSORS.get(rest[0], "") if len(rest) == 1 else ""
        if role and any(_named(body, part + role)):
            name, rest = part + role, []
        path = ".".join([*parts[:index], name])
        bound, rivals = in_force(_named(body, name))
        if bound is None or bound.how == "deletion":
            raise NotDefinedError(_missing(source, parts, index, classes, bound), bound)
        outers.append(bound.outer)
        node = bound.node
        if isinstance(node, ast.ClassDef) and bound.how == "class":
            if not rest:
                raise NotDefinedError(
                    f"'{path}' is a class; name one of its methods, such as {path}.__init__", bound
                )
            classes.append(node)
            body = node.body
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if rest and role:
                raise NotDefinedError(f"'{path}' has no {role[1:]}", bound)
            if rest and rest not in (["fget"], ["getter"]):
                raise NotDefinedError(_nested(path), bound)
            notes = tuple(_rival(path, bound, rival) for rival in rivals)
            return Definition(path, node, tuple(classes), tuple(outers), notes)
        else:
            raise NotDefinedError(_otherwise(path, bound), bound)
    raise NotDefinedError("the name of the function is empty")


def _named(body: list[ast.stmt], name: str) -> Iterator[Bound]:
    return (one for one in bindings(body) if one.name == name)


def qualified_names(source: Source) -> list[str]:
    """Every function of the module and of its classes by its qualified name."""
    return list(functions_of(source))


def functions_of(source: Source) -> dict[str, ast.stmt]:
    """The definitions of the module's functions and methods by their qualified names."""
    found: dict[str, ast.stmt] = {}
    queue: deque[tuple[str, list[ast.stmt]]] = deque([("", source.body)])
    while queue and len(found) < _MOST_FUNCTIONS:
        prefix, body = queue.popleft()
        for bound in bindings(body):
            if bound.how == "function":
                found[prefix + bound.name] = bound.node
            elif isinstance(bound.node, ast.ClassDef):
                queue.append((f"{prefix}{bound.name}.", bound.node.body))
    return found


def span(node: ast.stmt, lines: list[str]) -> tuple[int, int]:
    """First and last line of a statement, from 1, its decorators included."""
    first = node.lineno
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        for decorator in node.decorator_list:
            line = decorator.lineno
            while line > 1 and not lines[line - 1].lstrip(" \t\f").startswith("@"):
                line -= 1
            first = min(first, line)
    return first, node.end_lineno or node.lineno


def _missing(
    source: Source,
    parts: list[str],
    index: int,
    classes: list[ast.ClassDef],
    bound: Bound | None,
) -> str:
    path = ".".join(parts[: index + 1])
    if bound is not None:
        return f"'{path}' is deleted in line {bound.node.lineno}"
    text = f"'{path}' is not defined"
    if classes:
        text = f"class {classes[-1].name} does not define '{parts[index]}'"
        base = _inherited(source, parts[index:], classes[-1])
        if base:
            return f"{text}, it inherits {base}; name {base}"
    close = _close(".".join(parts), qualified_names(source))
    return f"{text}; similar names: {', '.join(close)}" if close else text


def _close(name: str, names: list[str]) -> list[str]:
    last = name.rpartition(".")[2]
    same = [one for one in names if one.rpartition(".")[2] == last]
    return list(dict.fromkeys([*same, *difflib.get_close_matches(name, names, n=3)]))[:3]


def _inherited(source: Source, rest: list[str], node: ast.ClassDef) -> str:
    """The qualified name that a class of the same module gives to this one; empty if none does."""
    seen: set[str] = set()
    stack = [node]
    while stack and len(seen) < 100:
        for base in _bases(stack.pop()):
            if base in seen:
                continue
            seen.add(base)
            found, _ = in_force(_named(source.body, base))
            if found is None or not isinstance(found.node, ast.ClassDef):
                continue
            if any(_named(found.node.body, rest[0])):
                return ".".join([base, *rest])
            stack.append(found.node)
    return ""


def _bases(node: ast.ClassDef) -> Iterator[str]:
    for base in node.bases:
        if isinstance(base, ast.Name):
            yield base.id


def _nested(outer: str) -> str:
    return (
        f"a function within the function '{outer}' cannot be compared on its own; "
        f"name '{outer}', which holds it"
    )


def _otherwise(path: str, bound: Bound) -> str:
    line = f"in line {bound.node.lineno}"
    if bound.how == "import":
        origin = bound.origin
        what = f"'{origin}'" if origin else "another module"
        return f"'{path}' is imported from {what} {line}"
    value = getattr(bound.node, "value", None)
    match value:
        case ast.Lambda():
            return f"'{path}' is a lambda {line}; write it as a def"
        case ast.Name(id=name):
            return f"'{path}' is another name for '{name}' {line}; name '{name}'"
        case ast.Call(func=func):
            called = ast.unparse(func)[:60]
            return (
                f"'{path}' is the result of {called}(...) {line}; "
                "name the function that does the work"
            )
        case _:
            return f"'{path}' is bound by an assignment {line}, not by a def"


def _rival(path: str, bound: Bound, rival: Bound) -> str:
    what = {
        "function": "also defined",
        "class": "also defined as a class",
        "assignment": "also assigned",
        "import": "also imported",
        "deletion": "also deleted",
    }[rival.how]
    return (
        f"'{path}' is {what} in line {rival.node.lineno}, under a condition; "
        f"the definition in line {bound.node.lineno} is used"
    )
