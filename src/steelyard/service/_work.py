"""Run work for a request, and stop it if nobody waits or it takes too long."""

import asyncio
import dataclasses
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Protocol, TypeVar

from fastapi import Request

from steelyard.sandbox import CellPool, StoppablePool, StoppedError
from steelyard.schemas import Event
from steelyard.service._auth import Caller
from steelyard.service._gate import Gate
from steelyard.service._problems import Problem
from steelyard.service._state import Services

_UNWATCHED_S = 0.03
_AGAIN_S = 0.2
T = TypeVar("T")


class Stopping(Protocol):
    """The wish to stop work, asked by the work itself."""

    def __call__(self) -> bool:
        """Return True if the work should stop."""

    def at_event(self, event: Event, /) -> None:
        """Take note of an event; raise a problem if the work should stop."""

    def problem(self) -> Problem:
        """Return the reason for a stop as a problem."""


class Stop:
    """Stops work: nobody waits for it, or it takes too long. Threads share it."""

    def __init__(self, most_s: float) -> None:
        self._owner = ""
        self._most_s = most_s
        self._until = time.monotonic() + most_s
        self._gone = threading.Event()
        self._pools: list[StoppablePool] = []

    def __call__(self) -> bool:
        """Return True if the work should stop."""
        return self._gone.is_set() or time.monotonic() > self._until

    @property
    def is_gone(self) -> bool:
        """True if nobody waits."""
        return self._gone.is_set()

    def begin(self, caller: Caller) -> None:
        """Begin to count the time of the work. Callers that wait for cells get them in turns."""
        self._until = time.monotonic() + self._most_s
        self._owner = caller.owner
        for pool in self._pools:
            pool.owner = caller.owner

    def leave(self) -> None:
        """Stop because nobody waits: programs that run are killed, and no other begins."""
        self._gone.set()
        for pool in self._pools:
            pool.stop()

    def cells(self, pool: CellPool) -> CellPool:
        """Return the cells of a pool; what runs in them ends as soon as nobody waits."""
        own = pool.stoppable(self._owner)
        self._pools.append(own)
        if self.is_gone:
            own.stop()
        return own

    def over(self, services: Services) -> Services:
        """Return the services with such cells."""
        return dataclasses.replace(services, pool=self.cells(services.pool))

    def at_event(self, _: Event) -> None:
        """Stop the work at an event, for work that asks nothing else.

        Raises:
            Problem: if it should stop.
        """
        if self():
            raise self.problem()

    def problem(self) -> Problem:
        """Return the reason as a problem."""
        if self._gone.is_set():
            return Problem(
                499, "client-gone", "The client closed the connection", "nobody waits for this"
            )
        return Problem(
            422,
            "request-too-long",
            "The work for one request takes too long",
            f"the work for one request may take {self._most_s:g} s; send fewer tests, or lower "
            "their time limits",
        )


async def run_admitted(
    gate: Gate, threads: Executor, caller: Caller, stop: Stop, work: Callable[[], T]
) -> T:
    """Run work in a thread once the gate admits it.

    Raises:
        Problem: 429 if too many requests wait; 499 if the client is gone before its turn.
    """
    async with gate.admitted(caller.owner):
        if stop.is_gone:
            raise stop.problem()
        stop.begin(caller)  # the time in which it waited does not count
        try:
            return await asyncio.get_running_loop().run_in_executor(threads, work)
        except asyncio.CancelledError:
            stop.leave()
            raise
        except StoppedError:
            raise stop.problem() from None


async def run_accepted(
    gate: Gate, threads: Executor, caller: Caller, stop: Stop, work: Callable[[], T]
) -> T:
    """Run work as `run_admitted`. It was accepted, so it waits as long as too many others do.

    Raises:
        Problem: 499 if the client is gone before its turn.
    """
    while True:
        try:
            return await run_admitted(gate, threads, caller, stop, work)
        except Problem as problem:
            if problem.status_code != 429:
                raise
            await asyncio.sleep(_AGAIN_S)


class watched:  # noqa: N801  (used as a function)
    """Stop work if the client of a request closes its connection meanwhile.

    Most work is done before a watcher would be of use: it begins after some milliseconds.
    """

    def __init__(self, request: Request, stop: Stop) -> None:
        self._request, self._stop = request, stop
        self._watcher: asyncio.Task[None] | None = None

    async def __aenter__(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(_UNWATCHED_S, self._begin)

    async def __aexit__(self, *_: object) -> None:
        self._timer.cancel()
        if self._watcher is not None:
            self._watcher.cancel()

    def _begin(self) -> None:
        self._watcher = asyncio.create_task(self._watch())

    async def _watch(self) -> None:
        while True:
            message = await self._request.receive()
            if message["type"] == "http.disconnect":
                self._stop.leave()
                return
