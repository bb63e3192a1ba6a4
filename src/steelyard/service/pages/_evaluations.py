"""The pages of evaluations: the list, one with its metrics and tasks, a task, two compared.

A request names an evaluation, and never a path: names are looked up in the list of the folder.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import quote, urlencode

from fastapi import Depends, Query, Request, Response
from pydantic import Field, StringConstraints

from steelyard.errors import UsageError
from steelyard.evaluation import (
    diff_evaluations,
    diff_view,
    read_head,
    sample_view,
    stored_program,
    stored_report,
    stored_task,
    task_table,
    view,
)
from steelyard.schemas import EvaluationDiff, EvaluationHead, EvaluationReport, TaskScore
from steelyard.service._auth import Caller, allow
from steelyard.service._error_responses import Problem
from steelyard.service._reads import Page, PageQuery, Text, page_of
from steelyard.service._state import services_of
from steelyard.service.pages._render import page
from steelyard.service.pages._route import page_router

router = page_router()
_MOST_SAMPLES = 100
_MOST_OTHERS = 500
_MOST_PROGRAM_BYTES = 100_000
_Name = Annotated[str, StringConstraints(min_length=1, max_length=255)]


@dataclass(frozen=True)
class _Row:
    """An evaluation of the list."""

    name: str
    begun: str = ""
    head: EvaluationHead | None = None
    fault: str = ""
    """The reason why it cannot be shown."""


class _TaskQuery(PageQuery):
    """The part of an evaluation's tasks."""

    limit: int = Field(default=100, ge=1, le=200)
    search: Text = ""
    """A part of the id, in any case."""
    show: Literal["all", "failed", "mixed", "passed"] = "all"
    """`failed`: no sample passed. `mixed`: some did. `passed`: all did."""


@router.get("/evaluations")
def evaluations(
    query: Annotated[PageQuery, Query()],
    request: Request,
    _: Caller = Depends(allow("author")),
) -> Response:
    """Show a page of the list of evaluations, the newest first."""
    folder = services_of(request).settings.service.evaluations
    rows = sorted(map(_row, _folders(folder)), key=_key, reverse=True)
    after = query.after(str, str)
    found = [row for row in rows if after is None or _key(row) < after][: query.limit + 1]
    shown = page_of(found, query, _key)
    reports = {each.name: _brief(folder / each.name) for each in shown.items if folder}
    return page(
        request,
        "evaluations.html",
        found=shown,
        reports=reports,
        is_set=folder is not None,
        cursor=query.cursor,
        after=urlencode({"cursor": shown.next or ""}),
    )


@router.get("/evaluations/{name}")
def evaluation(
    name: _Name,
    query: Annotated[_TaskQuery, Query()],
    request: Request,
    _: Caller = Depends(allow("author")),
) -> Response:
    """Show the metrics of an evaluation, and its tasks."""
    folder = _folder_of(request, name)
    with _without_path(folder):
        head, report = read_head(folder), _counted(folder, _stamps(folder))
    found = _tasks(report, query)
    kept = {"search": query.search, "show": query.show, "limit": str(query.limit)}
    table = task_table(found.items, lambda score: _address(name, score.task))
    return page(
        request,
        "evaluation.html",
        name=name,
        head=head,
        summary=view(report.model_copy(update={"folder": name})),
        query=query,
        table=[table] if found.items else (),
        after=urlencode({**kept, "cursor": found.next}) if found.next else "",
        others=sorted({each.name for each in _folders(folder.parent)} - {name})[:_MOST_OTHERS],
    )


@router.get("/evaluations/{name}/compare")
def compare(
    name: _Name,
    second: Annotated[_Name, Query()],
    request: Request,
    _: Caller = Depends(allow("author")),
) -> Response:
    """Show two evaluations compared on the tasks that both have."""
    folders = _folder_of(request, name), _folder_of(request, second)
    with _without_path(folders[0]), _without_path(folders[1]):
        diff = _compared(*folders, _stamps(folders[0]) + _stamps(folders[1]))
    sides = {"first": name, "second": second}
    blocks = diff_view(
        diff.model_copy(update=sides), lambda side, task: _address(sides[side], task)
    )
    return page(request, "evaluations-compared.html", name=name, second=second, diff=blocks)


@router.get("/evaluations/{name}/task")
def task(
    name: _Name,
    task: Annotated[str, Query(min_length=1, max_length=1_000)],
    request: Request,
    _: Caller = Depends(allow("author")),
) -> Response:
    """Show a task with its samples: verdict, first failure, program."""
    folder = _folder_of(request, name)
    with _without_path(folder):
        found = stored_task(folder, task)
    if found is None:
        raise _missing("the evaluation has no such task; look at its list of tasks")
    samples = [
        sample_view(
            each, stored_program(folder, each, most_bytes=_MOST_PROGRAM_BYTES), is_open=True
        )
        for each in found.every[:_MOST_SAMPLES]
    ]
    return page(
        request,
        "evaluated-task.html",
        name=name,
        task=found.line,
        count=len(found.every),
        most=_MOST_SAMPLES,
        samples=samples,
    )


def _address(name: str, task: str) -> str:
    """Return the address of a task's page."""
    return f"/pages/evaluations/{quote(name, safe='')}/task?{urlencode({'task': task})}"


def _folders(folder: Path | None) -> list[Path]:
    try:
        return [each for each in folder.iterdir() if _holds_one(each)] if folder else []
    except OSError as error:
        raise Problem(
            503,
            "evaluations-unreadable",
            "The evaluations cannot be read",
            f"the folder of evaluations cannot be read: {error.strerror}",
        ) from error


def _holds_one(folder: Path) -> bool:
    return folder.name.isprintable() and (folder / "run.json").is_file()


def _folder_of(request: Request, name: str) -> Path:
    own = services_of(request).settings.service.evaluations
    for each in _folders(own):
        if each.name == name:
            return each
    raise _missing("there is no such evaluation; look at the list of evaluations")


def _missing(detail: str) -> Problem:
    return Problem(404, "not-stored", "The evaluation is not here", detail)


def _row(folder: Path) -> _Row:
    try:
        with _without_path(folder):
            head = read_head(folder)
    except UsageError as error:
        return _Row(folder.name, fault=str(error))
    return _Row(folder.name, _sortable(head.begun), head)


@contextmanager
def _without_path(folder: Path) -> Iterator[None]:
    """Name the evaluation in errors, in place of its path on the server."""
    try:
        yield
    except UsageError as error:
        raise UsageError(str(error).replace(str(folder), folder.name)) from error


def _sortable(moment: datetime) -> str:
    return moment.isoformat(timespec="microseconds")


def _key(row: _Row) -> tuple[str, str]:
    return row.begun, row.name


def _brief(folder: Path) -> EvaluationReport | str:
    """Return the report of an evaluation without its tasks, or the reason why there is none."""
    try:
        with _without_path(folder):
            return _counted_briefly(folder, _stamps(folder))
    except UsageError as error:
        return str(error)


def _stamps(folder: Path) -> tuple[tuple[int, int], ...]:
    """Return what changes with the figures of an evaluation."""
    files = (folder / "record.jsonl", folder / "report.json")
    stats = [each.stat() for each in files if each.exists()]
    return tuple((each.st_mtime_ns, each.st_size) for each in stats)


@lru_cache(maxsize=4)
def _counted(folder: Path, _stamps: tuple[tuple[int, int], ...]) -> EvaluationReport:
    return stored_report(folder)


@lru_cache(maxsize=16)
def _compared(first: Path, second: Path, _stamps: tuple[tuple[int, int], ...]) -> EvaluationDiff:
    return diff_evaluations(first, second)


@lru_cache(maxsize=1_000)
def _counted_briefly(folder: Path, stamps: tuple[tuple[int, int], ...]) -> EvaluationReport:
    """Return a report of which many fit in memory."""
    return _counted(folder, stamps).model_copy(
        update={"scores": (), "faults": (), "notes": (), "months": ()}
    )


def _tasks(report: EvaluationReport, query: _TaskQuery) -> Page[TaskScore]:
    word, (first,) = query.search.casefold(), query.after(int) or (0,)
    scores = [
        (number, each)
        for number, each in enumerate(report.scores, 1)
        if number > first and word in each.task.casefold() and _is_shown(each, query.show)
    ]
    found = page_of(scores, query, lambda each: (each[0],))
    return Page(items=tuple(each for _, each in found.items), next=found.next)


def _is_shown(score: TaskScore, show: str) -> bool:
    if show == "all":
        return True
    if score.passed == score.samples:
        return show == ("passed" if score.samples else "failed")
    return show == ("mixed" if score.passed else "failed")
