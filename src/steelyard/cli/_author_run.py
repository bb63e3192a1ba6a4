"""`steelyard author TEXT`, `spec` and `store`: a request becomes a problem in the database."""

import asyncio
import json as json_text
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from pydantic import JsonValue

from steelyard.authoring import AuthorOptions
from steelyard.cli._author_tests import is_suite_run, replay_suite, show_suite
from steelyard.cli._flags import Chosen, flags_named, takes
from steelyard.cli._options import Caching, Database, Json, Models, Resume, text_of_file
from steelyard.cli._outputs import check_output, is_verbose, print_json, print_result, write_output
from steelyard.cli._progress import progress
from steelyard.cli._runs import (
    announce_scripts,
    interrupted,
    print_replay,
    refuse_with_resume,
    status_of,
    wait_for,
)
from steelyard.errors import SteelyardError, UsageError
from steelyard.options import SpendingOptions
from steelyard.reports import Block, Code, Text, print_blocks
from steelyard.sandbox import CellPool
from steelyard.schemas import AuthorReport, Specification

if TYPE_CHECKING:
    from steelyard.authoring import Specified

_ROLES = ("writer", "solver", "checker")
_BOUNDS = ("resume", "max_cost", "max_tokens", "cache", "store", "database", "json")

_MOST_BYTES = 1 << 20
Results = Annotated[Path, typer.Argument(metavar="DIR", help="Folder of the results.")]


@takes(AuthorOptions)
def run(
    context: typer.Context,
    chosen: Chosen[AuthorOptions],
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
    cache: Caching = True,
    store: Annotated[
        bool,
        typer.Option("--store", help="Store the results in the database, as `author store` does."),
    ] = False,
    database: Database = None,
    json: Json = False,
) -> None:
    """Write a specification, tests and solutions: what `steelyard author TEXT` does."""
    from steelyard.authoring.pipeline import (  # noqa: PLC0415
        JOURNAL,
        Author,
        AuthorHead,
        journal_in,
    )
    from steelyard.runs import read_head  # noqa: PLC0415

    if store:
        _require_store(resume or out, database)
    given = chosen.given
    if models is not None:
        given |= {role: given.get(role, models) for role in _ROLES}
    with CellPool() as pool, progress("authoring", lines=not json) as on_event:
        if resume is not None:
            refuse_with_resume(context, [each for each in context.params if each not in _BOUNDS])
            folder = journal_in(resume)
            options = read_head(folder, AuthorHead).options
            bounds = {name: given.get(name) for name in AuthorOptions.bounds}
            with flags_named(given):
                options.changed(**bounds)
            author = Author(AuthorOptions.of(pool=pool, on_event=on_event), caching=cache)
            work = author.aresume(resume, **bounds)
        else:
            if out is None:
                raise UsageError("the results need a folder; name it with --out DIR")
            request = None if spec is not None else request_of(text, file)
            if spec is not None and (text is not None or file is not None):
                raise UsageError("give one of the three: TEXT, --file FILE, or --spec FILE")
            options = chosen.options(pool=pool, on_event=on_event)
            author, folder = Author(options, caching=cache), out / JOURNAL
            work = author.aauthor(
                request, out=out, specification=spec, solutions=tuple(solution or ())
            )
        if not json:
            announce_scripts((options.writer, options.solver, options.checker))
        report = wait_for(work, pool, folder, "author", resumed=resume is not None)
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
    raise typer.Exit(status_of(report))


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
        done.setdefault(step.turn + 1, []).append(step.name)
    plain = {"run": story.head.model_dump(mode="json"), "steps": done, "report": None}
    command = Code(interrupted("author", folder))
    suites = [Text(f"suite {number}: {', '.join(names)}") for number, names in done.items()]
    print_result(plain, [command, *suites], json=json)


def replay(folder: Results, json: Json = False) -> None:
    """Repeat a run from its files, without models; the same decisions must follow.

    Repeats a run of `author tests` too.
    """
    if is_suite_run(folder):
        replay_suite(folder, json=json)
        return
    from steelyard.authoring.pipeline import Author, view  # noqa: PLC0415

    done = Author(caching=False).replay(folder)
    print_replay(done, view(done.report, brief=not is_verbose()), json=json)


def _print(report: AuthorReport, *, json: bool, brief: bool) -> None:
    from steelyard.authoring.pipeline import view  # noqa: PLC0415

    print_result(report, view(report, brief=brief and not is_verbose()), json=json)


def _require_store(results: Path | None, database: str | None) -> None:
    """Check, before anything is paid for, that results can be stored under their folder's name."""
    from steelyard.authoring.challenges.submissions import require_problem_name  # noqa: PLC0415
    from steelyard.storage import database_at  # noqa: PLC0415

    if results is not None:
        require_problem_name(results.resolve().name)
    with database_at(database) as opened:
        opened.revision()


@takes(SpendingOptions, "seed")
def spec(
    chosen: Chosen[SpendingOptions],
    text: Annotated[
        str | None, typer.Argument(metavar="TEXT", help="The request, in prose.")
    ] = None,
    file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="File with the request, in place of TEXT.")
    ] = None,
    given_spec: Annotated[
        Path | None,
        typer.Option("--spec", metavar="FILE", help="Show this specification; ask no model."),
    ] = None,
    models: Models = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the specification to this file.")
    ] = None,
    json: Json = False,
) -> None:
    """Turn a request in prose into an exact specification, and show what was understood of it.

    Each constraint is shown in words, with the bounds of every value, and ten inputs: the smallest,
    large ones, and some that just break a constraint. What the request leaves open is printed as a
    question.
    """
    from steelyard.authoring import require_request  # noqa: PLC0415
    from steelyard.inputs import read_specification  # noqa: PLC0415

    if out is not None:
        check_output(out)
    if given_spec is not None:
        if text is not None or file is not None:
            raise UsageError("give one of the three: TEXT, --file FILE, or --spec FILE")
        _show(read_specification(given_spec), out, json=json)
        return
    request = require_request(request_of(text, file))
    given = chosen.given | ({} if models is None else {"writer": models})
    with CellPool(1) as pool, progress("specifying") as on_event:
        with flags_named(given):
            options = AuthorOptions.of(**given, pool=pool, on_event=on_event)
        found = asyncio.run(_asked(request, options, pool))
    for question in found.questions:
        print_blocks([Text(f"the request leaves open: {question}", "warn")], sys.stderr)
    _show(found.specification, out, json=json)


def _show(spec: Specification, out: Path | None, *, json: bool) -> None:
    plain = spec.model_dump_json(indent=2)
    print_result(plain, _specification_blocks(spec), json=json)
    if out is not None:
        write_output(out, f"{plain}\n")


async def _asked(request: str, options: AuthorOptions, pool: CellPool) -> "Specified":
    from steelyard.authoring import Specifier  # noqa: PLC0415
    from steelyard.runs import Run, open_models  # noqa: PLC0415

    with ExitStack() as stack:
        models = open_models({"specifier": options.writer}, (), stack)
        seed = options.fixed_seed()
        run = Run("author", pool, seed=seed, on_event=options.on_event)
        run.use(models, options.max_cost_usd, options.max_tokens)
        return await Specifier(run, request).write()


def request_of(text: str | None, file: Path | None) -> str:
    """Return the request: the text, or the content of the file.

    Raises:
        UsageError: if none or both are given, or the file cannot be read.
    """
    if (text is None) == (file is None):
        raise UsageError("give one request: TEXT, or --file FILE")
    return text or "" if file is None else text_of_file(file, _MOST_BYTES)


def _specification_blocks(spec: Specification) -> Iterator[Block]:
    from steelyard.authoring import meaning_of  # noqa: PLC0415

    signature = ", ".join(f"{each.name}: {each.type}" for each in spec.parameters)
    yield Text(spec.title, "strong")
    yield Text(spec.description)
    yield Text(f"solve({signature}) -> {spec.returns}", "accent")
    for each in spec.examples:
        call = f"solve({_json_texts(*each.args)}) == {_json_texts(each.expected)}"
        yield Text(call, "good", indent=2)
    yield from meaning_of(spec)


def _json_texts(*values: JsonValue) -> str:
    return ", ".join(json_text.dumps(each, ensure_ascii=False) for each in values)


def store(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="DIR",
            help="Folder of results: specification.json, suite.json and solutions/*.py.",
        ),
    ],
    name: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The problem's name.", show_default="the folder's name"),
    ] = None,
    database: Database = None,
    json: Json = False,
) -> None:
    """Store the results of authoring in the database, for submissions and challenges.

    A problem of this name gets a new version of its specification and its suite.
    """
    stored = stored_results(folder, name, database)
    print_result(stored.plain(), [Code(str(stored))], json=json)


@dataclass(frozen=True, slots=True)
class StoredResults:
    """A problem in the database."""

    problem: str
    suite_version: int
    cases: int
    solutions: tuple[str, ...]
    """Their digests."""

    def plain(self) -> dict[str, object]:
        """Return it as JSON."""
        return asdict(self)

    def __str__(self) -> str:
        cases = f"{self.cases:,} case{'' if self.cases == 1 else 's'}"
        count = len(self.solutions)
        solutions = f"{count:,} solution{'' if count == 1 else 's'}"
        return f"{self.problem}: suite {self.suite_version}, {cases}, {solutions}"


def stored_results(folder: Path, name: str | None, database: str | None) -> StoredResults:
    """Store a folder of results under a name, by default the folder's.

    Raises:
        UsageError: if something is missing, or does not fit together; nothing is stored.
        InfrastructureError: if the machine or the database failed; nothing is stored.
    """
    from steelyard.authoring.challenges.submissions import read_results, store_results  # noqa: PLC0415
    from steelyard.storage import open_database  # noqa: PLC0415

    problem = folder.resolve().name if name is None else name
    results = read_results(folder, problem)
    with open_database(database) as opened:
        version, solutions = store_results(opened, results)
        with opened.read() as reader:
            cases = len(reader.suite(version.suite).cases)
    return StoredResults(problem, version.number, cases, tuple(each.digest for each in solutions))
