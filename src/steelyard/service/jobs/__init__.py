"""Long work as durable jobs: accepted once, run by workers, followed by clients."""

from fastapi import APIRouter

from steelyard.service.jobs import _author, _events, _files, _runs, _solve
from steelyard.service.jobs._author import AuthorRequest, author_payload
from steelyard.service.jobs._place import JobPlace, connect, job_place, prepare
from steelyard.service.jobs._queue import JobQueue
from steelyard.service.jobs._rows import EVENTS, TURNS
from steelyard.service.jobs._runs import RunQuery, owned, queue_of, runs_on
from steelyard.service.jobs._solve import SolveQuery, solve_payload
from steelyard.service.jobs._summary import judgement_in_words, summary_of, tests_in_words
from steelyard.service.jobs._turns import SolveTurn, newest_of_each
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
    return [_solve.router, _author.router, _runs.router, _events.router, _files.router]
