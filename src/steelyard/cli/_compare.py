"""`steelyard compare`: a rewritten Python function beside its original."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast, get_args

import typer
from pydantic import ValidationError
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from steelyard.cli._console import report_console
from steelyard.cli._options import read_source, split_words
from steelyard.cli._outputs import check_output, print_json, write_output
from steelyard.errors import UsageError
from steelyard.sandbox import CellPool
from steelyard.schemas import Comparison, Limits, OnEvent

if TYPE_CHECKING:
    from steelyard.equivalence import CompareOptions

__all__ = ["compare"]

_STDIN = Path("-")
_LEAST_MIB, _MOST_MIB = 64, 1 << 20
_OPTIONS = {
    "accept": "--accept", "method": "--method", "threshold": "--threshold",
    "rel_tol": "--tolerance", "abs_tol": "--absolute", "coverage": "--coverage",
    "generate": "--generate", "concolic_s": "--concolic", "seed": "--seed",
    "test_timeout_s": "--test-timeout", "limits": "--memory-limit", "tests": "--tests",
    "inspired": "--inspired",
}  # fmt: skip


def compare(
    function: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="The function: pkg.module:function, pkg.module:Class.method or "
            "path/to/module.py:function.",
        ),
    ],
    candidate: Annotated[
        Path,
        typer.Option(
            metavar="FILE",
            help="What to put in its place: the function's source, its whole module, or a diff. "
            "- reads it from standard input.",
        ),
    ],
    root: Annotated[
        Path, typer.Option(metavar="PROJECT", help="The project's folder; it is only read.")
    ] = Path(),
    tests: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATH",
            help="A file or folder of tests in the project; may be given again. "
            "All that pytest finds where it is left out.",
        ),
    ] = None,
    inspired: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="PATH",
            help="A file or folder of tests that were written for this, in the project or outside; "
            "may be given again.",
        ),
    ] = None,
    python: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH",
            help="The project's interpreter; its .venv or venv where it is left out, "
            "or else the one that runs this.",
        ),
    ] = None,
    script: Annotated[
        str | None,
        typer.Option(
            metavar='"FILE ARGS"',
            help="A script of the project, with its arguments, whose calls count too.",
        ),
    ] = None,
    threshold: Annotated[
        str, typer.Option(metavar="SHARE", help="The gain that counts: 5% or 0.05.")
    ] = "5%",
    accept: Annotated[
        str, typer.Option(metavar="WHAT", help="What to accept: faster or not-slower.")
    ] = "faster",
    method: Annotated[
        str,
        typer.Option(
            metavar="HOW",
            help="How to time: paired, or loops, which is known to claim gains that are not there.",
        ),
    ] = "paired",
    tolerance: Annotated[
        float,
        typer.Option(metavar="REL", help="By what share of the larger one floats may differ."),
    ] = 0.0,
    absolute: Annotated[
        float, typer.Option(metavar="ABS", help="By how much floats may differ, in any case.")
    ] = 0.0,
    any_dict_order: Annotated[
        bool,
        typer.Option("--any-dict-order", help="Let dictionaries have their keys in any order."),
    ] = False,
    messages: Annotated[
        bool, typer.Option("--messages", help="Compare the messages of exceptions too.")
    ] = False,
    coverage: Annotated[
        str,
        typer.Option(
            metavar="SHARE", help="Of the function's lines and branches, below which to warn."
        ),
    ] = "60%",
    generate: Annotated[
        int, typer.Option(metavar="N", help="Calls to make up beside those of the tests.")
    ] = 60,
    concolic: Annotated[
        float,
        typer.Option(
            metavar="S",
            help="Seconds to search for calls that differ. Needs steelyard\\[concolic].",
        ),
    ] = 0.0,
    seed: Annotated[int, typer.Option(metavar="N", help="What calls are made up from.")] = 1,
    test_timeout: Annotated[
        float, typer.Option(metavar="S", help="Seconds that a single test may take.")
    ] = 15.0,
    memory_limit: Annotated[
        int | None,
        typer.Option(
            metavar="MIB",
            help="Memory for each run; 85 % of the machine's, 4096 at most, where it is left out.",
        ),
    ] = None,
    kind: Annotated[
        str,
        typer.Option(metavar="KIND", help="What the candidate is: auto, function, module or diff."),
    ] = "auto",
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the report as one HTML page.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Compare a rewritten Python function with its original.

    The report says if the behaviour is the same and if the rewritten function is really faster.
    """
    program = _read(candidate)
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
        rel_tol=tolerance,
        abs_tol=absolute,
        dict_order=not any_dict_order,
        messages=messages,
        coverage=_share(coverage, "--coverage"),
        generate=generate,
        concolic_s=concolic,
        seed=seed,
        test_timeout_s=test_timeout,
        limits=_limits(memory_limit),
    )
    with _progress(quiet=json) as on_event:
        comparison = _compare(root, function, program, kind, options, on_event)
    name = "standard input" if candidate == _STDIN else candidate.name
    failed = None if html is None else _save(comparison, html, title=f"{name} · {function}")
    _show(comparison, json=json)
    if failed is not None:
        raise failed
    raise typer.Exit(0 if comparison.accepted else 1)


def _compare(
    root: Path,
    function: str,
    program: bytes | Path,
    kind: str,
    options: "CompareOptions",
    on_event: OnEvent | None,
) -> Comparison:
    from steelyard.equivalence import (  # noqa: PLC0415
        CandidateKind,
        CompareBaseline,
        compare_candidate,
    )

    if kind not in get_args(CandidateKind):
        raise UsageError(f"--kind is {kind!r}; use one of {', '.join(get_args(CandidateKind))}")
    with CellPool() as pool:
        own = options.model_copy(update={"pool": pool, "on_event": on_event})
        baseline = CompareBaseline(function, root, own)
        return compare_candidate(baseline, program, kind=cast("CandidateKind", kind))


def _save(comparison: Comparison, html: Path, *, title: str) -> UsageError | None:
    """Writes the page; why it could not be written."""
    from steelyard.equivalence.reporting import comparison_page  # noqa: PLC0415

    try:
        write_output(html, comparison_page(comparison, title=title))
    except UsageError as error:
        return error
    return None


def _show(comparison: Comparison, *, json: bool) -> None:
    from steelyard.equivalence.reporting import ComparisonView  # noqa: PLC0415

    if json:
        print_json(comparison.to_json())
    else:
        report_console().print(ComparisonView(comparison))


def _options(**fields: Any) -> "CompareOptions":
    from steelyard.equivalence import CompareOptions  # noqa: PLC0415

    try:
        return CompareOptions(**fields)
    except ValidationError as error:
        fault = error.errors()[0]
        name = str(fault["loc"][0]) if fault["loc"] else "tests"
        raise UsageError(
            f"{_OPTIONS[name]}: {fault['msg'].lower()}, not {fault['input']}"
        ) from error


def _limits(memory_mib: int | None) -> Limits | None:
    if memory_mib is None:
        return None
    if not _LEAST_MIB <= memory_mib <= _MOST_MIB:
        bounds = f"{_LEAST_MIB} to {_MOST_MIB:,}"
        raise UsageError(f"--memory-limit is {memory_mib}; give {bounds} MiB")
    return Limits(memory_mib=memory_mib)


def _share(text: str, option: str) -> float:
    """A share of `5%`, `5 %` or `0.05`; `5` might mean either."""
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
    """A path relative to the project, from one relative to it or to the working folder.

    What stands after `::` names tests in a file, and is kept.
    """
    file, colons, names = path.partition("::")
    folder = root.resolve()
    for base in (folder, Path()):
        found = (base / file).resolve()
        if found.exists() and found.is_relative_to(folder):
            return f"{found.relative_to(folder)}{colons}{names}"
    raise UsageError(f"{option}: there is no {file} in {folder}; name what is in it")


def _inspired(root: Path, path: Path) -> str:
    """Relative to the project where it is in it, else absolute."""
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
    """As it was named: where a link such as `.venv/bin/python` lies says what packages it has."""
    if python is None or python.parent == Path():
        return python
    if not python.is_file():
        raise UsageError(f"--python: {python} is not a file; name an interpreter")
    return python.absolute()


def _read(candidate: Path) -> bytes | Path:
    if candidate == _STDIN:
        return sys.stdin.buffer.read()
    read_source(candidate)  # before the project is looked at
    return candidate


@contextmanager
def _progress(*, quiet: bool) -> Iterator[OnEvent | None]:
    """What a person who waits sees on standard error."""
    console = report_console(stderr=True)
    if quiet or not console.is_terminal:
        yield None
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("comparing", total=None)
        yield lambda event: progress.update(task, description=event.stage)
