"""Share between the endpoints of all peers: callers, bodies, the form of errors, and runs in cells.

It knows no peer: each peer's module translates its own messages to a `PeerProgram` and back.
"""

import base64
import binascii
import dataclasses
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from signal import Signals
from typing import Any, TypeVar

from fastapi import APIRouter, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import BaseModel, ValidationError

from steelyard.errors import SteelyardError, ToolchainError
from steelyard.sandbox import CellPool
from steelyard.schemas import CompileResult, Execution, Limits, StopReason
from steelyard.service._auth import Caller, allow, caller_with
from steelyard.service._body import read_json
from steelyard.service._bounds import check_limits, check_source
from steelyard.service._error_responses import Problem, invalid, problem_of
from steelyard.settings import ServiceSettings
from steelyard.toolchains import Compilation, CompileCache, Toolchain

_MIB = 1 << 20
_LONGEST_PATH = 300

M = TypeVar("M", bound=BaseModel)
T = TypeVar("T")
Refuse = Callable[[Request, Problem], Response]


class Malformed(Problem):
    """A body that does not fit its schema.

    Args:
        errors: What Pydantic found.
    """

    def __init__(self, errors: list[Any]) -> None:
        problem = invalid(errors)
        super().__init__(problem.status_code, problem.code, problem.title, str(problem.detail))
        self.errors = errors


def peer_router(peer: str, refuse: Refuse) -> APIRouter:
    """Return a router whose errors have the form of a peer.

    Args:
        peer: The peer's name.
        refuse: Returns the peer's own response for a problem.
    """

    class PeerRoute(APIRoute):
        def get_route_handler(self) -> Callable[[Request], Awaitable[Response]]:  # type: ignore[override]
            """Return the handler, whose failures the peer's clients understand."""
            handle = super().get_route_handler()

            async def answered(request: Request) -> Response:
                try:
                    response: Response = await handle(request)
                except Problem as problem:
                    return refuse(request, problem)
                except RequestValidationError as error:
                    return refuse(request, Malformed(list(error.errors())))
                except SteelyardError as error:
                    return refuse(request, problem_of(error))
                return response

            return answered

    # Their OpenAPI is their own, and so are their statuses.
    return APIRouter(tags=[peer], route_class=PeerRoute, include_in_schema=False)


async def read_body(request: Request, model: type[M]) -> M:
    """Return the body of a request, whatever its media type.

    Raises:
        Problem: if it is not JSON, or does not fit the model.
    """
    return valid(model, await read_json(await request.body()))


def valid(model: type[M], value: Any) -> M:
    """Return a value as a model.

    Raises:
        Malformed: if it does not fit.
    """
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise Malformed(list(error.errors(include_url=False))) from error


def bad_request(detail: str) -> Problem:
    """Return the problem of a request that is malformed."""
    return Problem(400, "bad-request", "The request is malformed", detail)


def body_invalid(detail: str) -> Problem:
    """Return the problem of a body that does not fit its schema."""
    return Problem(422, "body-invalid", "The request does not fit its schema", detail)


async def _peer_caller(request: Request) -> Caller:
    """Return who makes a request; peers' clients send tokens in more ways than one."""
    return await caller_with(request, _token_of(request))


def _token_of(request: Request) -> str | None:
    """Return the token in `Authorization` or `X-Auth-Token`; None if there is none.

    `Authorization` may be `Bearer TOKEN`, `Basic` with the token as the password or the user's
    name, as clients send it for `http://me:TOKEN@HOST/`, or the token alone.
    """
    given = request.headers.get("authorization", "")
    if not given:
        return request.headers.get("x-auth-token")
    kind, _, rest = given.partition(" ")
    if kind.lower() == "basic":
        try:
            name, _, password = base64.b64decode(rest, validate=True).decode().partition(":")
        except (binascii.Error, ValueError):
            return ""
        return password or name
    return rest.strip() or kind


allow_peer = allow("judge", identify=_peer_caller)
"""A dependency that gives the caller of a peer's endpoint."""


@dataclass(frozen=True)
class PeerProgram:
    """A program to compile and run once."""

    toolchain: Toolchain
    source: bytes
    stdin: bytes = b""
    args: tuple[str, ...] = ()
    files: Mapping[str, bytes] = field(default_factory=dict)
    """Files of the work folder, when it is compiled and when it runs."""
    collect: tuple[str, ...] = ()
    """Files of the work folder to bring back after the run."""
    limits: Limits = field(default_factory=Limits)
    compile_limits: Limits | None = None
    """None is the language's own."""

    def check(self, settings: ServiceSettings) -> None:
        """Refuse what this service does not run.

        Raises:
            Problem: 422 for a program or limits beyond the service's, or files that cannot be.
        """
        check_source(self.source.decode("utf-8", "replace"), settings)
        check_limits(self.limits, settings)
        if self.compile_limits is not None:
            given = self.compile_limits
            check_limits(Limits(cpu_ms=given.cpu_ms, memory_mib=given.memory_mib), settings)
        source = self.toolchain.row.source
        if source in self.files:
            raise _taken(source)
        check_names({*self.files, source})


@dataclass(frozen=True)
class Ran:
    """The results of a compile and a run."""

    compiled: CompileResult | None
    """None if the language has no compiler: a wrong source is a run that fails."""
    compile_stop: StopReason
    execution: Execution | None
    """None if it did not compile."""

    @property
    def compile_output(self) -> str:
        """The compiler's messages, one a line."""
        if self.compiled is None:
            return ""
        found = (*self.compiled.errors, *self.compiled.warnings)
        return "".join(f"{each}\n" for each in found)


def build(pool: CellPool, program: PeerProgram) -> Compilation:
    """Compile a program, or take it from the compile cache.

    Raises:
        InfrastructureError: if the machine failed.
        CommandError: if a file's name is not a path in the work folder.
    """
    return program.toolchain.compile(
        program.source,
        pool,
        limits=program.compile_limits,
        cache=CompileCache(),
        files=program.files,
    )


def run(pool: CellPool, program: PeerProgram, built: Compilation) -> Ran:
    """Run a program once, if it compiled.

    Raises:
        InfrastructureError: if the machine failed.
        CommandError: if a file's name is not a path in the work folder.
    """
    toolchain = program.toolchain
    compiled = built.result if toolchain.builds else None
    if built.artifact is None:
        failed = None if toolchain.builds else _failed_start(built.result, pool)
        return Ran(compiled, built.stop, failed)
    command = built.artifact.command(
        stdin=program.stdin, limits=toolchain.run_limits(program.limits), args=program.args
    )
    files = {**program.files, **command.files}
    execution = pool.run(dataclasses.replace(command, files=files, collect=program.collect))
    if execution.stop is StopReason.NOT_STARTED and command.executable is None:
        raise ToolchainError(f"{execution.message}; reinstall {toolchain.version}")
    return Ran(compiled, built.stop, execution)


def build_and_run(pool: CellPool, program: PeerProgram) -> Ran:
    """Compile a program and run it once; as `build` and `run`."""
    return run(pool, program, build(pool, program))


def words_of_end(done: Execution) -> str | None:
    """Return how a run ended, in the words of Judge0 and Piston; None if it exited with 0."""
    match done.stop:
        case StopReason.EXITED:
            return f"Exited with error status {done.exit_code}" if done.exit_code else None
        case StopReason.CPU_LIMIT:
            return "Time limit exceeded"
        case StopReason.WALL_LIMIT:
            return "Time limit exceeded (wall clock)"
        case StopReason.MEMORY_LIMIT:
            return "Memory limit exceeded"
        case StopReason.OUTPUT_LIMIT:
            return f"Caught fatal signal {Signals.SIGXFSZ.value}"
        case StopReason.NOT_STARTED:
            return done.message or None
        case _:
            return f"Caught fatal signal {done.signal or 0}"


def milliseconds(seconds: float) -> int:
    """Return a time limit in whole milliseconds, at least 1."""
    return max(1, round(min(seconds, 86_400.0) * 1_000))


def mebibytes(size: float) -> int:
    """Return a limit in bytes as whole MiB, rounded up, at least 1."""
    return max(1, -int(-min(size, float(1 << 40)) // _MIB))


def safe_path(name: str) -> str:
    """Return the path of a file in the work folder, without `./`.

    Raises:
        Problem: 422 if it leads out of the folder, or is not a name that a file can have.
    """
    parts = PurePosixPath(name).parts
    long = any(len(part.encode("utf-8", "replace")) > 255 for part in parts)
    wrong = name.startswith("/") or ".." in parts or not parts or long or len(name) > _LONGEST_PATH
    if wrong or not name.isprintable() or name.endswith("/"):
        raise Problem(
            422,
            "path-invalid",
            "A path of a file is not valid",
            f"the path {name[:100]!r} is not inside the work folder; give a relative path",
        )
    return "/".join(parts)


def check_names(names: Collection[str]) -> None:
    """Refuse files of one folder that cannot all be made.

    Args:
        names: Paths as `safe_path` returns them.

    Raises:
        Problem: 422 if a file is the folder of another one.
    """
    for name in names:
        if any(str(each) in names for each in PurePosixPath(name).parents):
            raise _taken(name)


def _taken(name: str) -> Problem:
    return Problem(
        422,
        "path-invalid",
        "A path of a file is not valid",
        f"the file {name[:100]!r} has the name of the program or another file; rename it",
    )


def decoded_base64(text: str, what: str) -> bytes:
    """Return the bytes of a text in base64, whose lines may be broken.

    Raises:
        Problem: 422 if it is not base64.
    """
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise Problem(
            422, "not-base64", "A text is not base64", f"{what} is not base64: {error}; encode it"
        ) from error


def _failed_start(result: CompileResult, pool: CellPool) -> Execution:
    """Return the run of an interpreter that refuses a source."""
    text = "".join(f"{each}\n" for each in result.errors)
    return Execution(
        stop=StopReason.EXITED,
        exit_code=1,
        signal=None,
        cpu_ms=0.0,
        wall_ms=result.wall_ms,
        memory_mib=0.0,
        max_rss_mib=0.0,
        stdout=b"",
        stderr=text.encode("utf-8", "replace"),
        isolation=pool.isolation,
    )
