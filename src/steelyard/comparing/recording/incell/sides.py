"""One version of the project, loaded next to the other one, with its own copies of the calls."""

from __future__ import annotations

import asyncio
import functools
import gc
import importlib
import inspect
import io
import pickle
import random
import sys
import types
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from steelyard.comparing.incell.told import BothVersions
from steelyard.comparing.recording.incell.lazy import drained, is_lazy
from steelyard.comparing.recording.incell.watching import plain
from steelyard.comparing.steadiness.incell import patches
from steelyard.project_runs.incell import project
from steelyard.project_runs.incell.digests import digest_of
from steelyard.project_runs.incell.task import Function
from steelyard.values.incell.snapshot import snapshot
from steelyard.values.incell.walking import plain_bytes

_Cached = type(functools.cache(len))
_PLAIN, _ANY, _ASYNC = range(3)
"""Ways to repeat calls: that return at once; that may raise or give items; within a loop."""
_AWAITED = types.CoroutineType, types.AsyncGeneratorType
_MOST_LOOKED_AT = 48
"""So many values of a batch that are not plain data: a snapshot takes longer than many a call."""
_MOST_PLAIN = 4_000_000
"""Data that unfolds to more objects is looked at as other objects are."""

Call = tuple[tuple[Any, ...], dict[str, Any]]
Clock = Callable[[], int]
_Runner = asyncio.Runner
_Kept = list[Any] | deque[Any]
"""All results of a batch, or the last one."""
Files = dict[str, "bytes | None"]
"""What files hold; None: there is no such file."""
Traits = tuple[list[int], list[tuple[int, int]], bool]
"""Cases that need fresh arguments, the way to repeat each case, and if results are cached."""


def both(versions: BothVersions) -> tuple[Files, Files]:
    """Return the files in which the versions differ: the original's first."""
    return versions.original, versions.candidate


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
        kinds = inspect.iscoroutinefunction, inspect.isasyncgenfunction
        self._unlearned = _ASYNC if any(is_kind(self.function) for is_kind in kinds) else _ANY
        self._pickled: dict[int, list[bytes]] = {}
        self._calls: dict[int, list[Call]] = {}
        self._ways: dict[int, int] = {}
        self._fresh: set[int] = set()
        self._clock = clock
        self._runner = _Runner()

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
            way = _ANY
            with suppress(Exception):  # a result too: such calls are repeated with it caught
                result = self.function(*call[0], **call[1])
                is_awaited = type(result) in _AWAITED
                way = _ASYNC if is_awaited else _ANY if is_lazy(result) else _PLAIN
                if is_awaited:
                    self._runner.run(_finished(result))
                elif way == _ANY:
                    drained(result)
            self._ways[case] = max(way, self._ways.get(case, _PLAIN))
            if snapshot({"arguments": call}) != before:
                self._fresh.add(case)

    def traits(self) -> Traits:
        """Return how each case's calls must be repeated, and if the function is cached."""
        return sorted(self._fresh), [*self._ways.items()], type(self.function) is _Cached

    def agree(self, traits: Traits) -> None:
        """Repeat calls as the other version must, so that both do the same."""
        fresh, ways, is_cached = traits
        self._fresh |= set(fresh)
        for case, way in ways:
            self._ways[case] = max(way, self._ways.get(case, way))
        if is_cached and type(self.function) is _Cached:
            self._forget(self.function)
        gc.collect()
        gc.freeze()

    def _forget(self, function: Any) -> None:
        """Empty the cache before each call, or it would answer all but the first."""
        empty = function.cache_clear

        def called(*args: Any, **kwargs: Any) -> Any:
            empty()
            return function(*args, **kwargs)

        self.function, self.is_forgetting = called, True

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
        self._kept: _Kept = [] if keeps else deque(maxlen=1)
        self._runner.close()
        self._runner = _Runner()
        if way == _ASYNC:
            self._runner.get_loop()
        self._listen()

    def run_prepared(self) -> int:
        """Make the calls that were made ready: CPU time in ns."""
        batch, calls = self._prepared
        return batch(self.function, calls, self._kept, self._clock, self._runner)

    def failed(self) -> bool:
        """Return whether the last call of the last batch raised."""
        return isinstance(self._kept[-1], Exception)

    def look(self, seed: int) -> list[str]:
        """Return digests of what the last batch gave: of its last call if none were kept."""
        if not isinstance(self._kept, list):
            return [digest_of(self.show(0)).hex()]
        calls, out = self._prepared[1], self._out.getvalue()
        return _digests_of(self._kept, calls, out, shared=self._shared, seed=seed)

    def show(self, index: int) -> bytes:
        """Return what belongs to one of these digests, as a snapshot."""
        made, out = self._prepared[1], self._out.getvalue()
        calls = made[-len(self._kept) :]
        if index < len(calls):
            return snapshot({"arguments": calls[index], "result": self._kept[index], "stdout": out})
        return snapshot({"arguments": made[: self._shared], "stdout": out})

    def _listen(self) -> None:
        """Begin anew with what is printed, and with clocks and random states."""
        sys.stdout = self._out = io.StringIO()  # as wherever else the function is called
        patches.restart()

    def _copies(self, case: int) -> list[Call]:
        return [pickle.loads(data) for data in self._pickled[case]]  # noqa: S301 - of such a cell


def _digests_of(
    results: Sequence[Any], calls: Sequence[Call], out: str, *, shared: int, seed: int
) -> list[str]:
    """Return one digest for each result, and one for what is around them.

    Args:
        results: What the calls gave.
        calls: The calls, one for each.
        out: What they printed.
        shared: How many different calls there are if they are made again and again with the same
            arguments; 0 if each has its own.
        seed: Decides which are looked at if not all can be.
    """
    values = list(results) if shared else list(zip(results, calls, strict=True))
    plain = [plain_bytes(value, most=_MOST_PLAIN) for value in values]
    others = [index for index, data in enumerate(plain) if data is None]
    rng = random.Random(seed)  # noqa: S311 - the parent draws it when all is over
    looked_at = rng.sample(others, min(len(others), _MOST_LOOKED_AT))
    found = [
        _digest(values[index], data) if data is not None or index in looked_at else ""
        for index, data in enumerate(plain)
    ]
    around = [list(calls[:shared]), out]
    return [*found, _digest(around, plain_bytes(around, most=_MOST_PLAIN))]


def _digest(value: Any, data: bytes | None) -> str:
    return digest_of(snapshot({"value": value}) if data is None else data).hex()


def _plain_calls(function: Any, calls: Sequence[Call], kept: _Kept, clock: Clock, _: Any) -> int:
    result = None
    start = clock()
    if isinstance(kept, list):
        kept += [function(*args, **kwargs) for args, kwargs in calls]
    else:
        for args, kwargs in calls:
            result = function(*args, **kwargs)
        kept.append(result)
    return clock() - start


def _any_calls(
    function: Any, calls: Sequence[Call], kept: _Kept, clock: Clock, runner: _Runner
) -> int:
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
        kept.append(result)
    return clock() - start


def _async_calls(
    function: Any, calls: Sequence[Call], kept: _Kept, clock: Clock, runner: _Runner
) -> int:
    async def all_of_them() -> int:
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
            kept.append(result)
        return clock() - start

    return runner.run(all_of_them())


_BATCHES = _plain_calls, _any_calls, _async_calls


async def _finished(made: Any) -> Any:
    if type(made) is types.CoroutineType:
        return await made
    return [item async for item in made]
