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
    split_flags,
    time_limit,
)
from steelyard.cli._outputs import print_json
from steelyard.cli._progress import progress
from steelyard.cli._render import show_result
from steelyard.errors import UsageError
from steelyard.judging import (
    MATCH_MODES,
    VALUE_MODES,
    CaseIsolation,
    Checker,
    Convention,
    Judge,
    MatchMode,
    ProgramChecker,
    as_entry,
    as_policy,
    binary,
    entry_checker,
    graduated,
    load_tests,
)
from steelyard.sandbox import CellPool
from steelyard.schemas import Limits, TestSuite
from steelyard.toolchains import CompileCache, find_toolchain, language_of

__all__ = ["judge"]

_USUAL = Limits()
_TOLERANCE = "that of --match-mode"


def judge(
    program: Program,
    tests: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH",
            show_default="required, except with --compile-only",
            help="JSON or JSONL file of tests, folder of NAME.in with NAME.ans or NAME.out, "
            "or .py file of assertions.",
        ),
    ] = None,
    entry: Annotated[
        str, entry("stdio, function:NAME, class:NAME.METHOD, asserts or asserts:NAME")
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
    text = read_source(program)
    way_in = as_entry(entry)
    if tests is None and not compile_only:
        raise UsageError("--tests is missing; name the tests, or give --compile-only")
    suite = TestSuite() if tests is None else load_tests(tests, entry=way_in)
    toolchain = find_toolchain(
        language or language_of(program),
        compiler=compiler,
        flags=split_flags(flags),
        preload=module_names(preload),
        seed=seed,
    )
    if seed != 0 and toolchain.harness is None:
        raise UsageError(f"--seed is for Python, not for {toolchain.row.title}; leave it out")
    limits = limits_of(time_limit, memory_limit) or _USUAL
    if jobs is not None and jobs < 1:
        raise UsageError(f"--jobs must be 1 or more, got {jobs}")
    with CellPool(jobs) as pool:
        judge = Judge(
            toolchain=toolchain,
            checker=_checker(checker, checker_convention or "testlib", pool)
            or entry_checker(
                way_in,
                match_mode or MATCH_MODES[0],
                abs_tol,
                rel_tol,
                sequences_alike=sequences_alike,
                ignore_case=ignore_case,
            ),
            pool=pool,
            limits=limits,
            cache=CompileCache(),
            fail_fast=fail_fast,
            entry=way_in,
            isolation=isolation,
            policy=as_policy(policy, toolchain),
            reward=graduated if partial_credit else binary,
            compile_only=compile_only,
        )
        with progress("judging") as on_event:
            result = judge.judge(text, suite, on_event=on_event)
    if json:
        print_json(result.to_json())
    else:
        verb = "compiled" if toolchain.builds else "checked"
        show_result(result, title=f"{program.name}: {verb} by {toolchain.version}")
    raise typer.Exit(0 if result.passed else 1)


def _checker(path: Path | None, convention: Convention, pool: CellPool) -> Checker | None:
    """The checker program, compiled; a checker that does not compile is the caller's to fix."""
    if path is None:
        return None
    source = read_source(path)  # before its ending is looked at
    compilation = find_toolchain(language_of(path)).compile(source, pool, cache=CompileCache())
    if compilation.artifact is None:
        first = next(iter(compilation.result.errors), "the compiler printed nothing")
        raise UsageError(f"the checker {path} does not compile: {first}")
    return ProgramChecker(compilation.artifact, pool, convention=convention)
