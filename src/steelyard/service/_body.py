"""Read JSON bodies strictly: no repeated key, no deep nesting, no number that JSON lacks.

No body holds up other requests for long, whatever its shape.
"""

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.routing import APIRoute

from steelyard.schemas import JsonError, RepeatedKeyError, decode_json, no_repeats
from steelyard.service._auth import caller_of
from steelyard.service._error_responses import Problem

MAX_DEPTH = 64
_MOST_PARTS = 2_000_000
"""Lists and objects. Each takes a hundred bytes and more, however few it has in the text."""
_MOST_MEMBERS = 100_000
"""Of one object. Each may be an error of its own, of a kilobyte."""
_LARGE_BYTES = 1 << 20
_LARGE = ThreadPoolExecutor(1, "steelyard-json")
_NEXT_BRACKET = re.compile(
    rb"""(?> [^"\[\]{}]++ | " (?> [^"\\]++ | \\. )*+ " )*+ [\[\]{}]""", re.DOTALL | re.VERBOSE
)
"""Possessive, so that the time is linear in the text."""


async def read_json(body: bytes) -> Any:
    """Return the value of a JSON text.

    Raises:
        Problem: 400 if it is not JSON, repeats a key, nests too deep or has too many parts.
    """
    if len(body) <= _LARGE_BYTES:
        return _value(body)
    # One at a time, and others are served meanwhile.
    return await asyncio.get_running_loop().run_in_executor(_LARGE, _value, body)


def _value(body: bytes) -> Any:
    if body.count(b"[") + body.count(b"{") > MAX_DEPTH:
        _check_shape(body)
    try:
        return decode_json(body, strict=True, object_of=_members)
    except RepeatedKeyError as error:
        title = "An object of the body repeats a key"
        raise Problem(400, "key-repeated", title, str(error)) from error
    except JsonError as error:
        raise Problem(400, "body-not-json", "The body is not JSON", f"the body: {error}") from error


class StrictRequest(Request):
    """A request whose JSON is read by `read_json`."""

    async def json(self) -> Any:
        """Return the value of the body.

        Raises:
            Problem: as `read_json`.
        """
        if not hasattr(self, "_json"):
            self._json = await read_json(await self.body())
        return self._json


class StrictRoute(APIRoute):
    """A route whose requests are strict, and whose bodies are sent as JSON."""

    def get_route_handler(self) -> Any:
        """Return the handler, which is given a strict request."""
        handle = super().get_route_handler()

        async def strictly(request: Request) -> Response:
            if not isinstance(request, StrictRequest):
                request = StrictRequest(request.scope, request.receive)
            if self.body_field is not None:
                await caller_of(request)  # no body is read for a stranger
                if await request.body():
                    _check_type(request.headers.get("content-type", ""))
            response: Response = await handle(request)
            return response

        return strictly


def new_router(prefix: str = "", *, tag: str, route: type[StrictRoute] = StrictRoute) -> APIRouter:
    """Return a router whose bodies are read by `read_json`."""
    return APIRouter(prefix=prefix, tags=[tag], route_class=route)


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(pairs) > _MOST_MEMBERS:
        raise _too_complex(f"an object has {len(pairs):,} members, and {_MOST_MEMBERS:,} are")
    return no_repeats(pairs)


def _check_shape(body: bytes) -> None:
    """Refuse what nests too deep, or has too many lists and objects.

    Raises:
        Problem: 400.
    """
    parts = depth = end = 0
    while found := _NEXT_BRACKET.match(body, end):
        end = found.end()
        if body[end - 1] not in b"[{":
            depth -= 1
            continue
        depth, parts = depth + 1, parts + 1
        if depth > MAX_DEPTH:
            raise Problem(
                400,
                "body-too-deep",
                "The body nests too deep",
                f"values nest deeper than {MAX_DEPTH} levels; send flatter ones",
            )
        if parts > _MOST_PARTS:
            raise _too_complex(f"it has more lists and objects than the {_MOST_PARTS:,} that are")


def _too_complex(what: str) -> Problem:
    return Problem(
        400, "body-too-complex", "The body has too many parts", f"{what} allowed; send several"
    )


def _check_type(given: str) -> None:
    kind = given.partition(";")[0].strip().lower()
    main, _, sub = kind.partition("/")
    if main != "application" or not (sub == "json" or sub.endswith("+json")):
        raise Problem(
            415,
            "media-type",
            "The body has another type",
            f"send it with Content-Type: application/json, got {kind[:100] or 'no type'}",
        )
