"""Serve good requests of the busiest paths without FastAPI's solving of dependencies."""

import inspect
from contextlib import asynccontextmanager
from typing import Any

from fastapi import Request, Response
from pydantic import TypeAdapter, ValidationError
from starlette.requests import ClientDisconnect

from steelyard.service._auth import caller_of
from steelyard.service._body import StrictRequest, StrictRoute


class DirectRoute(StrictRoute):
    """A route whose endpoint takes a JSON `body`, the `request` and a `caller` by `allow`.

    What is not JSON that fits the body's type takes FastAPI's way, which makes the errors. That
    way costs about half of all that a request costs the event loop.
    """

    def get_route_handler(self) -> Any:
        """Return the handler."""
        handle = super().get_route_handler()
        endpoint: Any = self.endpoint
        parameters = inspect.signature(endpoint).parameters
        body_type: Any = parameters["body"].annotation
        read = TypeAdapter(body_type).validate_python
        admitted = asynccontextmanager(parameters["caller"].default.dependency)

        async def directly(request: Request) -> Response:
            strict = StrictRequest(request.scope, request.receive)
            response: Response
            known = await caller_of(strict)  # no body is read for a stranger
            try:
                is_json = request.headers.get("content-type") == "application/json"
                body = read(await strict.json()) if is_json and await strict.body() else None
            except (ValidationError, ClientDisconnect):
                body = None
            if body is None:
                response = await handle(strict)
            else:
                async with admitted(strict, known) as caller:
                    response = await endpoint(body=body, request=strict, caller=caller)
            return response

        return directly
