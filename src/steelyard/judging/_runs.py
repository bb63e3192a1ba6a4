"""Run one case by its entry, and turn the run into the case's verdict.

1. The run alone decides if it did not end well: at a limit, by a signal, or with a status.
2. Else the checker decides on the output, or on the outcome of a call.
3. Assertions run in a cell of their own, next to the candidate's, and report what they found.
"""

import json
import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import assert_never

from steelyard.errors import TestsError, ToolchainError, UsageError
from steelyard.judging._entries import CALL_KINDS
from steelyard.judging.checkers._outcome import ACCEPTED, Checker, Outcome
from steelyard.judging.checkers._values import bounded
from steelyard.sandbox import CellPool, Command
from steelyard.schemas import (
    CaseResult,
    Entry,
    Execution,
    Limits,
    Policy,
    StopReason,
    TestCase,
    Verdict,
)
from steelyard.toolchains import Artifact, Harness, Toolchain

OnCase = Callable[[CaseResult], None]
"""Called with each case's result as it comes, in any order and from any thread."""
EARLIER_FAILED = "an earlier case failed"
_EXCERPT_BYTES = 2_048
_ASSERTS_GRACE_MS = 10_000  # for the assertions' own work, in addition to the candidate's
_MOST_PATIENCE = 10  # times the wall limit, as in a cell


def judge_case(
    case: TestCase,
    execution: Execution,
    limits: Limits,
    check: Callable[[], Outcome],
    *,
    stdout: bytes | None = None,
) -> CaseResult:
    """Return the verdict on one run; the checker sees only a run that ended well.

    Args:
        case: The case.
        execution: What the program did.
        limits: The limits of the run.
        check: Decides on the output.
        stdout: The output to show; None is the run's own.

    Raises:
        CheckerError: if a checker program failed.
    """
    verdict, message = _verdict_of_run(execution, limits)
    difference = points = None
    if verdict is Verdict.AC:
        outcome = check()
        verdict = verdict_of(outcome)
        message, difference, points = outcome.message, outcome.difference, outcome.points
    return CaseResult(
        name=case.name,
        verdict=verdict,
        category=case.category,
        cpu_ms=execution.cpu_ms,
        wall_ms=execution.wall_ms,
        memory_mib=execution.memory_mib,
        exit_code=execution.exit_code,
        signal=execution.signal,
        message=message,
        difference=difference,
        stdout=_excerpt(execution.stdout if stdout is None else stdout),
        stderr=_excerpt(execution.stderr),
        points=points,
    )


def skipped(case: TestCase, why: str, verdict: Verdict = Verdict.SK) -> CaseResult:
    """Return the result of a case that was not run."""
    return CaseResult(name=case.name, verdict=verdict, category=case.category, message=why)


def verdict_of(outcome: Outcome) -> Verdict:
    """Return the verdict that follows from a checker's decision."""
    if outcome.passed:
        return Verdict.AC
    return outcome.verdict or (Verdict.RTE if outcome.crashed else Verdict.WA)


def _verdict_of_run(execution: Execution, limits: Limits) -> tuple[Verdict, str]:
    """Return the verdict of the run alone; AC means that the checker decides."""
    match execution.stop:
        case StopReason.EXITED:
            if execution.exit_code == 0:
                return Verdict.AC, ""
            return Verdict.RTE, f"exit status {execution.exit_code}"
        case StopReason.SIGNALED:
            return Verdict.RTE, f"ended by {_signal_name(execution.signal)}"
        case StopReason.CPU_LIMIT:
            return Verdict.TLE, f"used more than {limits.cpu_ms:,} ms of CPU time"
        case StopReason.WALL_LIMIT:
            return Verdict.TLE, (
                f"was not done after {limits.wall_ms:,} ms by the clock "
                f"({execution.cpu_ms:,.0f} ms of CPU time)"
            )
        case StopReason.MEMORY_LIMIT:
            return Verdict.MLE, execution.message or f"used more than {limits.memory_mib:,} MiB"
        case StopReason.OUTPUT_LIMIT:
            stream = "standard output" if execution.stdout_truncated else "standard error"
            return Verdict.OLE, f"wrote more than {limits.output_mib:,} MiB to {stream}"
        case StopReason.NOT_STARTED:
            return Verdict.RTE, f"could not be started: {execution.message}"
        case _:
            assert_never(execution.stop)


def _signal_name(number: int | None) -> str:
    try:
        return f"{signal.Signals(number or 0).name} (signal {number})"
    except ValueError:
        return f"signal {number}"


def _excerpt(output: bytes) -> str:
    text = output[:_EXCERPT_BYTES].decode("utf-8", "backslashreplace")
    return text + "…" if len(output) > _EXCERPT_BYTES else text


@dataclass(frozen=True)
class Runs:
    """Runs the cases of one program."""

    artifact: Artifact
    toolchain: Toolchain
    entry: Entry
    checker: Checker
    pool: CellPool
    limits: Limits
    usual_names: bool = False

    def run(self, case: TestCase) -> CaseResult:
        """Run one case in processes of its own.

        Raises:
            TestsError: if the case itself is at fault.
            InfrastructureError: if the machine failed.
        """
        return next(self.run_series([case]))

    def run_series(self, cases: Sequence[TestCase]) -> Iterator[CaseResult]:
        """Run the first case, and those after it while they end well and are short.

        Args:
            cases: One or more.

        Yields:
            One result or more, in order; the other cases were not run.

        Raises:
            TestsError: if a case itself is at fault.
            InfrastructureError: if the machine failed.
        """
        if self.entry.kind == "asserts":
            yield self.run_asserts(cases[0]).result()
            return
        calls = self.entry.kind in CALL_KINDS
        commands = [self._command(case, calls=calls) for case in cases]
        executions = self.pool.run_series(commands)
        for case, command, execution in zip(cases, commands, executions, strict=False):
            if command.executable is None:
                self._check_started(execution)
            if calls:
                yield self._judge_call(case, execution)
            else:
                yield self._judge_output(case, command, execution)

    def _command(self, case: TestCase, *, calls: bool) -> Command:
        limits = self._with_runtime(self.limits_of(case))
        if calls:
            return self._command_of_calls(case.input, limits)
        return self.artifact.command(stdin=case.input, limits=limits, usual_names=self.usual_names)

    def _judge_call(self, case: TestCase, execution: Execution) -> CaseResult:
        return judge_case(
            case,
            execution,
            self.limits_of(case),
            lambda: self._check_call(case, execution),
            stdout=b"",  # the harness's own channel; printed text has another channel
        )

    def _judge_output(self, case: TestCase, command: Command, execution: Execution) -> CaseResult:
        return judge_case(
            case, execution, command.limits, lambda: self._check(case, command, execution)
        )

    def _check(self, case: TestCase, command: Command, execution: Execution) -> Outcome:
        """Check an output; a thread whose heap was full may have ended without a word in it."""
        outcome = self.checker.check(case, execution.stdout)
        heap = command.heap
        if (
            heap is None
            or outcome.passed
            or not heap.is_full(execution.stderr, execution.memory_mib)
        ):
            return outcome
        return Outcome(False, heap.message, verdict=Verdict.MLE)

    def limits_of(self, case: TestCase) -> Limits:
        """Return the limits with the case's own time."""
        if case.timeout is None:
            return self.limits
        return self.limits.replace(cpu_ms=max(1, round(case.timeout * 1000)))

    def run_calls(self, calls: bytes, limits: Limits, *, to_the_end: bool = False) -> Execution:
        """Run these calls, one a line, in one process: up to a failure, or to the end."""
        command = self._command_of_calls(calls, self._with_runtime(limits), to_the_end=to_the_end)
        return self._check_started(self.pool.run(command))

    def _command_of_calls(
        self, calls: bytes, limits: Limits, *, to_the_end: bool = False
    ) -> Command:
        further = ("to-the-end",) if to_the_end else ()
        return self._harness.command(
            (self.entry.kind, self.artifact.source, self.entry.name, *further),
            stdin=calls,
            limits=limits,
            sources=self.artifact.files,
        )

    def _check_started(self, execution: Execution) -> Execution:
        """Raise if the interpreter did not start: the program is not at fault."""
        if execution.stop is StopReason.NOT_STARTED:
            raise ToolchainError(f"{execution.message}; reinstall {self.toolchain.version}")
        return execution

    def _with_runtime(self, limits: Limits) -> Limits:
        """Return the limits with what the language needs; cached for the usual limits."""
        return self._usual_limits if limits is self.limits else self.toolchain.run_limits(limits)

    @cached_property
    def _usual_limits(self) -> Limits:
        return self.toolchain.run_limits(self.limits)

    @property
    def _harness(self) -> Harness:
        harness = self.artifact.harness
        if harness is None:
            raise UsageError(f"entry {self.entry} is for Python")
        return harness

    def _check_call(self, case: TestCase, execution: Execution) -> Outcome:
        found = outcomes_in(execution.stdout, 1)
        if len(found) == 1:
            return self.checker.check(case, found[0][2])
        how = "ended before it returned" if not found else "answered more than once"
        return Outcome(False, how, crashed=True)

    def run_asserts(
        self, case: TestCase, *, policy: Policy | None = None, checks: bool = False
    ) -> "AssertsRun":
        """Run assertions and candidate side by side, each in a cell of its own.

        The assertions' clock cannot tell a slow candidate from one that waited for its core. An
        answer that was late counts only if there was patience for all that the two had waited.

        Args:
            case: The assertions.
            policy: With `checks`, what the source must follow too.
            checks: The candidate's process checks the program first (`Toolchain.checked`).

        Raises:
            InfrastructureError: if the machine failed.
        """
        kind = "checked-and-served" if checks else "served"
        entry = (kind, self.artifact.source, *([policy.to_text()] if policy else ()))
        limits = self.limits_of(case)
        patience_ms, most_ms = limits.wall_ms, _MOST_PATIENCE * limits.wall_ms
        while True:
            patient = limits.replace(wall_ms=patience_ms + _ASSERTS_GRACE_MS)
            assertions, execution = self._run_both(case, entry, patient, patience_ms)
            due_ms = limits.wall_ms + round(assertions.waited_ms + execution.waited_ms)
            if not _is_late(assertions) or patience_ms >= min(due_ms, most_ms):
                return AssertsRun(case, assertions, execution, limits.replace(wall_ms=patience_ms))
            patience_ms = min(2 * due_ms, most_ms)

    def _run_both(
        self, case: TestCase, entry: tuple[str, ...], patient: Limits, patience_ms: int
    ) -> tuple[Execution, Execution]:
        candidate = self._harness.command(
            entry,
            stdin=b"",
            limits=self.toolchain.run_limits(patient),
            sources=self.artifact.files,
        )
        asserts = self._harness.command(
            ("asserts", str(patience_ms)),
            stdin=case.input,
            limits=patient.replace(cpu_ms=patient.cpu_ms + _ASSERTS_GRACE_MS),
            sources={},
        )
        runs = self.pool.run_joined(asserts, candidate, calls_off=_is_late)
        return self._check_started(runs[0]), self._check_started(runs[1])


@dataclass(frozen=True)
class AssertsRun:
    """The two runs of one case of assertions, which are not judged yet."""

    case: TestCase
    assertions: Execution
    candidate: Execution
    limits: Limits

    def result(self, check_cpu_ms: float = 0.0, check_wall_ms: float = 0.0) -> CaseResult:
        """Return the case's result.

        Args:
            check_cpu_ms: CPU time of the candidate's run that was a check of its program.
            check_wall_ms: Wall time of that check.

        Raises:
            TestsError: if the assertions are at fault.
        """
        own = {
            "cpu_ms": max(0.0, self.candidate.cpu_ms - check_cpu_ms),
            "wall_ms": max(0.0, self.candidate.wall_ms - check_wall_ms),
        }
        return judge_case(
            self.case,
            self.candidate.model_copy(update=own),
            self.limits,
            partial(_decide, self.case, self.assertions),
            stdout=b"",  # the harness's own channel; printed text has another channel
        )


def _is_late(assertions: Execution) -> bool:
    """Tell whether the assertions no longer wait for an answer of the candidate."""
    return assertions.stdout.startswith(b'["slow"')


def outcomes_in(output: bytes, most: int) -> list[tuple[float, float, bytes]]:
    """Return each call in a harness's output: its CPU and wall ms as reported, and its outcome.

    A malformed line ends the list: the harness did not write what follows.

    Args:
        output: The whole output.
        most: Number of calls. At most one more is returned, which shows that there are too many:
            a candidate can write millions.
    """
    found: list[tuple[float, float, bytes]] = []
    start = 0
    while len(found) <= most:
        end = output.find(b"\n", start)
        line = output[start : end if end >= 0 else len(output)]
        times, tab, outcome = line.partition(b"\t")
        cpu_ns, _, wall_ns = times.partition(b" ")
        if not (tab and len(times) < 40 and cpu_ns.isdigit() and wall_ns.isdigit()):
            break
        found.append((int(cpu_ns) / 1e6, int(wall_ns) / 1e6, outcome))
        if end < 0:
            break
        start = end + 1
    return found


def _decide(case: TestCase, assertions: Execution) -> Outcome:
    """Return the outcome that the assertions reported; the candidate cannot change it.

    Raises:
        TestsError: if they never called the candidate, or cannot be run.
    """
    if assertions.stop.out_of_time:
        return Outcome(False, "the assertions were not done in time", verdict=Verdict.TLE)
    if assertions.stop is StopReason.MEMORY_LIMIT:
        return Outcome(False, "the assertions ran out of memory", verdict=Verdict.MLE)
    if assertions.stop is StopReason.OUTPUT_LIMIT:
        return Outcome(False, "the assertions printed too much", verdict=Verdict.OLE)
    try:
        kind, *rest = json.loads(assertions.stdout)
    except (ValueError, TypeError, RecursionError):
        raise TestsError(
            f'case "{case.name}": the assertions ended by themselves '
            f"({assertions.stop}, {assertions.exit_code or assertions.signal}); fix them"
        ) from None
    message = bounded(" ".join(str(rest[0]).split()), 500) if rest else ""
    if kind == "passed":
        return ACCEPTED
    if kind == "tests":
        raise TestsError(f'case "{case.name}": {message}; fix the assertions')
    if kind == "slow":
        return Outcome(False, "did not answer in time", verdict=Verdict.TLE)
    if kind == "gone":
        return Outcome(False, "ended before it returned", crashed=True)
    return Outcome(False, message, crashed=kind == "candidate")
