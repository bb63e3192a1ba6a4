"""Send a tool's request to the service's own routes, in this process.

So a tool has the tokens, limits, gates and errors of its route, and no second logic.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from starlette.types import ASGIApp, Message

from steelyard.service._auth import IN_PROCESS

_PASSED_ON = frozenset({"authorization", "host", "origin", "x-request-id"})


@dataclass(frozen=True, slots=True)
class Reply:
    """The response of a route."""

    status: int
    body: bytes

    @property
    def json(self) -> Any:
        """The value of its JSON."""
        return json.loads(self.body)


class Inner:
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
    ) -> Reply:
        """Send a request, and return its response. If it is cancelled, so is its work."""
        parts: list[bytes] = []

        async def keep(part: bytes) -> None:
            parts.append(part)

        status = await self._send(method, path, body, prefer, keep)
        return Reply(status, b"".join(parts))

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
