"""Run in a cell: calls that take several steps, such as a generator's and a coroutine's."""

from __future__ import annotations

import asyncio
import functools
import itertools
import types
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, nullcontext
from typing import Any

_LAZY = frozenset(
    {
        types.GeneratorType,
        zip,
        map,
        filter,
        enumerate,
        *(
            getattr(itertools, name)
            for name in (
                "accumulate",
                "batched",
                "chain",
                "combinations",
                "combinations_with_replacement",
                "compress",
                "dropwhile",
                "filterfalse",
                "groupby",
                "islice",
                "pairwise",
                "permutations",
                "product",
                "starmap",
                "takewhile",
                "zip_longest",
            )
            if hasattr(itertools, name)
        ),
    }
)
_MOST_DRAINED = 100_000
_MOST_LOOKS = 32
"""So many times tasks are counted, as there may be thousands."""


def is_lazy(value: object) -> bool:
    """Return whether a result is a generator, or an iterator that takes the place of one."""
    return type(value) in _LAZY


def drained(items: Any) -> list[Any]:
    """Return the items; of endless ones the first."""
    return list(itertools.islice(items, _MOST_DRAINED))


def close_early(items: Any) -> None:
    """Close what can be closed, as its user does who needs no more items."""
    getattr(items, "close", lambda: None)()


def stepped(
    inner: Any,
    noted: Callable[[Any], object],
    within: Callable[[], AbstractContextManager[object]] = nullcontext,
) -> Generator[Any, Any, Any]:
    """Carry a generator on step by step; what is sent or thrown is passed to it.

    Args:
        inner: The generator, or an iterator.
        noted: Is called with each item.
        within: Is entered for each step.
    """
    resume: Callable[[], Any] = functools.partial(next, inner)
    while True:
        with within():
            try:
                item = resume()
            except StopIteration as end:
                return end.value
        noted(item)
        try:
            sent = yield item
        except GeneratorExit:
            close_early(inner)
            raise
        except BaseException as error:
            resume = functools.partial(inner.throw, error)
        else:
            resume = (
                functools.partial(next, inner)
                if sent is None
                else functools.partial(inner.send, sent)
            )


class Awaits:
    """Counts how often awaited calls give way to others, and their own tasks at work then."""

    def __init__(self) -> None:
        self._before: set[Any] | None = None
        self._tasks: list[int] = []

    @types.coroutine
    def carry(
        self, inner: Any, within: Callable[[], AbstractContextManager[object]] = nullcontext
    ) -> Generator[Any, Any, Any]:
        """Await a call, and note when it gives way."""
        if self._before is None:
            self._before = _running()
        return (yield from stepped(inner.__await__(), self._note, within))

    def roots(self) -> dict[str, Any]:
        """Return what counts as a result; nothing if no call was awaited."""
        return {} if self._before is None else {"gives way": bool(self._tasks)}

    def said(self) -> dict[str, str]:
        """Return in words how often they gave way; nothing if they never did."""
        if not self._tasks:
            return {}
        most = max(self._tasks)
        return {"awaits": f"{len(self._tasks)} times, with {most} tasks of its own at work"}

    def _note(self, _: object) -> None:
        is_counted = len(self._tasks) < _MOST_LOOKS
        self._tasks.append(len(_running() - (self._before or set())) if is_counted else 0)


def _running() -> set[Any]:
    loop = asyncio._get_running_loop()
    return asyncio.all_tasks(loop) if loop else set()
