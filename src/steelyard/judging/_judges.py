"""`judge(...)`, one program against its tests in one call, and `judge_of(task)`, a task's judge.

`Judges` is the one way from a task to its judge.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from steelyard._arguments import checks_arguments
from steelyard.errors import UsageError
from steelyard.judging._entries import (
    CaseIsolation,
    as_entry,
    as_policy,
    check_entry,
    entry_checker,
)
from steelyard.judging._judge import Judge
from steelyard.judging._loading import TestSource
from steelyard.judging._options import COMPILE_TIMEOUT_S, JudgeOptions, RunningOptions, stated
from steelyard.judging._reward_ladder import Reward, binary, graduated
from steelyard.judging._rows import LoadedTask, RowReader, filled, loaded
from steelyard.judging.checkers import Convention, MatchMode, ProgramChecker
from steelyard.judging.checkers._outcome import Checker
from steelyard.judging.forms import form_called
from steelyard.judging.replies import Taken, program_of, take_code
from steelyard.options import in_thread
from steelyard.sandbox import CellPool
from steelyard.schemas import (
    COMPARISON,
    Entry,
    Limits,
    OnEvent,
    Policy,
    Task,
    TaskChecker,
    TestSuite,
    VerifyResult,
)
from steelyard.toolchains import (
    CompileCache,
    Toolchain,
    find_toolchain,
    language_called,
    language_of,
    read_source,
    source_bytes,
)

_USUAL = Limits()
_KEPT = 256


def judge(
    program: str | bytes | Path,
    tests: TestSource | Task,
    *,
    language: str | None = None,
    compiler: str | None = None,
    flags: Sequence[str] | None = None,
    entry: Entry | str = "stdio",
    match_mode: MatchMode | None = None,
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
            options. A `Task` decides on its entry, comparison and checker.
        language: A name from the language table; None is the file's ending, or the label of the
            reply's code block, else Python. Rows without a language are for Python, if not a file.
        compiler: One of the language's compilers; None is the first that is installed.
        flags: Flags for the compiler; None is the table's.
        entry: `stdio`, or for Python `function:NAME`, `class:NAME.METHOD`, `methods:NAME`,
            `asserts` or `asserts:NAME`.
        match_mode: Comparison of outputs or values; None is `exact`.
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
    options = JudgeOptions.among(locals(), entry=as_entry(entry))
    own, source = prepared(program, tests, options)
    return own.judge(source, on_event=options.on_event)


ajudge = in_thread(judge, "ajudge")


def prepared(
    program: str | bytes | Path,
    tests: TestSource | Task,
    options: JudgeOptions,
    *,
    file: Path | None = None,
) -> tuple[Judge, bytes]:
    """Return the judge of a program, and the program that it judges.

    Args:
        program: The program.
        tests: Its tests, or a task that holds them.
        options: The options.
        file: The file that the program is from, if it is not a path itself.

    Raises:
        UsageError, InfrastructureError: as for `judge`.
    """
    judges = Judges(options)
    file = program if isinstance(program, Path) else file
    row = row_of(tests, options) if isinstance(tests, Task | Mapping) else None
    named = (row and row.task.language) or options.language
    if named is None and (row is None or file is not None):
        named = language_of_program(file or program, as_entry(options.entry))
    source, language = read_source(program, named)
    if row is None:
        judges.check(language)
        row = filled(options.task(), cast("TestSource", tests))
    text = program_of(row.task, source.decode("utf-8", "surrogateescape"))
    return judges.of(row, language), text.encode("utf-8", "surrogateescape")


def row_of(task: Task | Mapping[str, Any], options: JudgeOptions) -> LoadedTask:
    """Return a task with its tests, or a row of a data set as one.

    The options hold where a row states nothing; a whole task states everything.

    Raises:
        UsageError: if the options contradict the task, or its tests cannot be read.
    """
    if isinstance(task, Task) or "schema_version" in task:
        own = sorted(stated(options)) + ["checker"] * (options.checker is not None)
        if own:
            raise UsageError(f"{own[0]}: the task decides this; leave it out")
    row = RowReader(options).read(task)
    language = options.language
    if language is not None and row.task.language not in (None, language_called(language)):
        raise UsageError(
            f"language: the task is for {row.task.language}, got {language!r}; leave it out"
        )
    return row


@checks_arguments
def judge_of(
    task: Task,
    options: RunningOptions | None = None,
    *,
    suite: TestSuite | None = None,
    language: str | None = None,
) -> Judge:
    """Return the judge of a task's programs.

    Everything that decides a verdict is the task's: its tests, entry, form, comparison, checker
    and limits. The options say how programs are compiled, run and rewarded; limits and a checker
    that they set replace the task's.

    Args:
        task: The task.
        options: How to run; None for the usual way.
        suite: Tests in place of the task's own.
        language: Language of the program; None is the task's, else the options', else Python.

    Raises:
        TestsError: if the tests cannot be read.
        UsageError: for an option that cannot be obeyed; the message names it.
        LanguageError: for an unknown language, or a compiler that is not installed.
        InfrastructureError: if the machine failed while a checker was compiled.
    """
    row = loaded(task) if suite is None else LoadedTask(task, suite)
    return Judges(options or RunningOptions()).of(row, language)


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


class Judges:
    """Makes the judges of many tasks under the same options; threads may share it.

    Args:
        options: How programs are compiled, run and rewarded.
        default_compiler: The compiler if the options name none.
        cache: Stores compiled programs; None is the options' folder, or the configured one.

    Raises:
        UsageError: for options that are out of range.
    """

    def __init__(
        self,
        options: RunningOptions,
        *,
        default_compiler: str | None = None,
        cache: CompileCache | None = None,
    ) -> None:
        self.options = options
        self._compiler = options.compiler or default_compiler
        self.reward: Reward = options.reward or (graduated if options.partial_credit else binary)
        folder = options.binary_cache_dir
        self._cache = cache or (CompileCache(Path(folder)) if folder else CompileCache())
        self._checkers: dict[TaskChecker, ProgramChecker] = {}
        self.toolchain = lru_cache(_KEPT)(self._toolchain)
        """Returns the toolchain of a language.

        Raises LanguageError if it is unknown, or its compiler is not installed, and UsageError for
        an option that is not for this language.
        """
        self.of = lru_cache(_KEPT)(self._of)
        """Returns the judge of a loaded task's programs in a language, as `judge_of`."""

    def check(self, language: str | None = None) -> None:
        """Refuse options that do not fit together, before any tests are read.

        Raises:
            UsageError: for an option that cannot be obeyed; the message names it.
            LanguageError: for a language that has no compiler here.
        """
        if isinstance(self.options, JudgeOptions):
            self._of(LoadedTask(self.options.task(), TestSuite()), language)

    def _of(self, row: LoadedTask, language: str | None = None) -> Judge:
        options, task = self.options, row.task
        toolchain = self.toolchain(language or task.language or options.language or "python")
        entry = as_entry(task.entry)
        checker = self._checker(task)
        form = form_called(task.form) if task.form else None
        check_entry(entry, toolchain, checker, options.isolation)
        return Judge(
            toolchain=toolchain,
            checker=checker,
            suite=row.suite,
            pool=options.cells,
            limits=task_limits(task, options.limits),
            compile_limits=toolchain.compile_limits.replace(
                cpu_ms=max(1, round(options.compile_timeout_s * 1000))
            ),
            cache=self._cache,
            fail_fast=options.fail_fast,
            reward=self.reward,
            entry=entry,
            isolation=options.isolation,
            policy=as_policy(options.policy, toolchain),
            compile_only=options.compile_only,
            form=task.form,
            form_note=form.note if form else "",
            usual_names=form is not None and form.usual_names,
        )

    def _toolchain(self, language: str) -> Toolchain:
        options = self.options
        return find_toolchain(
            language,
            compiler=self._compiler,
            flags=options.flags,
            preload=options.preload,
            seed=options.seed,
        )

    def _checker(self, task: Task) -> Checker:
        given = self.options.checker
        source = given if isinstance(given, TaskChecker) else task.checker
        if given is None and source is None:
            return entry_checker(
                as_entry(task.entry),
                task.match_mode,
                task.abs_tol,
                task.rel_tol,
                sequences_alike=task.sequences_alike,
                ignore_case=task.ignore_case,
                one_item_lists=task.one_item_lists,
            )
        if source is None and not callable(getattr(given, "check", None)):
            raise UsageError(
                f"checker is {type(given).__name__}; give one of checker_for, or an object with "
                "check(case, output)"
            )
        for name in COMPARISON:
            if getattr(task, name) != Task.model_fields[name].default:
                raise UsageError(f"{name}: a checker decides this; leave it out")
        return cast("Checker", given) if source is None else self._program(task, source)

    def _program(self, task: Task, checker: TaskChecker) -> ProgramChecker:
        """Return a checker program, compiled once."""
        if checker not in self._checkers:
            pool = self.options.cells
            toolchain, source = find_toolchain(checker.language), checker.source.encode()
            compiled = toolchain.compile(source, pool, cache=self._cache)
            if compiled.artifact is None:
                first = str(next(iter(compiled.result.errors), "the compiler printed nothing"))
                hint = "put testlib.h into /usr/include" if "testlib.h" in first else "correct it"
                raise UsageError(f"the checker for {task.id} does not compile: {first}; {hint}")
            convention = cast("Convention", checker.convention)  # it refuses any other
            made = ProgramChecker(compiled.artifact, pool, convention=convention)
            self._checkers[checker] = made
        return self._checkers[checker]


def task_limits(task: Task, given: Limits | None = None) -> Limits:
    """Return the limits of one case: the task's, with those in place that are set in `given`."""
    own = {"cpu_ms": task.time_limit_ms, "memory_mib": task.memory_limit_mib}
    limits = Limits(**{name: value for name, value in own.items() if value is not None})
    if given is None:
        return limits
    names = given.model_fields_set
    if "cpu_ms" not in names and given.wall_ms == _USUAL.wall_ms:
        names = names - {"wall_ms"}  # `Limits` sets it by itself
    return limits.replace(**given.model_dump(include=names))
