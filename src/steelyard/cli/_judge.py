"""`steelyard judge`: one program against its tests."""

from pathlib import Path
from typing import Annotated

import typer

from steelyard.cli._options import (
    Compiler,
    Flags,
    Jobs,
    Json,
    Language,
    Preload,
    Program,
    Seed,
    abs_tol,
    entry,
    limits_of,
    memory_limit,
    module_names,
    read_source,
    rel_tol,
    require_jobs,
    split_flags,
    time_limit,
)
from steelyard.cli._outputs import is_verbose, print_result
from steelyard.cli._progress import progress
from steelyard.errors import UsageError
from steelyard.judging import (
    MATCH_MODES,
    VALUE_MODES,
    CaseIsolation,
    Convention,
    Judges,
    LoadedTask,
    MatchMode,
    RunningOptions,
    as_entry,
    load_tests,
    loaded,
    program_of,
    view,
)
from steelyard.sandbox import CellPool
from steelyard.schemas import Limits, Task, TaskChecker, TestSuite
from steelyard.toolchains import language_called, language_of

_USUAL = Limits()
_TOLERANCE = "that of --match-mode"


def judge(
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
    entry: Annotated[
        str,
        entry("stdio, function:NAME, class:NAME.METHOD, methods:NAME, asserts or asserts:NAME"),
    ] = "stdio",
    language: Language = None,
    compiler: Compiler = None,
    flags: Flags = None,
    match_mode: Annotated[
        MatchMode | None,
        typer.Option(
            show_default=MATCH_MODES[0],
            help=f"Comparison of outputs. Calls take {', '.join(VALUE_MODES)}.",
        ),
    ] = None,
    sequences_alike: Annotated[
        bool, typer.Option("--sequences-alike", help="For calls, a list equals a tuple.")
    ] = False,
    ignore_case: Annotated[
        bool, typer.Option("--ignore-case", help="Printed words and lines match in any case.")
    ] = False,
    rel_tol: Annotated[float | None, rel_tol(_TOLERANCE)] = None,
    abs_tol: Annotated[float | None, abs_tol(_TOLERANCE)] = None,
    checker: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Source file of a checker, in place of --match-mode."),
    ] = None,
    checker_convention: Annotated[
        Convention | None,
        typer.Option(show_default="testlib", help="How the checker reports its verdict."),
    ] = None,
    time_limit: Annotated[int | None, time_limit(str(_USUAL.cpu_ms))] = None,
    memory_limit: Annotated[int | None, memory_limit(str(_USUAL.memory_mib))] = None,
    isolation: Annotated[
        CaseIsolation,
        typer.Option(help="Run each case in its own process, or all calls of a program in one."),
    ] = "per_case",
    preload: Preload = None,
    seed: Seed = 0,
    policy: Annotated[
        str | None,
        typer.Option(
            metavar="POLICY",
            help="Restrict Python source: no-imports, or a list of allowed modules "
            "such as math,collections.",
        ),
    ] = None,
    jobs: Jobs = None,
    fail_fast: Annotated[
        bool, typer.Option("--fail-fast", help="Stop at the first failure; skip the rest.")
    ] = False,
    partial_credit: Annotated[
        bool,
        typer.Option(
            "--partial-credit/--no-partial-credit",
            help="Reward each passed test, or only a program that passes all.",
        ),
    ] = True,
    compile_only: Annotated[
        bool,
        typer.Option(
            "--compile-only",
            help="Judge compiling alone; run no test. The program passes if it compiles.",
        ),
    ] = False,
    json: Json = False,
) -> None:
    """Compile a program, run it against its tests, and score it.

    Every test runs in a sandbox with its own limits.
    """
    if checker is None and checker_convention is not None:
        raise UsageError("--checker-convention needs a checker; name its source with --checker")
    if checker is not None and match_mode is not None:
        raise UsageError("--checker takes the place of --match-mode; give one of the two")
    if checker is not None and (abs_tol is not None or rel_tol is not None):
        raise UsageError("--checker takes no tolerance; leave --abs-tol and --rel-tol out")
    if checker is not None and ignore_case:
        raise UsageError("--checker decides on case itself; leave --ignore-case out")
    if task is not None:
        own = {
            "--tests": tests,
            "--match-mode": match_mode,
            "--checker": checker,
            "--rel-tol": rel_tol,
            "--abs-tol": abs_tol,
            "--ignore-case": ignore_case or None,
            "--sequences-alike": sequences_alike or None,
            "--entry": None if entry == "stdio" else entry,
        }
        if twice := next((name for name, value in own.items() if value is not None), None):
            raise UsageError(f"the task decides this; leave {twice} out")
    elif tests is None and not compile_only:
        raise UsageError("--tests is missing; name the tests, or give --task or --compile-only")
    source = read_source(program)
    require_jobs(jobs)
    way_in = as_entry(entry)
    if task is not None:
        row = _loaded(task)
        if language is not None and row.task.language not in (None, language_called(language)):
            raise UsageError(
                f"the task is for {row.task.language}, not for {language}; leave --language out"
            )
        text = source.decode("utf-8", "surrogateescape")
        source = program_of(row.task, text).encode("utf-8", "surrogateescape")
    else:
        row = LoadedTask(
            Task(
                id="tests",
                prompt="",
                entry=str(way_in),
                match_mode=match_mode or MATCH_MODES[0],
                abs_tol=abs_tol,
                rel_tol=rel_tol,
                sequences_alike=sequences_alike,
                ignore_case=ignore_case,
                checker=_given_checker(checker, checker_convention or "testlib"),
            ),
            TestSuite() if tests is None else load_tests(tests, entry=way_in),
        )
    with CellPool(jobs) as pool:
        judges = Judges(
            RunningOptions.of(
                compiler=compiler,
                flags=split_flags(flags),
                preload=module_names(preload),
                seed=seed,
                limits=limits_of(time_limit, memory_limit),
                pool=pool,
                fail_fast=fail_fast,
                isolation=isolation,
                policy=policy,
                partial_credit=partial_credit,
                compile_only=compile_only,
            )
        )
        judge = judges.of(row, row.task.language or language or language_of(program))
        toolchain = judge.toolchain
        if seed != 0 and toolchain.harness is None:
            raise UsageError(f"--seed is for Python, not for {toolchain.row.title}; leave it out")
        with progress("judging") as on_event:
            result = judge.judge(source, on_event=on_event)
    verb = "compiled" if toolchain.builds else "checked"
    title = f"{program.name}: {verb} by {toolchain.version}"
    print_result(result, view(result, title=title, brief=not is_verbose()), json=json)
    raise typer.Exit(0 if result.passed else 1)


def _loaded(name: str) -> LoadedTask:
    from steelyard.datasets import find_task  # few judge a data set's task  # noqa: PLC0415

    return loaded(find_task(name))


def _given_checker(path: Path | None, convention: Convention) -> TaskChecker | None:
    if path is None:
        return None
    source = read_source(path)  # before its ending is looked at
    return TaskChecker(
        source=source.decode("utf-8", "surrogateescape"),
        language=language_of(path),
        convention=convention,
    )
