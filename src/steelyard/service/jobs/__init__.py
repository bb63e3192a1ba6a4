"""Long work as durable jobs: accepted once, run by workers, followed by clients."""

from fastapi import APIRouter

from steelyard.service.jobs import _model_runs, _runs
from steelyard.service.jobs._model_runs import (
    AuthorRequest,
    SolveQuery,
    author_payload,
    solve_payload,
)
from steelyard.service.jobs._queue import JobQueue
from steelyard.service.jobs._runs import RunQuery, owned, queue_of, runs_on
from steelyard.service.jobs._solve_events import SolveTurn, newest_of_each
from steelyard.service.jobs._summary import judgement_in_words, summary_of, tests_in_words
from steelyard.service.jobs._table import EVENTS, TURNS, JobPlace, connect, job_place, prepare
from steelyard.service.jobs._workers import Workers

__all__ = [
    "EVENTS",
    "TURNS",
    "AuthorRequest",
    "JobPlace",
    "JobQueue",
    "RunQuery",
    "SolveQuery",
    "SolveTurn",
    "Workers",
    "author_payload",
    "connect",
    "job_place",
    "judgement_in_words",
    "newest_of_each",
    "owned",
    "prepare",
    "queue_of",
    "routers",
    "runs_on",
    "solve_payload",
    "summary_of",
    "tests_in_words",
]


def routers() -> list[APIRouter]:
    """Return the routers of jobs."""
    return [_model_runs.solve_router, _model_runs.author_router, _runs.router]
