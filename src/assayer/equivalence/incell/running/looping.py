"""Times the function within its tests: all tests again and again, each call with its CPU time."""

from __future__ import annotations

import contextlib
import functools
import inspect
import io
import os
import resource
from contextvars import ContextVar
from typing import Any

from assayer.equivalence.incell import patches
from assayer.equivalence.incell.looping_rule import MOST_LOOPS, is_stable
from assayer.equivalence.incell.running import project
from assayer.equivalence.incell.running.records import Tell
from assayer.equivalence.incell.running.task import Clocks, Task
from assayer.equivalence.incell.running.testing import pytest_arguments
from assayer.equivalence.incell.running.watching import watch


def run_loops(task: Task, tell: Tell, clocks: Clocks) -> int:
    """Loops over the tests for a number of loops, or until the best times hold still."""
    import pytest

    timer = _Timer(clocks)
    watch(f"{project.PLACE}/{task.said['path']}", task.said["qualname"], timer.wrap)
    plugin = _Loops(task.said, tell, clocks, timer)
    with contextlib.redirect_stdout(io.StringIO()):
        status = pytest.main(
            [*pytest_arguments(task.said), "-p", "no:cov", "-p", "no:profiling"], [plugin]
        )
    tell("session", status=int(status), changes={})
    return int(status)


class _Timer:
    """Takes the time of outermost calls."""

    def __init__(self, clocks: Clocks) -> None:
        self._clock = clocks.cpu_ns
        self._inside: ContextVar[bool] = ContextVar("inside", default=False)
        self.taken: list[int] = []
        self.total_ns = 0

    def wrap(self, function: Any) -> Any:
        clock, inside = self._clock, self._inside
        if inspect.iscoroutinefunction(function):

            async def awaited(*args: Any, **kwargs: Any) -> Any:
                if inside.get():
                    return await function(*args, **kwargs)
                token, start = inside.set(True), clock()
                try:
                    return await function(*args, **kwargs)
                finally:
                    self.taken.append(clock() - start)
                    inside.reset(token)

            return functools.wraps(function)(awaited)
        if inspect.isgeneratorfunction(function):

            def given(*args: Any, **kwargs: Any) -> Any:
                start = clock()
                items = list(function(*args, **kwargs))
                self.taken.append(clock() - start)
                yield from items

            return functools.wraps(function)(given)
        if not callable(function):
            return function

        def timed(*args: Any, **kwargs: Any) -> Any:
            if inside.get():
                return function(*args, **kwargs)
            token, start = inside.set(True), clock()
            try:
                return function(*args, **kwargs)
            finally:
                self.taken.append(clock() - start)
                inside.reset(token)

        return functools.wraps(function)(timed)


class _Loops:
    """Runs the whole list of tests over and over."""

    def __init__(self, said: dict[str, Any], tell: Tell, clocks: Clocks, timer: _Timer) -> None:
        self._said, self._tell, self._clocks, self._timer = said, tell, clocks, timer
        self._passed = False
        self._stdout = os.dup(1)  # pytest puts a file of its own in the place of 1

    def _mark(self, loop: int, test: str) -> None:
        """Prints each call's time, as the known way has it."""
        name = f"{loop}:{test}:{self._said['module']}:{self._said['qualname']}"
        lines = [f"!######{name}:{i}:{ns}######!\n" for i, ns in enumerate(self._timer.taken)]
        os.write(self._stdout, "".join(lines).encode("utf-8", "replace"))

    def pytest_runtest_logreport(self, report: Any) -> None:
        """One phase of a test."""
        if report.when == "call":
            self._passed = report.passed

    def pytest_runtestloop(self, session: Any) -> bool:
        """All tests, in loops."""
        best: dict[tuple[str, int], int] = {}
        sums: list[float] = []
        start, own, whole = self._clocks.wall_ns(), self._clocks.cpu_ns(), _process_ns()
        most_ns = int(self._said["most_seconds"] * 1e9)
        for loop in range(1, self._said.get("loops", MOST_LOOPS) + 1):
            told = []
            for item in session.items:
                self._timer.taken = []
                self._passed = False
                patches.restart()
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
                self._mark(loop, item.nodeid)
                told.append([item.nodeid, self._passed, self._timer.taken])
                self._timer.total_ns += sum(self._timer.taken)
                for place, taken in enumerate(self._timer.taken):
                    key = item.nodeid, place
                    best[key] = min(taken, best.get(key, taken))
            self._tell("loop", index=loop, tests=told)
            sums.append(float(sum(best.values())))
            elapsed = self._clocks.wall_ns() - start
            expected = min(MOST_LOOPS, round(loop * most_ns / max(elapsed, 1)))
            if elapsed >= most_ns or ("loops" not in self._said and is_stable(sums, expected)):
                break
        others = _process_ns() - whole - (self._clocks.cpu_ns() - own)
        self._tell("elsewhere", ns=others, timed_ns=self._timer.total_ns)
        return True


def _process_ns() -> int:
    """CPU time of this process with all its threads, up to now."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return round((used.ru_utime + used.ru_stime) * 1e9)
