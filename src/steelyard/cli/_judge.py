"""`steelyard judge`: one program against its tests."""

from pathlib import Path
from typing import Annotated

import typer

from steelyard.cli._flags import Chosen, takes
from steelyard.cli._options import Jobs, Json, Program, read_source, require_jobs
from steelyard.cli._outputs import is_verbose, print_result
from steelyard.cli._progress import progress
from steelyard.errors import UsageError
from steelyard.judging import (
    VALUE_MODES,
    Convention,
    JudgeOptions,
    Judges,
    LoadedTask,
    as_entry,
    load_tests,
    loaded,
    program_of,
    view,
)
from steelyard.sandbox import CellPool
from steelyard.schemas import TaskChecker, TestSuite
from steelyard.toolchains import language_called, language_of

_OF_TASKS = {
    "--tests": "tests",
    "--match-mode": "match_mode",
    "--checker": "checker",
    "--rel-tol": "rel_tol",
    "--abs-tol": "abs_tol",
    "--ignore-case": "ignore_case",
    "--sequences-alike": "sequences_alike",
    "--entry": "entry",
}


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
    given = chosen.given | {"tests": tests, "checker": checker}
    if checker is not None:
        if "match_mode" in given:
            raise UsageError("--checker takes the place of --match-mode; give one of the two")
        if given.keys() & {"abs_tol", "rel_tol"}:
            raise UsageError("--checker takes no tolerance; leave --abs-tol and --rel-tol out")
        if "ignore_case" in given:
            raise UsageError("--checker decides on case itself; leave --ignore-case out")
    if task is not None:
        if twice := next((flag for flag, name in _OF_TASKS.items() if given.get(name)), None):
            raise UsageError(f"the task decides this; leave {twice} out")
    elif tests is None and not given.get("compile_only"):
        raise UsageError("--tests is missing; name the tests, or give --task or --compile-only")
    source = read_source(program)
    require_jobs(jobs)
    with CellPool(jobs) as pool, progress("judging") as on_event:
        options = chosen.options(
            pool=pool, checker=_checker(checker, checker_convention or "testlib")
        )
        language = options.language
        if task is not None:
            row = _loaded(task)
            if language is not None and row.task.language not in (None, language_called(language)):
                raise UsageError(
                    f"the task is for {row.task.language}, not for {language}; leave --language out"
                )
            text = source.decode("utf-8", "surrogateescape")
            source = program_of(row.task, text).encode("utf-8", "surrogateescape")
        else:
            suite = (
                TestSuite() if tests is None else load_tests(tests, entry=as_entry(options.entry))
            )
            row = LoadedTask(options.task(), suite)
        judge = Judges(options).of(row, row.task.language or language or language_of(program))
        toolchain = judge.toolchain
        result = judge.judge(source, on_event=on_event)
    verb = "compiled" if toolchain.builds else "checked"
    title = f"{program.name}: {verb} by {toolchain.version}"
    print_result(result, view(result, title=title, brief=not is_verbose()), json=json)
    raise typer.Exit(0 if result.passed else 1)


def _loaded(name: str) -> LoadedTask:
    from steelyard.datasets import find_task  # few judge a data set's task  # noqa: PLC0415

    return loaded(find_task(name))


def _checker(path: Path | None, convention: Convention) -> TaskChecker | None:
    if path is None:
        return None
    source = read_source(path)  # before its ending is looked at
    return TaskChecker(
        source=source.decode("utf-8", "surrogateescape"),
        language=language_of(path),
        convention=convention,
    )
