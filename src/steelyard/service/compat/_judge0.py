"""Judge0: `/submissions`, `/languages`, `/statuses`, `/about` and `/config_info`.

1. A request's fields become a `Judge0Submission`, or faults of fields.
2. The `SubmissionStore` keeps it in memory for a time, and runs it when the gate admits it.
3. A ZIP archive of further files is unpacked in a cell, never in this process.
4. The result is shown on request, and sent to the caller's own address if it named one.
"""

import asyncio
import base64
import json
import time
from collections import Counter, OrderedDict
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from fastapi import Depends, Request, Response
from fastapi.responses import JSONResponse

from steelyard.errors import LanguageError, SteelyardError
from steelyard.judging import checker_for
from steelyard.logs import logger
from steelyard.sandbox import CellPool
from steelyard.schemas import Limits, StopReason, TestCase
from steelyard.service._auth import Caller, may_see
from steelyard.service._body import read_json
from steelyard.service._error_responses import Problem
from steelyard.service._gate import has_room
from steelyard.service._running import Stop, run_accepted, watched
from steelyard.service._state import Services, services_of
from steelyard.service.compat._callbacks import deliver
from steelyard.service.compat._judge0_submission import (
    DEFAULT_FIELDS,
    FIELDS,
    STATUSES,
    VERSION,
    Faults,
    Judge0Submission,
    configuration,
    new_submission,
    offered_languages,
    status_of_run,
)
from steelyard.service.compat._peers import (
    PeerProgram,
    Ran,
    allow_peer,
    bad_request,
    build,
    build_and_run,
    peer_router,
    run,
    safe_path,
)
from steelyard.toolchains import find_toolchain

_log = logger("service")
_LINES = checker_for("lines")
_KEPT_S = 3_600.0
_MOST_BYTES = 256 << 20
_MOST_KEPT = 50_000
_MOST_CALLBACKS = 4
_LOOKED_AT = 100
_COMPILE_ERROR, _INTERNAL_ERROR = 6, 13

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
    store = store_of(request)
    _check_room(store, caller, 1)
    body = await read_json(await request.body())
    try:
        submission = await _new(request, caller, body, coded=coded)
    except Faults as faults:
        return JSONResponse(faults.fields, 422)
    task, stop = store.start(submission, caller)
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
    store = store_of(request)
    _check_room(store, caller, len(listed))
    answers: list[dict[str, Any]] = []
    for each in listed:
        try:
            submission = await _new(request, caller, each, coded=_is_coded(request))
        except Faults as faults:
            answers.append(faults.fields)
        else:
            store.start(submission, caller)
            answers.append({"token": submission.token})
    good = any(set(answer) == {"token"} for answer in answers)
    return JSONResponse(answers, 201 if good else 422)


@router.get("/submissions/batch")
async def show_batch(request: Request, caller: Caller = Depends(allow_peer)) -> Response:
    """Return several submissions, null for those that are unknown."""
    tokens = [token for token in request.query_params.get("tokens", "").strip().split(",") if token]
    _check_batch(len(tokens))
    names, store = _fields(request), store_of(request)
    found = [store.find(token, caller) for token in tokens]
    try:
        shown = [each and each.shown(names, coded=_is_coded(request)) for each in found]
    except UnicodeDecodeError as error:
        raise bad_request(_NOT_TEXT) from error
    return JSONResponse({"submissions": shown})


@router.get("/submissions/{token}")
async def show(token: str, request: Request, caller: Caller = Depends(allow_peer)) -> Response:
    """Return one submission."""
    submission = store_of(request).find(token, caller)
    if submission is None:
        raise Problem(404, "not-found", "", "there is no such submission")
    try:
        return JSONResponse(submission.shown(_fields(request), coded=_is_coded(request)))
    except UnicodeDecodeError as error:
        raise bad_request(_NOT_TEXT) from error


@router.delete("/submissions/{token}")
async def delete(token: str, _: Caller = Depends(allow_peer)) -> Response:  # noqa: ARG001
    """Refuse to delete: results are forgotten by themselves."""
    raise bad_request("delete not allowed")


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


async def _new(request: Request, caller: Caller, given: Any, *, coded: bool) -> Judge0Submission:
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
        raise bad_request(f"invalid fields: [{', '.join(unknown)[:200]}]")
    return names or DEFAULT_FIELDS


def _check_batch(number: int) -> None:
    if number > _BATCH:
        raise bad_request(
            f"number of submissions in a batch should be less than or equal to {_BATCH}"
        )
    if not number:
        raise bad_request("there should be at least one submission in a batch")


class SubmissionStore:
    """The submissions of one service. Used from one event loop.

    A result is kept for an hour, and for less if many come; unfinished ones are always kept.
    """

    def __init__(self, services: Services) -> None:
        self._services = services
        self._kept: OrderedDict[str, tuple[float, Judge0Submission]] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()
        self._bytes = 0
        self._calls: set[asyncio.Task[None]] = set()
        self._calling = asyncio.Semaphore(_MOST_CALLBACKS)
        self._unfinished: Counter[str] = Counter()

    def has_room(self, caller: Caller, more: int) -> bool:
        """Return True if a caller may start more submissions."""
        own, taken = self._unfinished[caller.owner], self._unfinished.total()
        return has_room(own, taken, self._services.settings.service.most_waiting, more)

    def find(self, token: str, caller: Caller) -> Judge0Submission | None:
        """Return a caller's submission; None if there is none with this token."""
        kept = self._kept.get(token)
        return kept[1] if kept is not None and may_see(caller, "peer", kept[1].owner) else None

    def start(
        self, submission: Judge0Submission, caller: Caller
    ) -> tuple[asyncio.Task[None], Stop]:
        """Keep a submission and run it as soon as the gate admits it."""
        self._forget_old()
        self._kept[submission.token] = (time.monotonic(), submission)
        stop = Stop(self._services.settings.service.max_request_s)
        task = asyncio.create_task(self._run(submission, caller, stop))
        self._unfinished[caller.owner] += 1
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task, stop

    async def _run(self, submission: Judge0Submission, caller: Caller, stop: Stop) -> None:
        services = stop.over(self._services)
        try:
            submission.status, submission.result = await run_accepted(
                services.gate,
                services.threads,
                caller,
                stop,
                lambda: _judged(services, stop, submission),
            )
        except LanguageError as error:  # its own options, which fit no program
            submission.status = _COMPILE_ERROR
            submission.result = {"compile_output": str(error).encode()}
        except (SteelyardError, Problem) as error:
            submission.status = _INTERNAL_ERROR
            submission.result = {"message": str(getattr(error, "detail", error)).encode()}
        except Exception:  # noqa: BLE001  (nobody awaits it; the log has the traceback)
            _log.exception("unexpected error", caller=caller.owner)
            submission.status = _INTERNAL_ERROR
            submission.result = {"message": b"an unexpected error"}
        submission.finished = datetime.now(UTC)
        self._unfinished -= Counter({caller.owner: 1})  # without callers that have none
        self._bytes += submission.size
        if submission.given["callback_url"]:
            call = asyncio.create_task(self._call_back(submission))
            self._calls.add(call)
            call.add_done_callback(self._calls.discard)

    async def _call_back(self, submission: Judge0Submission) -> None:
        """Send a result to its caller's own address."""
        body = json.dumps(submission.shown(DEFAULT_FIELDS, coded=True)).encode()
        async with self._calling:
            sent = await asyncio.to_thread(deliver, submission.given["callback_url"], body)
        _log.info("callback", submission=submission.token, sent=sent)

    def _forget_old(self) -> None:
        limit = time.monotonic() - _KEPT_S
        for token, (made, submission) in list(islice(self._kept.items(), _LOOKED_AT)):
            if submission.finished is None:
                continue
            full = self._bytes > _MOST_BYTES or len(self._kept) > _MOST_KEPT
            if made > limit and not full:
                return
            self._bytes -= submission.size
            del self._kept[token]


def _check_room(store: SubmissionStore, caller: Caller, more: int) -> None:
    if not store.has_room(caller, more):
        raise Problem(429, "queue-full", "", "queue is full", headers={"Retry-After": "1"})


def store_of(request: Request) -> SubmissionStore:
    """Return the submissions of a request's service."""
    state = request.app.state
    store: SubmissionStore | None = getattr(state, "judge0", None)
    if store is None:
        store = state.judge0 = SubmissionStore(services_of(request))
    return store


def _judged(
    services: Services, stop: Stop, submission: Judge0Submission
) -> tuple[int, dict[str, Any]]:
    """Return the status of a submission after all its runs, and its result."""
    submission.status = 2
    program = submission.program
    if submission.archive:
        try:
            program = replace(program, files=unpacked(services.pool, submission.archive))
            program.check(services.settings.service)
        except Problem as problem:
            return _COMPILE_ERROR, {"compile_output": str(problem.detail).encode()}
    built = build(services.pool, program)
    times, memories = [], []
    status, ran = 3, None
    expected = submission.expected
    wanted = None if expected is None else TestCase(expected=expected)
    for _ in range(int(submission.given["number_of_runs"])):
        if stop():
            raise stop.problem()
        ran = run(services.pool, program, built)
        done = ran.execution
        if done is None:
            return _COMPILE_ERROR, _not_compiled(ran)
        times.append((done.cpu_ms, done.wall_ms))
        memories.append(done.memory_mib)
        status, message = status_of_run(done)
        if status == 3 and not (wanted is None or _LINES.check(wanted, done.stdout).passed):
            status = 4
        if status != 3:
            break
    assert ran is not None
    done = ran.execution
    assert done is not None
    cpu_ms, wall_ms = (sum(each) / len(times) for each in zip(*times, strict=True))
    return status, {
        "stdout": done.stdout or None,
        "stderr": done.stderr or None,
        "compile_output": ran.compile_output.encode() or None,
        "message": message.encode() if message else None,
        "time": f"{cpu_ms / 1_000:.3f}",
        "wall_time": f"{wall_ms / 1_000:.3f}",
        "memory": round(sum(memories) / len(memories) * 1_024),
        "exit_code": done.exit_code,
        "exit_signal": done.signal,
    }


def _not_compiled(ran: Ran) -> dict[str, Any]:
    late = "Compilation time limit exceeded." if ran.compile_stop.out_of_time else ""
    return {"compile_output": (late or ran.compile_output).encode()}


_MOST_FILES = 200
_MOST_MIB = 16
_UNPACK = f"""\
import base64, io, json, sys, zipfile

found, size = {{}}, 0
with zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read())) as archive:
    for entry in archive.infolist():
        if entry.is_dir():
            continue
        size += entry.file_size
        if len(found) >= {_MOST_FILES} or size > {_MOST_MIB << 20}:
            sys.exit("the archive holds more than {_MOST_FILES} files or {_MOST_MIB} MiB")
        with archive.open(entry) as file:
            found[entry.filename] = base64.b64encode(file.read(entry.file_size)).decode()
json.dump(found, sys.stdout)
"""
_LIMITS = Limits(cpu_ms=5_000, memory_mib=256, output_mib=2 * _MOST_MIB)


def unpacked(pool: CellPool, archive: bytes) -> dict[str, bytes]:
    """Return the files in a ZIP archive, by path.

    Raises:
        Problem: 422 if it is not an archive, is too large, or has a path that leads out of it.
        InfrastructureError: if the machine failed.
    """
    program = PeerProgram(find_toolchain("python"), _UNPACK.encode(), stdin=archive, limits=_LIMITS)
    done = build_and_run(pool, program).execution
    if done is None or done.stop is not StopReason.EXITED or done.exit_code != 0:
        why = b"" if done is None else done.stderr.strip().rpartition(b"\n")[2]
        raise Problem(
            422,
            "archive-invalid",
            "An archive cannot be unpacked",
            f"the ZIP archive cannot be unpacked: {why.decode('utf-8', 'replace')[:300]}",
        )
    found: dict[str, str] = json.loads(done.stdout)
    return {safe_path(name): base64.b64decode(content) for name, content in found.items()}
