"""Times the function within its tests: all tests again and again, each call with its CPU time."""

from __future__ import annotations

import contextlib
import functools
import inspect
import io
import resource
from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from types import SimpleNamespace
from typing import Any

from steelyard.comparing.incell.told import Loop, LoopedTest, LoopsDone, LoopTests
from steelyard.comparing.recording.incell.lazy import drained, is_lazy
from steelyard.comparing.recording.incell.replacing import StandIn, is_made_by_a_call
from steelyard.comparing.recording.incell.watching import watch
from steelyard.comparing.steadiness.incell import patches
from steelyard.comparing.timing.incell.apart import Others
from steelyard.project_runs.incell import project
from steelyard.project_runs.incell.digests import digest_of
from steelyard.project_runs.incell.sessions import run_session
from steelyard.project_runs.incell.task import Context, Ended
from steelyard.values.incell.snapshot import snapshot

_MOST_NS = 10_000_000_000
_MOST_LOOKED_AT = 200
"""Calls of a test that are looked at, in addition to being timed."""
_MOST_BYTES = 4 << 20
"""Of their results in all."""
_EMPTY_CALLS = 50


def run_in_tests(asked: LoopTests, context: Context) -> int:
    """Loop over the tests a number of times."""
    return run_looped(Loops, asked, context)


def run_looped(kind: type[Loops], asked: LoopTests, context: Context) -> int:
    """Run pytest with loops of this kind."""
    loops, function = kind(asked, context), context.function
    watch(f"{project.PLACE}/{function.path}", function.qualname, loops.wrap, asked.docstring)
    with contextlib.redirect_stdout(io.StringIO()):
        status = run_session(asked.session, [loops], "-p", "no:cov", "-p", "no:profiling")
    context.tell(Ended(status))
    return status


class Loops:
    """Runs the whole list of tests over and over, and takes the time of outermost calls."""

    def __init__(self, asked: LoopTests, context: Context) -> None:
        self.asked = asked
        self._tell, self._clocks = context.tell, context.clocks
        self._inside: ContextVar[bool] = ContextVar("inside", default=False)
        self._is_looking = self._passed = False
        self._seen: set[bytes] = set()
        self._left_bytes = _MOST_BYTES
        self._timed_ns = self._own_ns = 0
        self._begin()
        for _ in range(_EMPTY_CALLS):
            with self._call():
                pass
        self._own_ns = min(self._taken)

    def after_test(self, loop: int, test: str, times_ns: Sequence[int]) -> None:
        """A test has run."""

    def is_over(self, _loop: int, share_of_time: float) -> bool:
        """Return whether the loops end after this one."""
        return share_of_time >= 1

    def wrap(self, function: Any) -> Any:
        """Return what takes the function's place."""
        if inspect.iscoroutinefunction(function):

            async def awaited(*args: Any, **kwargs: Any) -> Any:
                if self._inside.get():
                    return await function(*args, **kwargs)
                with self._call(args, kwargs) as made:
                    made.value = await function(*args, **kwargs)
                return made.value

            return functools.wraps(function)(awaited)
        if not callable(function):
            return function

        def timed(*args: Any, **kwargs: Any) -> Any:
            if self._inside.get():
                return function(*args, **kwargs)
            with self._call(args, kwargs) as made:
                made.value = function(*args, **kwargs)
                if is_lazy(made.value):
                    made.how, made.value = "items", drained(made.value)
            if is_made_by_a_call(made.value, args, kwargs):
                return StandIn(made.value, self.wrap(made.value))
            return (item for item in made.value) if made.how == "items" else made.value

        return functools.wraps(function)(timed)

    @contextlib.contextmanager
    def _call(self, *arguments: Any) -> Iterator[Any]:
        """One call, timed and looked at; a snapshot's own calls are none of the tests'."""
        made = SimpleNamespace(how="result", value=None)
        token = self._inside.set(True)
        is_looked_at = self._is_looking and len(self._new) < _MOST_LOOKED_AT
        if is_looked_at:
            key = digest_of(snapshot({"arguments": arguments}))
            self._new.append(key not in self._seen)
            self._seen.add(key)
        start = self._clocks.cpu_ns()
        try:
            yield made
        except BaseException as error:
            made.how, made.value = "raised", error
            raise
        finally:
            self._taken.append(max(1, self._clocks.cpu_ns() - start - self._own_ns))
            if is_looked_at:
                given = snapshot({"arguments": arguments, made.how: made.value})
                self._left_bytes -= len(given)
                self._given.append(given if self._left_bytes >= 0 else b"")
            self._inside.reset(token)

    def _begin(self) -> None:
        self._taken: list[int] = []
        self._new: list[bool] = []
        self._given: list[bytes] = []

    def pytest_runtest_logreport(self, report: Any) -> None:
        """One phase of a test."""
        if report.when == "call":
            self._passed = report.passed

    def pytest_runtestloop(self, session: Any) -> bool:
        """All tests, in loops."""
        others = Others(counts=self.asked.counts_others)
        helping = others.cpu_ns()
        start, own, whole = self._clocks.wall_ns(), self._clocks.cpu_ns(), _process_ns()
        calling = self.asked.calling
        items = [item for item in session.items if calling is None or item.nodeid in calling]
        for loop in range(1, self.asked.loops + 1):
            self._is_looking = loop in self.asked.looks_at
            told: list[LoopedTest] = []
            for item in items:
                self._begin()
                self._passed = False
                patches.restart()
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
                found = self._taken, self._new, self._given
                told.append(LoopedTest(item.nodeid, self._passed, *found))
                self._timed_ns += sum(self._taken)
                self.after_test(loop, item.nodeid, self._taken)
            self._tell(Loop(loop, told))
            share_of_time = (self._clocks.wall_ns() - start) / _MOST_NS
            if self.is_over(loop, share_of_time):
                break
        elsewhere = _process_ns() - whole - (self._clocks.cpu_ns() - own)
        elsewhere += max(0, others.cpu_ns() - helping)
        self._tell(LoopsDone(elsewhere, self._timed_ns))
        return True


def _process_ns() -> int:
    """CPU time of this process with all its threads, and of children that ended, up to now."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return round(sum(each.ru_utime + each.ru_stime for each in used) * 1e9)
