"""Makes recorded calls again, one after the other, and tells what came out of each."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import io
import os
import pickle
import sys
from collections.abc import Sequence
from typing import Any

from steelyard.comparing.calls.incell.changing import TABLES, become, chosen_pairs, turned
from steelyard.comparing.effects.incell.files import Files
from steelyard.comparing.effects.incell.hearing import Hearing
from steelyard.comparing.effects.incell.state import State
from steelyard.comparing.effects.incell.world import changes, made_world
from steelyard.comparing.incell.told import (
    CallBegun,
    CallChanged,
    CallElsewhere,
    CallMade,
    CallsDone,
    CallTabled,
    MakeCalls,
)
from steelyard.comparing.recording.incell.lazy import Awaits, close_early, is_lazy
from steelyard.comparing.recording.incell.naming import Names
from steelyard.comparing.recording.incell.watching import plain, plain_of
from steelyard.comparing.steadiness.incell import patches
from steelyard.project_runs.incell.task import Context, Ended, Function
from steelyard.project_runs.incell.watchdog import Watchdog
from steelyard.values.incell.snapshot import snapshot
from steelyard.values.incell.temporary import masked

_MOST_ITEMS = 1_000
_MOST_CHARS = 20_000
_MOST_TABLED = 40
"""So many calls are made once more while tables have other contents."""


def load_function(function: Function) -> Any:
    """Imports the module and gives the function that is called in the end."""
    return plain(importlib.import_module(function.module), function.qualname)


def run_calls(asked: MakeCalls, context: Context) -> int:
    """Makes every call twice; the second time with the first results still in hand.

    So a result that both calls share, or one that was right only once, shows. Where the task asks
    for it, calls are then made again with arguments that have changed, and in other worlds.
    """
    calls = _Calls(context, asked.call_timeout_s)
    for again in (False, True):
        for place, pickled in enumerate(asked.calls):
            calls.make(place, pickled, again=again)
    effects = calls.effects()
    if asked.more:
        calls.make_changed(asked.calls, asked.pairs)
        calls.make_elsewhere(asked.calls, set(asked.places))
        calls.make_tabled(asked.calls, asked.tables)
    calls.end(effects)
    return 0


class _Calls:
    """The function, the world that it is called in, and what is told of each call."""

    def __init__(self, context: Context, call_timeout_s: float) -> None:
        self._tell = context.tell
        self._hearing = Hearing()
        self._function = load_function(context.function)
        self._module = sys.modules[context.function.module]
        self._world, self._state = made_world(), State()
        self._before, self._files = self._world.observe(), Files()
        self._state.look()
        self._names = Names(plain_of(self._function))
        self._results: dict[int, Any] = {}
        self._asking: set[int] = set()
        self._watchdog = Watchdog(call_timeout_s)

    def make(self, place: int, pickled: bytes, *, again: bool) -> None:
        """A call as it is."""
        self._begin(place)
        loaded = _loaded(pickled)
        if not loaded:
            return
        args, kwargs = loaded[0]
        before = b"" if again else snapshot(self._names.of(args, kwargs))
        roots, said = self._called(args, kwargs)
        if patches.is_asked():
            self._asking.add(place)
        if again:
            roots["first"] = self._results.get(place)
        else:
            self._results[place] = roots.get("result")
        after = snapshot({**roots, **self._names.of(args, kwargs)})
        raised = type(roots["raised"]).__name__ if "raised" in roots else ""
        self._tell(CallMade(place, again, before, after, said, self._state.look(), raised))

    def make_changed(self, pickled: Sequence[bytes], pairs: list[tuple[int, int]] | None) -> None:
        """Calls whose arguments become those of other calls, and which are made again then.

        Args:
            pickled: All calls.
            pairs: Places of calls and of those whose arguments they get; chosen where it is None.
        """
        for place, donor in chosen_pairs(pickled, _load) if pairs is None else pairs:
            self._begin(place)
            loaded = _loaded(pickled[place], pickled[place], pickled[donor])
            if not loaded:
                continue
            call, before, other = loaded
            roots, _ = self._called(*call)
            first = roots.get("result")
            changed = become(call, other, before)
            if changed is None:
                continue
            call = changed
            was = snapshot(self._names.of(*call))
            roots, said = self._called(*call)
            roots["first"] = first
            after = snapshot({**roots, **self._names.of(*call)})
            self._tell(CallChanged(place, donor, was, after, said, self._state.look()))

    def make_elsewhere(self, pickled: Sequence[bytes], places: set[int]) -> None:
        """Calls in other worlds, each in one of its own.

        Args:
            pickled: All calls.
            places: Of those to be made; with them go those that asked for what hangs on the world.
        """
        for place in sorted(places | self._asking):
            self._begin(place)
            patches.restart()
            loaded = _loaded(pickled[place])
            if not loaded:
                continue
            args, kwargs = loaded[0]
            roots, said = self._called(args, kwargs, world=place + 1)
            after = snapshot({**roots, **self._names.of(args, kwargs)})
            self._tell(CallElsewhere(place, after, said, self._state.look()))
        patches.restart()

    def make_tabled(self, pickled: Sequence[bytes], names: Sequence[str]) -> None:
        """Calls while tables that the module holds have other contents, which are put back then.

        Args:
            pickled: All calls.
            names: The tables.
        """
        held = [vars(self._module).get(name) for name in names]
        tables = [each for each in held if type(each) in TABLES and each]
        step = max(1, len(pickled) // _MOST_TABLED)
        for place in range(0, len(pickled) if tables else 0, step):
            self._begin(place)
            loaded = _loaded(pickled[place])
            if not loaded:
                continue
            args, kwargs = loaded[0]
            with turned(tables):
                roots, said = self._called(args, kwargs)
                after = snapshot({**roots, **self._names.of(args, kwargs)})
            self._tell(CallTabled(place, after, said, self._state.look()))

    def effects(self) -> dict[str, tuple[str, str]]:
        """What has changed in the world around, files too."""
        return changes(self._before, self._world.observe()) | self._files.changes()

    def end(self, effects: dict[str, tuple[str, str]]) -> None:
        """Tells of the whole."""
        self._watchdog.end()
        self._tell(CallsDone(effects, os.getpid(), self._state.names()))
        self._tell(Ended(0))

    def _begin(self, place: int) -> None:
        self._tell(CallBegun(place))
        self._watchdog.begin()

    def _called(
        self, args: tuple[Any, ...], kwargs: dict[str, Any], world: int = 0
    ) -> tuple[dict[str, Any], dict[str, str]]:
        """What came out of a call, by name, and what was said."""
        patches.restart(world)
        self._hearing.take()
        awaits = Awaits()
        roots, streams = make_call(self._function, args, kwargs, awaits)
        return roots, streams | self._hearing.take() | awaits.said()


def _loaded(*pickled: bytes) -> list[Any]:
    """Calls; none where one cannot be loaded."""
    try:
        return [_load(each) for each in pickled]
    except Exception:  # to unpickle runs code of the project's classes
        return []


def _load(pickled: bytes) -> Any:
    return pickle.loads(pickled)  # noqa: S301 - made in such a cell, read in one


def make_call(
    function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], awaits: Awaits | None = None
) -> tuple[Any, dict[str, str]]:
    """One call, carried through: a coroutine awaited, the items of a generator taken.

    Returns:
        What came out, by name, and what was written, by stream; streams with nothing are left out.
    """
    kept = sys.stdout, sys.stderr
    streams = {"stdout": io.StringIO(), "stderr": io.StringIO()}
    sys.stdout, sys.stderr = streams.values()
    roots: dict[str, Any] = {}
    awaits = awaits or Awaits()
    try:
        result = function(*args, **kwargs)
        if is_lazy(result):
            items: list[Any] = []
            roots["items"] = items
            while len(items) < _MOST_ITEMS:
                try:
                    items.append(next(result))
                except StopIteration as end:
                    result = end.value
                    break
            else:
                close_early(result)
                result = "unfinished"
        elif inspect.isasyncgen(result):
            roots["items"] = asyncio.run(_taken(result, awaits))
            result = None
        elif inspect.iscoroutine(result):
            result = asyncio.run(_awaited(result, awaits))
        roots["result"] = result
    except BaseException as error:
        roots["raised"] = error
    finally:
        sys.stdout, sys.stderr = kept
    roots |= awaits.roots()
    written = {name: masked(each.getvalue()[-_MOST_CHARS:]) for name, each in streams.items()}
    return roots, {name: text for name, text in written.items() if text}


async def _awaited(result: Any, awaits: Awaits) -> Any:
    return await awaits.carry(result)


async def _taken(items: Any, awaits: Awaits) -> list[Any]:
    taken: list[Any] = []
    while len(taken) < _MOST_ITEMS:
        try:
            taken.append(await awaits.carry(items.__anext__()))
        except StopAsyncIteration:
            return taken
    await items.aclose()
    return taken
