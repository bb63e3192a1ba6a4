"""The `steelyard` command and its subcommands."""

import os
from typing import Annotated, Any

import typer

from steelyard.cli._groups import JOB, LazyGroup
from steelyard.errors import UsageError
from steelyard.jobs import JOBS, job

_HERE = "steelyard.cli"


class _Commands(LazyGroup):
    lazy = {  # noqa: RUF012  (a table)
        "judge": (
            f"{_HERE}._judge:judge",
            "Compile a program, run it against its tests, and score it.",
        ),
        "profile": (
            f"{_HERE}._profile:profile",
            "Measure how a program grows; predict time and memory.",
        ),
        "compare": (
            f"{_HERE}._compare:compare",
            "Compare a rewritten Python function with its original.",
        ),
        "author": (
            f"{_HERE}._author:author",
            "Write a specification, tests and solutions from a request.",
        ),
        "solve": (
            f"{_HERE}._solve:solve",
            "Solve a problem with language models, tests and profiles.",
        ),
        "evaluate": (
            f"{_HERE}._evaluate:evaluate",
            "Evaluate programs on a benchmark, with metrics and reports.",
        ),
        "train": (
            f"{_HERE}._train:train",
            "Fine-tune a language model on its own right programs (RAFT).",
        ),
        "show": (
            f"{_HERE}._solve:show",
            "Show a run of solve: plans, programs, tests and decisions.",
        ),
        "replay": (
            f"{_HERE}._solve:replay",
            "Repeat a run of solve from its files, without models.",
        ),
        "languages": (
            f"{_HERE}._doctor:languages",
            "List languages and compilers, and what to install.",
        ),
        "doctor": (
            f"{_HERE}._doctor:doctor",
            "Show what this machine offers, and how to get the rest.",
        ),
        "demo": (
            f"{_HERE}._demo:demo",
            "Judge, profile and compare example programs.",
        ),
        "datasets": (
            f"{_HERE}._datasets:datasets",
            "Import, export, check and show tasks of known data sets.",
        ),
        "env": (
            f"{_HERE}._env:env",
            "Write tasks as environments of training frameworks.",
        ),
        "cache": (f"{_HERE}._cache:cache", "Manage the cache of language models' replies."),
        "serve": (f"{_HERE}._service:serve", "Serve judgements, runs and pages over HTTP."),
        "mcp": (f"{_HERE}._service:mcp", "Serve the jobs as tools for an agent (MCP)."),
        "worker": (
            f"{_HERE}._service:worker",
            "Run the long jobs of a service, on this machine or on another.",
        ),
        "tokens": (f"{_HERE}._service:tokens", "Manage the tokens of the service."),
        "db": (f"{_HERE}._db:db", "Manage the database of problems, suites and judgements."),
    }

    def __init__(self, **settings: Any) -> None:
        own = {*self.lazy, "strength"}  # `author strength`
        more = {name: (f"{JOB}:{name}", job(name).summary) for name in JOBS if name not in own}
        self.lazy = {**self.lazy, **more}
        super().__init__(**settings)


app = typer.Typer(
    name="steelyard",
    cls=_Commands,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help", "--help-all"]},
    help="Report with evidence whether a program is right, how fast it is and how it grows.",
    epilog="Exit status: 0 the program passed, 1 it did not, 2 the call was wrong, "
    "3 the infrastructure failed.",
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from steelyard import __version__  # read at first use  # noqa: PLC0415

        typer.echo(f"steelyard {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def options(
    context: typer.Context,
    _version: Annotated[
        bool,
        typer.Option("--version", help="Show the version.", callback=_print_version, is_eager=True),
    ] = False,
    verbose: Annotated[
        int,
        typer.Option(
            "-v",
            "--verbose",
            count=True,
            show_default=False,
            help="Show details; log what happens to standard error. -vv logs more.",
        ),
    ] = 0,
) -> None:
    """Report with evidence whether a program is right, how fast it is and how it grows."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(UsageError.exit_status)
    if verbose or "LOG_LEVEL" in os.environ:
        from steelyard.cli._outputs import be_verbose  # noqa: PLC0415

        be_verbose(verbose)
