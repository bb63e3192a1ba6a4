"""Piston: `/api/v2/execute`, `/api/v2/runtimes` and `/api/v2/packages`.

Source: https://github.com/engineer-man/piston, `api/src/api/v2.js`.
"""

import asyncio
import binascii
import signal
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import JSONResponse

from steelyard.errors import LanguageError
from steelyard.schemas import CompileResult, Execution, Limits, StopReason
from steelyard.service._auth import Caller
from steelyard.service._body import read_json
from steelyard.service._error_responses import Problem
from steelyard.service._running import Stop, in_cells
from steelyard.service._state import Services, services_of
from steelyard.service.compat._peers import (
    PeerProgram,
    Ran,
    allow_peer,
    body_invalid,
    build_and_run,
    decoded_base64,
    mebibytes,
    peer_router,
    safe_path,
    words_of_end,
)
from steelyard.service.compat._semver import version_in, version_numbers
from steelyard.settings import ServiceSettings
from steelyard.toolchains import LanguageRow, find_toolchain, language_table, languages

_DEFAULTS_MS = {"run": 3_000, "compile": 10_000}


@dataclass(frozen=True)
class _Runtime:
    row: LanguageRow
    version: str

    @property
    def names(self) -> tuple[str, ...]:
        """The peer's name and its other names."""
        peers, row = self.row.peers, self.row
        others = row.aliases if peers.piston_aliases is None else peers.piston_aliases
        return (peers.piston or row.name, *others)

    @property
    def shown(self) -> dict[str, Any]:
        """The runtime in a list."""
        name, *others = self.names
        runtime = self.row.peers.piston_runtime
        shown = {"language": name, "version": self.version, "aliases": others}
        return {**shown, "runtime": runtime} if runtime else shown


def _refuse(_: Request, problem: Problem) -> JSONResponse:
    """Return a problem as the peer does: a message, with status 500 if the machine failed."""
    status = {422: 400, 503: 500}.get(problem.status_code, problem.status_code)
    return JSONResponse({"message": str(problem.detail)}, status, headers=problem.headers)


router: APIRouter = peer_router("piston", _refuse)


@router.post("/api/v2/execute")
@router.post("/api/v2/execute/")
@router.post("/api/v2/piston/execute")
@router.post("/api/v2/piston/execute/")
async def execute(request: Request, caller: Caller = Depends(allow_peer)) -> Response:
    """Compile a program and run it once."""
    if not request.headers.get("content-type", "").startswith("application/json"):
        raise Problem(415, "media-type", "", "requests must be of type application/json")
    body = await read_json(await request.body())
    runtime, program = await asyncio.to_thread(
        _program, body if isinstance(body, dict) else {}, services_of(request).settings.service
    )

    def work(services: Services, _: Stop) -> Ran:
        return build_and_run(services.pool, program)

    ran = await in_cells(request, caller, work)
    answer: dict[str, Any] = {"language": runtime.names[0], "version": runtime.version}
    compiled = None if ran.compiled is None else _compile_stage(ran, ran.compiled)
    done = compiled if ran.execution is None else _stage(ran.execution, program.limits)
    answer["run"] = done
    if compiled is not None:
        answer["compile"] = compiled
    return JSONResponse(answer)


@router.get("/api/v2/runtimes")
@router.get("/api/v2/runtimes/")
@router.get("/api/v2/piston/runtimes")
@router.get("/api/v2/piston/runtimes/")
async def runtimes(_: Caller = Depends(allow_peer)) -> Response:
    """Return the languages of this machine."""
    return JSONResponse([each.shown for each in await asyncio.to_thread(_runtimes)])


@router.get("/api/v2/packages")
async def packages(_: Caller = Depends(allow_peer)) -> Response:
    """Return the languages of this machine as packages, all installed."""
    found = [each.shown for each in await asyncio.to_thread(_runtimes)]
    return JSONResponse(
        [
            {"language": each["language"], "language_version": each["version"], "installed": True}
            for each in found
        ]
    )


@router.post("/api/v2/packages")
@router.delete("/api/v2/packages")
async def change_packages(_: Caller = Depends(allow_peer)) -> Response:
    """Refuse to install anything."""
    message = "packages are not installed over HTTP; install compilers on the machine"
    return JSONResponse({"message": message}, 501)


def _runtimes() -> list[_Runtime]:
    found: dict[str, _Runtime] = {}
    for each in languages():
        if each.installed and each.runnable:
            row = language_table().row(each.language)
            found.setdefault(row.name, _Runtime(row, version_numbers(each.version)))
    return list(found.values())


def _program(body: dict[str, Any], settings: ServiceSettings) -> tuple[_Runtime, PeerProgram]:
    """Return the runtime and the program of a request.

    Raises:
        Problem: in the peer's words, for a request that it would refuse too.
    """
    language, version, files = (body.get(name) for name in ("language", "version", "files"))
    for name, value in (("language", language), ("version", version)):
        if not isinstance(value, str) or not value:
            raise body_invalid(f"{name} is required as a string")
    if not isinstance(files, list):
        raise body_invalid("files is required as an array")
    contents = [_content(index, file) for index, file in enumerate(files)]
    runtime = next(
        (
            each
            for each in _runtimes()
            if language in each.names and version_in(each.version, str(version))
        ),
        None,
    )
    if runtime is None:
        raise body_invalid(f"{str(language)[:100]}-{str(version)[:100]} runtime is unknown")
    if not any(file.get("encoding") in (None, "", "utf8") for file in files):
        raise body_invalid("files must include at least one utf8 encoded file")
    args = body.get("args") or []
    stdin = body.get("stdin") or ""
    if not isinstance(args, list) or not isinstance(stdin, str):
        raise body_invalid("args is required as an array, stdin as a string")
    try:
        toolchain = find_toolchain(runtime.row.name)
    except LanguageError as error:
        raise body_invalid(str(error)) from error
    own = toolchain.compile_limits
    program = PeerProgram(
        toolchain,
        contents[0],
        stdin=stdin.encode("utf-8", "surrogatepass"),
        args=tuple(map(str, args)),
        files={
            safe_path(file.get("name") or f"file{index}.code"): content
            for index, (file, content) in enumerate(zip(files, contents, strict=True))
            if index
        },
        limits=_limits(body, settings, "run", Limits()),
        compile_limits=_limits(body, settings, "compile", own),
    )
    program.check(settings)
    return runtime, program


def _content(index: int, file: Any) -> bytes:
    content = file.get("content") if isinstance(file, dict) else None
    if not isinstance(content, str):
        raise body_invalid(f"files[{index}].content is required as a string")
    name, encoding = file.get("name"), file.get("encoding")
    if name is not None and not isinstance(name, str):
        raise body_invalid(f"files[{index}].name must be a string")
    if encoding == "base64":
        return decoded_base64(content, f"files[{index}].content")
    if encoding == "hex":
        try:
            return binascii.unhexlify(content)
        except ValueError as error:
            raise body_invalid(f"files[{index}].content is not hex: {error}") from error
    if encoding not in (None, "", "utf8"):
        raise body_invalid(f"files[{index}].encoding must be utf8, base64 or hex")
    return content.encode("utf-8", "surrogatepass")


def _limits(body: dict[str, Any], settings: ServiceSettings, stage: str, own: Limits) -> Limits:
    most_ms = settings.max_time_s * 1_000
    wall_ms = _limit(body, f"{stage}_timeout", most_ms) or _DEFAULTS_MS[stage]
    cpu_ms = _limit(body, f"{stage}_cpu_time", most_ms) or wall_ms
    memory = _limit(body, f"{stage}_memory_limit", settings.max_memory_mib << 20)
    memory_mib = mebibytes(memory) if memory else settings.max_memory_mib
    return own.replace(
        cpu_ms=max(1, round(cpu_ms)), wall_ms=max(1, round(wall_ms)), memory_mib=memory_mib
    )


def _limit(body: dict[str, Any], name: str, most: float) -> float:
    """Return a limit; 0 if there is none. Clients send -1 for no memory limit."""
    value = body.get(name)
    if not value or (value == -1 and name.endswith("memory_limit")):
        return 0
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise body_invalid(f"If specified, {name} must be a number")
    if value > most:
        raise body_invalid(f"{name} cannot exceed the configured limit of {most:g}")
    if value < 0:
        raise body_invalid(f"{name} must be non-negative")
    return value


def _compile_stage(ran: Ran, compiled: CompileResult) -> dict[str, Any]:
    late = ran.compile_stop.out_of_time
    failed = late or not compiled.ok
    text = ran.compile_output
    return {
        "stdout": "",
        "stderr": text,
        "output": text,
        "code": None if late else int(failed),
        "signal": "SIGKILL" if late else None,
        "memory": None,
        "message": "Time limit exceeded (wall clock)" if late else None,
        "status": "TO" if late else "RE" if failed else None,
        "cpu_time": None,
        "wall_time": round(compiled.wall_ms),
    }


def _stage(done: Execution, limits: Limits) -> dict[str, Any]:
    stdout, stderr = (each.decode("utf-8", "replace") for each in (done.stdout, done.stderr))
    status, message = _status(done)
    ended = done.stop is StopReason.EXITED
    number = done.signal if done.stop is StopReason.SIGNALED else signal.SIGKILL
    return {
        "stdout": stdout,
        "stderr": stderr,
        "output": stdout + stderr,
        "code": done.exit_code if ended else None,
        "signal": None if ended else _signal_name(number),
        "memory": round(done.memory_mib * (1 << 20)),
        "message": message,
        "status": status,
        "cpu_time": round(done.cpu_ms),
        "wall_time": round(min(done.wall_ms, limits.wall_ms)),
    }


def _status(done: Execution) -> tuple[str | None, str | None]:
    if done.stop is StopReason.OUTPUT_LIMIT:
        over = "OL" if done.stdout_truncated else "EL"
        return over, "stdout length exceeded" if over == "OL" else "stderr length exceeded"
    if done.stop is StopReason.EXITED:
        return "RE" if done.exit_code else None, words_of_end(done)
    return "TO" if done.stop.out_of_time else "SG", words_of_end(done)


def _signal_name(number: int | None) -> str:
    try:
        return signal.Signals(number or 0).name
    except ValueError:
        return f"SIG{number}"
