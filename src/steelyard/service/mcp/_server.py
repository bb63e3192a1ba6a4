"""Serve the tools to agents: over standard input and output, or under the service at `/mcp`.

Source: https://modelcontextprotocol.io, by the package `mcp`.
"""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request
from mcp.server import MCPServer
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.transport_security import TransportSecuritySettings
from mcp.types import CallToolResult, InputRequiredResult, ToolAnnotations
from pydantic import ValidationError
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from steelyard import __version__
from steelyard.jobs import JOBS, job
from steelyard.service._app import create_app
from steelyard.service._auth import caller_of
from steelyard.service._error_responses import Problem, invalid, problem_response
from steelyard.service.mcp._tools import Tools
from steelyard.settings import Settings

PATH = "/mcp"
_INSTRUCTIONS = (
    "Steelyard runs programs in a sandbox and reports with evidence whether they are right (judge),"
    " how fast they are and how they grow (profile), whether a rewritten function behaves as its "
    "original (compare), and how strong a test suite is (strength)."
)
_IDLE_S = 600
_MOST_SESSIONS = 1_000


def mount(app: FastAPI) -> None:
    """Add `/mcp` to a service; its sessions live as long as the service."""
    settings: Settings = app.state.settings
    server = _server(Tools(app, local=False))
    server.streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=settings.service.max_body_mib << 20,
        session_idle_timeout=_IDLE_S,
        max_sessions=_MOST_SESSIONS,
        # The service itself checks who calls, and from which page.
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    app.router.routes.append(Route(PATH, endpoint=_Endpoint(server)))
    inner = app.router.lifespan_context

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[Any]:
        async with inner(app) as state, server.session_manager.run():
            yield state

    app.router.lifespan_context = lifespan


async def serve_stdio(settings: Settings) -> None:
    """Serve this machine's user until standard input ends."""
    app = create_app(settings)
    async with app.router.lifespan_context(app):
        await _server(Tools(app, local=True)).run_stdio_async()


class _Endpoint:
    """The ASGI application at `/mcp`."""

    def __init__(self, server: MCPServer[Any]) -> None:
        self._server = server

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a caller's request on to the protocol."""
        request = Request(scope, receive)
        try:
            scope["state"]["caller"] = caller = await caller_of(request)
        except Problem as problem:
            await problem_response(request, problem)(scope, receive, send)
            return
        # A session then serves the account alone that began it.
        access = AccessToken(token="", client_id=caller.owner, scopes=sorted(caller.scopes))
        scope["user"] = AuthenticatedUser(access)
        await self._server.session_manager.handle_request(scope, receive, send)


class _Server(MCPServer[Any]):
    """A server whose errors about arguments are one line, as the routes' are."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if not isinstance(error.__cause__, ValidationError):
                raise
            problem = invalid(error.__cause__.errors(), "; see the tool's schema")
            raise ToolError(f"{problem.code}: {problem.detail}") from error


def _server(tools: Tools) -> MCPServer[Any]:
    logging.getLogger("mcp").setLevel(logging.ERROR)  # what agents send stays out of logs
    server = _Server(
        "steelyard",
        title="Steelyard",
        version=__version__,
        instructions=_INSTRUCTIONS,
        log_level="ERROR",
    )
    made = {name: tools.of_job(job(name)) for name in JOBS}
    for name, tool in ({"extract_tests": tools.extract_tests} | made).items():
        asks_models = name in JOBS and job(name).scope == "author"
        server.add_tool(
            tool,
            annotations=ToolAnnotations(
                read_only_hint=not asks_models,
                destructive_hint=False,
                idempotent_hint=not asks_models,
                open_world_hint=asks_models,
            ),
            structured_output=True,
        )
    return server
