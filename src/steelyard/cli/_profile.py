"""`steelyard profile`: how a program grows, and whether it will hold at the largest input."""

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from steelyard._installation import install_command
from steelyard.cli._flags import Chosen, takes
from steelyard.cli._options import Html, Json, Program, read_source
from steelyard.cli._outputs import check_output, is_verbose, print_result, write_output
from steelyard.cli._progress import progress
from steelyard.errors import UsageError
from steelyard.profiling import ProfileOptions
from steelyard.schemas import GrowthComparison, ProfileReport, Specification


@takes(ProfileOptions)
def profile(
    chosen: Chosen[ProfileOptions],
    program: Program,
    generator: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Python module with generate(n, seed[, m]), which returns an input of size n.",
        ),
    ] = None,
    inputs: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder of inputs, in place of --generator."),
    ] = None,
    spec: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Specification in JSON, in place of --generator: inputs are made from its types "
            "and constraints.",
        ),
    ] = None,
    versus: Annotated[
        Path | None,
        typer.Option(metavar="OTHER", help="Other program to measure on the same inputs."),
    ] = None,
    versus_language: Annotated[
        str | None,
        typer.Option(metavar="NAME", show_default="by the ending", help="Language of --versus."),
    ] = None,
    html: Html = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Draw the report as .png or .svg; of two programs the first. "
            "Needs matplotlib (the extra `plots`).",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Measure how a program grows; predict time and memory.

    The program runs on growing inputs. The report predicts what the largest input needs.
    """
    text = _read(program)
    other = None if versus is None else _read(versus)
    if versus is None and versus_language is not None:
        raise UsageError("--versus-language needs a second program; name it with --versus")
    _check_outputs(html, plot)
    source = _inputs(generator, inputs, spec)
    with progress("profiling") as on_event:
        options = chosen.options(on_event=on_event)
        measured = _measure(program, versus, versus_language, source, options)
    titles = (program.name, versus.name if versus else "")
    failed = _save(measured, titles, (text, other), html, plot)
    _show(measured, titles, json=json)
    if failed is not None:
        raise failed
    raise typer.Exit(0 if measured.passed else 1)


def _measure(
    program: Path,
    versus: Path | None,
    versus_language: str | None,
    inputs: Path | Specification,
    options: ProfileOptions,
) -> ProfileReport | GrowthComparison:
    from steelyard.profiling import Profiler, compare_growth  # noqa: PLC0415

    if versus is None:
        return Profiler(inputs, options).profile(program)
    return compare_growth(
        program, versus, inputs=inputs, versus_language=versus_language, **dict(options)
    )


def _save(
    measured: ProfileReport | GrowthComparison,
    titles: tuple[str, str],
    sources: tuple[str, str | None],
    html: Path | None,
    plot: Path | None,
) -> UsageError | None:
    """Write the files that were asked for; return why one could not be written."""
    from steelyard.profiling import comparison_view, view  # noqa: PLC0415
    from steelyard.profiling import plot as draw  # noqa: PLC0415
    from steelyard.reports import page  # noqa: PLC0415

    failed: UsageError | None = None
    if html is not None:
        try:
            if isinstance(measured, ProfileReport):
                text = page(titles[0], view(measured, source=sources[0]))
            else:
                text = page(" and ".join(titles), comparison_view(measured, titles, sources))
            write_output(html, text)
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
    from steelyard.profiling import comparison_view, view  # noqa: PLC0415

    brief = not is_verbose()
    if isinstance(measured, ProfileReport):
        print_result(measured, view(measured, name=titles[0], brief=brief), json=json)
    else:
        print_result(measured, comparison_view(measured, titles, brief=brief), json=json)


def _inputs(generator: Path | None, inputs: Path | None, spec: Path | None) -> Path | Specification:
    chosen = [each for each in (generator, inputs, spec) if each is not None]
    if len(chosen) != 1:
        raise UsageError(
            "give the inputs: one of --generator FILE, --inputs FOLDER and --spec FILE"
        )
    if generator and not generator.is_file():
        raise UsageError(f"--generator: {generator} is not a file; name a Python module")
    if inputs and not inputs.is_dir():
        raise UsageError(f"--inputs: {inputs} is not a folder; name one that holds inputs")
    if spec:
        from steelyard.inputs import read_specification  # noqa: PLC0415

        return read_specification(spec)
    return chosen[0]


def _check_outputs(html: Path | None, plot: Path | None) -> None:
    """Check the output files before anything is measured."""
    for file in (html, plot):
        if file is not None:
            check_output(file)
    if plot is not None and plot.suffix.lower() not in (".png", ".svg"):
        raise UsageError(f"--plot: {plot} must end in .png or .svg")
    if plot is not None and find_spec("matplotlib") is None:
        raise UsageError(
            f"plots need matplotlib; leave --plot out, or run: {install_command('plots')}"
        )


def _read(path: Path) -> str:
    """Return the source's text, for the listing; the profiler reads the file itself."""
    return read_source(path).decode(errors="replace")
