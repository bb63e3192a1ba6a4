"""Listen on an address, and serve until a signal ends the process."""

import socket
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType

import uvicorn
from fastapi import FastAPI

from steelyard._installation import install_command
from steelyard.errors import UsageError
from steelyard.service._app import create_app
from steelyard.service._auth import is_loopback
from steelyard.service._connection import BoundedProtocol
from steelyard.settings import Settings
from steelyard.storage import has_tokens, open_database

_KEEP_ALIVE_S = 75
_DRAIN_S = 30


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
