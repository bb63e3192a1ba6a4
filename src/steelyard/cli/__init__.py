"""The command line: one module a command; argument parsing and rendering, no logic."""

from steelyard.cli._app import app, main

__all__ = ["app", "main"]
