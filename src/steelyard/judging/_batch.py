"""Work on many items, a bounded number at once; yield results in order or as they come."""

import asyncio
import itertools
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from steelyard.sandbox import settle_on_cell_cores

Item = TypeVar("Item")
Result = TypeVar("Result")

_AHEAD = 16
"""Items for each worker that are taken before their turn: one slow item must not idle the rest."""


def in_order(
    work: Callable[[Item], Result],
    items: Iterable[Item],
    workers: int,
    stop: Callable[[], None],
) -> Iterator[Result]:
    """Yield the results in the items' order, as soon as each can be given.

    Items are taken from their iterable only shortly before their turn. Leaving the iterator early
    drops what has not begun, and calls `stop` for what has.
    """
    left = iter(items)
    executor = ThreadPoolExecutor(workers, "steelyard-batch", initializer=settle_on_cell_cores)
    under_way: deque[Future[Result]] = deque()
    try:
        for item in itertools.islice(left, _AHEAD * workers):
            under_way.append(executor.submit(work, item))
        while under_way:
            result = under_way.popleft().result()
            for item in itertools.islice(left, 1):
                under_way.append(executor.submit(work, item))
            yield result
    except BaseException as error:
        stop()
        executor.shutdown(wait=isinstance(error, Exception), cancel_futures=True)
        raise
    executor.shutdown()


async def as_completed(
    work: Callable[[Item], Result],
    items: Iterable[Item],
    workers: int,
    stop: Callable[[], None],
) -> AsyncIterator[Result]:
    """Yield the results as they come, without blocking the event loop; bounds as `in_order`."""
    loop = asyncio.get_running_loop()
    left = iter(items)
    executor = ThreadPoolExecutor(workers, "steelyard-batch", initializer=settle_on_cell_cores)
    under_way: set[asyncio.Future[Result]] = set()
    try:
        while True:
            room = _AHEAD * workers - len(under_way)
            for item in itertools.islice(left, room):
                under_way.add(loop.run_in_executor(executor, work, item))
            if not under_way:
                return
            done, under_way = await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
            for each in done:
                yield each.result()
    finally:
        if under_way:
            stop()
        for each in under_way:
            each.cancel()
        executor.shutdown(wait=False, cancel_futures=True)
