"""One version of the project, loaded next to the other one, with its own copies of the calls."""

from __future__ import annotations

import asyncio
import functools
import gc
import importlib
import inspect
import io
import pickle
import sys
import types
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from steelyard.comparing.recording.incell.lazy import drained, is_lazy
from steelyard.comparing.recording.incell.results import Call, digests_of, snapshot_of
from steelyard.comparing.recording.incell.watching import plain
from steelyard.comparing.steadiness.incell import patches
from steelyard.project_runs.incell import project
from steelyard.project_runs.incell.digests import digest_of
from steelyard.project_runs.incell.task import Function
from steelyard.values.incell.snapshot import snapshot

_Cached = type(functools.cache(len))
_PLAIN, _ANY, _ASYNC = range(3)
"""Ways to repeat calls: that return at once; that may raise or give items; within a loop."""
_AWAITED = types.CoroutineType, types.AsyncGeneratorType

Clock = Callable[[], int]
Traits = tuple[list[int], dict[str, int], bool]
"""Cases that need fresh arguments, the way to repeat each case, and if results are cached."""


class Side:
    """The function in its own copy of the project's modules.

    Args:
        function: The function.
        edits: Contents of the files in which this version differs.
        clock: CPU time of this process, in ns.
    """

    def __init__(self, function: Function, edits: Mapping[str, bytes | None], clock: Clock) -> None:
        for name in project.owned():
            del sys.modules[name]
        project.edit(edits)
        importlib.invalidate_caches()
        start = clock()
        module = importlib.import_module(function.module)
        self.import_ns = clock() - start
        self.function = plain(module, function.qualname)
        self.modules = project.owned()
        """By name, of this version."""
        self.is_forgetting = False
        """True if its cache is emptied before each call."""
        is_async = inspect.iscoroutinefunction(self.function)
        is_async |= inspect.isasyncgenfunction(self.function)
        self._unlearned = _ASYNC if is_async else _ANY
        self._pickled: dict[int, list[bytes]] = {}
        self._calls: dict[int, list[Call]] = {}
        self._ways: dict[int, int] = {}
        self._fresh: set[int] = set()
        self._clock = clock
        self._runner = asyncio.Runner()

    def enter(self) -> None:
        """Make this version's modules those that are imported from here on."""
        sys.modules.update(self.modules)

    def load(self, case: int, calls: Sequence[bytes]) -> None:
        """Take a case's calls, pickled."""
        self.enter()
        self._pickled[case] = list(calls)
        self._calls[case] = self._copies(case)

    def types_of(self, case: int) -> str:
        """Return the types of the arguments of a case's first call."""
        args, kwargs = self._calls[case][0]
        return ", ".join(type(each).__name__ for each in (*args, *kwargs.values()))

    def learn(self, case: int) -> None:
        """Make each of a case's calls once, to learn how they must be repeated."""
        self.enter()
        for call in self._copies(case):
            before = snapshot({"arguments": call})
            self._listen()
            way = self._way_of(call)
            self._ways[case] = max(way, self._ways.get(case, _PLAIN))
            if snapshot({"arguments": call}) != before:
                self._fresh.add(case)

    def _way_of(self, call: Call) -> int:
        args, kwargs = call
        way = _ANY
        try:
            result = self.function(*args, **kwargs)
            if type(result) in _AWAITED:
                way = _ASYNC
                self._runner.run(_finished(result))
            elif is_lazy(result):
                drained(result)
            else:
                way = _PLAIN
        except Exception:  # a result too: such calls are repeated with it caught
            return way
        return way

    def traits(self) -> Traits:
        """Return how each case's calls must be repeated, and if the function is cached."""
        ways = {str(case): way for case, way in self._ways.items()}
        return sorted(self._fresh), ways, type(self.function) is _Cached

    def agree(self, traits: Traits) -> None:
        """Repeat calls as the other version must, so that both do the same."""
        fresh, ways, is_cached = traits
        self._fresh |= set(fresh)
        for case, way in ways.items():
            self._ways[int(case)] = max(way, self._ways.get(int(case), way))
        if is_cached and type(self.function) is _Cached:
            self.function = _forgetting(self.function)
            self.is_forgetting = True
        gc.collect()
        gc.freeze()

    def run(self, case: int, times: int, *, keeps: bool = False, anew: bool = False) -> int:
        """Make all calls of a case so many times: CPU time in ns."""
        self.prepare(case, times, keeps=keeps, anew=anew)
        return self.run_prepared()

    def prepare(self, case: int, times: int, *, keeps: bool = False, anew: bool = False) -> None:
        """Make ready what `run_prepared` needs, an event loop too.

        Args:
            case: Which.
            times: How often.
            keeps: Whether results are kept, to be looked at.
            anew: Whether each call gets objects of its own, as calls that change them always do.
        """
        self.enter()
        is_own = anew or case in self._fresh
        calls = self._calls[case] * (0 if is_own else times)
        for _ in range(times if is_own else 0):
            calls += self._copies(case)
        self._shared = 0 if is_own else len(self._calls[case])
        way = self._ways.get(case, self._unlearned)
        self._prepared = _BATCHES[way], calls
        self._kept: list[Any] | None = [] if keeps else None
        self._runner.close()
        self._runner = asyncio.Runner()
        if way == _ASYNC:
            self._runner.get_loop()
        self._listen()

    def run_prepared(self) -> int:
        """Make the calls that were made ready: CPU time in ns."""
        batch, calls = self._prepared
        taken, last = batch(self.function, calls, self._kept, self._clock, self._runner)
        self._last = last, calls[-1:]
        return taken

    def failed(self) -> bool:
        """Return whether the last call of the last batch raised."""
        return isinstance(self._last[0], Exception)

    def look(self, seed: int) -> list[str]:
        """Return digests of what the last batch gave: of its last call if none were kept."""
        if self._kept is None:
            return [digest_of(self.show(0)).hex()]
        calls, out = self._prepared[1], self._out.getvalue()
        return digests_of(self._kept, calls, out, shared=self._shared, seed=seed)

    def show(self, index: int) -> bytes:
        """Return what belongs to one of these digests, as a snapshot."""
        out = self._out.getvalue()
        if self._kept is None:
            value, call = self._last
            return snapshot_of(value, call[0] if call else ((), {}), out)
        if index < len(self._kept):
            return snapshot_of(self._kept[index], self._prepared[1][index], out)
        return snapshot({"arguments": self._prepared[1][: self._shared], "stdout": out})

    def _listen(self) -> None:
        """Begin anew with what is printed, and with clocks and random states."""
        sys.stdout = self._out = io.StringIO()  # as wherever else the function is called
        patches.restart()

    def _copies(self, case: int) -> list[Call]:
        return [pickle.loads(data) for data in self._pickled[case]]  # noqa: S301 - of such a cell


def _forgetting(function: Any) -> Any:
    """The function as it is where its cache is empty, which both versions have.

    Otherwise all calls but the first would be answered by the cache, and no work would be timed.
    """
    empty = function.cache_clear

    def called(*args: Any, **kwargs: Any) -> Any:
        empty()
        return function(*args, **kwargs)

    return called


def _plain_calls(
    function: Any, calls: Sequence[Call], kept: list[Any] | None, clock: Clock, _: Any
) -> tuple[int, Any]:
    result = None
    start = clock()
    if kept is None:
        for args, kwargs in calls:
            result = function(*args, **kwargs)
    else:
        kept += [function(*args, **kwargs) for args, kwargs in calls]
    taken = clock() - start
    return taken, kept[-1] if kept else result


def _any_calls(
    function: Any, calls: Sequence[Call], kept: list[Any] | None, clock: Clock, runner: Any
) -> tuple[int, Any]:
    result: Any = None
    start = clock()
    for args, kwargs in calls:
        try:
            result = function(*args, **kwargs)
            if is_lazy(result):
                result = drained(result)
            elif type(result) in _AWAITED:
                result = runner.run(_finished(result))
        except Exception as error:  # a result as any other
            result = error.with_traceback(None)
        if kept is not None:
            kept.append(result)
    return clock() - start, result


def _async_calls(
    function: Any, calls: Sequence[Call], kept: list[Any] | None, clock: Clock, runner: Any
) -> tuple[int, Any]:
    async def all_of_them() -> tuple[int, Any]:
        result: Any = None
        start = clock()  # the loop is open
        for args, kwargs in calls:
            try:
                result = function(*args, **kwargs)
                if type(result) is types.CoroutineType:
                    result = await result
                elif type(result) is types.AsyncGeneratorType:
                    result = [item async for item in result]
            except Exception as error:  # a result as any other
                result = error.with_traceback(None)
            if kept is not None:
                kept.append(result)
        return clock() - start, result

    taken: tuple[int, Any] = runner.run(all_of_them())
    return taken


_BATCHES = _plain_calls, _any_calls, _async_calls


async def _finished(made: Any) -> Any:
    if type(made) is types.CoroutineType:
        return await made
    return [item async for item in made]
