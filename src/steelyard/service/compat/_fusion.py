"""Read, judge and answer submissions as SandboxFusion and its fork ScaleBox do.

Source: https://github.com/bytedance/SandboxFusion, its client 0.3.7.
"""

import base64
import dataclasses
import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field

from steelyard.errors import CheckerError, LanguageError, UsageError
from steelyard.judging import (
    FORMS,
    Checker,
    Judges,
    Outcome,
    RunningOptions,
    Source,
    as_entry,
    loaded,
)
from steelyard.sandbox import CellPool, StoppedError
from steelyard.schemas import (
    CaseResult,
    CompileResult,
    Execution,
    Limits,
    StopReason,
    Task,
    TestCase,
    Verdict,
)
from steelyard.service._error_responses import Problem
from steelyard.service._running import Stop
from steelyard.service._state import Services
from steelyard.service.compat._peers import (
    Malformed,
    PeerProgram,
    Ran,
    build,
    decoded_base64,
    milliseconds,
    safe_path,
)
from steelyard.settings import ServiceSettings
from steelyard.toolchains import (
    Compilation,
    Toolchain,
    find_toolchain,
    language_called,
    language_names,
)

_Objects = Annotated[list[dict[str, Any]], Field(fail_fast=True)]
_SIGKILL = 9
_NOT_EXECUTABLE = 126

_SHOWN_CHARS = 1_000


@dataclass(frozen=True)
class SpecialJudge(Checker):
    """A checker program: it reads `stdin.txt`, `stdout.txt` (expected) and `answer.txt`.

    It is asked about outputs that another checker rejects, and ends with status 0 for a right
    answer and 1 for a wrong one.
    """

    toolchain: Toolchain
    built: Compilation
    limits: Limits
    pool: CellPool
    first: Checker | None = None
    """The other checker."""

    def check(self, case: TestCase, output: bytes) -> Outcome:
        """Run the program on an output that the other checker rejects.

        Raises:
            CheckerError: if the program itself failed.
        """
        found = self.first.check(case, output) if self.first else Outcome(False)
        if found.passed:
            return found
        assert self.built.artifact is not None
        limits = self.toolchain.run_limits(self.limits)
        command = self.built.artifact.checker_command(stdin=b"", limits=limits, args=())
        given = {"stdin.txt": case.input, "stdout.txt": case.expected, "answer.txt": output}
        done = self.pool.run(dataclasses.replace(command, files={**given, **command.files}))
        if done.stop is not StopReason.EXITED or done.exit_code not in (0, 1):
            raise CheckerError(
                f"the special judge failed ({done.stop}, {done.exit_code or done.signal}); "
                "it must end with status 0 or 1"
            )
        return found if done.exit_code else Outcome(True)


def special_judge(
    pool: CellPool, toolchain: Toolchain, source: str, limits: Limits
) -> SpecialJudge:
    """Return a special judge, compiled.

    Raises:
        UsageError: if it does not compile.
    """
    built = build(pool, PeerProgram(toolchain, source.encode("utf-8", "surrogatepass")))
    if built.artifact is None:
        first = next(iter(built.result.errors), "the compiler printed nothing")
        raise UsageError(f"the special judge does not compile: {first}; correct this line")
    return SpecialJudge(toolchain, built, limits, pool)


def printed(pairs: Sequence[tuple[str, str]]) -> Task:
    """Return the task of inputs and outputs, in the form of imported rows of SandboxFusion."""
    tests = [{"input": stdin, "output": stdout} for stdin, stdout in pairs]
    return Task(id="tests", prompt="", **FORMS["sandboxfusion"].fields(Source(tests)))


def called(entry: str, tests: Sequence[dict[str, Any]]) -> Task:
    """Return the task of calls or assertions, as in a JSON file of tests."""
    calls = as_entry(entry).kind != "asserts"
    return Task(id="tests", prompt="", entry=entry, tests=tuple(tests), sequences_alike=calls)


def shown(stdin: str, stdout: str) -> dict[str, Any]:
    """Return an input and its output as a result shows them."""
    return {
        "input": {"stdin": stdin[:_SHOWN_CHARS]},
        "output": {"stdout": stdout[:_SHOWN_CHARS]},
    }


def graded(
    services: Services,
    stop: Stop,
    program: PeerProgram,
    task: Task,
    infos: Sequence[dict[str, Any] | None],
    *,
    to_the_end: bool,
    special: SpecialJudge | None = None,
) -> list[dict[str, Any]]:
    """Judge a program by a task's tests, up to the first failure or to the end.

    Args:
        services: Of the application.
        stop: Stops the work.
        program: The program; its standard input and files are not used.
        task: `printed` or `called`.
        infos: What a result shows of each case.
        to_the_end: Run the cases after a failure too.
        special: Asked about outputs that differ.

    Raises:
        Problem: if it was stopped.
        UsageError: if the tests do not fit the entry.
        InfrastructureError: if the machine failed.
    """
    compiling = program.compile_limits or program.toolchain.compile_limits
    options = RunningOptions(
        pool=services.pool,
        limits=program.limits,
        fail_fast=not to_the_end,
        compile_timeout_s=compiling.cpu_ms / 1_000,
    )
    judge = Judges(options, cache=services.cache).of(loaded(task), program.toolchain.language)
    if special is not None:
        judge = dataclasses.replace(
            judge, checker=dataclasses.replace(special, first=judge.checker)
        )
    several = services.gate.working > 1
    try:
        result = judge.judge(program.source, workers=1 if several else None, stopped=stop)
    except StoppedError:
        raise stop.problem() from None
    services.metrics.count_verdicts(result)
    run_cases = list(itertools.takewhile(lambda case: case.verdict is not Verdict.SK, result.cases))
    if not result.compile.ok:  # the peer finds it out with each case that it runs
        run_cases = list(result.cases) if to_the_end else [result.cases[0]]
    return [
        {"passed": case.verdict is Verdict.AC, "exec_info": ran, "test_info": info}
        for case, info in zip(run_cases, infos, strict=False)
        for ran in [_ran(case, result.compile, program.toolchain, printed=task.entry == "stdio")]
    ]


def _ran(
    case: CaseResult, compiled: CompileResult, toolchain: Toolchain, *, printed: bool
) -> dict[str, Any]:
    """Return what a case did, in the words of the peer, whose calls and assertions end with 1."""
    builds, passed = toolchain.builds, case.verdict is Verdict.AC
    response = run_code_response(Ran(compiled if builds else None, StopReason.EXITED, None))
    if builds and not compiled.ok:
        return response
    late = case.verdict is Verdict.TLE
    code = (case.exit_code if case.signal is None else -case.signal) if printed else None
    errors = "".join(f"{each}\n" for each in compiled.errors)
    response["run_result"] = {
        "status": "TimeLimitExceeded" if late else "Finished",
        "execution_time": case.wall_ms / 1_000,
        "cpu_time": case.cpu_ms / 1_000,
        "return_code": None if late else int(not passed) if code is None else code,
        "stdout": case.stdout,
        "stderr": errors or case.stderr or ("" if passed else case.message),
    }
    response["status"] = "Success" if response["run_result"]["return_code"] == 0 else "Failed"
    return response


class RunCodeRequest(BaseModel):
    """A program to run."""

    code: str
    language: str
    compile_timeout: float = 10
    run_timeout: float = 10
    memory_limit_MB: int = -1  # noqa: N815  (the peer's name)
    stdin: str | None = None
    files: dict[str, str | None] = Field(default={}, max_length=200)
    fetch_files: list[str] = Field(default=[], max_length=32)
    args: list[str] = Field(default=[], max_length=1_000)


class TestConfig(BaseModel):
    """The options of an evaluation."""

    __test__ = False

    dataset_type: str | None = None
    language: str | None = None
    compile_timeout: float | None = None
    run_timeout: float | None = None
    custom_extract_logic: str | None = None
    provided_data: dict[str, Any] | _Objects | None = None
    extra: dict[str, Any] = {}


class SubmitRequest(BaseModel):
    """A model's reply, and what it is evaluated with."""

    dataset: str = ""
    id: int | str = 0
    completion: str
    config: TestConfig


def toolchain_for(language: str) -> Toolchain:
    """Return the toolchain of one of the peer's languages.

    Raises:
        LanguageError: if it is not offered, or its compiler is not installed.
    """
    name = language_called(language)
    if name is None:
        raise LanguageError(
            f"the language {language[:40]!r} is not offered; use one of "
            f"{', '.join(language_names())}"
        )
    return find_toolchain(name)


def limits_of(settings: ServiceSettings, *, seconds: float, memory_mb: int = -1) -> Limits:
    """Return the limits of a run; a memory limit below 1 is the service's own."""
    cpu_ms = milliseconds(max(seconds, 0.001))
    return Limits(cpu_ms=cpu_ms, memory_mib=memory_mb if memory_mb > 0 else settings.max_memory_mib)


def program_of(body: RunCodeRequest, settings: ServiceSettings) -> PeerProgram:
    """Return the program of a request.

    Raises:
        Problem: 422 for what this service does not run.
        LanguageError: if the language is not offered.
    """
    toolchain = toolchain_for(body.language)
    files = {
        safe_path(name): decoded_base64(content, f"the file {name[:100]!r}")
        for name, content in body.files.items()
        if content is not None
    }
    program = PeerProgram(
        toolchain,
        body.code.encode("utf-8", "surrogatepass"),
        stdin=(body.stdin or "").encode("utf-8", "surrogatepass"),
        args=tuple(body.args),
        files=files,
        collect=tuple(safe_path(name) for name in body.fetch_files),
        limits=limits_of(settings, seconds=body.run_timeout, memory_mb=body.memory_limit_MB),
        compile_limits=compile_limits(toolchain, body.compile_timeout),
    )
    program.check(settings)
    return program


def compile_limits(toolchain: Toolchain, seconds: float) -> Limits:
    """Return the limits of a compile that may take some time."""
    return toolchain.compile_limits.replace(cpu_ms=milliseconds(max(seconds, 0.001)))


def run_code_response(ran: Ran) -> dict[str, Any]:
    """Return what a compile and a run did, in the words of the peer."""
    compiled = None
    if ran.compiled is not None:
        late = ran.compile_stop.out_of_time
        compiled = {
            "status": "TimeLimitExceeded" if late else "Finished",
            "execution_time": ran.compiled.wall_ms / 1_000,
            "return_code": None if late else int(not ran.compiled.ok),
            "stdout": "",
            "stderr": ran.compile_output,
        }
    done = None if ran.execution is None else command_result(ran.execution)
    stages = [stage for stage in (compiled, done) if stage is not None]
    good = all(each["return_code"] == 0 for each in stages)
    files = {} if ran.execution is None else ran.execution.files
    return {
        "status": "Success" if good else "Failed",
        "message": "",
        "compile_result": compiled,
        "run_result": done,
        "executor_pod_name": None,
        "files": {name: base64.b64encode(content).decode() for name, content in files.items()},
    }


def command_result(execution: Execution) -> dict[str, Any]:
    """Return what a run did, in the words of the peer."""
    late = execution.stop.out_of_time
    return {
        "status": "TimeLimitExceeded" if late else "Finished",
        "execution_time": execution.wall_ms / 1_000,
        "cpu_time": execution.cpu_ms / 1_000,
        "return_code": None if late else _return_code(execution),
        "stdout": _text(execution.stdout),
        "stderr": _text(execution.stderr) or execution.message,
    }


def eval_result(body: SubmitRequest, code: str, tests: list[dict[str, Any]]) -> JSONResponse:
    """Return the evaluation of a submission with at least one test."""
    return JSONResponse(
        {
            "id": body.id,
            "accepted": bool(tests) and all(test["passed"] for test in tests),
            "extracted_code": code,
            "full_code": None,
            "test_code": None,
            "tests": tests,
            "extracted_type": None,
            "extra": None,
        }
    )


def refuse(request: Request, problem: Problem) -> JSONResponse:
    """Return a problem in the words of the peer.

    A failure of the machine is a `SandboxError` of a run and status 500 of a submission; clients
    try both again. A full queue is 504, the one status that verl tries again.
    """
    detail = str(problem.detail)
    if isinstance(problem, Malformed):
        faults = [
            {"type": each["type"], "loc": ["body", *each["loc"]], "msg": each["msg"]}
            for each in problem.errors
        ]
        return JSONResponse({"detail": faults}, 422)
    if problem.status_code == 400:
        fault = {"type": "json_invalid", "loc": ["body", 0], "msg": detail}
        return JSONResponse({"detail": [fault]}, 422)
    if problem.status_code in (500, 503):
        if request.url.path.endswith("/run_code"):
            return JSONResponse(
                {
                    "status": "SandboxError",
                    "message": detail,
                    "compile_result": None,
                    "run_result": None,
                    "executor_pod_name": None,
                    "files": {},
                }
            )
        return JSONResponse({"detail": detail}, 500)
    status = {422: 400, 429: 504}.get(problem.status_code, problem.status_code)
    return JSONResponse({"detail": detail}, status, headers=problem.headers)


def _return_code(execution: Execution) -> int:
    if execution.exit_code is not None and execution.stop is StopReason.EXITED:
        return execution.exit_code
    if execution.stop is StopReason.NOT_STARTED:
        return _NOT_EXECUTABLE
    return -(execution.signal or _SIGKILL)


def _text(output: bytes) -> str:
    try:
        return output.decode()
    except UnicodeDecodeError as error:
        return f"[DecodeError] {error}"  # the peer's own words
