"""Run the cases of a program: each in processes of its own, or many calls in one process.

1. Separate cases run on several cells at once. A worker takes longer series while its cases pass
   and are short. Others join once it has worked for some time: for a few short cases, starting
   threads costs as much CPU as running the cases.
2. Calls share a process until a call fails. A failure counts only if the case fails in a process of
   its own too.
"""

import heapq
import math
import threading
from collections.abc import Sequence

from steelyard.judging._runs import (
    EARLIER_FAILED,
    MOST_SHARED,
    OnCase,
    Runs,
    judge_case,
    may_share,
    skipped,
    verdict_of,
)
from steelyard.judging.checkers._outcome import ACCEPTED
from steelyard.sandbox import settle_on_cell_cores, warm_cells
from steelyard.schemas import CaseResult, Execution, StopReason, TestCase, Verdict

_LONGEST_SERIES = 16
_ALONE_S = 0.01
_ALONE_WITH_SERVER_S = 0.1
"""A second fork server takes as much CPU as twenty short cases."""
_THREAD_NAME = "steelyard-case"
_SHARED_TIME = 1.25
"""Time limit of a shared process, in limits of one case: a case that exceeds its own limit after
cheap ones is then known to, and need not run again."""


def run_separately(
    runs: Runs,
    cases: Sequence[TestCase],
    workers: int,
    *,
    fail_fast: bool,
    on_case: OnCase | None,
) -> tuple[CaseResult, ...]:
    """Return the results of all cases, in order.

    Args:
        runs: Runs the program.
        cases: One or more.
        workers: Most threads that run cases; the caller's is one of them. It begins alone if
            no other cell is free and warm.
        fail_fast: Skip the cases after the first that fails, so that the answer does not depend on
            how many were in flight behind it.
        on_case: Called with each result, from any thread.

    Raises:
        InfrastructureError: if the machine failed.
    """
    workers = min(workers, len(cases))
    # While one works, it takes at most half of what is left: helpers find work when they begin.
    work = _CaseQueue(runs, cases, min(workers, 2), fail_fast=fail_fast, on_case=on_case)
    if workers <= 1:
        work.run()
    else:
        # A helper without a warm cell must start one, or waits for one if others use the pool.
        cold_s = _ALONE_WITH_SERVER_S if runs.toolchain.harness else _ALONE_S
        alone_s = 0.0 if warm_cells(runs.pool) > 1 else cold_s
        with _Helpers(work, workers - 1, alone_s):
            work.run()
    return work.results()


class _Helpers:
    """Threads that join the caller's once it has worked for some time and cases are left.

    For a few short cases, starting threads costs as much CPU as running the cases.

    Args:
        work: Cases.
        most: Most threads.
        alone_s: How long the caller's thread works alone.
    """

    def __init__(self, work: "_CaseQueue", most: int, alone_s: float) -> None:
        self._work, self._most, self._alone_s = work, most, alone_s
        self._done = threading.Event()
        self._waiter = threading.Thread(target=self._join_in, name=_THREAD_NAME)
        self._others: list[threading.Thread] = []
        self._failures: list[BaseException] = []

    def __enter__(self) -> None:
        self._waiter.start()

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._done.set()
        if kind is not None:
            self._work.stop()
            if not issubclass(kind, Exception):  # an interrupt waits for no case
                return
        try:
            self._waiter.join()  # it starts the others before it works
            for other in self._others:
                other.join()
        except BaseException:  # an interrupt
            self._work.stop()
            raise
        if self._failures and kind is None:
            raise self._failures[0]

    def _join_in(self) -> None:
        if self._done.wait(self._alone_s):
            return
        helpers = min(self._most, self._work.left)
        self._work.workers = 1 + helpers
        self._others += [
            threading.Thread(target=self._run, name=_THREAD_NAME) for _ in range(helpers - 1)
        ]
        for other in self._others:
            other.start()
        self._run()

    def _run(self) -> None:
        settle_on_cell_cores()
        try:
            self._work.run()
        except BaseException as error:  # noqa: BLE001  (raised again in the caller's thread)
            self._failures.append(error)
            self._work.stop()


class _CaseQueue:
    """The cases that are left, and the results so far."""

    def __init__(
        self,
        runs: Runs,
        cases: Sequence[TestCase],
        workers: int,
        *,
        fail_fast: bool,
        on_case: OnCase | None,
    ) -> None:
        self._runs, self._cases = runs, cases
        self.workers = workers
        """Threads among which the cases that are left are shared."""
        self._fail_fast, self._on_case = fail_fast, on_case
        self._lock = threading.Lock()
        self._left = list(range(len(cases)))  # a heap
        self._end: float = math.inf  # behind the first case that failed, if that ends the rest
        self._results: dict[int, CaseResult] = {}

    def run(self) -> None:
        """Run cases until none is left: longer series while they pass and are short."""
        size = 1
        while numbers := self._take(size):
            done = 0
            for result in self._runs.run_series([self._cases[number] for number in numbers]):
                if self._on_case:
                    self._on_case(result)
                done += 1
                if self._keep(numbers[done - 1], result):
                    break
            self._put_back(numbers[done:])
            size = min(2 * size, _LONGEST_SERIES) if done == len(numbers) else done

    @property
    def left(self) -> int:
        """The number of cases that no thread has taken."""
        return len(self._left)

    def stop(self) -> None:
        """Begin no other case."""
        with self._lock:
            self._end = 0

    def results(self) -> tuple[CaseResult, ...]:
        """Return the result of each case, in order."""
        return tuple(
            self._results[number] if number < self._end else skipped(case, EARLIER_FAILED)
            for number, case in enumerate(self._cases)
        )

    def _take(self, size: int) -> list[int]:
        with self._lock:
            share = -(-len(self._left) // self.workers)  # all workers end at about the same time
            numbers = [heapq.heappop(self._left) for _ in range(min(size, share))]
            return [number for number in numbers if number < self._end]

    def _keep(self, number: int, result: CaseResult) -> bool:
        """Keep a result; return True if it ends the rest."""
        with self._lock:
            self._results[number] = result
            ends = self._fail_fast and result.verdict is not Verdict.AC
            if ends:
                self._end = min(self._end, number + 1)
            return ends

    def _put_back(self, numbers: list[int]) -> None:
        with self._lock:
            for number in numbers:
                heapq.heappush(self._left, number)


def run_shared(
    runs: Runs, cases: Sequence[TestCase], *, fail_fast: bool, on_case: OnCase | None
) -> tuple[CaseResult, ...]:
    """Return the results of all cases, in order.

    A case may pass in a shared process; a failure counts only if the case fails in a process of
    its own too. Results after a failure in the same process are dropped, and their cases run
    again. A process takes few cases after a failure, and more while cases pass: a program that
    fails every case costs at most one and a half processes a case.

    Raises:
        InfrastructureError: if the machine failed.
    """
    results: list[CaseResult] = []
    size = MOST_SHARED
    while len(results) < len(cases):
        chunk = may_share(cases[len(results) :], size)
        done = _run_chunk(runs, chunk) if len(chunk) > 1 else []
        size = min(2 * size, MOST_SHARED)
        if len(done) < len(chunk) and (not done or done[-1].verdict is Verdict.AC):
            done.append(runs.run(chunk[len(done)]))
        if len(done) < len(chunk) or done[-1].verdict is not Verdict.AC:
            size = 1
        for result in done:
            results.append(result)
            if on_case:
                on_case(result)
        if fail_fast and results[-1].verdict is not Verdict.AC:
            break
    results += [skipped(case, EARLIER_FAILED) for case in cases[len(results) :]]
    return tuple(results)


def _run_chunk(runs: Runs, chunk: Sequence[TestCase]) -> list[CaseResult]:
    """The results of the first cases of it: those that passed, and one that exceeded its limit."""
    limits = runs.limits_of(chunk[0])
    wider = limits.replace(
        cpu_ms=round(limits.cpu_ms * _SHARED_TIME), wall_ms=round(limits.wall_ms * _SHARED_TIME)
    )
    execution, outcomes = runs.run_together(chunk, wider)
    out_of_time = execution.stop.out_of_time
    if len(outcomes) > len(chunk):  # the harness answers once: which of them are its own?
        whole = 0
    elif out_of_time and execution.stdout[-1:] == b"\n":
        whole = len(outcomes)
    elif execution.stop is not StopReason.EXITED or execution.exit_code != 0:
        whole = len(outcomes) - 1  # the last may have been cut short
    else:
        whole = len(chunk)
    results: list[CaseResult] = []
    for case, (cpu_ms, wall_ms, outcome) in zip(chunk[: max(whole, 0)], outcomes, strict=False):
        if cpu_ms > limits.cpu_ms or wall_ms > limits.wall_ms:
            return results
        if verdict_of(runs.checker.check(case, outcome)) is not Verdict.AC:
            return results
        results.append(
            CaseResult(
                name=case.name,
                verdict=Verdict.AC,
                category=case.category,
                cpu_ms=cpu_ms,
                wall_ms=wall_ms,
                memory_mib=execution.memory_mib,
                exit_code=0,
            )
        )
    if out_of_time and len(results) == len(outcomes) < len(chunk):
        own = _own_part(execution, results)
        if own.cpu_ms > limits.cpu_ms or own.wall_ms > limits.wall_ms:
            case = chunk[len(results)]
            results.append(judge_case(case, own, limits, lambda: ACCEPTED, stdout=b""))
    return results


def _own_part(execution: Execution, earlier: Sequence[CaseResult]) -> Execution:
    """Return what a process did without the calls before its last one."""
    cpu_ms = execution.cpu_ms - sum(case.cpu_ms or 0 for case in earlier)
    wall_ms = execution.wall_ms - sum(case.wall_ms or 0 for case in earlier)
    return execution.model_copy(update={"cpu_ms": cpu_ms, "wall_ms": wall_ms})
