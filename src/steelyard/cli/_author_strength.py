"""`steelyard author strength`: what a suite kills, with denominators and survivors."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from steelyard.cli._flags import Chosen, takes
from steelyard.cli._options import Jobs, Json, require_jobs
from steelyard.cli._outputs import is_verbose, print_result
from steelyard.cli._progress import progress
from steelyard.errors import UsageError
from steelyard.sandbox import CellPool
from steelyard.strength import StrengthMeasurement, StrengthOptions, view


@takes(StrengthOptions, "growth")
def strength(
    chosen: Chosen[StrengthOptions],
    suite: Annotated[
        Path,
        typer.Argument(
            metavar="SUITE", help="JSON or JSONL file of tests, or folder of NAME.in with NAME.ans."
        ),
    ],
    solution: Annotated[
        Path, typer.Option(metavar="FILE", help="Source file of a solution that passes the suite.")
    ],
    jobs: Jobs = None,
    json: Json = False,
) -> None:
    """Measure what a suite of tests kills: mutants, wrong and slow programs.

    It needs no language model. The exit status is 0 if no weakness was found.
    """
    require_jobs(jobs)
    for field in ("wrong", "slow", "references"):
        chosen.given[field] = _programs(chosen.given.get(field))
    with CellPool(jobs) as pool, progress("measuring") as on_event:
        options = chosen.options(pool=pool, on_event=on_event)
        report = StrengthMeasurement(suite, solution, options).report()
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
