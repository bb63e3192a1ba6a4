"""Read JSON bodies strictly: no repeated key, no deep nesting, no number that JSON lacks."""

import json
import re
from typing import Any, NoReturn

from fastapi import APIRouter, Request, Response
from fastapi.routing import APIRoute

from steelyard.schemas import RepeatedKeyError, no_repeats
from steelyard.service._problems import Problem

__all__ = ["MAX_DEPTH", "StrictRequest", "StrictRoute", "new_router", "read_json"]

MAX_DEPTH = 64
_TOKENS = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)


def read_json(body: bytes) -> Any:
    """Return the value of a JSON text.

    Raises:
        Problem: 400 if it is not JSON, repeats a key or nests too deep.
    """
    if body.count(b"[") + body.count(b"{") > MAX_DEPTH and _depth(body) > MAX_DEPTH:
        raise Problem(
            400, "body-too-deep", "The body nests too deep",
            f"values nest deeper than {MAX_DEPTH} levels; send flatter ones",
        )  # fmt: skip
    try:
        return _DECODER.decode(body.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise _not_json(f"it is not UTF-8 at byte {error.start}") from error
    except json.JSONDecodeError as error:
        raise _not_json(f"{error.msg} at line {error.lineno}, column {error.colno}") from error
    except RepeatedKeyError as error:
        title = "An object of the body repeats a key"
        raise Problem(400, "key-repeated", title, str(error)) from error
    except (RecursionError, ValueError) as error:
        raise _not_json(str(error)) from error


class StrictRequest(Request):
    """A request whose JSON is read by `read_json`."""

    async def json(self) -> Any:
        """Return the value of the body.

        Raises:
            Problem: as `read_json`.
        """
        if not hasattr(self, "_json"):
            self._json = read_json(await self.body())
        return self._json


class StrictRoute(APIRoute):
    """A route whose requests are strict, and whose bodies are sent as JSON."""

    def get_route_handler(self) -> Any:
        """Return the handler, which is given a strict request."""
        handle = super().get_route_handler()

        async def strictly(request: Request) -> Response:
            if not isinstance(request, StrictRequest):
                request = StrictRequest(request.scope, request.receive)
            if self.body_field is not None and await request.body():
                _check_type(request.headers.get("content-type", ""))
            response: Response = await handle(request)
            return response

        return strictly


def new_router(prefix: str = "", *, tag: str, route: type[StrictRoute] = StrictRoute) -> APIRouter:
    """Return a router whose bodies are read by `read_json`."""
    return APIRouter(prefix=prefix, tags=[tag], route_class=route)


def _constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not in JSON; use null or a text")


_DECODER = json.JSONDecoder(object_pairs_hook=no_repeats, parse_constant=_constant)


def _depth(body: bytes) -> int:
    deepest = depth = 0
    for token in _TOKENS.finditer(body):
        first = token[0][:1]
        if first in b"[{":
            depth += 1
            deepest = max(deepest, depth)
        elif first in b"]}":
            depth -= 1
    return deepest


def _check_type(given: str) -> None:
    kind = given.partition(";")[0].strip().lower()
    main, _, sub = kind.partition("/")
    if main != "application" or not (sub == "json" or sub.endswith("+json")):
        raise Problem(
            415, "media-type", "The body has another type",
            f"send it with Content-Type: application/json, got {kind[:100] or 'no type'}",
        )  # fmt: skip


def _not_json(why: str) -> Problem:
    return Problem(400, "body-not-json", "The body is not JSON", f"the body is not JSON: {why}")
