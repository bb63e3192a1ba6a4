"""The tools that agents call: each sends one request to a route of the service.

The request is sent in this process. So a tool has the tokens, limits, gates and errors of its
route, and no second logic.
"""

import asyncio
import inspect
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import urlencode

import anyio
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import BaseModel, Field
from starlette.types import ASGIApp, Message

from steelyard.job import Job
from steelyard.service._auth import IN_PROCESS
from steelyard.service.mcp._answers import (
    ANSWERS,
    StatementTests,
    ToolAnswer,
    answered,
    clipped,
    extracted,
)

_KEYWORD = inspect.Parameter.KEYWORD_ONLY
_PASSED_ON = frozenset({"authorization", "host", "origin", "x-request-id"})


@dataclass(frozen=True, slots=True)
class RouteResponse:
    """The response of a route."""

    status: int
    body: bytes

    @property
    def json(self) -> Any:
        """The value of its JSON."""
        return json.loads(self.body)


class RouteClient:
    """Requests on behalf of one caller.

    Args:
        app: The service's application.
        headers: The caller's own, from which its token is taken; None for this machine's user, who
            speaks over standard input.
    """

    def __init__(self, app: ASGIApp, headers: Mapping[str, str] | None) -> None:
        self._app, self._local = app, headers is None
        given = {name.lower(): value for name, value in (headers or {}).items()}
        self._headers = {name: given[name] for name in _PASSED_ON & given.keys()}

    async def request(
        self, method: str, path: str, body: object = None, *, prefer: str = ""
    ) -> RouteResponse:
        """Send a request, and return its response. If it is cancelled, so is its work."""
        parts: list[bytes] = []

        async def keep(part: bytes) -> None:
            parts.append(part)

        status = await self._send(method, path, body, prefer, keep)
        return RouteResponse(status, b"".join(parts))

    async def events(self, path: str) -> AsyncIterator[dict[str, Any]]:
        """Yield the data of server-sent events as they come."""
        parts: asyncio.Queue[bytes | None] = asyncio.Queue(1_000)

        async def run() -> None:
            try:
                await self._send("GET", path, None, "", parts.put)
            finally:
                await parts.put(None)

        task = asyncio.create_task(run())
        left = b""
        try:
            while (part := await parts.get()) is not None:
                *whole, left = (left + part).split(b"\n\n")
                for event in whole:
                    for line in event.split(b"\n"):
                        if line.startswith(b"data:"):
                            yield json.loads(line[5:])
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def _send(
        self,
        method: str,
        path: str,
        body: object,
        prefer: str,
        on_part: Callable[[bytes], Awaitable[None]],
    ) -> int:
        path, _, query = path.partition("?")
        content = b"" if body is None else json.dumps(body).encode()
        headers = {
            "host": "localhost",
            "content-type": "application/json",
            "content-length": str(len(content)),
            **self._headers,
        }
        if prefer:
            headers["prefer"] = prefer
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": query.encode(),
            "client": ("127.0.0.1", 0),
            "server": ("localhost", 0),
            "headers": [(key.encode(), value.encode("latin-1")) for key, value in headers.items()],
            IN_PROCESS: self._local,
        }
        status, sent, gone = 500, False, asyncio.Event()

        async def receive() -> Message:
            nonlocal sent
            if not sent:
                sent = True
                return {"type": "http.request", "body": content, "more_body": False}
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            elif message.get("body"):
                await on_part(message["body"])

        try:
            await self._app(scope, receive, send)
        finally:
            gone.set()
        return status


class Tools:
    """The tools of one service.

    Args:
        app: The service's application.
        local: True if this machine's user calls over standard input, and needs no token.
    """

    def __init__(self, app: ASGIApp, *, local: bool) -> None:
        self._app, self._local = app, local

    async def extract_tests(
        self,
        ctx: Context[Any, Any],
        prompt: Annotated[
            str, Field(description="The problem statement.", min_length=1, max_length=200_000)
        ],
    ) -> StatementTests:
        """Extract the examples that a problem statement shows, as tests for the tool `judge`.

        It reads the statement only, and runs nothing. Doubtful text is in `passed_over`.
        """
        reply = await self._routes(ctx).request("POST", "/v1/extract-tests", {"prompt": prompt})
        return extracted(_value(reply))

    def of_job(self, own: Job[Any, Any, Any]) -> Callable[..., Awaitable[BaseModel]]:
        """Return the tool of a job: its parameters are the fields of the job's body."""
        read, answer = ANSWERS.get(own.name, (answered, ToolAnswer))
        shown = own.body.model_fields
        fields = {name: shown[name] for name in own.tool or shown}

        async def tool(ctx: Context[Any, Any], **given: Any) -> BaseModel:
            body = own.body(
                **{name: value for name, value in given.items() if value != fields[name].default}
            )
            stated = body.model_dump(mode="json", exclude_unset=True)
            path = f"/v1/{own.name}"
            if own.document:
                document = stated.pop(own.document)
                path, stated = f"{path}?{urlencode(stated)}", document
            if own.quick:
                return read(_value(await self._routes(ctx).request("POST", path, stated)))
            return read(await self._followed(ctx, path, stated))

        context = inspect.Parameter("ctx", _KEYWORD, annotation=Context[Any, Any])
        parameters = [
            inspect.Parameter(
                name,
                _KEYWORD,
                default=inspect.Parameter.empty if field.is_required() else field.default,
                annotation=Annotated[(field.annotation, field)],
            )
            for name, field in fields.items()
        ]
        tool.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [context, *parameters], return_annotation=answer
        )
        tool.__annotations__ = {"ctx": Context[Any, Any], "return": answer}
        tool.__name__, tool.__doc__ = own.name, "\n\n".join(filter(None, (own.help, own.advice)))
        return tool

    def _routes(self, ctx: Context[Any, Any]) -> RouteClient:
        return RouteClient(self._app, None if self._local else ctx.headers or {})

    async def _followed(self, ctx: Context[Any, Any], path: str, body: dict[str, Any]) -> Any:
        """Start a run, report its progress, and return its result. If cancelled, cancel the run.

        Raises:
            ToolError: if it cannot be started, or fails.
        """
        routes = self._routes(ctx)
        reply = await routes.request("POST", path, body, prefer="respond-async")
        run = f"/v1/runs/{_value(reply)['id']}"
        ended = False
        try:
            number = 0
            async for event in routes.events(f"{run}/events"):
                if "stage" not in event:
                    continue
                number += 1
                text = " ".join(filter(None, (str(event["stage"]), str(event.get("message", "")))))
                await ctx.report_progress(number, None, clipped(text))
            whole = _value(await routes.request("GET", run))
            ended = whole["state"] not in ("queued", "running")
        finally:
            if not ended:
                with anyio.CancelScope(shield=True):
                    await asyncio.shield(routes.request("DELETE", run))
        if whole.get("problem"):
            raise ToolError(_problem_text(whole["problem"]))
        if whole["state"] != "done":
            raise ToolError(f"the run was {whole['state']}; call the tool again")
        return whole["result"]


def _value(reply: RouteResponse) -> Any:
    """Return the JSON of a response.

    Raises:
        ToolError: with the problem's words, if it is one.
    """
    value = reply.json
    if reply.status >= 400:
        raise ToolError(_problem_text(value))
    return value


def _problem_text(problem: dict[str, Any]) -> str:
    return f"{problem['code']}: {clipped(problem['detail'])}"
