"""`steelyard judge`: one program against its tests."""

from pathlib import Path
from typing import Annotated, get_args

import typer
from pydantic import ValidationError

from steelyard.cli._options import (
    Compiler,
    Flags,
    Language,
    module_names,
    read_source,
    split_flags,
)
from steelyard.cli._outputs import print_json
from steelyard.cli._render import case_progress, show_result
from steelyard.errors import UsageError
from steelyard.judging import (
    MATCH_MODES,
    VALUE_MODES,
    CaseIsolation,
    Checker,
    Convention,
    Judge,
    ProgramChecker,
    as_entry,
    as_policy,
    entry_checker,
    load_tests,
)
from steelyard.sandbox import CellPool
from steelyard.schemas import Limits
from steelyard.toolchains import CompileCache, find_toolchain, language_of

__all__ = ["judge"]


def judge(
    source: Annotated[Path, typer.Argument(metavar="SOURCE", help="The program's source file.")],
    tests: Annotated[
        Path,
        typer.Option(
            metavar="PATH",
            help="A JSON or JSONL file of tests, a folder of NAME.in with NAME.ans or NAME.out, "
            "or a .py file of assertions.",
        ),
    ],
    entry: Annotated[
        str,
        typer.Option(
            metavar="ENTRY",
            help="How a Python program is entered: stdio, function:NAME, class:NAME.METHOD, "
            "asserts or asserts:NAME.",
        ),
    ] = "stdio",
    language: Language = None,
    compiler: Compiler = None,
    flags: Flags = None,
    match: Annotated[
        str | None,
        typer.Option(
            metavar="MODE",
            help=f"How to compare: {', '.join(MATCH_MODES)}; the first by default. "
            f"Values of calls: {', '.join(VALUE_MODES)}.",
        ),
    ] = None,
    sequences_alike: Annotated[
        bool, typer.Option("--sequences-alike", help="For calls: a list equals a tuple.")
    ] = False,
    abs_tol: Annotated[
        float | None,
        typer.Option(metavar="X", help="Absolute tolerance of numeric and float_tokens."),
    ] = None,
    rel_tol: Annotated[
        float | None,
        typer.Option(metavar="X", help="Relative tolerance of numeric and float_tokens."),
    ] = None,
    checker: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A checker program's source, in place of --match."),
    ] = None,
    checker_convention: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="How the checker answers: testlib, which is the default, or icpc."
        ),
    ] = None,
    time_limit: Annotated[
        int, typer.Option(metavar="MS", help="CPU time for each case; the clock gets 250 ms more.")
    ] = 5_000,
    memory_limit: Annotated[
        int, typer.Option(metavar="MIB", help="Memory for each case, all processes together.")
    ] = 512,
    isolation: Annotated[
        str,
        typer.Option(
            metavar="HOW",
            help="per_case: a process for each case; per_candidate: calls share one.",
        ),
    ] = "per_case",
    preload: Annotated[
        str | None,
        typer.Option(metavar="MODULES", help="Python modules to have loaded: numpy,pandas."),
    ] = None,
    seed: Annotated[
        str | None,
        typer.Option(
            metavar="N",
            help="Where a Python program's hashes and random numbers start; 0 by default. "
            "random: elsewhere in every run, at the price of a new interpreter.",
        ),
    ] = None,
    policy: Annotated[
        str | None,
        typer.Option(
            metavar="POLICY",
            help="What a Python program's text must keep to: no-imports, or the modules that it "
            "may import, such as math,collections.",
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(metavar="N", help="Cases at once; one for each core where it is left out."),
    ] = None,
    fail_fast: Annotated[
        bool, typer.Option("--fail-fast", help="Stop at the first failure; the rest are skipped.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Compile a program, run it against its tests, and score it.

    Every test runs in a sandbox with its own limits.
    """
    if checker is None and checker_convention is not None:
        raise UsageError("--checker-convention needs a checker; name its source with --checker")
    if checker is not None and match is not None:
        raise UsageError("--checker takes the place of --match; give one of the two")
    if checker is not None and (abs_tol is not None or rel_tol is not None):
        raise UsageError("--checker takes no tolerance; leave --abs-tol and --rel-tol out")
    text = read_source(source)
    way_in = as_entry(entry)
    suite = load_tests(tests, entry=way_in)
    toolchain = find_toolchain(
        language or language_of(source),
        compiler=compiler,
        flags=split_flags(flags),
        preload=module_names(preload),
        seed=_seed(seed),
    )
    if seed is not None and toolchain.harness is None:
        raise UsageError(f"--seed is for Python, not for {toolchain.row.title}; leave it out")
    limits = _limits(time_limit, memory_limit)
    if jobs is not None and jobs < 1:
        raise UsageError(f"--jobs is {jobs}; make it 1 or more")
    with CellPool(jobs) as pool:
        judge = Judge(
            toolchain=toolchain,
            checker=_checker(checker, checker_convention or "testlib", pool)
            or entry_checker(
                way_in, match or MATCH_MODES[0], abs_tol, rel_tol, sequences_alike=sequences_alike
            ),
            pool=pool,
            limits=limits,
            cache=CompileCache(),
            fail_fast=fail_fast,
            entry=way_in,
            isolation=_isolation(isolation),
            policy=as_policy(policy, toolchain),
        )
        with case_progress(len(suite), quiet=json) as on_event:
            result = judge.judge(text, suite, on_event=on_event)
    if json:
        print_json(result.to_json())
    else:
        show_result(result, title=f"{source.name} · {toolchain.version}")
    raise typer.Exit(0 if result.passed else 1)


def _seed(text: str | None) -> int | None:
    if text == "random":
        return None
    try:
        return int(text or "0")
    except ValueError as error:
        raise UsageError(f"--seed is {text!r}; give a whole number, or random") from error


def _isolation(text: str) -> CaseIsolation:
    if text not in get_args(CaseIsolation):
        raise UsageError(f"--isolation is {text!r}; use per_case or per_candidate")
    return "per_candidate" if text == "per_candidate" else "per_case"


def _limits(time_limit: int, memory_limit: int) -> Limits:
    try:
        return Limits(cpu_ms=time_limit, memory_mib=memory_limit)
    except ValidationError as error:
        fault = error.errors()[0]
        option = {"cpu_ms": "--time-limit", "memory_mib": "--memory-limit"}[str(fault["loc"][0])]
        raise UsageError(f"{option}: {fault['msg'].lower()}, not {fault['input']}") from error


def _checker(path: Path | None, convention: str, pool: CellPool) -> Checker | None:
    """The checker program, compiled; a checker that does not compile is the caller's to mend."""
    if path is None:
        return None
    if convention not in get_args(Convention):
        raise UsageError(f"--checker-convention is {convention!r}; use testlib or icpc")
    compilation = find_toolchain(language_of(path)).compile(
        read_source(path), pool, cache=CompileCache()
    )
    if compilation.artifact is None:
        first = next(iter(compilation.result.errors), "the compiler said nothing")
        raise UsageError(f"the checker {path} does not compile: {first}")
    return ProgramChecker(
        compilation.artifact, pool, convention="icpc" if convention == "icpc" else "testlib"
    )
