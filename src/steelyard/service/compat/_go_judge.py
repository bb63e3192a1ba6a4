"""go-judge: `/run`, `/file`, `/version` and `/config`. Commands run in cells only."""

import platform
from functools import partial
from typing import Any
from urllib.parse import quote

from fastapi import Depends, Request, Response
from fastapi.responses import JSONResponse
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException

from steelyard import __version__
from steelyard.schemas import Execution
from steelyard.service._auth import Caller
from steelyard.service._problems import Problem
from steelyard.service._state import Services, services_of
from steelyard.service._work import Stop
from steelyard.service.compat._go_judge_files import files_of
from steelyard.service.compat._go_judge_messages import RunRequest, prepared, result_of
from steelyard.service.compat._go_judge_pipes import joined
from steelyard.service.compat._peers import allow_peer, peer_router, read_body
from steelyard.service.compat._programs import in_cells

_OPTIONS = {
    "copyOutOptional": True,
    "copyOutTruncate": True,
    "pipeProxy": False,
    "symlink": False,
    "addressSpaceLimit": False,
    "stream": False,
    "procPeak": False,
}


def _refuse(_: Request, problem: Problem) -> JSONResponse:
    """Return a problem as the peer does: its text, with status 500 if the machine failed."""
    status = {422: 400, 503: 500}.get(problem.status_code, problem.status_code)
    return JSONResponse(str(problem.detail), status, headers=problem.headers)


router = peer_router("go-judge", _refuse)


@router.post("/run")
async def run(request: Request, caller: Caller = Depends(allow_peer)) -> Response:
    """Run commands, each in a cell: one after the other, or two at once if pipes join them."""
    body = await read_body(request, RunRequest)
    if not body.cmd:
        raise _bad("no cmd provided")
    settings, store = services_of(request).settings.service, files_of(request)

    def read(file_id: str) -> bytes | None:
        found = store.find(caller, file_id)
        return found and found[1]

    commands = [prepared(cmd, settings, read) for cmd in body.cmd]
    pair = joined([each.command for each in commands], body.pipeMapping) if body.pipeMapping else ()

    def work(services: Services, stop: Stop) -> list[Execution]:
        if pair:
            return list(services.pool.run_joined(*pair))
        done = []
        for each in commands:
            if stop():
                raise stop.problem()
            done.append(services.pool.run(each.command))
        return done

    keep = partial(store.add, caller)
    executions = await in_cells(request, caller, work)
    results: list[dict[str, Any]] = [
        result_of(what, done, keep) for what, done in zip(commands, executions, strict=True)
    ]
    return JSONResponse(results)


@router.get("/file")
async def list_files(request: Request, caller: Caller = Depends(allow_peer)) -> Response:
    """Return the names of the caller's files, by id."""
    return JSONResponse(files_of(request).names(caller))


@router.post("/file")
async def add_file(request: Request, caller: Caller = Depends(allow_peer)) -> Response:
    """Keep the file of a form, and return its id."""
    try:
        form = await request.form(max_files=1, max_fields=1)
    except HTTPException as error:
        raise _bad(f"the form is malformed: {error.detail}") from error
    file = form.get("file")
    if not isinstance(file, UploadFile):
        raise _bad("http: no such file; send a form with a file called file")
    content = await file.read()
    await form.close()
    return JSONResponse(files_of(request).add(caller, file.filename or "", content))


@router.get("/file/{file_id}")
async def read_file(
    file_id: str, request: Request, caller: Caller = Depends(allow_peer)
) -> Response:
    """Return a file."""
    found = files_of(request).find(caller, file_id)
    if found is None:
        raise Problem(404, "not-found", "", "file not found")
    name, content = found
    header = f"attachment; filename*=utf-8''{quote(name, safe='')}"
    return Response(
        content, media_type="application/octet-stream", headers={"Content-Disposition": header}
    )


@router.delete("/file/{file_id}")
async def remove_file(
    file_id: str, request: Request, caller: Caller = Depends(allow_peer)
) -> Response:
    """Forget a file."""
    if not files_of(request).remove(caller, file_id):
        raise Problem(404, "not-found", "", "file not found")
    return Response(status_code=200)


@router.get("/version")
async def version() -> Response:
    """Return this service's version in the peer's form."""
    return JSONResponse(
        {
            "buildVersion": f"steelyard {__version__}",
            "goVersion": "",
            "platform": platform.machine(),
            "os": "linux",
            **_OPTIONS,
        }
    )


@router.get("/config")
async def config(_: Caller = Depends(allow_peer)) -> Response:
    """Return what is offered."""
    return JSONResponse({**_OPTIONS, "fileStorePath": "", "runnerConfig": {"workDir": "/w"}})


def _bad(detail: str) -> Problem:
    return Problem(400, "bad-request", "The request is malformed", detail)
