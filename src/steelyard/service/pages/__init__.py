"""Pages for people in a browser. Each works without scripts, and without the built assets."""

from fastapi import APIRouter

from steelyard.service.pages import (
    _admin,
    _assets,
    _batches,
    _challenges,
    _evaluations,
    _home,
    _judge,
    _new_runs,
    _problems,
    _runs,
    _session,
    _submissions,
    _suites,
)
from steelyard.service.pages._route import asks_for_page, unknown_address

__all__ = ["asks_for_page", "routers", "unknown_address"]


def routers() -> list[APIRouter]:
    """Return the routers of `/` and `/pages`."""
    parts = (
        _home,
        _assets,
        _session,
        _problems,
        _submissions,
        _challenges,
        _suites,
        _runs,
        _judge,
        _batches,
        _new_runs,
        _evaluations,
        _admin,
    )
    return [part.router for part in parts]
