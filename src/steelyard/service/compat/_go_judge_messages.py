"""The messages of go-judge: commands, and what they did.

Source: https://github.com/criyle/go-judge, `cmd/go-judge/model`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, Field

from steelyard.sandbox import SYSTEM_VIEW, Command, Mount, View
from steelyard.schemas import WALL_GRACE_MS, Execution, Limits, StopReason
from steelyard.service._judge_request import check_limits
from steelyard.service._problems import Problem
from steelyard.service.compat._go_judge_pipes import PipeMap
from steelyard.service.compat._programs import TIMEOUTS, check_names, mebibytes, safe_path
from steelyard.settings import ServiceSettings

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


class RunRequest(BaseModel):
    """Commands to run."""

    requestId: str = ""  # noqa: N815
    cmd: list[Cmd] = Field(default=[], max_length=16)
    pipeMapping: list[PipeMap] = Field(default=[], max_length=2)  # noqa: N815


@dataclass(frozen=True)
class Prepared:
    """A command, ready for a cell, and what is done with its outputs."""

    cmd: Cmd
    command: Command
    collectors: Mapping[str, tuple[str, int]]
    """`stdout` and `stderr`, if they are collected: the name of the file, and its largest size."""


def prepared(cmd: Cmd, settings: ServiceSettings, read: _ReadFile) -> Prepared:
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
            raise _bad(f"{name} is not offered; omit it")
    stdin, *outputs = (*cmd.files, None, None, None)[:3]
    collectors: dict[str, tuple[str, int]] = {}
    for stream, file in zip(_STREAMS, outputs, strict=True):
        if file is None:
            continue
        if file.name is None or file.max is None:
            raise _bad(f"the file of {stream} needs a name and max")
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
        raise _bad(f"at most {_MOST_COLLECTED} files are copied out")
    return Prepared(cmd, command, collectors)


def result_of(what: Prepared, done: Execution, keep: Callable[[str, bytes], str]) -> dict[str, Any]:
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
        content = found.get(_key(_plain(name)))
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
    if done.stop in TIMEOUTS:
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
            raise _bad(f"file not exists with id {file.fileId[:40]}")
        return content
    raise _bad(
        "file is not valid for cmd: give content or fileId; src and symlinks are not offered"
    )


def _variable(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise _bad(f"a variable of env is NAME=VALUE, got {text[:40]!r}")
    return name, value


def _plain(name: str) -> str:
    return name.removesuffix("?")


def _key(name: str) -> str:
    return name.removeprefix("./")


def _bad(detail: str) -> Problem:
    return Problem(400, "bad-request", "The request is malformed", detail)
