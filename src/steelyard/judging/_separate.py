"""Run each case in processes of its own, on several cells at once."""

import heapq
import math
import threading
from collections.abc import Sequence

from steelyard.judging._cases import EARLIER_FAILED, OnCase, skipped
from steelyard.judging._runs import Runs
from steelyard.sandbox import settle_on_cell_cores, warm_cells
from steelyard.schemas import CaseResult, TestCase, Verdict

_LONGEST_SERIES = 16
_ALONE_S = 0.01
_ALONE_WITH_SERVER_S = 0.1
"""A second fork server takes as much CPU as twenty short cases."""
_NAME = "steelyard-case"


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
    work = _Work(runs, cases, min(workers, 2), fail_fast=fail_fast, on_case=on_case)
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

    def __init__(self, work: "_Work", most: int, alone_s: float) -> None:
        self._work, self._most, self._alone_s = work, most, alone_s
        self._done = threading.Event()
        self._waiter = threading.Thread(target=self._join_in, name=_NAME)
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
        self._others += [threading.Thread(target=self._run, name=_NAME) for _ in range(helpers - 1)]
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


class _Work:
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
