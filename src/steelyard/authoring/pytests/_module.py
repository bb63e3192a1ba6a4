"""Find the module that a suite is for, and alter it: its functions return something else.

A test that looks at a result must fail with an altered version. The functions keep their own
behaviour while the module is imported, so that every version can be imported: decorators and
constants are computed as ever.
"""

import ast
from dataclasses import dataclass
from pathlib import Path

from steelyard.errors import SubjectError, UsageError
from steelyard.project_runs import (
    Project,
    UnparsableError,
    find_file,
    interpreter_of,
    parse,
    read_project,
    read_text,
)


@dataclass(frozen=True, slots=True)
class TestedModule:
    """A module with what it needs to be imported."""

    __test__ = False

    project: Project
    python: str
    """The project's interpreter."""
    path: str
    """The module's file, relative to the project."""
    module: str
    """Its dotted name."""
    import_root: str
    source: str
    encoding: str
    qualname: str = ""

    @property
    def tree(self) -> ast.Module:
        """The module's syntax tree."""
        return parse(self.source).tree


def find_module(file: Path, root: Path | None = None) -> TestedModule:
    """Return a module by its file.

    Args:
        file: The module's file; relative to the working folder, or to the project.
        root: The project's folder. None: the module needs no other file.

    Raises:
        SubjectError: if the file or the project cannot be read, or the module defines nothing.
    """
    found = _resolved(file)
    if root is None:
        folder, place = found.parent, found.name
    else:
        folder = _resolved(root)
        if not folder.is_dir():
            raise SubjectError(f"{root} is not a folder; name the project's folder")
        inside = found if found.is_file() else folder / file
        if not inside.is_relative_to(folder):
            raise SubjectError(f"{file} is not in {root}; name the project's folder")
        place = inside.relative_to(folder).as_posix()
    import_root, module, path = find_file(folder, place)
    source, encoding = read_text(path, place)
    tested = TestedModule(
        project=_project(folder if root is not None else None, path),
        python=interpreter_of(folder),
        path=place,
        module=module,
        import_root=import_root,
        source=source,
        encoding=encoding,
    )
    _require_definitions(tested, place)
    return tested


def read_bug(file: Path, module: TestedModule) -> str:
    """Return the text of a version of the module with a known bug.

    Raises:
        UsageError: if it cannot be read or parsed, or is the module itself.
    """
    text, _ = read_text(_resolved(file), str(file))
    try:
        same = ast.dump(parse(text).tree) == ast.dump(module.tree)
    except UnparsableError as error:
        raise UsageError(f"{file}: {error}; give a version of {module.path} that runs") from error
    if same:
        raise UsageError(f"{file} holds the same program as {module.path}; give the buggy version")
    return text


def _project(root: Path | None, file: Path) -> Project:
    if root is not None:
        return read_project(root)
    project = Project()
    project.add(file.name, file.read_bytes(), executable=False)
    return project


def _require_definitions(module: TestedModule, shown: str) -> None:
    try:
        nodes = ast.walk(module.tree)
    except UnparsableError as error:
        line = f":{error.line}" if error.line else ""
        raise SubjectError(f"{shown}{line}: {error}; fix the module") from error
    if not any(isinstance(node, _Function | ast.ClassDef) for node in nodes):
        raise SubjectError(f"{shown} defines no function or class to test; give another module")


def statement_spans(tree: ast.Module) -> tuple[range, ...]:
    """Return the lines of each statement; of one that holds others the lines before those."""
    return tuple(
        _span(node) for node in ast.walk(tree) if isinstance(node, ast.stmt | ast.ExceptHandler)
    )


def _span(node: ast.stmt | ast.ExceptHandler) -> range:
    body: list[ast.stmt] = getattr(node, "body", [])
    end = body[0].lineno if body else (node.end_lineno or node.lineno) + 1
    return range(node.lineno, max(end, node.lineno + 1))


def _resolved(file: Path) -> Path:
    try:
        return file.resolve()
    except (OSError, ValueError, RuntimeError) as error:
        raise SubjectError(f"{file} cannot be read: {error}; give another file") from error


FOREIGN, NOTHING = "_SteelyardForeign()", "None"
"""What functions return: a value that no comparison survives, or None."""
_READY = "_steelyard_ready"
_PRELUDE = f"""
{_READY} = False

def _steelyard_look(*args, **kwargs):
    raise AssertionError("the module returned a foreign value")

class _SteelyardForeign:
    __bool__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _steelyard_look
    __len__ = __iter__ = __next__ = __contains__ = __getitem__ = __call__ = _steelyard_look
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __neg__ = _steelyard_look
    __truediv__ = __rtruediv__ = __round__ = __abs__ = __int__ = __float__ = _steelyard_look
    __enter__ = __exit__ = __await__ = __getattr__ = _steelyard_look
    __hash__ = object.__hash__
"""
_WATCHED = f"""
def __getattribute__(self, name):
    value = object.__getattribute__(self, name)
    if not {_READY} or name.startswith("_") or callable(value):
        return value
    return _SteelyardForeign()
"""
_STATE = frozenset({"__init__", "__post_init__", "__init_subclass__", "__set_name__"})
_LEFT = frozenset({"__new__", "__class_getitem__", "__getattribute__", "__del__"})
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def altered_source(tree: ast.Module, value: str) -> str:
    """Return the text of a module whose functions return a value, whatever they are given.

    Args:
        tree: The module; it is not changed.
        value: `FOREIGN` or `NOTHING`.
    """
    changed = ast.parse(ast.unparse(tree))
    body = _Altering(value).visit(changed).body
    begin = _after_head(body)
    prelude = ast.parse(_PRELUDE).body
    end = ast.parse(f"{_READY} = True").body
    module = ast.Module([*body[:begin], *prelude, *body[begin:], *end], [])
    return ast.unparse(ast.fix_missing_locations(module))


class _Altering(ast.NodeTransformer):
    """Gives each function another result."""

    def __init__(self, value: str) -> None:
        self._value = value

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """A function."""
        self._alter(node)
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AsyncFunctionDef:
        """A coroutine function."""
        self._alter(node)
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        """A function without a name."""
        node.body = ast.IfExp(_name(_READY), _expression(self._value), node.body)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        """A class: its methods, and what its objects hold."""
        own = {each.name for each in node.body if isinstance(each, _Function)}
        self.generic_visit(node)
        if self._value == FOREIGN and "__getattribute__" not in own:
            node.body += ast.parse(_WATCHED).body
        return node

    def _alter(self, node: _Function) -> None:
        """Return the value first; the rest of the body is kept for the import."""
        if node.name in _LEFT:
            return
        value = "None" if node.name in _STATE else self._value
        result: list[ast.stmt]
        if _yields(node):
            result = [ast.Expr(ast.Yield(_expression(value))), ast.Return()]
        else:
            result = [ast.Return(_expression(value))]
        node.body.insert(_after_head(node.body), ast.If(_name(_READY), result, []))


def _yields(node: _Function) -> bool:
    """Return True for a generator: a yield of its own, not one of an inner function."""
    inner: list[ast.AST] = list(node.body)
    while inner:
        each = inner.pop()
        if isinstance(each, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(each, _Function | ast.Lambda | ast.ClassDef):
            inner.extend(ast.iter_child_nodes(each))
    return False


def _after_head(body: list[ast.stmt]) -> int:
    """Return the index after a docstring and imports from `__future__`."""
    index = 0
    for node in body:
        match node:
            case ast.Expr(value=ast.Constant(value=str())) if index == 0:
                index += 1
            case ast.ImportFrom(module="__future__"):
                index += 1
            case _:
                break
    return index


def _name(text: str) -> ast.Name:
    return ast.Name(text, ast.Load())


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body
