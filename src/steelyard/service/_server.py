"""Listen on an address, and serve until a signal ends the process.

Connections have bounds: how many, how large a request's head is, and how long it may take.
"""

import asyncio
import socket
from asyncio import TimerHandle
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType
from typing import Any

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from steelyard._installation import install_command
from steelyard.errors import UsageError
from steelyard.service._app import create_app
from steelyard.service._auth import is_loopback
from steelyard.settings import ServiceSettings, Settings
from steelyard.storage import has_tokens, open_database

_KEEP_ALIVE_S = 75
_DRAIN_S = 30
_MOST_HEADERS = 100
_MOST_HEAD_BYTES = 64 << 10
_MOST_HELD_BYTES = 64 << 10
_REFUSALS = {
    400: (b"Bad Request", b"not-http"),
    408: (b"Request Timeout", b"head-too-slow"),
    431: (b"Request Header Fields Too Large", b"head-too-large"),
    503: (b"Service Unavailable", b"too-many-connections"),
}


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a service that listens."""

    host: str
    port: int
    trusts_machine: bool = False
    """True without a token: every user and program of this machine has all rights then."""

    @property
    def url(self) -> str:
        """The URL of the service."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"


def serve(
    settings: Settings, host: str, port: int, *, on_listening: Callable[[Address], None]
) -> None:
    """Serve until SIGINT or SIGTERM; requests under way are finished first.

    Args:
        settings: The service's, and those of all that it uses.
        host: A name or address of this machine.
        port: 0 for any that is free.
        on_listening: Called once connections are accepted.

    Raises:
        UsageError: if the address is not available, or needs a token and there is none.
        InfrastructureError: if no cell can be made, or the database fails.
    """
    is_guarded = _is_guarded(settings, host)
    with _listening(host, port) as bound:
        address = Address(host, bound.getsockname()[1], trusts_machine=not is_guarded)
        app = _application(settings)
        config = uvicorn.Config(
            app,
            http=BoundedProtocol.of(settings.service),
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            date_header=True,
            proxy_headers=False,
            timeout_keep_alive=_KEEP_ALIVE_S,
            timeout_graceful_shutdown=_DRAIN_S,
        )
        _Server(app, config, lambda: on_listening(address)).run(sockets=[bound])


def _application(settings: Settings) -> FastAPI:
    app = create_app(settings)
    if settings.service.mcp:
        try:
            from steelyard.service.mcp import mount  # an extra  # noqa: PLC0415
        except ImportError as error:
            raise UsageError(
                "the tools for agents need packages that are not installed; "
                f"run: {install_command('mcp')}"
            ) from error
        mount(app)
    return app


class _Server(uvicorn.Server):
    def __init__(
        self, app: FastAPI, config: uvicorn.Config, on_listening: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._app = app
        self._on_listening = on_listening

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve within the application's lifespan.

        uvicorn itself would log what goes wrong at its beginning, and hide the error.
        """
        with self.capture_signals():
            async with self._app.router.lifespan_context(self._app):
                await super().serve(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_listening()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002
        """Finish what is under way; at the second signal, end at once.

        uvicorn raises the signal again at the end. The end of a service is not a failure.
        """
        self.force_exit = self.should_exit
        self.should_exit = True
        self._app.state.ending = True  # so that streams of events end


def _is_guarded(settings: Settings, host: str) -> bool:
    """Return True if there is a token; refuse to serve other machines without one.

    Raises:
        UsageError: if the address is not of this machine alone, and there is no token.
    """
    with open_database(settings.database_url or None) as database, database.read() as reader:
        is_guarded = has_tokens(reader)
    if not is_guarded and not is_loopback(host):
        raise UsageError(
            f"{host} is open to other machines, and there is no token; create one first: "
            "steelyard tokens create --scope judge"
        )
    return is_guarded


def _listening(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        bound = socket.socket(family, kind, protocol)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
        bound.listen(1024)
    except (OSError, OverflowError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise UsageError(
            f"{host}:{port} is not available: {why}; give another --host or --port"
        ) from error
    bound.setblocking(False)
    return bound


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
