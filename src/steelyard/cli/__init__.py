"""The command line: one module a command; argument parsing and rendering, no logic."""

from steelyard.cli._start import main

__all__ = ["main"]
