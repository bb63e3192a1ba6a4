"""Pages for people in a browser. Each works without scripts, and without the built assets."""

from fastapi import APIRouter

from steelyard.service.pages import (
    _admin,
    _batches,
    _challenges,
    _evaluations,
    _forms,
    _problems,
    _runs,
)
from steelyard.service.pages._render import assets_router
from steelyard.service.pages._route import asks_for_page, sign_in_router, unknown_address

__all__ = ["asks_for_page", "routers", "unknown_address"]


def routers() -> list[APIRouter]:
    """Return the routers of `/` and `/pages`."""
    parts = (_problems, _challenges, _runs, _batches, _forms, _evaluations, _admin)
    return [
        _forms.home_router,
        assets_router,
        sign_in_router,
        *(part.router for part in parts),
    ]
