"""Makes recorded calls again, one after the other, and tells what came out of each."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import io
import os
import pickle
import sys
import types
from typing import Any

from assayer.equivalence.incell import patches
from assayer.equivalence.incell.running.files import Files
from assayer.equivalence.incell.running.hearing import Hearing
from assayer.equivalence.incell.running.naming import Names, plain_of
from assayer.equivalence.incell.running.records import Tell
from assayer.equivalence.incell.running.state import State
from assayer.equivalence.incell.running.task import Clocks, Task
from assayer.equivalence.incell.running.watchdog import Watchdog
from assayer.equivalence.incell.running.watching import plain
from assayer.equivalence.incell.snapshot import snapshot
from assayer.equivalence.incell.world import changes, made_world

_MOST_ITEMS = 1_000
_MOST_CHARS = 20_000


def load_function(said: dict[str, Any]) -> Any:
    """Imports the module and gives the function that is called in the end."""
    module = importlib.import_module(said["module"])
    return plain(module, said["qualname"])


def run_calls(task: Task, tell: Tell, _clocks: Clocks) -> int:
    """Makes every call twice; the second time with the first results still in hand.

    So a result that both calls share, or one that was right only once, shows.
    """
    hearing = Hearing()
    function = load_function(task.said)
    world, state = made_world(), State()
    before, files = world.observe(), Files()
    state.look()
    names = Names(plain_of(function))
    results: list[Any] = []
    watchdog = Watchdog(task.said["call_timeout_s"])
    for again in (False, True):
        for place, pickled in enumerate(task.calls):
            tell("begin", place=place, again=again)
            watchdog.begin()
            try:
                args, kwargs = pickle.loads(pickled)  # noqa: S301 - made in such a cell, read in one
            except Exception as error:
                tell("unloadable", place=place, again=again, why=repr(error))
                results.append(None)
                continue
            blobs = {} if again else {"before": snapshot(names.of(args, kwargs))}
            patches.restart()
            hearing.take()
            roots, streams = make_call(function, args, kwargs)
            said = streams | hearing.take()
            if again:
                roots["first"] = results[place]
            else:
                results.append(roots.get("result"))
            blobs["after"] = snapshot({**roots, **names.of(args, kwargs)})
            tell("call", blobs | state.look(), place=place, again=again, said=said)
    watchdog.end()
    seen = changes(before, world.observe()) | files.changes()
    tell("session", changes=seen, pid=os.getpid(), watched=state.names())
    return 0


def make_call(
    function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Any, dict[str, str]]:
    """One call, carried through: a coroutine awaited, the items of a generator taken.

    Returns:
        What came out, by name, and what was written, by stream; streams with nothing are left out.
    """
    kept = sys.stdout, sys.stderr
    streams = {"stdout": io.StringIO(), "stderr": io.StringIO()}
    sys.stdout, sys.stderr = streams.values()
    roots: dict[str, Any] = {}
    try:
        result = function(*args, **kwargs)
        if isinstance(result, types.GeneratorType):
            items: list[Any] = []
            roots["items"] = items
            while len(items) < _MOST_ITEMS:
                try:
                    items.append(next(result))
                except StopIteration as end:
                    result = end.value
                    break
            else:
                result.close()
                result = "unfinished"
        elif inspect.isasyncgen(result):
            roots["items"] = asyncio.run(_taken(result))
            result = None
        elif inspect.iscoroutine(result):
            result = asyncio.run(result)
        roots["result"] = result
    except BaseException as error:
        roots["raised"] = error
    finally:
        sys.stdout, sys.stderr = kept
    written = {name: stream.getvalue()[-_MOST_CHARS:] for name, stream in streams.items()}
    return roots, {name: text for name, text in written.items() if text}


async def _taken(items: Any) -> list[Any]:
    taken = []
    async for item in items:
        taken.append(item)
        if len(taken) == _MOST_ITEMS:
            await items.aclose()
            break
    return taken
