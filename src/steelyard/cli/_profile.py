"""`steelyard profile`: how a program grows, and whether it will hold at the largest input."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import ValidationError
from rich.console import RenderableType
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from steelyard._installation import install_command
from steelyard.cli._console import report_console
from steelyard.cli._options import (
    Compiler,
    Flags,
    Language,
    module_names,
    read_source,
    split_flags,
)
from steelyard.cli._outputs import check_output, print_json, write_output
from steelyard.errors import UsageError
from steelyard.schemas import Event, GrowthComparison, Limits, OnEvent, ProfileReport

__all__ = ["profile"]


def profile(
    source: Annotated[Path, typer.Argument(metavar="SOURCE", help="The program's source file.")],
    generator: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="A Python module with generate(n, seed[, m]), which gives an input of size n.",
        ),
    ] = None,
    inputs: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="A folder of inputs, in place of --generator."),
    ] = None,
    max_n: Annotated[
        str | None,
        typer.Option(
            metavar="N", help="The largest size, such as 2e6; the generator's n_max otherwise."
        ),
    ] = None,
    min_n: Annotated[
        str | None,
        typer.Option(metavar="N", help="The smallest size; the generator's n_min otherwise."),
    ] = None,
    param: Annotated[
        str | None,
        typer.Option(
            metavar="m=MIN:MAX:DEFAULT",
            help="A second size; the default may be a multiple of n: m=1:2000000:4*n.",
        ),
    ] = None,
    time_limit: Annotated[
        float | None, typer.Option(metavar="MS", help="CPU time that the largest input may take.")
    ] = None,
    memory_limit: Annotated[
        float | None, typer.Option(metavar="MIB", help="Memory that the largest input may take.")
    ] = None,
    budget: Annotated[
        float, typer.Option(metavar="S", help="Seconds to spend on measuring, roughly.")
    ] = 8.0,
    seed: Annotated[int, typer.Option(metavar="K", help="What the generator is seeded with.")] = 1,
    language: Language = None,
    compiler: Compiler = None,
    flags: Flags = None,
    entry: Annotated[
        str,
        typer.Option(
            metavar="ENTRY",
            help="How a Python program is entered: stdio, function:NAME or class:NAME.METHOD.",
        ),
    ] = "stdio",
    preload: Annotated[
        str | None,
        typer.Option(metavar="MODULES", help="Python modules to load beforehand: numpy,scipy."),
    ] = None,
    versus: Annotated[
        Path | None,
        typer.Option(metavar="SOURCE", help="Another program to compare with on the same inputs."),
    ] = None,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the report as one HTML page.")
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Draw the report as .png or .svg; of two programs the first. "
            "Needs steelyard\\[plots].",
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Measure how a program grows; predict time and memory.

    The program runs on growing inputs. The report predicts what the largest input needs.
    """
    text = _read(source)
    other = None if versus is None else _read(versus)
    _check_outputs(html, plot)
    given = _settings(generator, inputs, param, max_n, min_n)
    given |= {
        "language": language, "compiler": compiler,
        "flags": split_flags(flags), "entry": entry,
        "preload": module_names(preload),
        "limits": _limits(time_limit, memory_limit),
        "budget_s": _positive(budget, "--budget"), "seed": seed,
    }  # fmt: skip
    with _progress(quiet=json) as on_event:
        measured = _measure(source, versus, given | {"on_event": on_event})
    report = measured if isinstance(measured, ProfileReport) else measured.first
    titles = (source.name, versus.name if versus else "")
    failed = _save(measured, titles, (text, other), html, plot)
    _show(measured, titles, json=json)
    if failed is not None:
        raise failed
    raise typer.Exit(0 if report.measured and report.meets_limits else 1)


def _measure(
    source: Path, versus: Path | None, settings: dict[str, Any]
) -> ProfileReport | GrowthComparison:
    from steelyard.profiling import compare_growth  # noqa: PLC0415
    from steelyard.profiling import profile as measure  # noqa: PLC0415

    if versus is None:
        return measure(source, **settings)
    return compare_growth(source, versus, **settings)


def _save(
    measured: ProfileReport | GrowthComparison,
    titles: tuple[str, str],
    sources: tuple[str, str | None],
    html: Path | None,
    plot: Path | None,
) -> UsageError | None:
    """Writes the files that were asked for; why one could not be written, once all were tried."""
    from steelyard.profiling.reporting import comparison_page, page  # noqa: PLC0415
    from steelyard.profiling.reporting import plot as draw  # noqa: PLC0415

    failed: UsageError | None = None
    if html is not None:
        try:
            if isinstance(measured, ProfileReport):
                write_output(html, page(measured, title=titles[0], source=sources[0]))
            else:
                write_output(html, comparison_page(measured, titles=titles, sources=sources))
        except UsageError as error:
            failed = error
    if plot is not None:
        try:
            draw(measured if isinstance(measured, ProfileReport) else measured.first, plot)
        except UsageError as error:
            failed = error
    return failed


def _show(
    measured: ProfileReport | GrowthComparison, titles: tuple[str, str], *, json: bool
) -> None:
    from steelyard.profiling.reporting import (  # noqa: PLC0415
        ComparisonView,
        ReportView,
    )

    view: RenderableType
    if isinstance(measured, ProfileReport):
        view = ReportView(measured, titles[0])
    else:
        view = ComparisonView(measured, titles)
    if json:
        print_json(measured.to_json())
    else:
        report_console().print(view)


def _settings(
    generator: Path | None,
    inputs: Path | None,
    param: str | None,
    largest: str | None,
    smallest: str | None,
) -> dict[str, Any]:
    from steelyard.profiling.inputs import Parameter, whole_number  # noqa: PLC0415

    chosen = generator or inputs
    if chosen is None or (generator and inputs):
        raise UsageError("give the inputs: either --generator FILE or --inputs FOLDER")
    if generator and not generator.is_file():
        raise UsageError(f"--generator: {generator} is not a file; name a Python module")
    if inputs and not inputs.is_dir():
        raise UsageError(f"--inputs: {inputs} is not a folder; name one that holds inputs")
    max_n = None if largest is None else whole_number(largest, of="n")
    min_n = None if smallest is None else whole_number(smallest, of="n")
    if max_n is not None and max_n < 1:
        raise UsageError(f"--max-n is {max_n}; make it 1 or more")
    if min_n is not None and (min_n < 0 or (max_n is not None and min_n > max_n)):
        raise UsageError(f"--min-n is {min_n}; make it 0 or more, and at most --max-n")
    parameter = None if param is None else Parameter.parse(param)
    return {"inputs": chosen, "max_n": max_n, "min_n": min_n, "parameter": parameter}


def _check_outputs(html: Path | None, plot: Path | None) -> None:
    """Told before the measuring rather than after it."""
    for file in (html, plot):
        if file is not None:
            check_output(file)
    if plot is not None and plot.suffix.lower() not in (".png", ".svg"):
        raise UsageError(f"--plot: {plot} must end in .png or .svg")
    if plot is not None and find_spec("matplotlib") is None:
        raise UsageError(
            f"plots need matplotlib; leave --plot out, or run: {install_command('plots')}"
        )


def _positive(value: float | None, option: str) -> float | None:
    if value is not None and not 0 < value < float("inf"):
        raise UsageError(f"{option} is {value:g}; give a number above 0")
    return value


def _limits(time_limit_ms: float | None, memory_limit_mib: float | None) -> Limits | None:
    """Return the limits that were given; None if there are none."""
    given = {
        "cpu_ms": _positive(time_limit_ms, "--time-limit"),
        "memory_mib": _positive(memory_limit_mib, "--memory-limit"),
    }
    found = {name: math.ceil(value) for name, value in given.items() if value is not None}
    try:
        return Limits(**found) if found else None
    except ValidationError as error:
        fault = error.errors()[0]
        option = {"cpu_ms": "--time-limit", "memory_mib": "--memory-limit"}[str(fault["loc"][0])]
        raise UsageError(f"{option}: {fault['msg'].lower()}, got {fault['input']}") from error


def _read(path: Path) -> str:
    """The source's text, for the listing; the profiler reads the file itself."""
    return read_source(path).decode(errors="replace")


@contextmanager
def _progress(*, quiet: bool) -> Iterator[OnEvent | None]:
    """A bar on standard error for a person who waits."""
    console = report_console(stderr=True)
    if quiet or not console.is_terminal:
        yield None
        return
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("profiling", total=1.0)

        def show(event: Event) -> None:
            progress.update(task, description=event.stage, completed=event.share)

        yield show
