"""Modules that run inside a cell; see steelyard.toolchains.incell."""
