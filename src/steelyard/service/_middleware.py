"""Surround every request with its id, limits on its body, headers and logs."""

import asyncio
import re
import time
import uuid
from contextlib import suppress
from typing import Any

from fastapi import Request
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from steelyard.logs import logger
from steelyard.service._error_responses import Problem, problem_response, unexpected
from steelyard.service._state import Services
from steelyard.settings import ServiceSettings

MOST_BYTES = "steelyard.most_bytes"
"""In the scope of a request whose body has a limit of its own, in bytes."""
_log = logger("service")
_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
]
_DRAIN_S = 2.0
_STRICT = b"default-src 'none'; frame-ancestors 'none'"


class Middleware:
    """The outermost layer of the application."""

    def __init__(self, app: ASGIApp, settings: ServiceSettings) -> None:
        self._app, self._settings = app, settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        exchange = _Exchange(scope, receive, send, self._settings)
        try:
            exchange.check_head()
            await self._app(exchange.scope, exchange.receive, exchange.send)
        except Problem as problem:
            await exchange.fail(problem)
        except ClientDisconnect:  # in the middle of its body
            exchange.status = exchange.status or 499
        except Exception:  # noqa: BLE001  (the caller gets a document; the log gets the traceback)
            _log.exception("unexpected error", **exchange.fields())
            await exchange.fail(unexpected())
        finally:
            exchange.end()


class _Exchange:
    """One request and its response."""

    def __init__(
        self, scope: Scope, receive: Receive, send: Send, settings: ServiceSettings
    ) -> None:
        self._receive, self._send, self._settings = receive, send, settings
        self._method = scope["method"]
        self._only_head = self._method == "HEAD"
        # Routes know GET alone; the response's body is left out here.
        self.scope = {**scope, "method": "GET"} if self._only_head else scope
        self._started = time.monotonic()
        self._headers = dict(scope["headers"])
        given = self._headers.get(b"x-request-id", b"").decode("latin-1")
        self._id = given if _ID.fullmatch(given) else uuid.uuid4().hex
        self.scope.setdefault("state", {})["request_id"] = self._id
        self._bytes = 0
        self.status = 0

    def check_head(self) -> None:
        """Refuse a body whose length is too large, or that is compressed.

        Raises:
            Problem: 413, 415.
        """
        coding = self._headers.get(b"content-encoding", b"identity")
        if coding.lower() != b"identity":
            raise Problem(
                415,
                "media-type",
                "The body has another type",
                "the body has a Content-Encoding; send it as it is",
                headers={"Connection": "close"},
            )
        length = self._headers.get(b"content-length", b"0")
        if length.isdigit() and int(length[:20]) > self._most_bytes:
            raise self._too_large()

    async def receive(self) -> Message:
        """Return the next part of the request.

        Raises:
            Problem: 413 if the body is too large, 408 if it comes too slowly.
        """
        left = self._started + self._settings.body_timeout_s - time.monotonic()
        if self.scope.get("steelyard.body_ended"):
            return await self._receive()
        try:
            async with asyncio.timeout(max(left, 0.001)):  # `wait_for` would start a task
                message = await self._receive()
        except TimeoutError as error:
            raise Problem(
                408,
                "body-too-slow",
                "The body came too slowly",
                f"the body must be complete after {self._settings.body_timeout_s:g} s",
                headers={"Connection": "close"},
            ) from error
        if message["type"] == "http.request":
            self._bytes += len(message.get("body", b""))
            if self._bytes > self._most_bytes:
                raise self._too_large()
        if not message.get("more_body"):
            self.scope["steelyard.body_ended"] = True
        return message

    async def send(self, message: Message) -> None:
        """Send a part of the response; its head with the headers of every response."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = list(message.get("headers", []))
            names = {name.lower() for name, _ in headers}
            headers += [each for each in _HEADERS if each[0] not in names]
            if b"content-security-policy" not in names:
                headers.append((b"content-security-policy", _STRICT))
            if b"cache-control" not in names:
                headers.append((b"cache-control", b"no-store"))
            headers.append((b"x-request-id", self._id.encode()))
            message = {**message, "headers": headers}
        elif self._only_head:
            return
        await self._send(message)
        if self._only_head:  # this also ends a stream: to it, the client is gone
            await self._send({"type": "http.response.body", "body": b"", "more_body": False})

    async def fail(self, problem: Problem) -> None:
        """Send a problem, if no response has begun."""
        if self.status:
            return
        if problem.status_code == 413:
            await self._drain()
        response = problem_response(Request(self.scope), problem)
        await response(self.scope, self._receive, self.send)

    async def _drain(self) -> None:
        """Read some of a body that is too large: most clients read no response while they send."""
        if b"expect" in self._headers:  # the client waits before it sends
            return
        left = 2 * self._most_bytes - self._bytes
        with suppress(TimeoutError):
            async with asyncio.timeout(_DRAIN_S):
                while left > 0:
                    message = await self._receive()
                    left -= len(message.get("body", b""))
                    if not message.get("more_body"):
                        return

    def fields(self) -> dict[str, Any]:
        """Return the fields of a log line about the request."""
        caller = self.scope["state"].get("caller")
        route = self.scope.get("route")
        return {
            "request_id": self._id,
            "method": self._method,
            # The template: a path may hold what a caller would rather not have in a log.
            "route": getattr(route, "path", "none"),
            "caller": getattr(caller, "owner", "") or getattr(caller, "name", ""),
            "token": getattr(caller, "token_id", ""),
        }

    def end(self) -> None:
        """Log the request."""
        seconds = time.monotonic() - self._started
        fields = self.fields()
        _log.info("request", status=self.status, ms=round(seconds * 1000, 2), **fields)
        services: Services | None = getattr(self.scope["app"].state, "services", None)
        if services is not None:
            services.metrics.count_request(fields["route"], fields["method"], self.status, seconds)

    @property
    def _most_bytes(self) -> int:
        own: int = self.scope.get(MOST_BYTES, self._settings.max_body_mib << 20)
        return own

    def _too_large(self) -> Problem:
        return Problem(
            413,
            "body-too-large",
            "The body is too large",
            f"a body may have {self._most_bytes:,} bytes; send less, or in parts",
            headers={"Connection": "close"},
            limit_bytes=self._most_bytes,
        )
