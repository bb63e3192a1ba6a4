"""Long work as durable jobs: accepted once, run by workers, followed by clients."""

from fastapi import APIRouter

from steelyard.service.jobs import _author, _events, _runs, _solve
from steelyard.service.jobs._queue import JobQueue
from steelyard.service.jobs._workers import Workers

__all__ = ["JobQueue", "Workers", "routers"]


def routers() -> list[APIRouter]:
    """Return the routers of jobs."""
    return [_solve.router, _author.router, _runs.router, _events.router]
