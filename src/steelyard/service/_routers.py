"""The routers of the service."""

from fastapi import APIRouter

from steelyard.service import (
    _compare,
    _extract,
    _health,
    _judge,
    _judge_batch,
    _machine,
    _openapi,
    _profile,
    _strength,
)
from steelyard.service.compat import peer_routers
from steelyard.service.jobs import routers as jobs
from steelyard.service.pages import routers as pages
from steelyard.service.records import routers as records
from steelyard.settings import ServiceSettings


def routers(settings: ServiceSettings) -> list[APIRouter]:
    """Return the routers that these settings ask for."""
    return [
        _health.router,
        _machine.router,
        _openapi.router,
        _judge.router,
        _judge_batch.router,
        _profile.router,
        _compare.router,
        _strength.router,
        _extract.router,
        *records(),
        *pages(),
        *peer_routers(settings.compat),
        *jobs(),
    ]
