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

from steelyard.comparing.incell.told import LookedAt, Looks, Loop, LoopedTest, LoopsDone, LoopTests
from steelyard.comparing.recording.incell.lazy import drained, is_lazy
from steelyard.comparing.recording.incell.standing import StandIn, is_made_by_a_call
from steelyard.comparing.recording.incell.watching import watch
from steelyard.comparing.steadiness.incell import patches
from steelyard.comparing.timing.incell.looping_rule import MOST_LOOPS, is_stable
from steelyard.comparing.timing.incell.outside import Others
from steelyard.project_runs.incell import project
from steelyard.project_runs.incell.digests import digest_of
from steelyard.project_runs.incell.sessions import run_pytest
from steelyard.project_runs.incell.task import Clocks, Context, Ended
from steelyard.values.incell.snapshot import snapshot

_MOST_LOOKED_AT = 200
"""Calls of a test that are looked at, beside being timed."""
_MOST_BYTES = 4 << 20
"""Of what they gave; what is beyond is told by digests alone."""


def run_loops(asked: LoopTests, context: Context) -> int:
    """Loops over the tests for a number of loops, or until the best times hold still."""
    timer, function = _Timer(context.clocks), context.function
    watch(f"{project.PLACE}/{function.path}", function.qualname, timer.wrap, asked.docstring)
    plugin = _Loops(asked, context, timer)
    with contextlib.redirect_stdout(io.StringIO()):
        status = run_pytest(asked.session, [plugin], "-p", "no:cov", "-p", "no:profiling")
    context.tell(Ended(status))
    return status


class _Timer:
    """Takes the time of outermost calls."""

    def __init__(self, clocks: Clocks) -> None:
        self._clock = clocks.cpu_ns
        self._inside: ContextVar[bool] = ContextVar("inside", default=False)
        self.taken: list[int] = []
        self.total_ns = 0
        self.looks: LookedAt | None = None
        self.shown: dict[str, bytes] = {}
        self._seen: set[bytes] = set()
        self._shown_before: set[str] = set()
        self._left_bytes = _MOST_BYTES

    def before(self, call: Any) -> None:
        """A call is about to be made."""
        if self.looks is None or len(self.looks.new) >= _MOST_LOOKED_AT:
            return
        token = self._inside.set(True)  # what a snapshot calls is none of the tests' doing
        try:
            key = digest_of(snapshot({"arguments": call}))
        finally:
            self._inside.reset(token)
        self.looks.new.append(key not in self._seen)
        self._seen.add(key)

    def after(self, call: Any, how: str, value: Any) -> None:
        """It was made."""
        if self.looks is None or len(self.looks.given) >= _MOST_LOOKED_AT:
            return
        token = self._inside.set(True)
        try:
            given = snapshot({"arguments": call, how: value})
        finally:
            self._inside.reset(token)
        digest = digest_of(given).hex()
        self.looks.given.append(digest)
        if digest not in self._shown_before and len(given) <= self._left_bytes:
            self._left_bytes -= len(given)
            self._shown_before.add(digest)
            self.shown[digest] = given

    def wrap(self, function: Any) -> Any:
        clock, inside = self._clock, self._inside
        if inspect.iscoroutinefunction(function):

            async def awaited(*args: Any, **kwargs: Any) -> Any:
                if inside.get():
                    return await function(*args, **kwargs)
                self.before((args, kwargs))
                how, value = "result", None
                token, start = inside.set(True), clock()
                try:
                    value = await function(*args, **kwargs)
                except BaseException as error:
                    how, value = "raised", error
                    raise
                finally:
                    self.taken.append(clock() - start)
                    inside.reset(token)
                    self.after((args, kwargs), how, value)
                return value

            return functools.wraps(function)(awaited)
        if inspect.isgeneratorfunction(function):

            def given(*args: Any, **kwargs: Any) -> Any:
                self.before((args, kwargs))
                start = clock()
                items = drained(function(*args, **kwargs))
                self.taken.append(clock() - start)
                self.after((args, kwargs), "items", items)
                yield from items

            return functools.wraps(function)(given)
        if not callable(function):
            return function

        def timed(*args: Any, **kwargs: Any) -> Any:
            if inside.get():
                return function(*args, **kwargs)
            self.before((args, kwargs))
            how, value = "result", None
            token, start = inside.set(True), clock()
            try:
                value = function(*args, **kwargs)
                if is_lazy(value):
                    how, value = "items", drained(value)
            except BaseException as error:
                how, value = "raised", error
                raise
            finally:
                self.taken.append(clock() - start)
                inside.reset(token)
                self.after((args, kwargs), how, value)
            if is_made_by_a_call(value, args, kwargs):
                return StandIn(value, self.wrap(value))
            return (item for item in value) if how == "items" else value

        return functools.wraps(function)(timed)


class _Loops:
    """Runs the whole list of tests over and over."""

    def __init__(self, asked: LoopTests, context: Context, timer: _Timer) -> None:
        self._asked, self._function, self._timer = asked, context.function, timer
        self._tell, self._clocks = context.tell, context.clocks
        self._passed = False
        self._stdout = os.dup(1)  # pytest puts a file of its own in the place of 1

    def _mark(self, loop: int, test: str) -> None:
        """Prints each call's time, as the known way has it."""
        name = f"{loop}:{test}:{self._function.module}:{self._function.qualname}"
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
        others = Others({os.getpid()}) if self._asked.counts_others else None
        helping = others.cpu_ns() if others else 0
        start, own, whole = self._clocks.wall_ns(), self._clocks.cpu_ns(), _process_ns()
        most_ns = int(self._asked.most_seconds * 1e9)
        calling = self._asked.calling
        items = [item for item in session.items if calling is None or item.nodeid in calling]
        for loop in range(1, (self._asked.loops or MOST_LOOPS) + 1):
            told: list[LoopedTest] = []
            looks: dict[str, LookedAt] = {}
            is_looked_at = loop in self._asked.looks_at
            for item in items:
                self._timer.taken = []
                self._timer.looks = LookedAt([], []) if is_looked_at else None
                self._passed = False
                patches.restart()
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
                self._mark(loop, item.nodeid)
                told.append(LoopedTest(item.nodeid, self._passed, self._timer.taken))
                self._timer.total_ns += sum(self._timer.taken)
                if self._timer.looks is not None:
                    looks[item.nodeid] = self._timer.looks
                for place, taken in enumerate(self._timer.taken):
                    key = item.nodeid, place
                    best[key] = min(taken, best.get(key, taken))
            self._tell(Loop(loop, told))
            if is_looked_at:
                self._tell(Looks(loop, looks, self._timer.shown))
                self._timer.shown = {}
            sums.append(float(sum(best.values())))
            elapsed = self._clocks.wall_ns() - start
            expected = min(MOST_LOOPS, round(loop * most_ns / max(elapsed, 1)))
            if elapsed >= most_ns or (self._asked.loops is None and is_stable(sums, expected)):
                break
        elsewhere = _process_ns() - whole - (self._clocks.cpu_ns() - own)
        if others:
            elsewhere += max(0, others.cpu_ns() - helping)
        self._tell(LoopsDone(elsewhere, self._timer.total_ns))
        return True


def _process_ns() -> int:
    """CPU time of this process with all its threads, and of children that ended, up to now."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return round(sum(each.ru_utime + each.ru_stime for each in used) * 1e9)
