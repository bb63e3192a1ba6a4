"""Show what a run wrote: plans, programs, measurements and the report of a run of models.

The files are on the machine whose worker ran the job, for as long as the run is kept.
"""

import asyncio
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Annotated

from fastapi import Depends, Query, Request, Response
from pydantic import BaseModel

from steelyard.errors import SteelyardError
from steelyard.journal import content_of
from steelyard.service._body import new_router
from steelyard.service._etags import etagged
from steelyard.service._job import Job
from steelyard.service._page import Page, PageQuery, page_of
from steelyard.service._problems import Problem
from steelyard.service.jobs._runs import owned, queue_of

router = new_router("/v1", tag="runs")
_TYPE = "text/plain; charset=utf-8"


class RunFile(BaseModel, frozen=True):
    """A file of a run."""

    path: str
    bytes: int


@router.get("/runs/{run_id}/files")
async def files(
    query: Annotated[PageQuery, Query()], request: Request, job: Job = Depends(owned)
) -> Page[RunFile]:
    """Return the files that a run has written so far, by path."""
    (after,) = query.after(str) or ("",)
    found = await asyncio.to_thread(lambda: sorted(_files_in(_folder(request, job))))
    rest = [RunFile(path=path, bytes=size) for path, size in found if path > after]
    return page_of(rest[: query.limit + 1], query, lambda each: (each.path,))


@router.get(
    "/runs/{run_id}/files/{path:path}",
    response_class=Response,
    responses={
        200: {"content": {_TYPE: {"schema": {"type": "string"}}}},
        304: {"description": "As the client has it."},
    },
)
async def file(path: str, request: Request, job: Job = Depends(owned)) -> Response:
    """Return a file of a run, as plain text."""
    content = await asyncio.to_thread(_content, _folder(request, job), path)
    if content is None:
        raise Problem(
            404,
            "file-not-found",
            "The run has no such file",
            f"the run has no file {path[:100]!r} on this machine; list /v1/runs/{job.id}/files",
        )
    return etagged(request, content, media_type=_TYPE)


def _folder(request: Request, job: Job) -> Path:
    return queue_of(request).place.folder / "runs" / job.id


def _files_in(folder: Path) -> Iterator[tuple[str, int]]:
    """Yield the path and the size of each file, without those that only the worker needs."""
    for each in folder.rglob("*"):
        with suppress(FileNotFoundError):  # the worker renames what it has written
            status = each.lstat()
            if stat.S_ISREG(status.st_mode) and not each.name.startswith("."):
                yield each.relative_to(folder).as_posix(), status.st_size


def _content(folder: Path, path: str) -> bytes | None:
    """Return a file's text, decrypted; None if there is no such file.

    Raises:
        Problem: 503 if this machine cannot decrypt it.
    """
    if path in {name for name, _ in _files_in(folder)}:
        try:
            return content_of(folder / path)
        except FileNotFoundError:
            return None
        except SteelyardError as error:  # its text names folders of this machine
            raise Problem(
                503,
                "file-unreadable",
                "A file of a run cannot be read",
                f"{path} is encrypted with another key, or was changed; ask the operator",
            ) from error
    return None
