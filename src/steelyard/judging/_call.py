"""`judge(...)`: one program against its tests, in one call."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

from steelyard.errors import UsageError
from steelyard.judging._entries import CaseIsolation, as_entry
from steelyard.judging._jobs import filled
from steelyard.judging._judges import Judges
from steelyard.judging._loading import TestSource
from steelyard.judging._options import COMPILE_TIMEOUT_S, JudgeOptions
from steelyard.judging._rewards import Reward
from steelyard.judging._rows import RowReader
from steelyard.judging.checkers import MatchMode
from steelyard.judging.checkers._outcome import Checker
from steelyard.judging.replies import Taken, program_of, take_code
from steelyard.options import in_thread
from steelyard.sandbox import CellPool
from steelyard.schemas import Entry, Limits, OnEvent, Policy, Task, VerifyResult
from steelyard.toolchains import language_of, read_source, source_bytes


def judge(
    program: str | bytes | Path,
    tests: TestSource | Task,
    *,
    language: str | None = None,
    compiler: str | None = None,
    flags: Sequence[str] | None = None,
    entry: Entry | str = "stdio",
    match_mode: MatchMode = "exact",
    abs_tol: float | None = None,
    rel_tol: float | None = None,
    sequences_alike: bool = False,
    ignore_case: bool = False,
    checker: Checker | None = None,
    reward: Reward | None = None,
    partial_credit: bool = True,
    compile_only: bool = False,
    fail_fast: bool = False,
    isolation: CaseIsolation = "per_case",
    preload: Sequence[str] = (),
    policy: str | Policy | None = None,
    compile_timeout_s: float = COMPILE_TIMEOUT_S,
    binary_cache_dir: str | Path | None = None,
    pool: CellPool | None = None,
    limits: Limits | None = None,
    seed: int | None = 0,
    on_event: OnEvent | None = None,
) -> VerifyResult:
    """Judge one program against its tests.

    Args:
        program: A `Path` is a file; `str` and `bytes` are the program's text, or a model's reply
            that holds it (see `code_of_reply`).
        tests: As `load_tests` takes them, for the entry; a `str` is a path. Or a `Task`, a row of
            one, or `{"inputs", "outputs", "fn_name"}`: what these state holds in place of the
            options.
        language: A name from the language table; None is the file's ending, or the label of the
            reply's code block, else Python. Rows without a language are for Python, if not a file.
        compiler: One of the language's compilers; None is the first that is installed.
        flags: Flags for the compiler; None is the table's.
        entry: `stdio`, or for Python `function:NAME`, `class:NAME.METHOD`, `methods:NAME`,
            `asserts` or `asserts:NAME`.
        match_mode: How outputs or values are compared.
        abs_tol: For modes that compare numbers, the largest absolute difference.
        rel_tol: For these, the largest difference relative to the expected number.
        sequences_alike: For calls, a list equals a tuple with the same items.
        ignore_case: For printed words and lines, `A` to `Z` equal `a` to `z`.
        checker: Decides on outputs in place of `match_mode`.
        reward: Takes the place of the reward ladder: `pass_rate`, `binary`, or a function of
            yours.
        partial_credit: Reward each passed case; False is `binary`.
        compile_only: Judge compiling alone; cases are skipped, and there may be none.
        fail_fast: Stop at the first case that fails; the rest are skipped.
        isolation: `per_candidate` lets the calls of one program share a process.
        preload: For Python, modules to load beforehand, such as `numpy`.
        policy: For Python, restricts the source text: `no-imports`, the modules that it may
            import (`math,collections`), or a `Policy`.
        compile_timeout_s: CPU time for compiling, in seconds.
        binary_cache_dir: Folder of the compile cache; None is the configured one.
        pool: Where programs run; None is the pool that the process shares.
        limits: Limits of each case, `cpu_ms` and `wall_ms` included.
        seed: For Python, the seed of hashing and `random`; None picks a new one per run and
            starts a new interpreter.
        on_event: Called with each finished case, from any thread.

    Raises:
        UsageError: if the call is wrong; nothing is scored then.
        InfrastructureError: if the machine failed; nothing is scored then.
    """
    options = JudgeOptions.of(
        language=language,
        compiler=compiler,
        flags=flags,
        entry=as_entry(entry),
        match_mode=match_mode,
        abs_tol=abs_tol,
        rel_tol=rel_tol,
        sequences_alike=sequences_alike,
        ignore_case=ignore_case,
        checker=checker,
        reward=reward,
        partial_credit=partial_credit,
        compile_only=compile_only,
        fail_fast=fail_fast,
        isolation=isolation,
        preload=preload,
        policy=policy,
        compile_timeout_s=compile_timeout_s,
        binary_cache_dir=binary_cache_dir,
        pool=pool,
        limits=limits,
        seed=seed,
        on_event=on_event,
    )
    judges = Judges(options)
    row = RowReader(options).read(tests) if isinstance(tests, Task | Mapping) else None
    named = (row and row.task.language) or options.language
    if named is None and (row is None or isinstance(program, Path)):
        named = language_of_program(program, as_entry(options.entry))
    source, language = read_source(program, named)
    if row is None:
        judges.check(language)
        row = filled(options.task(), cast("TestSource", tests))
    text = program_of(row.task, source.decode("utf-8", "surrogateescape"))
    program_bytes = text.encode("utf-8", "surrogateescape")
    return judges.of(row, language).judge(program_bytes, on_event=options.on_event)


ajudge = in_thread(judge, "ajudge")


def read_program(
    program: str | bytes | Path, language: str | None, entry: Entry
) -> tuple[str, Taken]:
    """Return the language of a program, and its text as a reply or a file holds it.

    Raises:
        UsageError: if it cannot be read, or is empty.
        LanguageError: if a file's ending names no language.
    """
    language = language or language_of_program(program, entry)
    source, language = read_source(program, language)
    taken = take_code(source, language, entry)
    if not taken.code.strip():
        name = program.name if isinstance(program, Path) else "the program"
        raise UsageError(f"{name} is empty; give its source")
    return language, taken


def language_of_program(program: object, entry: Entry) -> str:
    """Return the language by a file's ending or by a reply's label; else Python."""
    if isinstance(program, Path):
        return language_of(program)
    if entry.kind == "stdio" and isinstance(program, str | bytes):
        return take_code(source_bytes(program), None, entry).language or "python"
    return "python"
