"""One version of the project, loaded beside the other one, with its own copies of the calls."""

from __future__ import annotations

import asyncio
import functools
import importlib
import inspect
import io
import pickle
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from steelyard.comparing.recording.incell.lazy import drained, is_lazy
from steelyard.comparing.recording.incell.results import Call, Ledger, snapshot_of
from steelyard.comparing.recording.incell.watching import plain
from steelyard.comparing.steadiness.incell import patches
from steelyard.project_runs.incell import project
from steelyard.project_runs.incell.task import Function
from steelyard.values.incell.snapshot import snapshot

AFFORDED_NS, LEAST_MADE_UP = 50_000_000, 6
"""Made-up calls are learned for so long, and so many at the least."""
MOST_TIMES_LONGER = 32
"""The slower version's batches are no more times as long as both are meant to be: where the other
is faster by more than that, its batches become shorter."""

_Cached = type(functools.cache(len))

Clock = Callable[[], int]
Batch = Callable[[Any, Sequence[Call], "list[Any] | None"], Any]
"""Makes calls one after the other; gives what the last one gave, and keeps all where so asked."""


class Side:
    """The function in its own copy of the project's modules.

    Args:
        function: The function.
        edits: Contents of the files in which this version differs.
        cases: Pickled calls, by case.
        clock: CPU time of this process, in ns.
    """

    def __init__(
        self,
        function: Function,
        edits: Mapping[str, bytes | None],
        cases: Sequence[Sequence[bytes]],
        clock: Clock,
    ) -> None:
        for name in project.owned():
            del sys.modules[name]
        project.edit(edits)
        importlib.invalidate_caches()
        start = clock()
        module = importlib.import_module(function.module)
        self.import_ns = clock() - start
        self.function = plain(module, function.qualname)
        self._pickled = cases
        self._calls: list[list[Call]] = [[] for _ in cases]
        self.modules = project.owned()
        """By name, of this version."""
        self._fresh = [False] * len(cases)
        self._batch: list[Batch] = [_any_calls] * len(cases)
        self._clock = clock
        self._ledger = Ledger()
        self._kept: list[Any] | None = None
        self.is_forgetting = False
        """Whether its cache is emptied before each call."""

    def enter(self) -> None:
        """What is imported from here on is this version's."""
        sys.modules.update(self.modules)

    def load_calls(self, case: int) -> None:
        """Makes a case's calls ready for as many batches as do not change them."""
        self.enter()
        self._calls[case] = self._copies(case)

    def choose(self, case: int) -> list[bytes]:
        """Makes each of a case's calls once, to learn how they must be repeated.

        Returns:
            What each of them gave.
        """
        self.enter()
        kinds, given = set(), []
        for call in self._copies(case):
            before = snapshot({"arguments": call})
            self._listen()
            kind, result = _made(self.function, call)
            kinds.add(kind)
            given.append(snapshot_of(result, call, self._out.getvalue()))
            self._fresh[case] |= snapshot({"arguments": call}) != before
        self._batch[case] = kinds.pop() if len(kinds) == 1 else _any_calls
        return given

    def traits(self) -> list[list[object]]:
        """How each case's calls must be repeated: anew each time or not, and in which way.

        And whether the function keeps what it found, as its decorator says.
        """
        kinds = [_BATCHES.index(batch) for batch in self._batch]
        return [list(self._fresh), list(kinds), [self._is_cached()]]

    def take_traits(self, traits: list[list[Any]]) -> None:
        """Repeats calls as the other version must, so that both do the same."""
        self._fresh = [one or two for one, two in zip(self._fresh, traits[0], strict=True)]
        self._batch = [
            one if one is _BATCHES[two] else _any_calls
            for one, two in zip(self._batch, traits[1], strict=True)
        ]
        if self._is_cached() and traits[2][0]:
            self.function = _forgetting(self.function)
            self.is_forgetting = True

    def agree(self, other: Side) -> None:
        """Both repeat their calls in the same way."""
        mine = self.traits()
        self.take_traits(other.traits())
        other.take_traits(mine)

    def run(self, case: int, times: int) -> int:
        """All calls of a case, so many times over: CPU time in ns."""
        self.prepare(case, times)
        return self.run_prepared()

    def run_anew(self, case: int) -> int:
        """All calls of a case, their results kept, with objects that no cache is to hold later."""
        self.prepare(case, 1, keeps=True, anew=True)
        return self.run_prepared()

    def prepare(self, case: int, times: int, *, keeps: bool = False, anew: bool = False) -> None:
        """Makes ready what `run_prepared` needs: where calls change their arguments, own ones.

        Args:
            case: Which.
            times: How often.
            keeps: Whether what each call gives is kept, for `given` and `digests`.
            anew: Whether each call gets objects of its own in any case.
        """
        self.enter()
        if anew or self._fresh[case]:
            calls = [call for _ in range(times) for call in self._copies(case)]
        else:
            calls = self._calls[case] * times
        self._shared = 0 if anew or self._fresh[case] else len(self._calls[case])
        self._prepared = self._batch[case], calls
        self._kept = [] if keeps else None
        self._listen()

    def run_prepared(self) -> int:
        """The calls that were made ready: CPU time in ns."""
        clock, function, kept = self._clock, self.function, self._kept
        batch, calls = self._prepared
        start = clock()
        last = batch(function, calls, kept)
        taken = clock() - start
        self._last = last, calls[-1:]
        return taken

    def failed(self) -> bool:
        """Whether the last call of the last batch raised."""
        return isinstance(self._last[0], Exception)

    def last(self) -> bytes:
        """What the last call of the last batch gave, with its arguments, and what all printed."""
        value, call = self._last
        return snapshot_of(value, call[0] if call else ((), {}), self._out.getvalue())

    def given(self) -> list[bytes]:
        """What each call of the last batch gave that was kept."""
        out = self._out.getvalue()
        return [
            snapshot_of(result, call, out)
            for result, call in zip(self._kept or (), self._prepared[1], strict=True)
        ]

    def digests(self, seed: int) -> list[str]:
        """The same in short, with what was printed; see `Ledger.digests`."""
        calls, out = self._prepared[1], self._out.getvalue()
        return self._ledger.digests(self._kept or (), calls, out, shared=self._shared, seed=seed)

    def printed(self) -> str:
        """What the calls of the last batch printed."""
        return self._out.getvalue()

    def _is_cached(self) -> bool:
        return type(self.function) is _Cached

    def _listen(self) -> None:
        """Begins anew with what is printed, and with clocks and random states."""
        sys.stdout = self._out = io.StringIO()  # as wherever else the function is called
        patches.restart()

    def _copies(self, case: int) -> list[Call]:
        return [_unpickled(pickled) for pickled in self._pickled[case]]


def _forgetting(function: Any) -> Any:
    """The function as it is where its cache is empty, which both versions have.

    Otherwise all calls but the first would be answered by the cache, and no work would be timed.
    """
    empty = function.cache_clear

    def called(*args: Any, **kwargs: Any) -> Any:
        empty()
        return function(*args, **kwargs)

    return called


def _unpickled(data: bytes) -> Call:
    return pickle.loads(data)  # type: ignore[no-any-return]  # noqa: S301 - made in such a cell


def _made(function: Any, call: Call) -> tuple[Batch, Any]:
    """Makes a call: how such calls are repeated, and what it gave."""
    args, kwargs = call
    try:
        result = function(*args, **kwargs)
        if is_lazy(result):
            return _generators, drained(result)
        if inspect.isasyncgen(result):
            return _async_generators, asyncio.run(_drained(result))
        if inspect.iscoroutine(result):
            return _coroutines, asyncio.run(_awaited(result))
    except Exception as error:  # a result too: such calls are repeated with it caught
        return _any_calls, error.with_traceback(None)
    return _plain_calls, result


def _plain_calls(function: Any, calls: Sequence[Call], kept: list[Any] | None) -> Any:
    result = None
    if kept is not None:
        kept += [function(*args, **kwargs) for args, kwargs in calls]
        return kept[-1] if kept else None
    for args, kwargs in calls:
        result = function(*args, **kwargs)
    return result


def _any_calls(function: Any, calls: Sequence[Call], kept: list[Any] | None) -> Any:
    """Calls of which some raise."""
    result: Any = None
    for args, kwargs in calls:
        try:
            result = function(*args, **kwargs)
            if is_lazy(result):
                result = drained(result)
            elif inspect.iscoroutine(result):
                result = asyncio.run(_awaited(result))
            elif inspect.isasyncgen(result):
                result = asyncio.run(_drained(result))
        except Exception as error:
            result = error.with_traceback(None)
        if kept is not None:
            kept.append(result)
    return result


def _generators(function: Any, calls: Sequence[Call], kept: list[Any] | None) -> Any:
    items: list[Any] = []
    for args, kwargs in calls:
        items = drained(function(*args, **kwargs))
        if kept is not None:
            kept.append(items)
    return items


def _coroutines(function: Any, calls: Sequence[Call], kept: list[Any] | None) -> Any:
    async def all_of_them() -> Any:
        result = None
        for args, kwargs in calls:
            result = await function(*args, **kwargs)
            if kept is not None:
                kept.append(result)
        return result

    return asyncio.run(all_of_them())


def _async_generators(function: Any, calls: Sequence[Call], kept: list[Any] | None) -> Any:
    async def all_of_them() -> Any:
        items: list[Any] = []
        for args, kwargs in calls:
            items = [item async for item in function(*args, **kwargs)]
            if kept is not None:
                kept.append(items)
        return items

    return asyncio.run(all_of_them())


_BATCHES: list[Batch] = [_plain_calls, _any_calls, _generators, _coroutines, _async_generators]


async def _awaited(coroutine: Any) -> Any:
    return await coroutine


async def _drained(items: Any) -> list[Any]:
    return [item async for item in items]
