"""Run each case in processes of its own, on several cells at once."""

import heapq
import math
import threading
from collections.abc import Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait

from steelyard.judging._cases import EARLIER_FAILED, OnCase, skipped
from steelyard.judging._runs import Runs
from steelyard.sandbox import settle_on_cell_cores
from steelyard.schemas import CaseResult, TestCase, Verdict

__all__ = ["run_separately"]

_LONGEST_SERIES = 16


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
        workers: Threads that run cases.
        fail_fast: Skip the cases after the first that fails, so that the answer does not depend on
            how many were in flight behind it.
        on_case: Called with each result, from any thread.

    Raises:
        InfrastructureError: if the machine failed.
    """
    work = _Work(runs, cases, workers, fail_fast=fail_fast, on_case=on_case)
    if workers <= 1:
        work.run()
    else:
        executor = ThreadPoolExecutor(workers, "steelyard-case", initializer=settle_on_cell_cores)
        try:
            threads = [executor.submit(work.run) for _ in range(workers)]
            for thread in wait(threads, return_when=FIRST_EXCEPTION).done:
                thread.result()
        except BaseException as error:
            work.stop()
            executor.shutdown(wait=isinstance(error, Exception), cancel_futures=True)
            raise
        executor.shutdown()
    return work.results()


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
        self._runs, self._cases, self._workers = runs, cases, workers
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
            share = -(-len(self._left) // self._workers)  # all workers end at about the same time
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
