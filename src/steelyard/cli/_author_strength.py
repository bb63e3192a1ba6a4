"""`steelyard author strength`: what a suite kills, with denominators and survivors."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from steelyard.cli._options import (
    Jobs,
    Json,
    Preload,
    Seed,
    abs_tol,
    entry,
    limits_of,
    memory_limit,
    module_names,
    rel_tol,
    require_jobs,
    time_limit,
)
from steelyard.cli._outputs import is_verbose, print_result
from steelyard.cli._progress import progress
from steelyard.errors import UsageError
from steelyard.judging import MATCH_MODES, VALUE_MODES, MatchMode
from steelyard.sandbox import CellPool

_PROGRAMS = "Source file, or a folder of them. May be given many times."


def strength(
    suite: Annotated[
        Path,
        typer.Argument(
            metavar="SUITE", help="JSON or JSONL file of tests, or folder of NAME.in with NAME.ans."
        ),
    ],
    solution: Annotated[
        Path, typer.Option(metavar="FILE", help="Source file of a solution that passes the suite.")
    ],
    spec: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Specification, for validity and bounds of the inputs."),
    ] = None,
    wrong: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE", help=f"Wrong programs, which the suite must kill. {_PROGRAMS}"
        ),
    ] = None,
    slow: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="Programs that are right and too slow; the first sets the size of stress inputs. "
            f"{_PROGRAMS}",
        ),
    ] = None,
    references: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE", help=f"Solutions that were written independently. {_PROGRAMS}"
        ),
    ] = None,
    mutants: Annotated[
        int, typer.Option(metavar="N", help="Largest number of mutants of the solution.")
    ] = 200,
    entry: Annotated[
        str | None, entry("stdio, function:NAME or class:NAME.METHOD", "class:Solution.solve")
    ] = None,
    match_mode: Annotated[
        MatchMode | None,
        typer.Option(
            show_default=f"the specification's, else {MATCH_MODES[0]}",
            help=f"Comparison of outputs. Calls take {', '.join(VALUE_MODES)}.",
        ),
    ] = None,
    sequences_alike: Annotated[
        bool, typer.Option("--sequences-alike", help="For calls, a list equals a tuple.")
    ] = False,
    ignore_case: Annotated[
        bool, typer.Option("--ignore-case", help="Printed words and lines match in any case.")
    ] = False,
    rel_tol: Annotated[float | None, rel_tol("that of --match-mode")] = None,
    abs_tol: Annotated[float | None, abs_tol("that of --match-mode")] = None,
    time_limit: Annotated[int | None, time_limit("2000")] = None,
    memory_limit: Annotated[int | None, memory_limit("512")] = None,
    preload: Preload = None,
    seed: Seed = 0,
    jobs: Jobs = None,
    json: Json = False,
) -> None:
    """Measure what a suite of tests kills: mutants, wrong and slow programs.

    It needs no language model. The exit status is 0 if no weakness was found.
    """
    from steelyard.strength import measure_strength, view  # noqa: PLC0415

    require_jobs(jobs)
    with CellPool(jobs) as pool, progress("measuring") as on_event:
        report = measure_strength(
            suite,
            solution,
            spec=spec,
            wrong=_programs(wrong),
            slow=_programs(slow),
            references=_programs(references),
            mutants=mutants,
            entry=entry,
            match_mode=match_mode,
            sequences_alike=sequences_alike,
            ignore_case=ignore_case,
            rel_tol=rel_tol,
            abs_tol=abs_tol,
            preload=module_names(preload),
            pool=pool,
            limits=limits_of(time_limit, memory_limit),
            seed=seed,
            on_event=on_event,
        )
    print_result(report, view(report, name=suite.name, brief=not is_verbose()), json=json)
    raise typer.Exit(0 if report.passed else 1)


def _programs(given: Sequence[Path] | None) -> tuple[Path, ...]:
    """Return the files, with those of each folder in its place.

    Raises:
        UsageError: if a folder holds no file.
    """
    return tuple(file for path in given or () for file in _files(path))


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    files = [file for file in sorted(path.iterdir()) if file.is_file() and file.name[0] != "."]
    if not files:
        raise UsageError(f"{path} holds no programs; name a folder with source files")
    yield from files
