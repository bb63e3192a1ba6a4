"""`ExecutionVerifier`: judge many programs against the same tests."""

import dataclasses
import math
import pickle
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Literal, overload

from pydantic import BaseModel

from steelyard._arguments import checks_arguments
from steelyard.errors import UsageError
from steelyard.judging._batch import (
    BatchWork,
    OnError,
    ProgramSource,
    as_completed,
    batch_jobs,
    in_order,
)
from steelyard.judging._entries import CaseIsolation, as_entry
from steelyard.judging._judges import Judges
from steelyard.judging._loading import TestSource
from steelyard.judging._options import JudgeOptions
from steelyard.judging._reward_ladder import Reward
from steelyard.judging._rows import LoadedTask, filled
from steelyard.judging.checkers import MatchMode
from steelyard.judging.checkers._outcome import Checker
from steelyard.judging.prompts import extract_tests
from steelyard.options import in_thread
from steelyard.sandbox import CellPool
from steelyard.schemas import (
    Entry,
    ErrorResult,
    Limits,
    OnEvent,
    Policy,
    Task,
    TestSuite,
    VerifyResult,
)
from steelyard.toolchains import Toolchain, read_source

_LEAST_S, _MOST_S, _USUAL_S = 0.001, 86_400, 5
_REBUILT = frozenset({"_given", "_judges", "_max_workers", "_row"})
"""Attributes that the constructor makes; a pickle holds its arguments instead."""
_SHAPELESS = frozenset({"test_cases", "max_workers", "binary_cache_dir"})
"""Arguments that change no verdict, and tests, which have a digest of their own."""


class ExecutionVerifier:
    """Compile programs, run them against tests in cells, and reward them by pass rate.

    Safe to share between threads: tests that are passed to a call stay in that call.

    It can be pickled, and so sent to a worker process: as its arguments. A pool of your own is left
    out, and the worker uses the pool that its process shares.

    Args:
        test_cases: Mappings with `input`, `expected` and optionally `name` and `timeout`; or the
            path of a JSON or JSONL file, or of a folder of `NAME.in` with `NAME.ans`.
        compiler: A compiler from the language table, such as `g++` or `clang++`; None is the best
            that is installed.
        flags: Flags for the compiler; None is the language's own.
        timeout: For compiling, in seconds of CPU time.
        run_timeout: For each case, in seconds of CPU time; a case's own `timeout` overrides it.
        max_workers: Number of programs of a batch in flight at once. The pool's cells bound how
            many run.
        match_mode: How outputs or values are compared; see `checker_for`.
        partial_credit: Reward each passed case; False is `binary`: 1 if all pass, else 0.
        binary_cache_dir: Folder of the compile cache; None is the configured one.
        language: A name from the language table. None is a file's ending; for text it is Python
            if `entry` is a function, a class or assertions, else C++.
        checker: Decides on outputs in place of `match_mode`.
        abs_tol: For `numeric` and `float_tokens`, the largest absolute difference.
        rel_tol: For these, the largest difference relative to the expected number.
        limits: Further limits for each case; `run_timeout` sets their CPU and wall time.
        fail_fast: Stop at the first case that fails; the rest are skipped.
        reward: Takes the place of the reward ladder: `pass_rate`, `binary`, or a function of
            yours.
        pool: Where programs run; None is the pool that the process shares.
        entry: How Python programs are entered: `stdio`, `function:NAME`, `class:NAME.METHOD`,
            `asserts` or `asserts:NAME`.
        isolation: `per_case` gives every case a process of its own. `per_candidate` lets the
            calls of one program share a process until one fails; "Cost of a run" in
            docs/reference/python-programs.md explains the risk.
        preload: For Python, modules to load before a program starts, such as `numpy`.
        seed: For Python, the seed of hashing and `random`; None picks a new one per run and
            starts a new interpreter.
        sequences_alike: For calls, a list equals a tuple with the same items.
        ignore_case: For printed words and lines, `A` to `Z` equal `a` to `z`.
        policy: For Python, restricts the source text before it runs: `no-imports`, the modules
            that it may import (`math,collections`), or a `Policy`. The program must also define
            what the entry names. A first fence; isolation does not rest on it.
        compile_only: Judge compiling alone; cases are skipped, and there may be none. A compiler
            for another system implies it.

    Raises:
        LanguageError: for an unknown language, or a compiler that is not installed.
        TestsError: for tests that cannot be read.
        UsageError: for an unknown match mode, a limit out of range, or a tolerance that nothing
            would use.
    """

    default_compiler: ClassVar[str | None] = None

    @checks_arguments
    def __init__(
        self,
        test_cases: TestSource | None = None,
        compiler: str | None = None,
        flags: Sequence[str] | None = None,
        timeout: float = 30,
        run_timeout: float = 5,
        max_workers: int = 8,
        match_mode: MatchMode = "exact",
        partial_credit: bool = True,
        binary_cache_dir: str | Path | None = None,
        *,
        language: str | None = None,
        checker: Checker | None = None,
        abs_tol: float | None = None,
        rel_tol: float | None = None,
        limits: Limits | None = None,
        fail_fast: bool = False,
        reward: Reward | None = None,
        pool: CellPool | None = None,
        entry: str | Entry = "stdio",
        isolation: CaseIsolation = "per_case",
        preload: Sequence[str] = (),
        seed: int | None = 0,
        sequences_alike: bool = False,
        ignore_case: bool = False,
        policy: str | Policy | None = None,
        compile_only: bool = False,
    ) -> None:
        given = dict(locals())
        del given["self"], given["pool"]
        self._given: dict[str, Any] = given
        for name, value, least, most in (
            ("max_workers", max_workers, 1, math.inf),
            ("timeout", timeout, _LEAST_S, _MOST_S),
            ("run_timeout", run_timeout, _LEAST_S, _MOST_S),
        ):
            if not least <= value <= most:
                bounds = "1 or more" if name == "max_workers" else f"between {least} and {most:,}"
                raise UsageError(f"{name} is {value!r}; make it {bounds}")
        way_in = as_entry(entry)
        options = JudgeOptions.among(
            locals(),
            language=language or ("cpp" if way_in.kind == "stdio" else "python"),
            entry=way_in,
            compile_timeout_s=timeout,
            limits=_with_time(limits, run_timeout),
        )
        self._judges = Judges(options, default_compiler=self.default_compiler)
        self._max_workers = max_workers
        self._row = LoadedTask(options.task(), TestSuite())
        self._judges.check()
        if test_cases is not None:
            self.set_test_cases(test_cases)

    @property
    def suite(self) -> TestSuite:
        """The tests of calls that give none; empty without."""
        return self._row.suite

    @property
    def options(self) -> JudgeOptions:
        """Options for tests that decide nothing themselves."""
        options = self._judges.options
        assert isinstance(options, JudgeOptions)
        return options

    @property
    def entry(self) -> Entry:
        """Entry of programs, unless a call names another one."""
        return as_entry(self.options.entry)

    @property
    def language(self) -> str:
        """The language of programs that are text."""
        return self.options.language or "python"

    @property
    def toolchain(self) -> Toolchain:
        """The toolchain for programs that are text."""
        return self._judges.toolchain(self.language)

    @property
    def reward(self) -> Reward:
        """The policy that turns a result into its reward."""
        return self._judges.reward

    def shaping(self) -> dict[str, Any]:
        """Return the arguments that decide verdicts and rewards, as JSON holds them; no tests."""
        return {
            name: _as_json(value) for name, value in self._given.items() if name not in _SHAPELESS
        }

    def __getstate__(self) -> dict[str, Any]:
        """Return what was given to the constructor, without the pool, and the current tests.

        Raises:
            UsageError: if the reward or the checker cannot be pickled.
        """
        for name in ("reward", "checker"):
            _check_pickles(name, self._given[name])
        own = {name: value for name, value in vars(self).items() if name not in _REBUILT}
        given = {**self._given, "test_cases": self.suite if self.suite.cases else None}
        return {"given": given, "own": own}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        """Make the same verifier again, from the constructor's arguments."""
        ExecutionVerifier.__init__(self, **state["given"])
        vars(self).update(state["own"])

    def _verify(
        self,
        program: ProgramSource,
        row: LoadedTask,
        stopped: Callable[[], bool] | None = None,
        *,
        workers: int | None = None,
        on_event: OnEvent | None = None,
    ) -> VerifyResult:
        by_ending = isinstance(program, Path) and self._given["language"] is None
        language = row.task.language or (None if by_ending else self.language)
        source, language = read_source(program, language)
        return self._judges.of(row, language).judge(
            source, workers=workers, on_event=on_event, stopped=stopped
        )

    def set_test_cases(self, test_cases: TestSource) -> None:
        """Replace the tests for later calls; calls that are under way keep theirs.

        Raises:
            TestsError: for tests that cannot be read; the earlier tests remain.
        """
        self._row = filled(self._row.task, test_cases)

    def verify(
        self,
        program: ProgramSource,
        *,
        test_cases: TestSource | None = None,
        on_event: OnEvent | None = None,
    ) -> VerifyResult:
        """Judge one program.

        Args:
            program: A `Path` is a file; `str` and `bytes` are the program's text, or a model's
                reply that holds it (see `code_of_reply`).
            test_cases: Tests for this call alone.
            on_event: Called with each finished case, from any thread.

        Raises:
            TestsError: if there are no tests, or some cannot be read or checked.
            InfrastructureError: if the machine failed; nothing is scored then.
        """
        row = self._row if test_cases is None else filled(self._row.task, test_cases)
        return self._verify(program, row, on_event=on_event)

    averify = in_thread(verify, "averify")

    def verify_with_prompt(self, program: ProgramSource, prompt: str) -> VerifyResult:
        """Judge one program by the examples in its prompt; `details` lists the forms found.

        Raises:
            TestsError: if the prompt holds no unambiguous example.
            InfrastructureError: if the machine failed.
        """
        found = extract_tests(prompt)
        result = self._verify(program, LoadedTask(self._row.task, found.suite))
        shapes = ", ".join(found.shapes)
        return result.model_copy(
            update={"details": f"{result.details} (tests from the prompt: {shapes})"}
        )

    @overload
    def verify_batch(
        self,
        programs: Iterable[ProgramSource],
        *,
        test_cases: TestSource | None = None,
        suites: Sequence[TestSource | Task | LoadedTask] | None = None,
        prompts: Sequence[str] | None = None,
        entries: Sequence[str | Entry] | None = None,
        on_error: Literal["raise"] = "raise",
        on_result: Callable[[int, VerifyResult], None] | None = None,
    ) -> list[VerifyResult]: ...

    @overload
    def verify_batch(
        self,
        programs: Iterable[ProgramSource],
        *,
        test_cases: TestSource | None = None,
        suites: Sequence[TestSource | Task | LoadedTask] | None = None,
        prompts: Sequence[str] | None = None,
        entries: Sequence[str | Entry] | None = None,
        on_error: Literal["result"],
        on_result: Callable[[int, VerifyResult | ErrorResult], None] | None = None,
    ) -> list[VerifyResult | ErrorResult]: ...

    def verify_batch(
        self,
        programs: Iterable[ProgramSource],
        *,
        test_cases: TestSource | None = None,
        suites: Sequence[TestSource | Task | LoadedTask] | None = None,
        prompts: Sequence[str] | None = None,
        entries: Sequence[str | Entry] | None = None,
        on_error: OnError = "raise",
        on_result: Callable[[int, Any], None] | None = None,
    ) -> list[Any]:
        """Judge many programs; results come in the order of `programs`.

        Args:
            programs: Files or texts, as for `verify`.
            test_cases: The same tests for all of them.
            suites: Tests for each of them; a `Task` decides how its program is judged.
            prompts: A prompt with examples for each of them.
            entries: An entry for each of them, such as `function:NAME`, in place of the
                verifier's own.
            on_error: `raise` ends the batch with the first error, whose message names the program.
                `result` gives an `ErrorResult` in that program's position, and the others continue.
            on_result: Called with an index and its result, in order of completion, from any thread.

        Raises:
            UsageError: if more than one source of tests is given, or the lengths differ.
            TestsError: for tests that cannot be read; nothing is run then.
            InfrastructureError: if the machine failed; programs not yet begun are left.
        """
        jobs = batch_jobs(programs, self._row, on_error, test_cases, suites, prompts, entries)
        work = self._batch(on_error, on_result)
        return [result for _, result in in_order(work, jobs, self._max_workers, work.stop)]

    @overload
    def iter_batch(
        self,
        programs: Iterable[ProgramSource],
        *,
        test_cases: TestSource | None = None,
        suites: Sequence[TestSource | Task | LoadedTask] | None = None,
        prompts: Sequence[str] | None = None,
        entries: Sequence[str | Entry] | None = None,
        on_error: Literal["raise"] = "raise",
    ) -> Iterator[VerifyResult]: ...

    @overload
    def iter_batch(
        self,
        programs: Iterable[ProgramSource],
        *,
        test_cases: TestSource | None = None,
        suites: Sequence[TestSource | Task | LoadedTask] | None = None,
        prompts: Sequence[str] | None = None,
        entries: Sequence[str | Entry] | None = None,
        on_error: Literal["result"],
    ) -> Iterator[VerifyResult | ErrorResult]: ...

    def iter_batch(
        self,
        programs: Iterable[ProgramSource],
        *,
        test_cases: TestSource | None = None,
        suites: Sequence[TestSource | Task | LoadedTask] | None = None,
        prompts: Sequence[str] | None = None,
        entries: Sequence[str | Entry] | None = None,
        on_error: OnError = "raise",
    ) -> Iterator[VerifyResult | ErrorResult]:
        """Return the results of `verify_batch` one by one, in order, each as soon as possible.

        Programs are taken from `programs` shortly before their turn, so that any number of them
        can be judged in bounded memory. To stop, leave the iterator; to resume, call it with the
        programs (and their tests) from the first one that gave no result.
        """
        jobs = batch_jobs(programs, self._row, on_error, test_cases, suites, prompts, entries)
        work = self._batch(on_error, None)
        return (result for _, result in in_order(work, jobs, self._max_workers, work.stop))

    @overload
    def averify_batch(
        self,
        programs: Iterable[ProgramSource],
        *,
        test_cases: TestSource | None = None,
        suites: Sequence[TestSource | Task | LoadedTask] | None = None,
        prompts: Sequence[str] | None = None,
        entries: Sequence[str | Entry] | None = None,
        on_error: Literal["raise"] = "raise",
    ) -> AsyncIterator[tuple[int, VerifyResult]]: ...

    @overload
    def averify_batch(
        self,
        programs: Iterable[ProgramSource],
        *,
        test_cases: TestSource | None = None,
        suites: Sequence[TestSource | Task | LoadedTask] | None = None,
        prompts: Sequence[str] | None = None,
        entries: Sequence[str | Entry] | None = None,
        on_error: Literal["result"],
    ) -> AsyncIterator[tuple[int, VerifyResult | ErrorResult]]: ...

    def averify_batch(
        self,
        programs: Iterable[ProgramSource],
        *,
        test_cases: TestSource | None = None,
        suites: Sequence[TestSource | Task | LoadedTask] | None = None,
        prompts: Sequence[str] | None = None,
        entries: Sequence[str | Entry] | None = None,
        on_error: OnError = "raise",
    ) -> AsyncIterator[tuple[int, VerifyResult | ErrorResult]]:
        """Return indices and results in order of completion; else as `iter_batch`."""
        jobs = batch_jobs(programs, self._row, on_error, test_cases, suites, prompts, entries)
        work = self._batch(on_error, None)
        return as_completed(work, jobs, self._max_workers, work.stop)

    def _batch(self, on_error: OnError, on_result: Callable[[int, Any], None] | None) -> BatchWork:
        return BatchWork(partial(self._verify, workers=1), on_error, on_result)


def _with_time(limits: Limits | None, run_timeout: float) -> Limits:
    """Return limits with the CPU time of one case; only what was set replaces a task's own."""
    usual, given = Limits(), limits or Limits()
    wall_ms = given.wall_ms - given.cpu_ms + round(run_timeout * 1000)
    own = given.model_dump(include=given.model_fields_set - {"cpu_ms", "wall_ms"})
    if run_timeout != _USUAL_S:
        own["cpu_ms"] = round(run_timeout * 1000)
    if given.wall_ms - given.cpu_ms != usual.wall_ms - usual.cpu_ms:
        own["wall_ms"] = wall_ms
    return Limits(**own)


def _check_pickles(name: str, value: object) -> None:
    try:
        pickle.dumps(value)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise UsageError(
            f"the verifier cannot be pickled, as its {name} cannot: {error}; define the {name} at "
            "the top of a module"
        ) from error


def _as_json(value: object) -> Any:
    """Return an argument of a verifier as JSON holds it; code is its name."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if isinstance(value, Mapping):
        return {str(name): _as_json(each) for name, each in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return [_as_json(each) for each in value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {each.name: getattr(value, each.name) for each in dataclasses.fields(value)}
        return {"type": type(value).__qualname__, **_as_json(fields)}
    return getattr(value, "__qualname__", type(value).__qualname__)


class GCCExecutionVerifier(ExecutionVerifier):
    """Judge C++ programs that GCC compiles."""

    default_compiler = "g++"


class ClangExecutionVerifier(ExecutionVerifier):
    """Judge C++ programs that Clang compiles."""

    default_compiler = "clang++"


class MinGWExecutionVerifier(ExecutionVerifier):
    """Judge whether C++ programs compile for Windows; tests are skipped and may be left out."""

    default_compiler = "x86_64-w64-mingw32-g++"
