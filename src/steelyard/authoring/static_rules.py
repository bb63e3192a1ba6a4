"""Check the source of a solution against the static rules of a specification."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from steelyard._printable import printable
from steelyard._python_trees import python_tree

MAX_CHARS = 200_000
_MAX_FAULTS = 20
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_GETTERS = frozenset({"getattr", "hasattr", "attrgetter", "methodcaller"})
Place = tuple[int, str]
"""A line, and what is there."""


def parsed(source: str, what: str = "the program") -> ast.Module | str:
    """Return a program's tree, or why it has none."""
    if len(source) > MAX_CHARS:
        return f"{what} has {len(source)} characters; shorten it to {MAX_CHARS}"
    try:
        return python_tree(source)
    except SyntaxError as error:
        text = printable(str(error.msg))[:80]
        return f"{what} is not Python: line {error.lineno or 1}: {text}; correct this line"
    except (ValueError, RecursionError, MemoryError):
        return f"{what} is nested too deeply or not text; simplify it"


def static_faults(source: str, rules: Sequence[str]) -> tuple[str, ...]:
    """Return one line for each part of a Python program that its rules forbid.

    The program is parsed and never run. A rule forbids a use under another name too, such as
    `f = sorted`, but a program with `getattr` of a computed name is for the gate to refuse.

    Args:
        source: The program's text, which may be hostile.
        rules: Static rules of a specification, such as `no loop` and `no call sorted`.
    """
    tree = parsed(source)
    if isinstance(tree, str):
        return (tree,)
    found = {
        (line, f"line {line}: {what} is not allowed by the rule {rule!r}")
        for rule in rules
        for line, what in _uses(tree, rule)
    }
    return tuple(text for _, text in sorted(found)[:_MAX_FAULTS])


def _uses(tree: ast.Module, rule: str) -> Iterator[Place]:
    _, kind, *name = rule.split(" ")
    if kind == "recursion":
        yield from _recursion(tree)
    elif kind == "call":
        yield from _calls(tree, name[0])
    else:
        for node in ast.walk(tree):
            what = _forbidden(node, kind, name[0] if name else "")
            if what:
                yield getattr(node, "lineno", 1), what


def _forbidden(node: ast.AST, kind: str, name: str) -> str | None:
    """Return what a node is, if a rule about nodes of its kind forbids it."""
    match node:
        case ast.Import(names=aliases) if kind in ("import", "module"):
            modules = [alias.name for alias in aliases]
        case ast.ImportFrom(module=module, names=aliases) if kind in ("import", "module"):
            modules = [module or ".", *(f"{module}.{alias.name}" for alias in aliases)]
        case ast.Attribute(attr=attr) if kind == "method" and attr == name:
            return f"the method {name}"
        case ast.Call(func=called, args=args) if kind == "method" and _last(called) in _GETTERS:
            texts = [arg.value for arg in args if isinstance(arg, ast.Constant)]
            return f"the method {name}" if name in texts else None
        case _:
            if isinstance(node, _LOOPS) and kind == "loop":
                return "a loop"
            if isinstance(node, _COMPREHENSIONS) and kind == "comprehension":
                return "a comprehension"
            return None
    hit = [each for each in modules if not name or each == name or each.startswith(f"{name}.")]
    return f"an import of {hit[0]}" if hit else None


def _last(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")


def _calls(tree: ast.Module, name: str) -> Iterator[Place]:
    """Yield the uses of a function: each mention, because a call can be through another name."""
    module, _, short = name.rpartition(".")
    if not module and name in _defined(tree):
        return
    for node in ast.walk(tree):
        is_use = (
            isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
        ) or (module and isinstance(node, ast.Attribute) and ast.unparse(node) == name)
        if module and isinstance(node, ast.ImportFrom) and node.module == module:
            is_use = any(alias.name in (short, "*") for alias in node.names)
        if is_use:
            yield getattr(node, "lineno", 1), f"a use of {name}"


def _defined(tree: ast.Module) -> set[str]:
    """Return the names of the program's own functions, classes and parameters."""
    return {
        node.arg if isinstance(node, ast.arg) else node.name
        for node in ast.walk(tree)
        if isinstance(node, (*_FUNCTIONS, ast.ClassDef, ast.arg))
    }


@dataclass
class _Function:
    line: int
    calls: set[str] = field(default_factory=set)


def _recursion(tree: ast.Module) -> Iterator[Place]:
    """Yield the functions that can reach themselves by calls."""
    classes = {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    functions: dict[str, _Function] = {}
    for node in ast.walk(tree):
        for name, body in _named_functions(node):
            made = functions.setdefault(name, _Function(getattr(node, "lineno", 1)))
            for inner in ast.walk(body):
                made.calls |= _mentions(inner, classes)
    for name, function in functions.items():
        seen, todo = set[str](), [*function.calls]
        while todo:
            called = todo.pop()
            if called not in seen and called in functions:
                seen.add(called)
                todo += functions[called].calls
        if name in seen:
            yield function.line, f"the recursion of {name}"


def _named_functions(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield name, node
        case ast.Assign(targets=targets, value=ast.Lambda() as value):
            yield from ((target.id, value) for target in targets if isinstance(target, ast.Name))
        case ast.NamedExpr(target=ast.Name(id=name), value=ast.Lambda() as value):
            yield name, value


def _mentions(node: ast.AST, classes: set[str]) -> set[str]:
    """Return the function that a node mentions: by name, or as a method of this program's class."""
    match node:
        case ast.Name(id=name, ctx=ast.Load()):
            return {name}
        case ast.Attribute(value=ast.Name(id=base), attr=attr) if base in {"self", "cls", *classes}:
            return {attr}
        case ast.Attribute(value=ast.Call(func=ast.Name(id=base)), attr=attr) if base in {
            "super",
            "type",
            *classes,
        }:
            return {attr}
    return set()
