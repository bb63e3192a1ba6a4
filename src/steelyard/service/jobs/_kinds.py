"""Run each kind of job through the library's own functions."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from steelyard.authoring import AuthorOptions
from steelyard.authoring.pipeline import JOURNAL, Author
from steelyard.challenges.submissions import read_results, store_results
from steelyard.errors import UsageError
from steelyard.sandbox import StoppedError
from steelyard.schemas import Event, ProblemInput, Specification
from steelyard.service._compare import CompareRequest, compared
from steelyard.service._judge import judged
from steelyard.service._judge_request import JudgeRequest
from steelyard.service._profile import ProfileRequest, profiled
from steelyard.service._strength import StrengthRequest, measured
from steelyard.service.jobs._turns import TurnTeller
from steelyard.service.jobs._work import Work
from steelyard.settings import current_settings
from steelyard.solving import SolveOptions, Solver
from steelyard.storage import open_database
from steelyard.toolchains import CompileCache

_HEAD = "run.json"
_OF_THE_SERVER = ("folder", "logs")
"""Fields of reports that name folders of this machine."""


def run_kind(kind: str, work: Work, payload: dict[str, Any]) -> str:
    """Run a job, and return its result as JSON.

    Raises:
        Problem: if the job should stop, or asks for what cannot be done.
        SteelyardError: as the library's function.
    """
    try:
        return _RUNNERS[kind](work, payload)
    except StoppedError:
        raise work.problem() from None


def _judge(work: Work, payload: dict[str, Any]) -> str:
    body = JudgeRequest.model_validate(payload)
    return _json(judged(work.pool, CompileCache(), work, body, None, work.note).to_dict())


def _profile(work: Work, payload: dict[str, Any]) -> str:
    return profiled(work.pool, work, ProfileRequest.model_validate(payload)).decode()


def _compare(work: Work, payload: dict[str, Any]) -> str:
    return compared(work.pool, work, CompareRequest.model_validate(payload)).decode()


def _strength(work: Work, payload: dict[str, Any]) -> str:
    return measured(work.pool, work, StrengthRequest.model_validate(payload)).decode()


def _solve(work: Work, payload: dict[str, Any]) -> str:
    problem = ProblemInput.model_validate(payload["problem"])
    folder = work.folder / problem.task_id
    teller = TurnTeller(folder, work.keep_turn)

    def at_event(event: Event) -> None:
        work.at_event(event)
        teller.tell()

    options = SolveOptions.of(**payload["options"], pool=work.pool, on_event=at_event)
    solver = Solver(options, logs=work.folder)
    with work.alone():
        begun = (folder / _HEAD).exists()
        result = work.wait_for(solver.aresume(folder) if begun else solver.asolve(problem))
    teller.tell()
    return _json(result.to_dict())


def _author(work: Work, payload: dict[str, Any]) -> str:
    options = AuthorOptions.of(**payload["options"], pool=work.pool, on_event=work.at_event)
    author, out = Author(options), work.folder / "results"
    given = payload["specification"]
    specification = None if given is None else Specification.model_validate(given)
    with work.alone():
        if (out / JOURNAL / _HEAD).exists():
            report = work.wait_for(author.aresume(out))
        else:
            report = work.wait_for(
                author.aauthor(
                    payload["request"],
                    out=out,
                    specification=specification,
                    solutions=payload["solution"],
                )
            )
    if payload.get("name") is not None and report.suite is not None:
        note = _stored(work, out, payload["name"])
        report = report.model_copy(update={"notes": (*report.notes, note)})
    return _json(report.to_dict())


def _stored(work: Work, results: Path, name: str) -> str:
    """Store the results of authoring as a problem, and return what was stored."""
    try:
        found = read_results(results, name)
        with open_database(current_settings().database_url or None) as database:
            version, _ = store_results(database, found, pool=work.pool)
    except UsageError as error:  # what was paid for is kept
        return f"not stored as {name}: {error}"
    return f"stored as {name}, suite {version.number}"


def _json(report: dict[str, Any]) -> str:
    return json.dumps(
        {name: "" if name in _OF_THE_SERVER else value for name, value in report.items()},
        separators=(",", ":"),
    )


_RUNNERS: dict[str, Callable[[Work, dict[str, Any]], str]] = {
    "author": _author,
    "compare": _compare,
    "judge": _judge,
    "profile": _profile,
    "solve": _solve,
    "strength": _strength,
}
