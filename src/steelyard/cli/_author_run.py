"""`steelyard author TEXT`: a request becomes a specification, a suite and solutions."""

from pathlib import Path
from typing import Annotated

import typer

from steelyard.cli._author_spec import request_of
from steelyard.cli._author_store import stored_results
from steelyard.cli._author_suites import is_suite_run, replay_suite, show_suite
from steelyard.cli._console import report_console
from steelyard.cli._options import (
    Caching,
    Database,
    Json,
    MaxCost,
    MaxTokens,
    Models,
    Resume,
    Seed,
    flags_named,
    limits_of,
    memory_limit,
    time_limit,
)
from steelyard.cli._outputs import print_json
from steelyard.cli._progress import progress
from steelyard.cli._runs import announce_scripts, head_in, wait_for
from steelyard.cli._story import print_result
from steelyard.cli._verbosity import is_verbose
from steelyard.errors import SteelyardError, UsageError
from steelyard.sandbox import CellPool
from steelyard.schemas import AuthorReport

_FAILED = 3
_INFRASTRUCTURE = ("models", "sandbox", "logs")
_BOUNDS = ("resume", "max_cost", "max_tokens", "cache", "store", "database", "json")

Results = Annotated[Path, typer.Argument(metavar="DIR", help="Folder of the results.")]


def run(
    context: typer.Context,
    text: Annotated[
        str | None, typer.Argument(metavar="TEXT", help="The request, in prose.")
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Folder for the results.")] = None,
    file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="File with the request, in place of TEXT.")
    ] = None,
    spec: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="JSON file of a specification, in place of a request."),
    ] = None,
    solution: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Source of a right solution. May be given many times."),
    ] = None,
    resume: Resume = None,
    models: Models = None,
    writer: Annotated[
        str | None,
        typer.Option(metavar="MODEL", help="Model for the specification and inputs."),
    ] = None,
    solver: Annotated[
        str | None,
        typer.Option(metavar="MODEL", help="Model for the optimised solution and repairs."),
    ] = None,
    checker: Annotated[
        str | None,
        typer.Option(metavar="MODEL", help="Model for the brute force and further solutions."),
    ] = None,
    solutions: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            show_default="2",
            help="Number of solutions that are written without sight of each other.",
        ),
    ] = None,
    cases: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            show_default="60",
            help="Largest number of inputs made from the specification alone.",
        ),
    ] = None,
    small_cases: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            show_default="13 for each of --cases",
            help="Largest number of further inputs that solutions choose, most of them small.",
        ),
    ] = None,
    mutants: Annotated[
        int | None,
        typer.Option(
            metavar="N", show_default="200", help="Largest number of mutants of the solution."
        ),
    ] = None,
    time_limit: Annotated[int | None, time_limit("2000; 4000 for a brute force")] = None,
    memory_limit: Annotated[int | None, memory_limit("512")] = None,
    seed: Seed = 0,
    max_cost: MaxCost = None,
    max_tokens: MaxTokens = None,
    cache: Caching = True,
    store: Annotated[
        bool,
        typer.Option("--store", help="Store the results in the database, as `author store` does."),
    ] = False,
    database: Database = None,
    json: Json = False,
) -> None:
    """Write a specification, tests and solutions: what `steelyard author TEXT` does."""
    from steelyard.authoring import AuthorOptions  # noqa: PLC0415
    from steelyard.authoring.pipeline import (  # noqa: PLC0415
        JOURNAL,
        Author,
        journal_in,
        read_author_head,
    )

    if store:
        _require_store(resume or out, database)
    limits = limits_of(time_limit, memory_limit)
    told: dict[str, object] = {
        "writer": writer or models,
        "solver": solver or models,
        "checker": checker or models,
        "solutions": solutions,
        "cases": cases,
        "small_cases": small_cases,
        "mutants": mutants,
        "max_cost_usd": max_cost,
        "max_tokens": max_tokens,
        "limits": limits,
    }
    given = {name: value for name, value in told.items() if value is not None}
    with CellPool() as pool, progress("authoring", lines=not json) as on_event:
        if resume is not None:
            _require_bounds(context)
            folder = journal_in(resume)
            options = read_author_head(folder).options
            with flags_named(given):
                options.changed(max_cost_usd=max_cost, max_tokens=max_tokens)
            author = Author(AuthorOptions.of(pool=pool, on_event=on_event), caching=cache)
            work = author.aresume(resume, max_cost_usd=max_cost, max_tokens=max_tokens)
        else:
            if out is None:
                raise UsageError("the results need a folder; name it with --out DIR")
            request = None if spec is not None else request_of(text, file)
            if spec is not None and (text is not None or file is not None):
                raise UsageError("give one of the three: TEXT, --file FILE, or --spec FILE")
            with flags_named(given):
                options = AuthorOptions.of(**given, seed=seed, pool=pool, on_event=on_event)
            author, folder = Author(options, caching=cache), out / JOURNAL
            work = author.aauthor(
                request, out=out, specification=spec, solutions=tuple(solution or ())
            )
        if not json:
            announce_scripts((options.writer, options.solver, options.checker))
        earlier = None if resume is not None else head_in(folder)
        report = wait_for(work, pool, folder, earlier, "steelyard author --resume")
    stored = None
    if store and report.suite is not None and report.folder:
        try:
            stored = stored_results(Path(report.folder), None, database)
        except SteelyardError:
            if not json:
                _print(report, json=False, brief=True)
            raise
    if json:
        print_json(report.to_dict() | {"stored": stored.plain()} if stored else report.to_dict())
    else:
        _print(report, json=False, brief=True)
        if stored is not None:
            typer.echo(f"stored as {stored}")
    raise typer.Exit(_status(report))


def show(
    folder: Results,
    json: Json = False,
) -> None:
    """Show a run: specification, suite, solutions and decisions.

    Shows a run of `author tests` too.
    """
    if is_suite_run(folder):
        show_suite(folder, json=json)
        return
    from steelyard.authoring.pipeline import read_author_story  # noqa: PLC0415

    story = read_author_story(folder)
    if story.report is not None:
        _print(story.report, json=json, brief=False)
        return
    done: dict[int, list[str]] = {}
    for step in story.steps:
        done.setdefault(step.suite + 1, []).append(step.name)
    plain = {"run": story.head.model_dump(mode="json"), "steps": done, "report": None}
    if json:
        print_json(plain)
        return
    console = report_console()
    console.print(f"interrupted; resume with steelyard author --resume {folder}", markup=False)
    for number, names in done.items():
        console.print(f"suite {number}: {', '.join(names)}", markup=False)


def replay(folder: Results, json: Json = False) -> None:
    """Repeat a run from its files, without models; the same decisions must follow.

    Repeats a run of `author tests` too.
    """
    if is_suite_run(folder):
        raise typer.Exit(replay_suite(folder, json=json))
    from steelyard.authoring.pipeline import Author  # noqa: PLC0415
    from steelyard.authoring.pipeline.reporting import AuthorView  # noqa: PLC0415

    done = Author(caching=False).replay(folder)
    plain = {"report": done.report.to_dict(), "differences": list(done.differences)}
    print_result(AuthorView(done.report, not is_verbose()), plain, json=json)
    if not json:
        found = ", ".join(done.differences) or "none: every decision is the same"
        report_console().print(f"differences: {found}", markup=False)
    raise typer.Exit(1 if done.differences else 0)


def _print(report: AuthorReport, *, json: bool, brief: bool) -> None:
    from steelyard.authoring.pipeline.reporting import AuthorView  # noqa: PLC0415

    print_result(AuthorView(report, brief and not is_verbose()), report.to_dict(), json=json)


def _require_store(results: Path | None, database: str | None) -> None:
    """Check, before anything is paid for, that results can be stored under their folder's name."""
    from steelyard.challenges.submissions import require_problem_name  # noqa: PLC0415
    from steelyard.storage import database_at  # noqa: PLC0415

    if results is not None:
        require_problem_name(results.resolve().name)
    with database_at(database) as opened:
        opened.revision()


def _require_bounds(context: typer.Context) -> None:
    """Require that a resumed run is given bounds only: all else shaped the paid replies."""
    for name in context.params:
        source = context.get_parameter_source(name)
        if name not in _BOUNDS and source is not None and source.name != "DEFAULT":
            flag = "TEXT" if name == "text" else f"--{name.replace('_', '-')}"
            raise UsageError(f"{flag} is for a run that begins; leave it out with --resume")


def _status(report: AuthorReport) -> int:
    if report.passed:
        return 0
    return _FAILED if report.stop in _INFRASTRUCTURE else 1
