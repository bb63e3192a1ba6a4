"""Times the function within its tests: all tests again and again, each call with its CPU time."""

from __future__ import annotations

import contextlib
import functools
import inspect
import io
import os
import resource
from collections.abc import Sequence
from contextvars import ContextVar
from types import TracebackType
from typing import Any, Self

from steelyard.comparing.incell.told import LookedAt, Looks, Loop, LoopedTest, LoopsDone, LoopTests
from steelyard.comparing.recording.incell.lazy import drained, is_lazy
from steelyard.comparing.recording.incell.watching import StandIn, is_made_by_a_call, watch
from steelyard.comparing.steadiness.incell import patches
from steelyard.comparing.timing.incell.remote import Others
from steelyard.project_runs.incell import project
from steelyard.project_runs.incell.digests import digest_of
from steelyard.project_runs.incell.sessions import run_session
from steelyard.project_runs.incell.task import Clocks, Context, Ended
from steelyard.values.incell.snapshot import snapshot

_MOST_NS = 10_000_000_000
_MOST_LOOKED_AT = 200
"""Calls of a test that are looked at, in addition to being timed."""
_MOST_BYTES = 4 << 20
"""Of their results; only digests are reported of the rest."""
_EMPTY_CALLS = 50


def run_in_tests(asked: LoopTests, context: Context) -> int:
    """Loop over the tests a number of times."""
    return run_looped(Loops, asked, context)


def run_looped(kind: type[Loops], asked: LoopTests, context: Context) -> int:
    """Run pytest with loops of this kind."""
    loops, function = kind(asked, context), context.function
    watch(f"{project.PLACE}/{function.path}", function.qualname, loops.timer.wrap, asked.docstring)
    with contextlib.redirect_stdout(io.StringIO()):
        status = run_session(asked.session, [loops], "-p", "no:cov", "-p", "no:profiling")
    context.tell(Ended(status))
    return status


class _Timer:
    """Takes the time of outermost calls."""

    def __init__(self, clocks: Clocks) -> None:
        self.clock = clocks.cpu_ns
        self.inside: ContextVar[bool] = ContextVar("inside", default=False)
        self.taken: list[int] = []
        self.total_ns, self.own_ns = 0, 0
        self.looks: LookedAt | None = None
        self.shown: dict[str, bytes] = {}
        self._seen: set[bytes] = set()
        self._shown_before: set[str] = set()
        self._left_bytes = _MOST_BYTES
        for _ in range(_EMPTY_CALLS):
            with _Call(self, ((), {})):
                pass
        self.own_ns = min(self.taken)

    def look_before(self, call: Any) -> None:
        """A call is about to be made."""
        if self.looks is not None and len(self.looks.new) < _MOST_LOOKED_AT:
            key = digest_of(snapshot({"arguments": call}))
            self.looks.new.append(key not in self._seen)
            self._seen.add(key)

    def look_after(self, call: Any, how: str, value: Any) -> None:
        """It was made."""
        if self.looks is None or len(self.looks.given) >= _MOST_LOOKED_AT:
            return
        given = snapshot({"arguments": call, how: value})
        digest = digest_of(given).hex()
        self.looks.given.append(digest)
        if digest not in self._shown_before and len(given) <= self._left_bytes:
            self._left_bytes -= len(given)
            self._shown_before.add(digest)
            self.shown[digest] = given

    def wrap(self, function: Any) -> Any:
        """Return what takes the function's place."""
        inside = self.inside
        if inspect.iscoroutinefunction(function):

            async def awaited(*args: Any, **kwargs: Any) -> Any:
                if inside.get():
                    return await function(*args, **kwargs)
                with _Call(self, (args, kwargs)) as call:
                    call.value = await function(*args, **kwargs)
                return call.value

            return functools.wraps(function)(awaited)
        if inspect.isgeneratorfunction(function):

            def given(*args: Any, **kwargs: Any) -> Any:
                if inside.get():
                    return (yield from function(*args, **kwargs))
                with _Call(self, (args, kwargs)) as call:
                    call.how, call.value = "items", drained(function(*args, **kwargs))
                return (yield from call.value)

            return functools.wraps(function)(given)
        if not callable(function):
            return function

        def timed(*args: Any, **kwargs: Any) -> Any:
            if inside.get():
                return function(*args, **kwargs)
            with _Call(self, (args, kwargs)) as call:
                call.value = function(*args, **kwargs)
                if is_lazy(call.value):
                    call.how, call.value = "items", drained(call.value)
            if is_made_by_a_call(call.value, args, kwargs):
                return StandIn(call.value, self.wrap(call.value))
            return (item for item in call.value) if call.how == "items" else call.value

        return functools.wraps(function)(timed)


class _Call:
    """One call, timed and looked at; a snapshot's own calls are none of the tests'."""

    def __init__(self, timer: _Timer, call: Any) -> None:
        self._timer, self._call = timer, call
        self.how = "result"
        self.value: Any = None

    def __enter__(self) -> Self:
        self._token = self._timer.inside.set(True)
        self._timer.look_before(self._call)
        self._start = self._timer.clock()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        timer = self._timer
        timer.taken.append(max(1, timer.clock() - self._start - timer.own_ns))
        if error is not None:
            self.how, self.value = "raised", error
        timer.look_after(self._call, self.how, self.value)
        timer.inside.reset(self._token)


class Loops:
    """Runs the whole list of tests over and over."""

    def __init__(self, asked: LoopTests, context: Context) -> None:
        self.asked, self.timer = asked, _Timer(context.clocks)
        self._tell, self._clocks = context.tell, context.clocks
        self._passed = False

    def after_test(self, loop: int, test: str, times_ns: Sequence[int]) -> None:
        """A test has run."""

    def is_over(self, _loop: int, share_of_time: float) -> bool:
        """Return whether the loops end after this one."""
        return share_of_time >= 1

    def pytest_runtest_logreport(self, report: Any) -> None:
        """One phase of a test."""
        if report.when == "call":
            self._passed = report.passed

    def pytest_runtestloop(self, session: Any) -> bool:
        """All tests, in loops."""
        others = Others({os.getpid()}) if self.asked.counts_others else None
        helping = others.cpu_ns() if others else 0
        start, own, whole = self._clocks.wall_ns(), self._clocks.cpu_ns(), _process_ns()
        timer, calling = self.timer, self.asked.calling
        items = [item for item in session.items if calling is None or item.nodeid in calling]
        for loop in range(1, self.asked.loops + 1):
            told: list[LoopedTest] = []
            looks: dict[str, LookedAt] = {}
            is_looked_at = loop in self.asked.looks_at
            for item in items:
                timer.taken = []
                timer.looks = LookedAt([], []) if is_looked_at else None
                self._passed = False
                patches.restart()
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
                told.append(LoopedTest(item.nodeid, self._passed, timer.taken))
                timer.total_ns += sum(timer.taken)
                if timer.looks is not None:
                    looks[item.nodeid] = timer.looks
                self.after_test(loop, item.nodeid, timer.taken)
            self._tell(Loop(loop, told))
            if is_looked_at:
                self._tell(Looks(loop, looks, timer.shown))
                timer.shown = {}
            share_of_time = (self._clocks.wall_ns() - start) / _MOST_NS
            if self.is_over(loop, share_of_time):
                break
        elsewhere = _process_ns() - whole - (self._clocks.cpu_ns() - own)
        if others:
            elsewhere += max(0, others.cpu_ns() - helping)
        self._tell(LoopsDone(elsewhere, timer.total_ns))
        return True


def _process_ns() -> int:
    """CPU time of this process with all its threads, and of children that ended, up to now."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return round(sum(each.ru_utime + each.ru_stime for each in used) * 1e9)
