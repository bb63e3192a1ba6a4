"""Repeat the first response for requests with the same `Idempotency-Key`."""

import hashlib
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from fastapi import Request, Response

from steelyard.service._auth import Caller
from steelyard.service._error_responses import Problem

_KEPT_S = 3_600.0
_MOST_BYTES = 64 << 20
_REPLY_BYTES = 2_000
"""What a response without a body takes, with its key."""
_LONGEST_KEY = 200


@dataclass(slots=True)
class _Reply:
    request: bytes
    """Digest of the request."""
    made: float
    response: Response | None = None
    """None while the first request is under way."""


class Replies:
    """The responses to requests with a key, kept for an hour in memory. For one event loop.

    A judgement gives the same answer again anyway. Work that costs money is a job, whose keys are
    stored.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str, str], _Reply] = OrderedDict()
        self._bytes = 0

    async def once(
        self, key: tuple[str, str, str], request: bytes, make: Callable[[], Awaitable[Response]]
    ) -> Response:
        """Return the response that was made for this key, or make it.

        Raises:
            Problem: 409 while the first request is under way, 422 if it was another request.
        """
        self._forget_old()
        known = self._kept.get(key)
        if known is not None:
            if known.request != request:
                raise key_reused()
            if known.response is None:
                raise Problem(
                    409,
                    "key-in-use",
                    "The first request is under way",
                    "a request with this Idempotency-Key is under way; wait for it",
                    headers={"Retry-After": "1"},
                )
            again = Response(known.response.body, known.response.status_code)
            again.raw_headers = [*known.response.raw_headers, (b"idempotency-replayed", b"true")]
            return again
        reply = self._kept[key] = _Reply(request, time.monotonic())
        try:
            reply.response = await make()
        except BaseException:
            del self._kept[key]  # a failure is tried again
            raise
        self._bytes += _REPLY_BYTES + len(reply.response.body)
        return reply.response

    def _forget_old(self) -> None:
        limit, old = time.monotonic() - _KEPT_S, []
        for key, reply in self._kept.items():
            if reply.response is None:
                continue
            if reply.made > limit and self._bytes <= _MOST_BYTES:
                break
            self._bytes -= _REPLY_BYTES + len(reply.response.body)
            old.append(key)
        for key in old:
            del self._kept[key]


async def answered_once(
    request: Request, caller: Caller, make: Callable[[], Awaitable[Response]]
) -> Response:
    """Return a response, made once for all requests with the same `Idempotency-Key`.

    Raises:
        Problem: 400 for a malformed key; as `Replies.once`.
    """
    key = key_of(request)
    if key is None:
        return await make()
    digest = hashlib.sha256(request.url.query.encode() + b"\0" + await request.body()).digest()
    replies: Replies = request.app.state.replies
    who = " ".join((caller.owner, *sorted(caller.scopes)))  # a token of fewer scopes sees less
    return await replies.once((who, request.url.path, key), digest, make)


def key_of(request: Request) -> str | None:
    """Return the `Idempotency-Key` of a request; None if it has none.

    Raises:
        Problem: 400 if it is malformed.
    """
    key = request.headers.get("idempotency-key")
    if key is not None and not (1 <= len(key) <= _LONGEST_KEY and key.isprintable()):
        raise Problem(
            400,
            "key-malformed",
            "The Idempotency-Key is malformed",
            f"an Idempotency-Key has 1 to {_LONGEST_KEY} printable characters",
        )
    return key


def key_reused() -> Problem:
    """Return the problem of a key that was sent with another request before."""
    return Problem(
        422,
        "key-reused",
        "The key was used for another request",
        "this Idempotency-Key was sent with another body; use a new key",
    )
