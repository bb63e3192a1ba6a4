"""Evaluate a submission as SandboxFusion and ScaleBox do, with this library's judge."""

import dataclasses
import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from steelyard.errors import CheckerError, UsageError
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
    Limits,
    StopReason,
    Task,
    TestCase,
    Verdict,
)
from steelyard.service._state import Services
from steelyard.service._work import Stop
from steelyard.service.compat._fusion_messages import run_code_response
from steelyard.service.compat._programs import Program, Ran, build
from steelyard.toolchains import Compilation, Toolchain

_SHOWN_CHARS = 1_000


@dataclass(frozen=True)
class SpecialJudge:
    """A checker program: it reads `stdin.txt`, `stdout.txt` (expected) and `answer.txt`.

    It is asked about outputs that differ from the expected one, and ends with status 0 for a right
    answer and 1 for a wrong one.
    """

    toolchain: Toolchain
    built: Compilation
    limits: Limits
    pool: CellPool

    def accepts(self, output: bytes, case: TestCase) -> bool:
        """Run the program on one output.

        Raises:
            CheckerError: if the program itself failed.
        """
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
        return done.exit_code == 0


@dataclass(frozen=True)
class _Second(Checker):
    """Asks a special judge about outputs that another checker rejects."""

    first: Checker
    special: SpecialJudge

    def check(self, case: TestCase, output: bytes) -> Outcome:
        found = self.first.check(case, output)
        accepted = found.passed or self.special.accepts(output, case)
        return Outcome(True) if accepted else found


def special_judge(
    pool: CellPool, toolchain: Toolchain, source: str, limits: Limits
) -> SpecialJudge:
    """Return a special judge, compiled.

    Raises:
        UsageError: if it does not compile.
    """
    built = build(pool, Program(toolchain, source.encode("utf-8", "surrogatepass")))
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
    program: Program,
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
        judge = dataclasses.replace(judge, checker=_Second(judge.checker, special))
    several = services.gate.working > 1
    try:
        result = judge.judge(program.source, workers=1 if several else None, stopped=stop)
    except StoppedError:
        raise stop.problem() from None
    services.metrics.count_verdicts(result)
    run_cases = list(itertools.takewhile(_was_run, result.cases))
    if not result.compile.ok:  # the peer finds it out with each case that it runs
        run_cases = list(result.cases) if to_the_end else [result.cases[0]]
    return [
        {"passed": case.verdict is Verdict.AC, "exec_info": ran, "test_info": info}
        for case, info in zip(run_cases, infos, strict=False)
        for ran in [_ran(case, result.compile, program.toolchain, printed=task.entry == "stdio")]
    ]


def _was_run(case: CaseResult) -> bool:
    return case.verdict is not Verdict.SK


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
