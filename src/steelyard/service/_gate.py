"""Admit a bounded number of requests at once; the rest wait their turn, fairly between callers."""

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from steelyard.service._error_responses import Problem


class Gate:
    """Lets `size` requests work at once. Used from one event loop.

    Those that wait are admitted in turns by caller, so a caller with 1,000 requests does not hold
    up one with 3. Of several places, one caller never has all: there is one more for another one.

    Args:
        size: Requests that work at once.
        most_waiting: Requests that may wait, shared by `has_room`; more are refused with 429.
    """

    def __init__(self, size: int, most_waiting: int) -> None:
        self.size = size
        self._working: Counter[str] = Counter()
        self.waiting = 0
        self._most_waiting = most_waiting
        self._turns: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @property
    def working(self) -> int:
        """The number of requests that work now."""
        return self._working.total()

    @property
    def is_busy(self) -> bool:
        """True if all places are taken."""
        return self.working >= self.size

    def _has_place(self, caller: str) -> bool:
        callers = self._working.keys()
        return not self.is_busy or (self.size > 1 and len(callers) == 1 and caller not in callers)

    @asynccontextmanager
    async def admitted(self, caller: str) -> AsyncIterator[None]:
        """Wait for a place, and hold it in the block.

        Raises:
            Problem: 429 if too many wait already.
        """
        await self._enter(caller)
        try:
            yield
        finally:
            self._leave(caller)

    async def _enter(self, caller: str) -> None:
        if self._has_place(caller):  # then nobody who waits has one
            self._working[caller] += 1
            return
        own = len(self._turns.get(caller, ()))
        if not has_room(own, self.waiting, self._most_waiting):
            raise Problem(
                429,
                "queue-full",
                "Too many requests wait",
                f"{self.waiting} requests wait for a cell already, {own} of them this caller's; "
                "try again later",
                headers={"Retry-After": "1"},
            )
        turn = asyncio.get_running_loop().create_future()
        self._turns.setdefault(caller, deque()).append(turn)
        self.waiting += 1
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # admitted and cancelled at the same time
                self._leave(caller)
            else:
                self._withdraw(caller, turn)
            raise

    def _withdraw(self, caller: str, turn: asyncio.Future[None]) -> None:
        line = self._turns[caller]
        line.remove(turn)
        self.waiting -= 1
        if not line:
            del self._turns[caller]

    def _leave(self, caller: str) -> None:
        self._working -= Counter({caller: 1})  # without callers that have none
        while (following := next(filter(self._has_place, self._turns), None)) is not None:
            line = self._turns.pop(following)
            turn = line.popleft()
            if line:
                self._turns[following] = line  # behind all other callers
            self.waiting -= 1
            self._working[following] += 1
            turn.set_result(None)


def has_room(own: int, taken: int, most: int, more: int = 1) -> bool:
    """Return True if a caller may take more: it leaves as much free as it holds then.

    So one caller gets half of the room, the next one half of the rest, and there is always some for
    a caller with little.

    Args:
        own: What the caller holds.
        taken: What all callers hold.
        most: The room.
        more: What the caller asks for.

    Source: the dynamic threshold of Choudhury and Hahne, https://doi.org/10.1109/90.664262.
    """
    return own + more <= most - taken
