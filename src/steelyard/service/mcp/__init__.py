"""The tools of the service for agents, by the Model Context Protocol. It needs the extra `mcp`."""

from steelyard.service.mcp._server import PATH, mount, serve_stdio

__all__ = ["PATH", "mount", "serve_stdio"]
