"""A model with a cache before it."""

import asyncio
import threading
from concurrent.futures import Future
from pathlib import Path

from steelyard.errors import SteelyardError
from steelyard.models._cache import ReplyCache
from steelyard.models._model import Model
from steelyard.models._request import Reply, Request

__all__ = ["CachedModel"]

_FLIGHTS: dict[tuple[Path, str], "Future[Reply | None]"] = {}
"""The requests that are being answered in this process, by cache and key."""
_FLIGHTS_LOCK = threading.Lock()


class CachedModel:
    """A model that is asked only for what the cache does not have.

    Equal requests at one time are paid for once in a process, whichever of its models, tasks and
    threads they come from.

    Args:
        model: The model that is asked.
        cache: Where its replies are kept.
    """

    def __init__(self, model: Model, cache: ReplyCache) -> None:
        self._model = model
        self._cache = cache

    @property
    def name(self) -> str:
        """The name of the model that is asked."""
        return self._model.name

    async def complete(self, request: Request) -> Reply:
        """The reply to a request; one from the cache has cost nothing and says so.

        A reply that was paid for and cannot be kept is given all the same; its `not_kept` says why.

        Raises:
            ModelError: as the model does.
            CacheKeyError: where the cache's key is wrong; nothing was paid for then.
            CacheError: where the cache cannot be read; nothing was paid for then.
        """
        place = (self._cache.path, request.key)
        while True:
            with _FLIGHTS_LOCK:
                flight = _FLIGHTS.get(place)
                if flight is None:
                    mine: Future[Reply | None] = Future()
                    mine.set_running_or_notify_cancel()  # so that no waiting task can cancel it
                    _FLIGHTS[place] = mine
            if flight is None:
                return await self._lead(request, mine)
            reply = await asyncio.wrap_future(flight)
            if reply is not None:
                return _free(reply)

    async def _lead(self, request: Request, flight: "Future[Reply | None]") -> Reply:
        reply = None
        try:
            cached = await asyncio.to_thread(self._cache.get, request)
            if cached is not None:
                reply = _free(cached)
                return reply
            reply = await self._model.complete(request)
            reply = await self._kept(request, reply)
            return reply
        finally:
            with _FLIGHTS_LOCK:
                del _FLIGHTS[self._cache.path, request.key]
            flight.set_result(reply)  # None: those who wait try on their own

    async def _kept(self, request: Request, reply: Reply) -> Reply:
        if reply.finish == "too-large":
            return reply  # another bound may let it pass
        try:
            await asyncio.to_thread(self._cache.put, request, reply)
        except SteelyardError as error:
            return reply.model_copy(update={"not_kept": str(error)})
        return reply


def _free(reply: Reply) -> Reply:
    nothing = {"tokens_in": 0, "tokens_out": 0, "cost_usd": 0.0, "retries": 0, "seconds": 0.0}
    return reply.model_copy(update={**nothing, "from_cache": True})
