"""Share between the endpoints of all peers: callers, bodies, and the form of errors."""

import base64
import binascii
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from fastapi import APIRouter, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import BaseModel, ValidationError

from steelyard.errors import SteelyardError
from steelyard.service._auth import Caller, allow, caller_with
from steelyard.service._body import read_json
from steelyard.service._problems import Problem, invalid, problem_of

M = TypeVar("M", bound=BaseModel)
Refuse = Callable[[Request, Problem], Response]


class Malformed(Problem):
    """A body that does not fit its schema.

    Args:
        errors: What Pydantic found.
    """

    def __init__(self, errors: list[Any]) -> None:
        problem = invalid(errors)
        super().__init__(problem.status_code, problem.code, problem.title, str(problem.detail))
        self.errors = errors


def peer_router(peer: str, refuse: Refuse, prefix: str = "") -> APIRouter:
    """Return a router whose errors have the form of a peer.

    Args:
        peer: The peer's name.
        refuse: Returns the peer's own response for a problem.
        prefix: The start of every path.
    """

    class PeerRoute(APIRoute):
        def get_route_handler(self) -> Callable[[Request], Awaitable[Response]]:  # type: ignore[override]
            """Return the handler, whose failures the peer's clients understand."""
            handle = super().get_route_handler()

            async def answered(request: Request) -> Response:
                try:
                    response: Response = await handle(request)
                except Problem as problem:
                    return refuse(request, problem)
                except RequestValidationError as error:
                    return refuse(request, Malformed(list(error.errors())))
                except SteelyardError as error:
                    return refuse(request, problem_of(error))
                return response

            return answered

    # Their OpenAPI is their own, and so are their statuses.
    return APIRouter(prefix=prefix, tags=[peer], route_class=PeerRoute, include_in_schema=False)


async def read_body(request: Request, model: type[M]) -> M:
    """Return the body of a request, whatever its media type.

    Raises:
        Problem: if it is not JSON, or does not fit the model.
    """
    return valid(model, await read_json(await request.body()))


def valid(model: type[M], value: Any) -> M:
    """Return a value as a model.

    Raises:
        Malformed: if it does not fit.
    """
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise Malformed(list(error.errors(include_url=False))) from error


async def _peer_caller(request: Request) -> Caller:
    """Return who makes a request; peers' clients send tokens in more ways than one."""
    return await caller_with(request, _token_of(request))


allow_peer = allow("judge", identify=_peer_caller)
"""A dependency that gives the caller of a peer's endpoint."""


def _token_of(request: Request) -> str | None:
    """Return the token in `Authorization` or `X-Auth-Token`; None if there is none.

    `Authorization` may be `Bearer TOKEN`, `Basic` with the token as the password or the user's
    name, as clients send it for `http://me:TOKEN@HOST/`, or the token alone.
    """
    given = request.headers.get("authorization", "")
    if not given:
        return request.headers.get("x-auth-token")
    kind, _, rest = given.partition(" ")
    if kind.lower() == "basic":
        try:
            name, _, password = base64.b64decode(rest, validate=True).decode().partition(":")
        except (binascii.Error, ValueError):
            return ""
        return password or name
    return rest.strip() or kind
