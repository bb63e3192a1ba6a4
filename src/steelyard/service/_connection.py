"""Connections with bounds: how many, how large a request's head is, and how long it may take."""

import asyncio
from asyncio import TimerHandle
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from steelyard.settings import ServiceSettings

_MOST_HEADERS = 100
_MOST_HEAD_BYTES = 64 << 10
_MOST_HELD_BYTES = 64 << 10
_REFUSALS = {
    400: (b"Bad Request", b"not-http"),
    408: (b"Request Timeout", b"head-too-slow"),
    431: (b"Request Header Fields Too Large", b"head-too-large"),
    503: (b"Service Unavailable", b"too-many-connections"),
}


class _JoinedWrites:
    """A transport that joins the head of a response and its body into one write.

    Each write of uvloop is a system call, and wakes the client.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport, self._loop = transport, loop
        self._held: list[bytes] = []
        self._held_bytes = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """Write data when the current step of the loop ends, or at once if there is much."""
        if not self._held:
            self._loop.call_soon(self.flush)
        self._held.append(data)
        self._held_bytes += len(data)
        if self._held_bytes > _MOST_HELD_BYTES:
            self.flush()

    def flush(self) -> None:
        """Write what is held, unless the client is gone."""
        if self._held:
            data = b"".join(self._held)
            self._held.clear()
            self._held_bytes = 0
            if not self._transport.is_closing():
                self._transport.write(data)

    def close(self) -> None:
        """Write what is held, and close the connection."""
        self.flush()
        self._transport.close()


class BoundedProtocol(HttpToolsProtocol):
    """uvicorn's protocol, which by itself bounds neither the head of a request nor its time."""

    settings = ServiceSettings()

    @classmethod
    def of(cls, settings: ServiceSettings) -> "type[BoundedProtocol]":
        """Return the protocol with the bounds of these settings."""
        return type("BoundedProtocol", (cls,), {"settings": settings})

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._head_bytes = 0
        """Of the URL and the headers of this request."""
        self._unended_bytes = 0
        """Received since the request began, while its head has not ended."""
        self._in_head = True
        self._head_timer: TimerHandle | None = None
        self._untaken_bytes = 0
        """Of responses, when it was last looked if the client takes them."""
        self._untaken_timer: TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin; close at once if there are too many connections."""
        super().connection_made(transport)
        self._writes = _JoinedWrites(transport, self.loop)
        self.transport = self._writes  # type: ignore[assignment]
        if len(self.connections) > self.settings.max_connections:
            self._refuse(503, b"too many connections; try again later")
            return
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self._stop_timer()
        self._stop_watching()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Hold a response back, because the client does not take what was sent."""
        super().pause_writing()
        self._watch_untaken()

    def resume_writing(self) -> None:
        """Send on."""
        self._stop_watching()
        super().resume_writing()

    def data_received(self, data: bytes) -> None:
        """Pass data on; end a request whose head does not end."""
        if self.transport.is_closing():
            return
        super().data_received(data)
        if self._in_head:
            self._unended_bytes += len(data)
            if self._unended_bytes > _MOST_HEAD_BYTES and not self.transport.is_closing():
                self._refuse(431, b"the head of the request is too large")

    def on_message_begin(self) -> None:
        """Begin a request."""
        super().on_message_begin()
        self._in_head, self._head_bytes, self._unended_bytes = True, 0, 0
        if self._head_timer is None:
            self._await_head()

    def on_url(self, url: bytes) -> None:
        """Add a part of the URL."""
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Add a header."""
        self._count(len(name) + len(value))
        super().on_header(name, value)
        if len(self.headers) > _MOST_HEADERS and not self.transport.is_closing():
            self._refuse(431, b"the request has too many headers")

    def _count(self, more: int) -> None:
        self._head_bytes += more
        if self._head_bytes > _MOST_HEAD_BYTES and not self.transport.is_closing():
            self._refuse(431, b"the head of the request is too large")

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP, unless it was refused before."""
        if not self.transport.is_closing():
            self._refuse(400, msg.encode("ascii", "replace").rstrip(b"."))

    def on_headers_complete(self) -> None:
        """Start to serve the request."""
        self._in_head = False
        self._stop_timer()
        if not self.transport.is_closing():
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Pass a part of the body on."""
        if not self.transport.is_closing():
            super().on_body(body)

    def on_message_complete(self) -> None:
        """End the request."""
        if not self.transport.is_closing():
            super().on_message_complete()

    def on_response_complete(self) -> None:
        """Send the response before anything else is done."""
        self._writes.flush()
        super().on_response_complete()

    def _await_head(self) -> None:
        self._head_timer = self.loop.call_later(self.settings.header_timeout_s, self._too_slow)

    def _stop_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _watch_untaken(self) -> None:
        self._untaken_bytes = self.transport.get_write_buffer_size()
        self._untaken_timer = self.loop.call_later(self.settings.max_request_s, self._look)

    def _look(self) -> None:
        """Cut a client off that has taken nothing of a response for a while."""
        if self.transport.get_write_buffer_size() >= self._untaken_bytes:
            self.transport.abort()
        else:
            self._watch_untaken()

    def _stop_watching(self) -> None:
        if self._untaken_timer is not None:
            self._untaken_timer.cancel()
            self._untaken_timer = None

    def _too_slow(self) -> None:
        self._head_timer = None
        if not self.transport.is_closing():
            self._refuse(408, b"the head of the request came too slowly")

    def _refuse(self, status: int, why: bytes) -> None:
        """Send a short problem document, and close the connection."""
        title, code = _REFUSALS[status]
        body = b'{"title": "%s", "status": %d, "code": "%s", "detail": "%s"}' % (
            title,
            status,
            code,
            why,
        )
        self.transport.write(
            b"HTTP/1.1 %d %s\r\ncontent-type: application/problem+json\r\n"
            b"content-length: %d\r\nconnection: close\r\n\r\n%s" % (status, title, len(body), body)
        )
        self.transport.close()
