"""Judge0: `/submissions`, `/languages`, `/statuses`, `/about` and `/config_info`."""

import asyncio
from typing import Any

from fastapi import Depends, Request, Response
from fastapi.responses import JSONResponse

from steelyard.service._auth import Caller
from steelyard.service._body import read_json
from steelyard.service._problems import Problem
from steelyard.service._state import services_of
from steelyard.service._work import watched
from steelyard.service.compat._judge0_book import Book, book_of
from steelyard.service.compat._judge0_submission import (
    DEFAULT_FIELDS,
    FIELDS,
    Faults,
    Submission,
    new_submission,
)
from steelyard.service.compat._judge0_tables import (
    STATUSES,
    VERSION,
    configuration,
    offered_languages,
)
from steelyard.service.compat._peers import allow_peer, peer_router
from steelyard.toolchains import find_toolchain

_BATCH = 20
_NOT_TEXT = (
    "some attributes for this submission cannot be converted to UTF-8, use base64_encoded=true "
    "query parameter"
)


def _refuse(_: Request, problem: Problem) -> JSONResponse:
    """Return a problem as the peer does, with a full queue as status 503."""
    status = {429: 503, 422: 400}.get(problem.status_code, problem.status_code)
    return JSONResponse({"error": str(problem.detail)}, status, headers=problem.headers)


router = peer_router("judge0", _refuse)


@router.post("/submissions")
@router.post("/submissions/")
async def create(request: Request, caller: Caller = Depends(allow_peer)) -> Response:
    """Create a submission; with `wait=true` answer when it is judged."""
    coded = _is_coded(request)
    names = _fields(request)
    book = book_of(request)
    _check_room(book, caller, 1)
    body = await read_json(await request.body())
    try:
        submission = await _new(request, caller, body, coded=coded)
    except Faults as faults:
        return JSONResponse(faults.fields, 422)
    task, stop = book.start(submission, caller)
    if request.query_params.get("wait") != "true":
        return JSONResponse({"token": submission.token}, 201)
    async with watched(request, stop):  # who leaves without the token can never ask for the result
        await asyncio.shield(task)
    try:
        return JSONResponse(submission.shown(names, coded=coded), 201)
    except UnicodeDecodeError:
        return JSONResponse({"error": _NOT_TEXT, "token": submission.token}, 201)


@router.post("/submissions/batch")
async def create_batch(request: Request, caller: Caller = Depends(allow_peer)) -> Response:
    """Create several submissions; each is answered by its token or its faults."""
    body = await read_json(await request.body())
    given = body.get("submissions") if isinstance(body, dict) else None
    listed = given if isinstance(given, list) else []
    _check_batch(len(listed))
    book = book_of(request)
    _check_room(book, caller, len(listed))
    answers: list[dict[str, Any]] = []
    for each in listed:
        try:
            submission = await _new(request, caller, each, coded=_is_coded(request))
        except Faults as faults:
            answers.append(faults.fields)
        else:
            book.start(submission, caller)
            answers.append({"token": submission.token})
    good = any(set(answer) == {"token"} for answer in answers)
    return JSONResponse(answers, 201 if good else 422)


@router.get("/submissions/batch")
async def show_batch(request: Request, caller: Caller = Depends(allow_peer)) -> Response:
    """Return several submissions, null for those that are unknown."""
    tokens = [token for token in request.query_params.get("tokens", "").strip().split(",") if token]
    _check_batch(len(tokens))
    names, book = _fields(request), book_of(request)
    found = [book.find(token, caller) for token in tokens]
    try:
        shown = [each and each.shown(names, coded=_is_coded(request)) for each in found]
    except UnicodeDecodeError as error:
        raise _bad(_NOT_TEXT) from error
    return JSONResponse({"submissions": shown})


@router.get("/submissions/{token}")
async def show(token: str, request: Request, caller: Caller = Depends(allow_peer)) -> Response:
    """Return one submission."""
    submission = book_of(request).find(token, caller)
    if submission is None:
        raise Problem(404, "not-found", "", "there is no such submission")
    try:
        return JSONResponse(submission.shown(_fields(request), coded=_is_coded(request)))
    except UnicodeDecodeError as error:
        raise _bad(_NOT_TEXT) from error


@router.delete("/submissions/{token}")
async def delete(token: str, _: Caller = Depends(allow_peer)) -> Response:  # noqa: ARG001
    """Refuse to delete: results are forgotten by themselves."""
    raise _bad("delete not allowed")


@router.get("/languages")
@router.get("/languages/all")
async def all_languages(_: Caller = Depends(allow_peer)) -> Response:
    """Return the languages of this machine."""
    return JSONResponse([each.shown for each in await asyncio.to_thread(offered_languages)])


@router.get("/languages/{number}")
async def one_language(number: str, _: Caller = Depends(allow_peer)) -> Response:
    """Return one language with its commands."""
    offered = await asyncio.to_thread(offered_languages)
    found = next((each for each in offered if str(each.id) == number), None)
    if found is None:
        raise Problem(404, "not-found", "", f"language with id {number[:40]} doesn't exist")
    tool = await asyncio.to_thread(find_toolchain, found.language, compiler=found.compiler)
    compiles = " ".join(tool.compiler_row.compile) if tool.builds else None
    return JSONResponse(
        {
            **found.shown,
            "is_archived": False,
            "source_file": tool.row.source,
            "compile_cmd": compiles,
            "run_cmd": " ".join(tool.row.run),
        }
    )


@router.get("/statuses")
async def statuses() -> Response:
    """Return every status."""
    listed = [{"id": number, "description": text} for number, text in STATUSES.items()]
    return JSONResponse(listed)


@router.get("/about")
async def about() -> Response:
    """Return the peer's version, by which clients know the ids of languages."""
    return JSONResponse(
        {
            "version": VERSION,
            "homepage": "https://github.com/steelyard/steelyard",
            "source_code": "https://github.com/steelyard/steelyard",
            "maintainer": "Steelyard",
        }
    )


@router.get("/config_info")
async def config_info(request: Request, _: Caller = Depends(allow_peer)) -> Response:
    """Return the limits and options of this service."""
    return JSONResponse(configuration(services_of(request).settings.service, batch=_BATCH))


async def _new(request: Request, caller: Caller, given: Any, *, coded: bool) -> Submission:
    settings = services_of(request).settings.service
    return await asyncio.to_thread(new_submission, caller.owner, given, settings, coded=coded)


def _is_coded(request: Request) -> bool:
    return request.query_params.get("base64_encoded") == "true"


def _fields(request: Request) -> tuple[str, ...]:
    given = request.query_params.get("fields", "")
    names = tuple(name.strip() for name in given.split(",") if name.strip())
    if "*" in names:
        return FIELDS
    unknown = [name for name in names if name not in FIELDS]
    if unknown:
        raise _bad(f"invalid fields: [{', '.join(unknown)[:200]}]")
    return names or DEFAULT_FIELDS


def _check_batch(number: int) -> None:
    if number > _BATCH:
        raise _bad(f"number of submissions in a batch should be less than or equal to {_BATCH}")
    if not number:
        raise _bad("there should be at least one submission in a batch")


def _check_room(book: Book, caller: Caller, more: int) -> None:
    if not book.has_room(caller, more):
        raise Problem(429, "queue-full", "", "queue is full", headers={"Retry-After": "1"})


def _bad(detail: str) -> Problem:
    return Problem(400, "bad-request", "The request is malformed", detail)
