"""`ExecutionVerifier`: programs in, rewards out."""

import itertools
import math
import threading
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence, Sized
from functools import cached_property
from pathlib import Path
from typing import ClassVar, get_args

from steelyard.errors import UsageError
from steelyard.judging._batch import as_completed, in_order
from steelyard.judging._cases import OnCase
from steelyard.judging._entries import (
    CaseIsolation,
    as_entry,
    as_policy,
    check_entry,
    entry_checker,
)
from steelyard.judging._judge import Judge
from steelyard.judging._outcome import Checker
from steelyard.judging._rewards import Reward, all_or_nothing, graduated
from steelyard.judging.loading import TestSource, load_tests
from steelyard.judging.prompts import extract_tests
from steelyard.sandbox import CellPool, shared_pool
from steelyard.schemas import CaseResult, Entry, Limits, Policy, TestSuite, VerifyResult
from steelyard.toolchains import CompileCache, Toolchain, find_toolchain, source_bytes

__all__ = [
    "ClangExecutionVerifier",
    "ExecutionVerifier",
    "GCCExecutionVerifier",
    "MinGWExecutionVerifier",
]

_NO_TESTS = TestSuite()
_Job = tuple[int, str | bytes, TestSuite]


class _StoppedError(Exception):
    """The batch was left while this program was under way; nobody waits for its result."""


class ExecutionVerifier:
    """Compiles programs, runs them against tests in cells, and rewards them by pass rate.

    Safe to share between threads: tests that are passed to a call stay in that call.

    Args:
        test_cases: Mappings with `input`, `expected` and optionally `name` and `timeout`; or the
            path of a JSON or JSONL file, or of a folder of `NAME.in` with `NAME.ans`.
        compiler: A compiler from the language table, such as `g++` or `clang++`; the best that
            is installed where it is None.
        flags: The compiler's flags; the language's own where it is None.
        timeout: For compiling, in seconds of CPU time.
        run_timeout: For each case, in seconds of CPU time; a case's own `timeout` goes before.
        max_workers: Programs of a batch in flight at once. The pool's cells bound how many run.
        match_mode: How outputs are compared; see `checker_for`.
        partial_credit: Reward each passed case; else all must pass.
        binary_cache_dir: The folder of the compile cache; the configured one where it is None.
        language: The language's name in the table.
        checker: Decides on outputs in place of `match_mode`.
        abs_tol: For `numeric` and `float_tokens`, the largest absolute difference.
        rel_tol: For these, the largest difference relative to the expected number.
        limits: Further limits for each case; `run_timeout` sets their CPU and wall time.
        fail_fast: Stop at the first case that fails; the rest are skipped.
        reward: Takes the place of the reward ladder.
        pool: Where programs run; the pool that all of the process shares where it is None.
        entry: How Python programs are entered: `stdio`, `function:NAME`, `class:NAME.METHOD`,
            `asserts` or `asserts:NAME`.
        isolation: `per_case` gives every case a process of its own. `per_candidate` lets the
            calls of one program share one for as long as all goes well; "Cost of a run" in
            docs/reference/python-programs.md explains the risk.
        preload: For Python, modules to have loaded before a program comes, such as `numpy`.
        seed: For Python, where hashes and random states start; None gives every run its own, at
            the price of a new interpreter.
        sequences_alike: For calls, a list equals a tuple with the same items.
        policy: For Python, what a program must keep to, told from its text before it runs:
            `no-imports`, the modules that it may import (`math,collections`), or a `Policy`. It
            must also define what the entry names. A first fence, and never the only one.

    Raises:
        LanguageError: for an unknown language, or a compiler that is not installed.
        TestsError: for tests that cannot be read.
        UsageError: for an unknown match mode, a limit out of range, or a tolerance that nothing
            would use.
    """

    default_compiler: ClassVar[str | None] = None

    def __init__(
        self,
        test_cases: TestSource | None = None,
        compiler: str | None = None,
        flags: Sequence[str] | None = None,
        timeout: float = 30,
        run_timeout: float = 5,
        max_workers: int = 8,
        match_mode: str = "exact",
        partial_credit: bool = True,
        binary_cache_dir: str | Path | None = None,
        *,
        language: str = "cpp",
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
        policy: str | Policy | None = None,
    ) -> None:
        if not _is_within(max_workers, 1, math.inf):
            raise UsageError(f"max_workers is {max_workers}; make it 1 or more")
        self._toolchain = find_toolchain(
            language, compiler=compiler or self.default_compiler, flags=flags,
            preload=preload, seed=seed,
        )  # fmt: skip
        self._entry = as_entry(entry)
        self._policy = as_policy(policy, self._toolchain)
        if isolation not in get_args(CaseIsolation):
            raise UsageError(f"isolation is {isolation!r}; use per_case or per_candidate")
        self._isolation: CaseIsolation = isolation
        if checker and (abs_tol is not None or rel_tol is not None):
            raise UsageError("a checker takes no tolerance; leave abs_tol and rel_tol out")
        self._checker = checker or entry_checker(
            self._entry, match_mode, abs_tol, rel_tol, sequences_alike=sequences_alike
        )
        check_entry(self._entry, self._toolchain, self._checker, isolation)
        self._limits = _with_cpu(limits or Limits(), run_timeout, "run_timeout")
        self._compile_limits = _with_cpu(self._toolchain.compile_limits, timeout, "timeout")
        self._cache = CompileCache(Path(binary_cache_dir)) if binary_cache_dir else CompileCache()
        self._fail_fast = fail_fast
        self._reward = reward or (graduated if partial_credit else all_or_nothing)
        self._max_workers = max_workers
        self._pool = pool
        self._suite = _NO_TESTS if test_cases is None else self._load(test_cases)

    @property
    def toolchain(self) -> Toolchain:
        """What compiles the programs."""
        return self._toolchain

    @cached_property
    def _judge(self) -> Judge:
        return Judge(
            toolchain=self._toolchain,
            checker=self._checker,
            pool=self._pool or shared_pool(),
            limits=self._limits,
            compile_limits=self._compile_limits,
            cache=self._cache,
            fail_fast=self._fail_fast,
            reward=self._reward,
            entry=self._entry,
            isolation=self._isolation,
            policy=self._policy,
        )

    def _load(self, source: TestSource) -> TestSuite:
        return load_tests(source, entry=self._entry)

    def set_test_cases(self, test_cases: TestSource) -> None:
        """Replaces the tests for later calls; calls that are under way keep theirs.

        Raises:
            TestsError: for tests that cannot be read; the old ones stay then.
        """
        self._suite = self._load(test_cases)

    def verify(
        self,
        code: str | bytes,
        *,
        test_cases: TestSource | None = None,
        on_case: OnCase | None = None,
    ) -> VerifyResult:
        """Judges one program.

        Args:
            code: Its source text.
            test_cases: Tests for this call alone.
            on_case: Called with each case's result as it comes, from any thread.

        Raises:
            TestsError: for tests that cannot be read or checked against.
            InfrastructureError: where the machine failed; nothing is scored then.
        """
        suite = self._suite if test_cases is None else self._load(test_cases)
        return self._judge.judge(source_bytes(code), suite, on_case=on_case)

    def verify_with_prompt(self, code: str | bytes, prompt: str) -> VerifyResult:
        """Judges one program by the examples in its prompt; `details` says what was found.

        Raises:
            TestsError: where the prompt holds no example that can be told for sure.
            InfrastructureError: where the machine failed.
        """
        found = extract_tests(prompt)
        result = self._judge.judge(source_bytes(code), found.suite)
        shapes = ", ".join(found.shapes)
        return result.model_copy(
            update={"details": f"{result.details} (tests from the prompt: {shapes})"}
        )

    def verify_batch(
        self,
        codes: Iterable[str | bytes],
        *,
        test_cases: TestSource | None = None,
        suites: Sequence[TestSource] | None = None,
        prompts: Sequence[str] | None = None,
        on_result: Callable[[int, VerifyResult], None] | None = None,
    ) -> list[VerifyResult]:
        """Judges many programs; results come in the order of `codes`.

        Args:
            codes: Source texts.
            test_cases: The same tests for all of them.
            suites: Tests for each of them.
            prompts: A prompt with examples for each of them.
            on_result: Called with an index and its result as they come, from any thread.

        Raises:
            UsageError: where more than one source of tests is given, or the lengths differ.
            TestsError: for tests that cannot be read; nothing is run then.
            InfrastructureError: where the machine failed; programs not yet begun are left.
        """
        work, jobs, stop = self._jobs(codes, test_cases, suites, prompts, on_result)
        return [result for _, result in in_order(work, jobs, self._max_workers, stop)]

    def iter_batch(
        self,
        codes: Iterable[str | bytes],
        *,
        test_cases: TestSource | None = None,
        suites: Sequence[TestSource] | None = None,
        prompts: Sequence[str] | None = None,
    ) -> Iterator[VerifyResult]:
        """The results of `verify_batch` one by one, in order, each as soon as it can be given.

        Programs are taken from `codes` shortly before their turn, so that any number of them can
        be judged in bounded memory. To stop, leave the iterator; to go on later, call it with the
        programs (and their tests) from the first one that gave no result.
        """
        work, jobs, stop = self._jobs(codes, test_cases, suites, prompts, None)
        return (result for _, result in in_order(work, jobs, self._max_workers, stop))

    def averify_batch(
        self,
        codes: Iterable[str | bytes],
        *,
        test_cases: TestSource | None = None,
        suites: Sequence[TestSource] | None = None,
        prompts: Sequence[str] | None = None,
    ) -> AsyncIterator[tuple[int, VerifyResult]]:
        """Indices and results as they come, for `async for`; otherwise as `iter_batch`."""
        work, jobs, stop = self._jobs(codes, test_cases, suites, prompts, None)
        return as_completed(work, jobs, self._max_workers, stop)

    def _jobs(
        self,
        codes: Iterable[str | bytes],
        test_cases: TestSource | None,
        suites: Sequence[TestSource] | None,
        prompts: Sequence[str] | None,
        on_result: Callable[[int, VerifyResult], None] | None,
    ) -> tuple[Callable[[_Job], tuple[int, VerifyResult]], Iterable[_Job], Callable[[], None]]:
        """What to do for each program, each with its tests, and how to stop what is under way."""
        if isinstance(codes, str | bytes):
            raise UsageError("verify_batch takes a list of programs; for one, use verify")
        given = [tests for tests in (test_cases, suites, prompts) if tests is not None]
        if len(given) > 1:
            raise UsageError("give verify_batch one of test_cases, suites and prompts")
        each: Iterable[TestSuite]
        if prompts is not None:
            each = [extract_tests(prompt).suite for prompt in prompts]
        elif suites is not None:
            each = [self._load(source) for source in suites]
        else:
            each = itertools.repeat(self._suite if test_cases is None else self._load(test_cases))
        if isinstance(each, list) and isinstance(codes, Sized) and len(each) != len(codes):
            raise UsageError(f"{len(codes)} programs but {len(each)} sets of tests; give one each")
        judge = self._judge
        stopped = threading.Event()

        def go_on(_: CaseResult) -> None:
            if stopped.is_set():
                raise _StoppedError

        def verify(job: _Job) -> tuple[int, VerifyResult]:
            index, code, suite = job
            result = judge.judge(source_bytes(code), suite, workers=1, on_case=go_on)
            if on_result:
                on_result(index, result)
            return index, result

        return verify, zip(itertools.count(), codes, each, strict=False), stopped.set


class GCCExecutionVerifier(ExecutionVerifier):
    """Judges C++ programs that GCC compiles."""

    default_compiler = "g++"


class ClangExecutionVerifier(ExecutionVerifier):
    """Judges C++ programs that Clang compiles."""

    default_compiler = "clang++"


class MinGWExecutionVerifier(ExecutionVerifier):
    """Judges whether C++ programs compile for Windows; their tests are skipped."""

    default_compiler = "x86_64-w64-mingw32-g++"


def _is_within(value: object, least: float, most: float) -> bool:
    """Whether it is a number at all, and in bounds; NaN never is."""
    return isinstance(value, int | float) and least <= value <= most


def _with_cpu(limits: Limits, seconds: float, name: str) -> Limits:
    if not _is_within(seconds, 0.001, 86_400):
        raise UsageError(f"{name} is {seconds!r} s; make it between 0.001 and 86,400")
    return limits.replace(cpu_ms=round(seconds * 1000))
