"""A model with a cache in front of it."""

import asyncio
import threading
from concurrent.futures import Future
from pathlib import Path

from steelyard.errors import SteelyardError
from steelyard.models._cache import ReplyCache
from steelyard.models._model import Model
from steelyard.models._request import Reply, Request

_FLIGHTS: dict[tuple[Path, str], "Future[Reply | None]"] = {}
"""The requests under way in this process, by cache and key."""
_FLIGHTS_LOCK = threading.Lock()


class CachedModel:
    """A model that gets only the requests that the cache cannot answer.

    Equal requests at the same time are paid for once in a process, from any of its models, tasks
    and threads.

    Args:
        model: The model behind the cache.
        cache: The cache of its replies.
    """

    def __init__(self, model: Model, cache: ReplyCache) -> None:
        self._model = model
        self._cache = cache

    @property
    def name(self) -> str:
        """The name of the model behind the cache."""
        return self._model.name

    async def complete(self, request: Request) -> Reply:
        """Return the reply to a request; a reply from the cache costs nothing and is marked so.

        A reply that was paid for and cannot be stored is returned; its `not_kept` has the reason.

        Raises:
            ModelError: as in the model.
            CacheKeyError: if the cache's key is wrong; then nothing was paid for.
            CacheError: if the cache cannot be read; then nothing was paid for.
        """
        entry = (self._cache.path, request.key)
        while True:
            with _FLIGHTS_LOCK:
                flight = _FLIGHTS.get(entry)
                if flight is None:
                    mine: Future[Reply | None] = Future()
                    mine.set_running_or_notify_cancel()  # so that no waiting task can cancel it
                    _FLIGHTS[entry] = mine
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
            flight.set_result(reply)  # None: waiting tasks try on their own

    async def _kept(self, request: Request, reply: Reply) -> Reply:
        cut = reply.finish == "length" and request.affordable_tokens is not None
        if reply.finish in ("too-large", "context") or cut:
            return reply  # another limit may allow the whole response
        try:
            await asyncio.to_thread(self._cache.put, request, reply)
        except SteelyardError as error:
            return reply.model_copy(update={"not_kept": str(error)})
        return reply


def _free(reply: Reply) -> Reply:
    nothing = {"tokens_in": 0, "tokens_out": 0, "cost_usd": 0.0, "retries": 0, "seconds": 0.0}
    return reply.model_copy(update={**nothing, "from_cache": True})
