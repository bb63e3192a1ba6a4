"""`steelyard author tests`: a pytest suite for a module, improved until it is measured perfect."""

from pathlib import Path
from typing import Annotated

import typer

from steelyard.cli._console import report_console
from steelyard.cli._options import (
    Caching,
    Json,
    Logs,
    MaxCost,
    MaxTokens,
    Models,
    Resume,
    Seed,
    flags_named,
)
from steelyard.cli._outputs import check_output, print_json, write_output
from steelyard.cli._progress import progress
from steelyard.cli._runs import announce_scripts, head_in, wait_for
from steelyard.cli._suite_view import suite_view
from steelyard.errors import UsageError
from steelyard.sandbox import CellPool
from steelyard.schemas import SuiteReport
from steelyard.settings import current_settings

_FAILED = 3
_INFRASTRUCTURE = ("models", "sandbox", "logs")


def write_tests(
    context: typer.Context,
    module: Annotated[
        Path | None, typer.Argument(metavar="MODULE.py", help="File of the module to test.")
    ] = None,
    spec: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="What the module must do, in JSON or in prose."),
    ] = None,
    root: Annotated[
        Path | None,
        typer.Option(
            metavar="PROJECT",
            show_default="the module alone",
            help="Folder of the project that the module needs.",
        ),
    ] = None,
    bug: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="A version of the module with a known bug, which the suite must find.",
        ),
    ] = None,
    resume: Resume = None,
    models: Models = None,
    max_rounds: Annotated[
        int | None, typer.Option(metavar="N", show_default="5", help="Reviews of the suite.")
    ] = None,
    max_cost: MaxCost = None,
    max_tokens: MaxTokens = None,
    seed: Seed = 0,
    logs: Logs = None,
    cache: Caching = True,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the best suite to this file.")
    ] = None,
    json: Json = False,
) -> None:
    """Write a pytest suite for a module, and improve it until it is measured perfect.

    Models write and review. What was measured decides.
    """
    from steelyard.journal import read_record  # noqa: PLC0415
    from steelyard.pytests import SuiteAuthor, SuiteHead, SuiteOptions  # noqa: PLC0415

    if out is not None:
        check_output(out)
    if (module is None) == (resume is None):
        raise UsageError("give one module: MODULE.py, or --resume DIR")
    bounds = {"max_rounds": max_rounds, "max_cost_usd": max_cost, "max_tokens": max_tokens}
    given = {name: value for name, value in bounds.items() if value is not None}
    with CellPool() as pool, progress("writing tests", lines=not json) as on_event:
        if resume is not None:
            _require_alone(context)
            head: SuiteHead = read_record(resume / "run.json", SuiteHead)
            options = head.options.model_copy(update={"pool": pool, "on_event": on_event})
            author = SuiteAuthor(options, logs=resume.parent, caching=cache)
            with flags_named(given):
                SuiteOptions.of(**head.options.model_dump() | given)
            folder, work = (
                resume,
                author.aresume(
                    resume, max_rounds=max_rounds, max_cost_usd=max_cost, max_tokens=max_tokens
                ),
            )
        else:
            assert module is not None
            named = {"tester": models, "reviewer": models} if models is not None else {}
            with flags_named(given):
                options = SuiteOptions.of(**given, **named, seed=seed, pool=pool, on_event=on_event)
            folder = (logs or current_settings().logs) / f"tests-{module.stem}"
            author = SuiteAuthor(options, logs=folder.parent, caching=cache)
            work = author.awrite(module, root=root, spec=spec, bug=bug)
        if not json:
            announce_scripts((options.tester, options.reviewer))
        earlier = None if resume is not None else head_in(folder)
        report = wait_for(work, pool, folder, earlier, "steelyard author tests --resume")
    failed = _saved(report, out)
    if json:
        print_json(report.to_json())
    else:
        report_console().print(suite_view(report, shows_code=out is None))
    if failed is not None:
        raise failed
    raise typer.Exit(_status(report))


def _require_alone(context: typer.Context) -> None:
    """Require that a resumed run is given bounds only: all else shaped the paid replies."""
    for name in ("spec", "root", "bug", "models", "seed", "logs"):
        source = context.get_parameter_source(name)
        if source is not None and source.name != "DEFAULT":
            raise UsageError(f"--{name} is for a run that begins; leave it out with --resume")


def _saved(report: SuiteReport, out: Path | None) -> UsageError | None:
    """Write the suite; return why it could not be written."""
    if out is None or not report.code:
        return None
    try:
        write_output(out, report.code)
    except UsageError as error:
        return error
    return None


def _status(report: SuiteReport) -> int:
    if report.passed:
        return 0
    return _FAILED if report.stop in _INFRASTRUCTURE else 1
