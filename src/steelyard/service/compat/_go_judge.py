"""go-judge: `/run`, `/file`, `/version` and `/config`. Commands run in cells only.

1. `prepared` turns each command of a request into a command for a cell.
2. `pipeMapping` joins two of them. The cells join two commands by a stream socket, descriptor 3 of
   both: a shell makes it standard input or output, and becomes the command.
3. `result_of` reports what a cell did in the peer's words.
4. A `FileStore` keeps, in memory, the files that callers leave for later runs.

Source: https://github.com/criyle/go-judge, `cmd/go-judge/model`.
"""

import platform
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import Annotated, Any, Literal
from urllib.parse import quote

from fastapi import Depends, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException

from steelyard import __version__
from steelyard.sandbox import SYSTEM_VIEW, Command, Mount, View
from steelyard.schemas import WALL_GRACE_MS, Execution, Limits, StopReason
from steelyard.service._auth import Caller, may_see
from steelyard.service._bounds import check_limits
from steelyard.service._error_responses import Problem
from steelyard.service._gate import has_room
from steelyard.service._running import Stop, in_cells
from steelyard.service._state import Services, services_of
from steelyard.service.compat._peers import (
    allow_peer,
    bad_request,
    check_names,
    mebibytes,
    peer_router,
    read_body,
    safe_path,
)
from steelyard.settings import ServiceSettings

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
        raise bad_request("no cmd provided")
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
        raise bad_request(f"the form is malformed: {error.detail}") from error
    file = form.get("file")
    if not isinstance(file, UploadFile):
        raise bad_request("http: no such file; send a form with a file called file")
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


_Size = Annotated[int, Field(ge=0, lt=1 << 63)]
_Text = Annotated[str, Field(max_length=1_000)]
_ReadFile = Callable[[str], bytes | None]
_VIEW = View(
    (
        *SYSTEM_VIEW.mounts,
        *map(Mount, ("/usr/include", "/usr/local/bin", "/usr/local/lib", "/usr/local/include")),
    )
)
"""What a command sees of the machine: programs, libraries and headers, read-only."""
_STREAMS = ("stdout", "stderr")
_MOST_COLLECTED = 32


class CmdFile(BaseModel):
    """A file that a command reads, or an output that is collected."""

    src: str | None = None
    content: str | None = None
    fileId: _Text | None = None  # noqa: N815  (the peer's names)
    name: _Text | None = None
    max: _Size | None = None
    symlink: str | None = None
    streamIn: bool = False  # noqa: N815
    streamOut: bool = False  # noqa: N815
    pipe: bool = False


class Cmd(BaseModel):
    """A command with its limits."""

    args: list[str] = Field(min_length=1, max_length=1_000)
    env: list[str] = Field(default=[], max_length=1_000)
    files: list[CmdFile | None] = Field(default=[], max_length=3)
    cpuLimit: _Size = 0  # noqa: N815
    realCpuLimit: _Size = 0  # noqa: N815
    clockLimit: _Size = 0  # noqa: N815
    memoryLimit: _Size = 0  # noqa: N815
    stackLimit: _Size = 0  # noqa: N815
    procLimit: _Size = 0  # noqa: N815
    cpuRateLimit: _Size = 0  # noqa: N815
    cpuSetLimit: str = ""  # noqa: N815
    copyIn: dict[str, CmdFile] = Field(default={}, max_length=200)  # noqa: N815
    copyOut: list[_Text] = Field(default=[], max_length=_MOST_COLLECTED)  # noqa: N815
    copyOutCached: list[_Text] = Field(default=[], max_length=_MOST_COLLECTED)  # noqa: N815
    copyOutMax: _Size = 0  # noqa: N815
    copyOutDir: str = ""  # noqa: N815
    copyOutTruncate: bool = False  # noqa: N815
    tty: bool = False


class PipeEnd(BaseModel):
    """One end of a pipe: a command, and its standard input (0) or output (1)."""

    index: Literal[0, 1]
    fd: Literal[0, 1]


class PipeMap(BaseModel):
    """A pipe: what is written to `in` is read from `out`."""

    in_: PipeEnd = Field(alias="in")
    out: PipeEnd
    proxy: bool = False


class RunRequest(BaseModel):
    """Commands to run."""

    requestId: str = ""  # noqa: N815
    cmd: list[Cmd] = Field(default=[], max_length=16)
    pipeMapping: list[PipeMap] = Field(default=[], max_length=2)  # noqa: N815


@dataclass(frozen=True)
class PreparedCommand:
    """A command, ready for a cell, and what is done with its outputs."""

    cmd: Cmd
    command: Command
    collectors: Mapping[str, tuple[str, int]]
    """`stdout` and `stderr`, if they are collected: the name of the file, and its largest size."""


def prepared(cmd: Cmd, settings: ServiceSettings, read: _ReadFile) -> PreparedCommand:
    """Return a command for a cell.

    Args:
        cmd: As the request has it.
        settings: The limits of the service.
        read: Returns the content of a stored file, None if there is no such file.

    Raises:
        Problem: for what this service does not run.
    """
    for name, value in (
        ("tty", cmd.tty),
        ("cpuRateLimit", cmd.cpuRateLimit),
        ("cpuSetLimit", cmd.cpuSetLimit),
        ("copyOutDir", cmd.copyOutDir),
    ):
        if value:
            raise bad_request(f"{name} is not offered; omit it")
    stdin, *outputs = (*cmd.files, None, None, None)[:3]
    collectors: dict[str, tuple[str, int]] = {}
    for stream, file in zip(_STREAMS, outputs, strict=True):
        if file is None:
            continue
        if file.name is None or file.max is None:
            raise bad_request(f"the file of {stream} needs a name and max")
        collectors[stream] = (file.name, file.max)
    limits = _limits(cmd, settings, max([0, *(most for _, most in collectors.values())]))
    check_limits(limits, settings)
    wanted = dict.fromkeys(_plain(name) for name in (*cmd.copyOut, *cmd.copyOutCached))
    own = {name for name, _ in collectors.values()}
    files = {safe_path(name): _content(file, read) for name, file in cmd.copyIn.items()}
    check_names(files)
    command = Command(
        tuple(cmd.args),
        stdin=b"" if stdin is None else _content(stdin, read),
        limits=limits,
        env=dict(_variable(each) for each in cmd.env),
        files=files,
        collect=tuple(safe_path(name) for name in wanted if name not in own),
        view=_VIEW,
        cell="go-judge",
    )
    if len(command.collect) > _MOST_COLLECTED:
        raise bad_request(f"at most {_MOST_COLLECTED} files are copied out")
    return PreparedCommand(cmd, command, collectors)


def result_of(
    what: PreparedCommand, done: Execution, keep: Callable[[str, bytes], str]
) -> dict[str, Any]:
    """Return what a command did, as the peer reports it.

    Args:
        what: The command.
        done: Its run.
        keep: Stores a file and returns its id.
    """
    cmd = what.cmd
    status, code = _status(done)
    streams: dict[str, bytes] = {}
    for stream, (name, most) in what.collectors.items():
        output = done.stdout if stream == "stdout" else done.stderr
        if len(output) > most and status in ("Accepted", "Nonzero Exit Status"):
            status = "Output Limit Exceeded"
        streams[name] = streams.get(name, b"") + output[:most]
    found = {**done.files, **streams}
    files, ids, faults = dict(streams), {}, []
    copied = [
        *((name, False) for name in cmd.copyOut),
        *((name, True) for name in cmd.copyOutCached),
    ]
    for name, cached in copied:
        content = found.get(_plain(name).removeprefix("./"))
        if content is None:
            if not name.endswith("?"):
                faults.append({"name": name, "type": "CopyOutOpen", "message": "no such file"})
            continue
        if cmd.copyOutMax and len(content) > cmd.copyOutMax:
            if not cmd.copyOutTruncate:
                message = f"the file has {len(content)} bytes"
                faults.append({"name": name, "type": "CopyOutSizeExceeded", "message": message})
                continue
            content = content[: cmd.copyOutMax]
        if cached:
            ids[_plain(name)] = keep(_plain(name), content)
            if name not in cmd.copyOut:
                files.pop(_plain(name), None)
        else:
            files[_plain(name)] = content
    if faults and status == "Accepted":
        status = "File Error"
    answer: dict[str, Any] = {"status": status, "exitStatus": code}
    if done.stop is StopReason.NOT_STARTED:
        answer["error"] = done.message
    answer |= {
        "time": round(done.cpu_ms * 1e6),
        "memory": round(done.memory_mib * (1 << 20)),
        "runTime": round(done.wall_ms * 1e6),
    }
    if files:
        answer["files"] = {name: text.decode("utf-8", "replace") for name, text in files.items()}
    if ids:
        answer["fileIds"] = ids
    if faults:
        answer["fileError"] = faults
    return answer


def _limits(cmd: Cmd, settings: ServiceSettings, output: int) -> Limits:
    cpu_ms = _milliseconds(cmd.cpuLimit or round(settings.max_time_s * 1e9))
    clock = cmd.realCpuLimit or cmd.clockLimit
    wall_ms = max(_milliseconds(clock), cpu_ms) if clock else cpu_ms + WALL_GRACE_MS
    memory_mib = mebibytes(cmd.memoryLimit) if cmd.memoryLimit else settings.max_memory_mib
    own = Limits()
    return Limits(
        cpu_ms=cpu_ms,
        wall_ms=wall_ms,
        memory_mib=memory_mib,
        stack_mib=mebibytes(cmd.stackLimit) if cmd.stackLimit else own.stack_mib,
        processes=min(cmd.procLimit or own.processes, 4_096),
        output_mib=mebibytes(output + 1),
        file_mib=settings.max_output_mib,
    )


def _milliseconds(nanoseconds: int) -> int:
    return min(max(1, nanoseconds // 1_000_000), 86_400_000 - WALL_GRACE_MS)


def _status(done: Execution) -> tuple[str, int]:
    """Return the status of a run, and its exit status or signal."""
    if done.stop.out_of_time:
        return "Time Limit Exceeded", done.signal or 9
    match done.stop:
        case StopReason.EXITED:
            code = done.exit_code or 0
            return "Nonzero Exit Status" if code else "Accepted", code
        case StopReason.MEMORY_LIMIT:
            return "Memory Limit Exceeded", done.signal or 9
        case StopReason.OUTPUT_LIMIT:
            return "Output Limit Exceeded", done.signal or 25
        case StopReason.NOT_STARTED:
            return "Internal Error", 0
        case _:
            return "Signalled", done.signal or 0


def _content(file: CmdFile, read: _ReadFile) -> bytes:
    if file.content is not None:
        return file.content.encode("utf-8", "surrogatepass")
    if file.fileId is not None:
        content = read(file.fileId)
        if content is None:
            raise bad_request(f"file not exists with id {file.fileId[:40]}")
        return content
    raise bad_request(
        "file is not valid for cmd: give content or fileId; src and symlinks are not offered"
    )


def _variable(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise bad_request(f"a variable of env is NAME=VALUE, got {text[:40]!r}")
    return name, value


def _plain(name: str) -> str:
    return name.removesuffix("?")


def joined(commands: Sequence[Command], pipes: Sequence[PipeMap]) -> tuple[Command, Command]:
    """Return two commands that read and write through their channels.

    Raises:
        Problem: 400 for pipes that the cells cannot make.
    """
    if len(commands) != 2:
        raise bad_request(f"pipeMapping joins two commands, got {len(commands)}")
    ends: list[set[int]] = [set(), set()]
    for each in pipes:
        if each.proxy:
            raise bad_request("proxy is not offered; omit it")
        if (each.in_.fd, each.out.fd) != (1, 0) or each.in_.index == each.out.index:
            raise bad_request(
                "a pipe leads from the output (fd 1) of one command to the input (fd 0) of "
                "the other"
            )
        if 1 in ends[each.in_.index]:
            raise bad_request("two pipes have the same end; give one pipe for each direction")
        ends[each.in_.index].add(1)
        ends[each.out.index].add(0)
    first, second = (_through(command, own) for command, own in zip(commands, ends, strict=True))
    return first, second


def _through(command: Command, ends: set[int]) -> Command:
    """Return a command whose standard streams are its channel."""
    places = " ".join(f"{'<' if end == 0 else '>'}&3" for end in sorted(ends))
    script = f'exec "$0" "$@" {places} 3>&-'
    return replace(command, argv=("/bin/sh", "-c", script, *command.argv))


_KEPT_S = 3_600.0
_MOST_BYTES = 256 << 20
_MOST_FILES = 10_000
_LOOKED_AT = 100


@dataclass(slots=True)
class _File:
    owner: str
    name: str
    content: bytes
    used: float = field(default_factory=time.monotonic)


class FileStore:
    """Files by id. A caller reaches its own only; each is kept for an hour after its last use."""

    def __init__(self) -> None:
        self._files: OrderedDict[str, _File] = OrderedDict()
        self._bytes = 0

    def add(self, caller: Caller, name: str, content: bytes) -> str:
        """Keep a file, and return its id.

        Raises:
            Problem: 429 if there is no room.
        """
        self._forget_old()
        owner = caller.owner
        own = [len(file.content) for file in self._files.values() if file.owner == owner]
        room = has_room(sum(own), self._bytes, _MOST_BYTES, len(content))
        if not room or not has_room(len(own), len(self._files), _MOST_FILES):
            raise Problem(
                429,
                "queue-full",
                "Too many files",
                "there is no room for more of this caller's files; delete some",
                headers={"Retry-After": "60"},
            )
        file_id = secrets.token_urlsafe(12)
        self._files[file_id] = _File(owner, name[:300], content)
        self._bytes += len(content)
        return file_id

    def find(self, caller: Caller, file_id: str) -> tuple[str, bytes] | None:
        """Return a file's name and content; None if the caller has no such file."""
        file = self._files.get(file_id)
        if file is None or not may_see(caller, "peer", file.owner):
            return None
        file.used = time.monotonic()
        self._files.move_to_end(file_id)
        return file.name, file.content

    def names(self, caller: Caller) -> dict[str, str]:
        """Return the names of a caller's files, by id."""
        return {
            key: file.name
            for key, file in self._files.items()
            if may_see(caller, "peer", file.owner)
        }

    def remove(self, caller: Caller, file_id: str) -> bool:
        """Forget a file; False if the caller has no such file."""
        if self.find(caller, file_id) is None:
            return False
        self._bytes -= len(self._files.pop(file_id).content)
        return True

    def _forget_old(self) -> None:
        limit = time.monotonic() - _KEPT_S
        for file_id, file in list(islice(self._files.items(), _LOOKED_AT)):
            if file.used > limit:
                return
            self._bytes -= len(file.content)
            del self._files[file_id]


def files_of(request: Request) -> FileStore:
    """Return the files of a request's service."""
    state = request.app.state
    store: FileStore | None = getattr(state, "go_judge_files", None)
    if store is None:
        store = state.go_judge_files = FileStore()
    return store
