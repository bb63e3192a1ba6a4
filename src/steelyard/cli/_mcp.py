"""`steelyard mcp`: the tools for agents, over standard input and output."""

import os
import sys

from steelyard._installation import install_command
from steelyard.cli._options import Database
from steelyard.cli._verbosity import log_level
from steelyard.errors import UsageError
from steelyard.logs import configure_logs
from steelyard.settings import current_settings


def mcp(database: Database = None) -> None:
    """Serve the jobs as tools for an agent (MCP).

    It runs until standard input ends. `steelyard serve --mcp` offers the same tools over HTTP.
    """
    try:
        import anyio  # noqa: PLC0415  (an extra)

        from steelyard.service.mcp import serve_stdio  # noqa: PLC0415
    except ImportError as error:
        raise UsageError(
            "the tools for agents need packages that are not installed; "
            f"run: {install_command('service,mcp')}"
        ) from error
    settings = current_settings()
    if database is not None:
        settings = settings.model_copy(update={"database_url": str(database)})
    configure_logs(log_level())
    _keep_output_to_the_protocol()
    anyio.run(serve_stdio, settings)


def _keep_output_to_the_protocol() -> None:
    """Send to standard error what anything else in this process, or its children, prints."""
    sys.stdout.flush()
    protocol = os.dup(sys.stdout.fileno())
    os.set_inheritable(protocol, False)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    sys.stdout = os.fdopen(protocol, "w", encoding="utf-8")
