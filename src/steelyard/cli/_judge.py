"""`steelyard judge`: one program against its tests."""

from pathlib import Path
from typing import Annotated

import typer

from steelyard.cli._flags import Chosen, flags_named, takes
from steelyard.cli._options import Jobs, Json, Program, read_source, require_jobs
from steelyard.cli._outputs import is_verbose, print_result
from steelyard.cli._progress import progress
from steelyard.errors import UsageError
from steelyard.judging import (
    VALUE_MODES,
    Convention,
    JudgeOptions,
    prepared,
    view,
)
from steelyard.sandbox import CellPool
from steelyard.schemas import Task, TaskChecker, TestSuite
from steelyard.toolchains import language_of


@takes(
    JudgeOptions,
    "checker",
    "reward",
    "binary_cache_dir",
    "compile_timeout_s",
    match_mode=f"Comparison of outputs. Calls take {', '.join(VALUE_MODES)}.",
)
def judge(
    chosen: Chosen[JudgeOptions],
    program: Program,
    tests: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH",
            show_default="required, except with --task or --compile-only",
            help="JSON or JSONL file of tests, folder of NAME.in with NAME.ans or NAME.out, "
            "or .py file of assertions.",
        ),
    ] = None,
    task: Annotated[
        str | None,
        typer.Option(
            metavar="FILE[:ID]",
            help="Task of a data set, in place of --tests; it decides the comparison too.",
        ),
    ] = None,
    checker: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Source file of a checker, in place of --match-mode."),
    ] = None,
    checker_convention: Annotated[
        Convention | None,
        typer.Option(show_default="testlib", help="How the checker reports its verdict."),
    ] = None,
    jobs: Jobs = None,
    json: Json = False,
) -> None:
    """Compile a program, run it against its tests, and score it.

    Every test runs in a sandbox with its own limits.
    """
    if checker is None and checker_convention is not None:
        raise UsageError("--checker-convention needs a checker; name its source with --checker")
    if checker is not None and "match_mode" in chosen.given:
        raise UsageError("--match-mode: a checker decides this; leave it out")
    if task is not None and tests is not None:
        raise UsageError("--tests: the task decides this; leave it out")
    if task is None and tests is None and not chosen.given.get("compile_only"):
        raise UsageError("--tests is missing; name the tests, or give --task or --compile-only")
    source = read_source(program)
    require_jobs(jobs)
    with CellPool(jobs) as pool, progress("judging") as on_event:
        options = chosen.options(
            pool=pool, checker=_checker(checker, checker_convention or "testlib")
        )
        given = tests or TestSuite() if task is None else _task(task)
        with flags_named(JudgeOptions.model_fields):
            judge, source = prepared(source, given, options, file=program)
        result = judge.judge(source, on_event=on_event)
    verb = "compiled" if judge.toolchain.builds else "checked"
    title = f"{program.name}: {verb} by {judge.toolchain.version}"
    print_result(result, view(result, title=title, brief=not is_verbose()), json=json)
    raise typer.Exit(0 if result.passed else 1)


def _task(name: str) -> Task:
    from steelyard.datasets import find_task  # few judge a data set's task  # noqa: PLC0415

    return find_task(name)


def _checker(path: Path | None, convention: Convention) -> TaskChecker | None:
    if path is None:
        return None
    source = read_source(path)  # before its ending is looked at
    return TaskChecker(
        source=source.decode("utf-8", "surrogateescape"),
        language=language_of(path),
        convention=convention,
    )
