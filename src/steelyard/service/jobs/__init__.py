"""Long work as durable jobs: accepted once, run by workers, followed by clients."""

from fastapi import APIRouter

from steelyard.service.jobs import _runs
from steelyard.service.jobs._queue import JobQueue
from steelyard.service.jobs._runs import RunQuery, owned, queue_of, runs_on
from steelyard.service.jobs._solve_events import SolveTurn, newest_of_each
from steelyard.service.jobs._summary import summary_of
from steelyard.service.jobs._table import EVENTS, TURNS, JobPlace, connect, job_place, prepare
from steelyard.service.jobs._workers import Workers

__all__ = [
    "EVENTS",
    "TURNS",
    "JobPlace",
    "JobQueue",
    "RunQuery",
    "SolveTurn",
    "Workers",
    "connect",
    "job_place",
    "newest_of_each",
    "owned",
    "prepare",
    "queue_of",
    "routers",
    "runs_on",
    "summary_of",
]


def routers() -> list[APIRouter]:
    """Return the routers of jobs."""
    return [_runs.router]
