"""Report if this service can judge, and what this machine offers.

`GET /healthz`, `/metrics`, `/v1/languages` and `/v1/isolation`.
"""

import asyncio
import threading
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Literal

from fastapi import Depends, Request, Response
from fastapi.responses import PlainTextResponse
from prometheus_client import CONTENT_TYPE_LATEST
from pydantic import BaseModel

import steelyard
from steelyard.errors import DatabaseError, SteelyardError
from steelyard.logs import logger
from steelyard.sandbox import Command
from steelyard.schemas import SCHEMA_VERSION, Isolation
from steelyard.service._auth import allow
from steelyard.service._body import new_router
from steelyard.service._job import Jobs
from steelyard.service._reads import fresh_or
from steelyard.service._state import Metrics, Services, services_of
from steelyard.storage import has_tokens
from steelyard.toolchains import languages as all_languages

router = new_router(tag="state")
machine_router = new_router("/v1", tag="machine")
_log = logger("service")
_REASON = "failing; its log has the reason"
_TRIAL_KEPT_S = 2.0
_TRIAL = Command(("/bin/true",))
_COMMIT_FILE = "_commit.txt"


class Health(BaseModel, frozen=True):
    """The state of this service."""

    status: Literal["ok", "failing"]
    faults: tuple[str, ...] = ()
    """One line for each reason why it is failing."""
    version: str
    git_hash: str
    """The commit that this copy was built from; `unknown` if it was not built from a repository."""
    schema_version: str
    isolation: Isolation
    cells: int
    """Number of programs that can run at once."""
    working: int
    """Requests that use the cells now."""
    waiting: int
    """Requests that wait for a cell."""
    workers: int
    """Processes of this service that run jobs."""
    jobs_queued: int
    """Jobs that wait for a worker."""
    jobs_running: int
    database: str
    """`ok` or not; only administrators see the reason."""
    sandbox: str
    """`ok`, or not if no cell can be made; only administrators see the reason."""


class Trial:
    """Makes a trial run, at most one in some seconds: anybody may ask for it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made, self._fault = float("-inf"), ""

    def fault(self, services: Services) -> str:
        """Return why no program can be run; empty if one can. Cells in use need no trial."""
        with self._lock:
            if services.gate.is_busy or time.monotonic() - self._made < _TRIAL_KEPT_S:
                return self._fault
            try:
                services.pool.run(_TRIAL)
                self._fault = ""
            except SteelyardError as error:
                self._fault = str(error)
            self._made = time.monotonic()
            return self._fault


@router.get("/healthz", response_model=Health, responses={503: {"model": Health}})
async def healthz(request: Request, response: Response) -> Health:
    """Return the state of this service; 503 if it cannot judge or store."""
    health = await health_of(request)
    if health.faults:
        response.status_code = 503
        _log.warning("failing", faults=list(health.faults))
    return _for_everybody(health)


def _for_everybody(health: Health) -> Health:
    """Return the state without reasons: they name files and addresses of this machine."""
    states = {"database": health.database, "sandbox": health.sandbox}
    shown = {name: state if state == "ok" else _REASON for name, state in states.items()}
    missing = tuple(each.partition(":")[0] for each in health.isolation.missing)
    return health.model_copy(
        update={
            **shown,
            "faults": tuple(f"{name}: {each}" for name, each in shown.items() if each != "ok"),
            "isolation": health.isolation.model_copy(update={"missing": missing}),
        }
    )


async def health_of(request: Request) -> Health:
    """Return the state of a request's service with all reasons, for administrators."""
    services = services_of(request)
    database, jobs = await asyncio.to_thread(_database_state, services)
    trial: Trial = request.app.state.trial
    sandbox = await asyncio.to_thread(trial.fault, services)
    named = {"database": database, "sandbox": sandbox}
    faults = [f"{name}: {fault}" for name, fault in named.items() if fault]
    return Health(
        status="failing" if faults else "ok",
        faults=tuple(faults),
        version=request.app.version,
        git_hash=git_hash(),
        schema_version=SCHEMA_VERSION,
        isolation=services.pool.isolation,
        cells=services.pool.size,
        working=services.gate.working,
        waiting=services.gate.waiting,
        workers=services.workers_alive(),
        jobs_queued=jobs.get("queued", 0),
        jobs_running=jobs.get("running", 0),
        database=database or "ok",
        sandbox=sandbox or "ok",
    )


@router.get(
    "/metrics",
    response_class=PlainTextResponse,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
    dependencies=[Depends(allow("admin"))],
)
async def metrics(request: Request) -> Response:
    """Return figures for Prometheus."""
    services = services_of(request)
    if services.jobs is not None:
        with suppress(DatabaseError):  # the other figures are worth having
            await asyncio.to_thread(_count_jobs, services.jobs, services.metrics)
    return Response(services.metrics.text(), media_type=CONTENT_TYPE_LATEST)


def _count_jobs(jobs: Jobs, metrics: Metrics) -> None:
    metrics.set_jobs(jobs.counts())
    for kind, spending in jobs.new_spendings():
        metrics.count_spending(kind, spending)


def _database_state(services: Services) -> tuple[str, dict[str, int]]:
    """Return why the database fails, empty if it does not, and the number of jobs by state."""
    try:
        with services.database.read() as reader:
            has_tokens(reader)
        return "", {} if services.jobs is None else services.jobs.counts()
    except SteelyardError as error:
        return str(error), {}


@cache
def git_hash() -> str:
    """Return the commit that the build recorded; `unknown` if there was none."""
    for folder in steelyard.__path__:  # in an editable installation, one of them is the build's
        with suppress(OSError, UnicodeDecodeError):
            text = Path(folder, _COMMIT_FILE).read_text("ascii").strip()
            if text:
                return text
    return "unknown"


class Compiler(BaseModel, frozen=True):
    """One compiler, and its state on this machine."""

    language: str
    title: str
    compiler: str
    aliases: tuple[str, ...]
    """Further names of the language."""
    extensions: tuple[str, ...]
    installed: bool
    version: str
    runnable: bool
    """False if its programs cannot run on this machine."""


class Languages(BaseModel, frozen=True):
    """The languages that can be judged."""

    languages: tuple[Compiler, ...]


@machine_router.get(
    "/languages",
    response_model=Languages,
    responses={304: {"description": "As the client has it."}},
    dependencies=[Depends(allow("judge"))],
)
async def languages(request: Request) -> Response:
    """Return the compilers of every language, in the order in which they are preferred."""
    found = await asyncio.to_thread(all_languages)
    rows = [{name: getattr(each, name) for name in Compiler.model_fields} for each in found]
    return fresh_or(request, Languages.model_validate({"languages": rows}).model_dump_json())


@machine_router.get(
    "/isolation",
    response_model=Isolation,
    responses={304: {"description": "As the client has it."}},
    dependencies=[Depends(allow("judge"))],
)
async def isolation(request: Request) -> Response:
    """Return the isolation of every run on this machine."""
    return fresh_or(request, services_of(request).pool.isolation.model_dump_json())
