"""Evaluate a submission as SandboxFusion and ScaleBox do, with this library's judge."""

import dataclasses
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from steelyard.errors import CheckerError, UsageError
from steelyard.judging import (
    Judges,
    RunningOptions,
    as_entry,
    checker_for,
    loaded,
)
from steelyard.sandbox import CellPool, StoppedError, settle_on_cell_cores
from steelyard.schemas import (
    CaseResult,
    Limits,
    StopReason,
    Task,
    TestCase,
    Verdict,
    VerifyResult,
)
from steelyard.service._state import Services
from steelyard.service._work import Stop
from steelyard.service.compat._fusion_messages import run_code_response
from steelyard.service.compat._programs import Program, Ran, build, run
from steelyard.toolchains import Compilation, Toolchain

__all__ = [
    "SpecialJudge", "StdioCase", "graded_calls", "graded_outputs", "same_lines", "special_judge",
]  # fmt: skip

_SAME_NUMBER = checker_for("float_tokens", abs_tol=1e-15, rel_tol=1e-5)
_SHOWN_CHARS = 1_000


@dataclass(frozen=True)
class StdioCase:
    """An input, and the output that is expected for it."""

    stdin: str
    stdout: str

    @property
    def info(self) -> dict[str, Any]:
        """The case as a result shows it."""
        return {
            "input": {"stdin": self.stdin[:_SHOWN_CHARS]},
            "output": {"stdout": self.stdout[:_SHOWN_CHARS]},
        }


@dataclass(frozen=True)
class SpecialJudge:
    """A checker program: it reads `stdin.txt`, `stdout.txt` (expected) and `answer.txt`.

    It ends with status 0 for a right answer and 1 for a wrong one.
    """

    toolchain: Toolchain
    built: Compilation
    limits: Limits
    pool: CellPool

    def accepts(self, output: bytes, case: StdioCase) -> bool:
        """Run the program on one output.

        Raises:
            CheckerError: if the program itself failed.
        """
        assert self.built.artifact is not None
        limits = self.toolchain.run_limits(self.limits)
        command = self.built.artifact.checker_command(stdin=b"", limits=limits, args=())
        given = {
            "stdin.txt": case.stdin.encode("utf-8", "surrogatepass"),
            "stdout.txt": case.stdout.encode("utf-8", "surrogatepass"),
            "answer.txt": output,
        }
        done = self.pool.run(dataclasses.replace(command, files={**given, **command.files}))
        if done.stop is not StopReason.EXITED or done.exit_code not in (0, 1):
            raise CheckerError(
                f"the special judge failed ({done.stop}, {done.exit_code or done.signal}); "
                "it must end with status 0 or 1"
            )
        return done.exit_code == 0


def graded_outputs(
    services: Services,
    stop: Stop,
    program: Program,
    cases: Sequence[StdioCase],
    *,
    to_the_end: bool,
    special: SpecialJudge | None = None,
) -> list[dict[str, Any]]:
    """Run a program on each case and compare what it prints, up to the first failure or the end.

    Raises:
        Problem: if it was stopped.
        InfrastructureError: if the machine failed.
    """
    built = build(services.pool, program)

    def graded(case: StdioCase) -> dict[str, Any]:
        if stop():
            raise stop.problem()
        stdin = case.stdin.encode("utf-8", "surrogatepass")
        ran = run(services.pool, dataclasses.replace(program, stdin=stdin), built)
        passed = _ended_well(ran) and _is_right(ran, case, special)
        return {"passed": passed, "exec_info": run_code_response(ran), "test_info": case.info}

    several = services.gate.working > 1
    done: list[dict[str, Any]] = []
    for result in _mapped(graded, cases, 1 if several else services.pool.size):
        done.append(result)
        if not result["passed"] and not to_the_end:
            break
    return done


def graded_calls(
    services: Services,
    stop: Stop,
    program: Program,
    entry: str,
    tests: list[dict[str, Any]],
    infos: Sequence[dict[str, Any] | None],
    *,
    to_the_end: bool,
) -> list[dict[str, Any]]:
    """Call a Python program's function for each test, up to the first failure or to the end.

    Args:
        services: Of the application.
        stop: Stops the work.
        program: The program; its standard input and files are not used.
        entry: The entry, as `judge` takes it.
        tests: Cases as in a JSON file of tests.
        infos: What a result shows of each case.
        to_the_end: Run the cases after a failure too.

    Raises:
        Problem: if it was stopped.
        UsageError: if the tests do not fit the entry.
        InfrastructureError: if the machine failed.
    """
    called = as_entry(entry).kind != "asserts"
    task = Task(id="tests", prompt="", entry=entry, tests=tuple(tests), sequences_alike=called)
    compiling = program.compile_limits or program.toolchain.compile_limits
    options = RunningOptions(
        pool=services.pool, limits=program.limits, fail_fast=not to_the_end,
        compile_timeout_s=compiling.cpu_ms / 1_000,
    )  # fmt: skip
    judge = Judges(options, cache=services.cache).of(loaded(task), program.toolchain.language)
    several = services.gate.working > 1
    try:
        result = judge.judge(program.source, workers=1 if several else None, stopped=stop)
    except StoppedError:
        raise stop.problem() from None
    services.metrics.count_verdicts(result)
    run_cases = list(itertools.takewhile(lambda case: _was_run(case, result), result.cases))
    return [
        _of_case(case, result, info) for case, info in zip(run_cases, infos, strict=False)
    ]  # fmt: skip


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


def _ended_well(ran: Ran) -> bool:
    done = ran.execution
    return done is not None and done.stop is StopReason.EXITED and done.exit_code == 0


def _is_right(ran: Ran, case: StdioCase, special: SpecialJudge | None) -> bool:
    assert ran.execution is not None
    output = ran.execution.stdout
    if same_lines(output.decode("utf-8", "replace"), case.stdout):
        return True
    return special is not None and special.accepts(output, case)


def same_lines(output: str, expected: str) -> bool:
    """Return True if the lines are equal but for case, white space around them, and rounding.

    Source: `check_stdio_test_case` of SandboxFusion. As there, numbers may differ by 1e-5 of the
    expected one if they fill their lines.
    """
    got, wanted = output.strip().split("\n"), expected.strip().split("\n")
    return len(got) == len(wanted) and all(map(_same_line, got, wanted))


def _same_line(got: str, wanted: str) -> bool:
    one, other = got.lower().strip(), wanted.lower().strip()
    if one == other:
        return True
    if len(one.split()) != 1 or len(other.split()) != 1:
        return False
    case = TestCase(expected=other.encode("utf-8", "replace"))
    return _SAME_NUMBER.check(case, one.encode("utf-8", "replace")).passed


def _mapped(
    work: Callable[[StdioCase], dict[str, Any]], cases: Iterable[StdioCase], workers: int
) -> Iterator[dict[str, Any]]:
    """Yield the results in order; a few cases more may be run than are asked for."""
    if workers == 1:
        yield from map(work, cases)
        return
    left = iter(cases)
    with ThreadPoolExecutor(workers, "steelyard-case", settle_on_cell_cores) as threads:
        while some := list(itertools.islice(left, workers)):
            yield from threads.map(work, some)


def _was_run(case: CaseResult, result: VerifyResult) -> bool:
    return case.verdict is not Verdict.SK or not result.compile.ok


def _of_case(case: CaseResult, result: VerifyResult, info: dict[str, Any] | None) -> dict[str, Any]:
    late = case.verdict is Verdict.TLE
    passed = case.verdict is Verdict.AC
    failed_start = not result.compile.ok
    stderr = "".join(f"{each}\n" for each in result.compile.errors) if failed_start else case.stderr
    return {
        "passed": passed,
        "exec_info": {
            "status": "Success" if passed else "Failed",
            "message": "",
            "compile_result": None,
            "run_result": {
                "status": "TimeLimitExceeded" if late else "Finished",
                "execution_time": (case.wall_ms or 0) / 1_000,
                "cpu_time": (case.cpu_ms or 0) / 1_000,
                "return_code": None if late else int(not passed),
                "stdout": case.stdout,
                "stderr": stderr or ("" if passed else case.message),
            },
            "executor_pod_name": None,
            "files": {},
        },
        "test_info": info,
    }
