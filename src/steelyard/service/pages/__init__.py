"""Pages for people in a browser. Each works without scripts, and without the built assets."""

from fastapi import APIRouter

from steelyard.service.pages import (
    _admin,
    _assets,
    _batches,
    _challenges,
    _evaluations,
    _new_runs,
    _problems,
    _runs,
    _session,
    _submissions,
    _suites,
)

__all__ = ["routers"]


def routers() -> list[APIRouter]:
    """Return the routers of `/` and `/pages`."""
    parts = (
        _assets, _session, _problems, _submissions, _challenges, _suites, _runs, _batches,
        _new_runs, _evaluations, _admin,
    )  # fmt: skip
    return [_session.home, *(part.router for part in parts)]
