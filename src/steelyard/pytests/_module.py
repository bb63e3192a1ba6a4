"""The module that a suite is for, in its project."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from steelyard.equivalence.running import Project, interpreter_of, read_project
from steelyard.equivalence.subject import UnparsableError, find_file, parse, read_text
from steelyard.errors import SubjectError, UsageError


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

    @property
    def defines(self) -> tuple[str, ...]:
        """Qualified names of its functions and methods, nested functions left out."""
        return tuple(_definitions(self.tree.body, ""))


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
        defines = module.defines
    except UnparsableError as error:
        line = f":{error.line}" if error.line else ""
        raise SubjectError(f"{shown}{line}: {error}; fix the module") from error
    if not defines:
        raise SubjectError(f"{shown} defines no function or class to test; give another module")


def _definitions(body: list[ast.stmt], prefix: str) -> Iterator[str]:
    for node in body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield f"{prefix}{node.name}"
            case ast.ClassDef():
                yield f"{prefix}{node.name}"
                yield from _definitions(node.body, f"{prefix}{node.name}.")
            case ast.If() | ast.Try() | ast.With():
                yield from _definitions(node.body, prefix)
            case _:
                pass


def _resolved(file: Path) -> Path:
    try:
        return file.resolve()
    except (OSError, ValueError, RuntimeError) as error:
        raise SubjectError(f"{file} cannot be read: {error}; give another file") from error
