"""`steelyard compare`: a rewritten Python function compared with its original."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from steelyard.cli._flags import Chosen, takes
from steelyard.cli._options import Html, Json, read_source
from steelyard.cli._outputs import check_output, is_verbose, print_result, write_output
from steelyard.cli._progress import progress
from steelyard.comparing import (
    CandidateKind,
    CompareBaseline,
    CompareOptions,
    compare_candidate,
    view,
)
from steelyard.errors import UsageError
from steelyard.sandbox import CellPool
from steelyard.schemas import Comparison

_STDIN = Path("-")


@takes(CompareOptions)
def compare(
    chosen: Chosen[CompareOptions],
    program: Annotated[
        Path,
        typer.Argument(
            metavar="PROGRAM",
            help="File with the rewritten function, its whole module, or a diff. "
            "`-` reads standard input.",
        ),
    ],
    function: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Function to compare: pkg.module:function, pkg.module:Class.method or "
            "path/to/module.py:function.",
        ),
    ],
    root: Annotated[
        Path, typer.Option(metavar="DIR", help="Folder of the project; it is only read.")
    ] = Path(),
    kind: Annotated[CandidateKind, typer.Option(help="What PROGRAM holds.")] = "auto",
    html: Html = None,
    json: Json = False,
) -> None:
    """Compare a rewritten Python function with its original.

    The report shows if the behaviour is the same and if the rewritten function is really faster.
    """
    source = _read(program)
    if not root.is_dir():
        raise UsageError(f"--root: {root} is not a folder; name the project's folder")
    if html is not None:
        check_output(html)
    given = chosen.given
    for field, resolve in (("tests", _in_project), ("inspired", _inspired)):
        given[field] = tuple(resolve(root, path) for path in given.get(field, ()))
    if "python" in given:
        given["python"] = _interpreter(given["python"])
    if "script" in given:
        given["script"] = _script(root, given["script"])
    with CellPool() as pool, progress("comparing") as on_event:
        options = chosen.options(pool=pool, on_event=on_event)
        comparison = compare_candidate(CompareBaseline(function, root, options), source, kind=kind)
    name = "standard input" if program == _STDIN else program.name
    failed = None if html is None else _save(comparison, html, title=f"{name} · {function}")
    print_result(comparison, view(comparison, brief=not is_verbose()), json=json)
    if failed is not None:
        raise failed
    raise typer.Exit(0 if comparison.passed else 1)


def _save(comparison: Comparison, html: Path, *, title: str) -> UsageError | None:
    """Write the page; return why it could not be written."""
    from steelyard.reports import page  # noqa: PLC0415

    try:
        write_output(html, page(title, view(comparison)))
    except UsageError as error:
        return error
    return None


def _in_project(root: Path, path: Path | str, option: str = "--tests") -> str:
    """Return a path relative to the project, from one relative to it or to the working folder.

    A part after `::` names tests in a file, and is kept.
    """
    file, colons, names = str(path).partition("::")
    folder = root.resolve()
    for base in (folder, Path()):
        found = (base / file).resolve()
        if found.exists() and found.is_relative_to(folder):
            return f"{found.relative_to(folder)}{colons}{names}"
    raise UsageError(f"{option}: there is no {file} in {folder}; name what is in it")


def _inspired(root: Path, path: Path) -> str:
    """Return the path relative to the project if it is inside, else absolute."""
    if not path.is_absolute() and (root / path).exists():
        return str(path)
    if not path.exists():
        raise UsageError(f"--inspired: there is no {path}; name a file or folder of tests")
    return str(path.absolute())


def _script(root: Path, words: tuple[str, ...]) -> tuple[str, ...]:
    if not words:
        raise UsageError("--script is empty; name a script of the project")
    return (_in_project(root, words[0], "--script"), *words[1:])


def _interpreter(python: Path) -> Path:
    """Keep links: the folder of `.venv/bin/python` decides which packages it has."""
    if python.parent == Path():
        return python
    if not python.is_file():
        raise UsageError(f"--python: {python} is not a file; name an interpreter")
    return python.absolute()


def _read(program: Path) -> bytes | Path:
    if program == _STDIN:
        return sys.stdin.buffer.read()
    read_source(program)  # before the project is looked at
    return program
