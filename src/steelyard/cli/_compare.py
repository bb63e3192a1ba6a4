"""`steelyard compare`: a rewritten Python function compared with its original."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from steelyard.cli._options import (
    Html,
    Json,
    Seed,
    abs_tol,
    flags_named,
    limits_of,
    memory_limit,
    read_source,
    rel_tol,
    split_words,
    time_limit,
)
from steelyard.cli._outputs import check_output, is_verbose, print_result, write_output
from steelyard.cli._progress import progress
from steelyard.equivalence import (
    TEST_TIMEOUT_MS,
    AcceptMode,
    CandidateKind,
    CompareBaseline,
    CompareOptions,
    TimingMethod,
    compare_candidate,
    view,
)
from steelyard.errors import UsageError
from steelyard.sandbox import CellPool
from steelyard.schemas import Comparison, Limits

_STDIN = Path("-")
_LEAST_MIB, _MOST_MIB = 64, 1 << 20


def compare(
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
    tests: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATH",
            show_default="all that pytest finds",
            help="File or folder of tests in the project. Repeat for more.",
        ),
    ] = None,
    inspired: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="PATH",
            help="File or folder of tests written for this comparison, in the project or outside. "
            "Repeat for more.",
        ),
    ] = None,
    python: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH",
            show_default="its .venv or venv, else the current one",
            help="Interpreter for the project.",
        ),
    ] = None,
    script: Annotated[
        str | None,
        typer.Option(
            metavar='"FILE ARGS"',
            help="Script of the project, with its arguments; its calls are compared too.",
        ),
    ] = None,
    threshold: Annotated[
        str, typer.Option(metavar="SHARE", help="Least gain that counts: 5% or 0.05.")
    ] = "5%",
    accept: Annotated[AcceptMode, typer.Option(help="What to accept.")] = "faster",
    method: Annotated[
        TimingMethod,
        typer.Option(
            help="Timing method. `loops` reproduces best-of-N timing and can report false gains."
        ),
    ] = "paired",
    rel_tol: Annotated[float, rel_tol()] = 0.0,
    abs_tol: Annotated[float, abs_tol()] = 0.0,
    dict_order: Annotated[
        bool,
        typer.Option("--dict-order/--no-dict-order", help="Compare the order of dictionary keys."),
    ] = True,
    messages: Annotated[
        bool, typer.Option("--messages", help="Compare the messages of exceptions too.")
    ] = False,
    coverage: Annotated[
        str,
        typer.Option(
            metavar="SHARE",
            help="Warn if less than this share of the function's lines and branches is reached.",
        ),
    ] = "60%",
    generate: Annotated[int, typer.Option(metavar="N", help="Number of calls to generate.")] = 60,
    concolic: Annotated[
        float,
        typer.Option(
            metavar="S",
            help="Seconds to search for calls that differ. Needs CrossHair (the extra `concolic`).",
        ),
    ] = 0.0,
    seed: Seed = 0,
    least_cases: Annotated[
        int,
        typer.Option(metavar="N", help="Tests and calls that must agree before PROGRAM passes."),
    ] = 6,
    time_limit: Annotated[int | None, time_limit(str(TEST_TIMEOUT_MS))] = None,
    memory_limit: Annotated[
        int | None, memory_limit("85% of the machine's memory, at most 4096")
    ] = None,
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
    options = _options(
        tests=tuple(_in_project(root, path, "--tests") for path in tests or ()),
        inspired=tuple(_inspired(root, path) for path in inspired or ()),
        python=_interpreter(python),
        script=_script(root, script),
        threshold=_share(threshold, "--threshold"),
        accept=accept,
        method=method,
        rel_tol=rel_tol,
        abs_tol=abs_tol,
        dict_order=dict_order,
        messages=messages,
        coverage=_share(coverage, "--coverage"),
        generate=generate,
        concolic_s=concolic,
        seed=seed,
        least_cases=least_cases,
        limits=_limits(time_limit, memory_limit),
    )
    with CellPool() as pool, progress("comparing") as on_event:
        own = options.model_copy(update={"pool": pool, "on_event": on_event})
        comparison = compare_candidate(CompareBaseline(function, root, own), source, kind=kind)
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


def _options(**fields: Any) -> CompareOptions:
    with flags_named(fields):
        return CompareOptions(**fields)


def _limits(time_ms: int | None, memory_mib: int | None) -> Limits | None:
    if memory_mib is not None and not _LEAST_MIB <= memory_mib <= _MOST_MIB:
        bounds = f"{_LEAST_MIB} to {_MOST_MIB:,}"
        raise UsageError(f"--memory-limit must be {bounds} MiB, got {memory_mib}")
    return limits_of(time_ms, memory_mib)


def _share(text: str, option: str) -> float:
    """Read a share: `5%`, `5 %` or `0.05`; `5` alone is ambiguous."""
    number, percent, rest = text.strip().partition("%")
    try:
        value = float(number)
    except ValueError:
        value = -1.0
    if rest or not 0 <= value < float("inf"):
        raise UsageError(f"{option} is {text!r}; give a share, such as 5% or 0.05")
    if percent:
        return value / 100
    if value >= 1:
        raise UsageError(f"{option} is {text!r}; say {number}% if that is meant")
    return value


def _in_project(root: Path, path: str, option: str) -> str:
    """Return a path relative to the project, from one relative to it or to the working folder.

    A part after `::` names tests in a file, and is kept.
    """
    file, colons, names = path.partition("::")
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


def _script(root: Path, text: str | None) -> tuple[str, ...]:
    words = split_words(text, "--script")
    if text is not None and not words:
        raise UsageError("--script is empty; name a script of the project")
    return (_in_project(root, words[0], "--script"), *words[1:]) if words else ()


def _interpreter(python: Path | None) -> Path | None:
    """Keep links: the folder of `.venv/bin/python` decides which packages it has."""
    if python is None or python.parent == Path():
        return python
    if not python.is_file():
        raise UsageError(f"--python: {python} is not a file; name an interpreter")
    return python.absolute()


def _read(program: Path) -> bytes | Path:
    if program == _STDIN:
        return sys.stdin.buffer.read()
    read_source(program)  # before the project is looked at
    return program
