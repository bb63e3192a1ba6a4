"""Runs one file of tests: all in one process, or each in a process of its own."""

from __future__ import annotations

import contextlib
import json
import math
import os
import random
import resource
import select
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from steelyard.project_runs.incell import project
from steelyard.project_runs.incell.channel import Tell
from steelyard.project_runs.incell.real_clock import now
from steelyard.project_runs.incell.records import Count, MisfitError, packed, unpacked
from steelyard.project_runs.incell.sessions import (
    Collecting,
    Session,
    TestBegun,
    Uncollected,
    pytest_arguments,
    reason_in,
)
from steelyard.project_runs.incell.task import Context, Ended
from steelyard.project_runs.incell.watchdog import Watchdog

_MOST_NAME = 500
_MOST_REPLY = 64 << 10
_READ_BYTES = 1 << 16
_PAUSE_S = 0.002
_WALL_PER_CPU = 4
"""A test may wait, and a busy machine has other work: so much wall time for its CPU time."""
_REPORT = "/tmp/.suite-coverage.json"  # noqa: S108 - the cell's own scratch folder
_TOO_LONG = "it did not finish in time"
_SPOILT = "it deletes or changes the module or the suite"


@dataclass(frozen=True)
class Suite:
    """A session over one file of tests."""

    file: str
    order: list[str]
    """The tests to run, in this order; none: all."""
    shuffle: int | None
    """The seed of another order; None keeps it."""
    most_tests: Count
    """A suite of more is not run."""
    test_timeout_s: float
    apart: bool
    """Each test has a process of its own, forked when all tests are collected."""
    stop: bool
    """The session ends at the first test that fails."""
    explains: bool
    """Each failure tells what failed."""
    covers: bool
    """The lines and branches of the module are counted."""


@dataclass(frozen=True)
class Collected:
    """All tests are known."""

    tests: list[str]


@dataclass(frozen=True)
class SuiteTest:
    """A test is over."""

    test: str
    passed: bool = False
    skipped: bool = False
    asserted: bool = False
    """An assertion failed, and not something else."""
    lost: bool = False
    """Its process, or what it is about, is gone."""
    why: str = ""
    ms: Count = 0


@dataclass(frozen=True)
class SuiteCoverage:
    """The lines and branches of the module that the session reached."""

    lines: Count
    lines_covered: Count
    branches: Count
    branches_covered: Count
    missing: list[Count]
    missing_branches: list[tuple[int, int]]


def run_suite(asked: Suite, context: Context) -> int:
    """One session over a file."""
    import pytest
    from _pytest.runner import runtestprotocol  # before a suite can replace it

    tell, path = context.tell, context.function.path
    random.seed(asked.shuffle)
    session = _Session(tell, asked, path, runtestprotocol)
    arguments = pytest_arguments(Session([asked.file], [], [], []))
    # Names of the suite are the usual ones, whatever the project calls its own tests.
    arguments += ["-o", "python_functions=test", "-o", "python_classes=Test"]
    if not asked.apart:
        arguments.append("--assert=rewrite")  # failures then name the values
    if not asked.explains:
        arguments.append("--tb=line")  # to find the lines of a failure takes longer than the test
    begin, end = _covering(path, tell) if asked.covers else (_nothing, _nothing)
    begin()
    status = int(pytest.main([*arguments, "-p", "no:cov"], [session]))
    end()
    tell(Ended(status))
    return status


class _Session:
    """Our plug-in of one session."""

    def __init__(
        self, tell: Tell, asked: Suite, path: str, protocol: Callable[..., list[Any]]
    ) -> None:
        self._tell, self._asked, self._protocol = tell, asked, protocol
        self._cpu_s = asked.test_timeout_s
        self._timeout_s = _WALL_PER_CPU * self._cpu_s
        self._watchdog = Watchdog(self._timeout_s)
        self._outcome = SuiteTest("")
        self._files = {}
        for each in (path, asked.file):
            with open(f"{project.PLACE}/{each}", "rb") as file:
                self._files[file.name] = file.read()
        self._claims = (AssertionError, sys.modules["pytest"].fail.Exception)

    def pytest_collectstart(self, collector: Any) -> None:
        """A file, before it is loaded; or a class or folder."""
        self._tell(Collecting(_name(collector.nodeid)))

    def pytest_collectreport(self, report: Any) -> None:
        """A file that cannot be collected."""
        if report.failed:
            self._tell(Uncollected(_name(report.nodeid), reason_in(report.longreprtext)))

    # The last word, whatever other plug-ins and the suite's own conftest do.
    def pytest_collection_finish(self, session: Any) -> None:
        """All tests are known: brings them into the order that is wanted."""
        most = self._asked.most_tests
        self._tell(Collected([_name(each.nodeid) for each in session.items[: most + 1]]))
        items = session.items if len(session.items) <= most else []
        wanted = self._asked.order
        if wanted:
            by_name = {item.nodeid: item for item in items}
            items = [by_name[name] for name in wanted if name in by_name]
        if self._asked.shuffle is not None:
            random.Random(self._asked.shuffle).shuffle(items)  # noqa: S311
        session.items[:] = items

    def pytest_runtest_protocol(self, item: Any) -> bool | None:
        """One test from its set-up to its tear-down; None leaves that to pytest."""
        name = _name(item.nodeid)
        self._tell(TestBegun(name))
        if not self._asked.apart:
            self._outcome, self._began = SuiteTest(name), now()
            self._watchdog.begin()
            return None
        outcome = self._outcome_of_child(item)
        if self._restored():
            outcome = replace(outcome, passed=False, lost=True, why=_SPOILT)
        self._tell(outcome)
        self._end_at(item.session, outcome)
        return True

    def pytest_runtest_makereport(self, call: Any) -> None:
        """A phase is over: an exception of an assertion is another matter than a crash."""
        raised = call.excinfo.value if call.excinfo is not None else None
        if isinstance(raised, self._claims):
            self._outcome = replace(self._outcome, asserted=True)

    def pytest_runtest_logreport(self, report: Any) -> None:
        """One phase of a test, or one of its parts."""
        self._outcome = _with_phase(self._outcome, report)

    def pytest_runtest_logfinish(self) -> None:
        """A test in this process, after its tear-down."""
        self._tell(replace(self._outcome, ms=int((now() - self._began) * 1_000)))

    def pytest_sessionfinish(self) -> None:
        """All tests are over."""
        self._watchdog.end()

    def _end_at(self, session: Any, outcome: SuiteTest) -> None:
        if self._asked.stop and not outcome.passed and not outcome.skipped:
            session.shouldstop = "a test failed"

    def _restored(self) -> bool:
        """Whether a test took away or changed the files that it is about; they are back then."""
        spoilt = False
        for path, content in self._files.items():
            found = None
            with contextlib.suppress(OSError), open(path, "rb") as file:
                found = file.read()
            if found != content:
                spoilt = True
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "wb") as file:
                    file.write(content)
        if spoilt:
            os.chdir(project.PLACE)
        return spoilt

    def _outcome_of_child(self, item: Any) -> SuiteTest:
        """Runs one test in a process of its own."""
        reading, writing = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        began = now()
        child = os.fork()
        if child == 0:
            os.close(reading)
            self._run_and_answer(item, writing)
        os.close(writing)
        until = began + self._timeout_s
        name = _name(item.nodeid)
        answer = _read_answer(reading, until)
        os.close(reading)
        status = _reaped(child, began if answer else until)
        spent = int((now() - began) * 1_000)
        if answer is None:
            late = now() - began >= self._timeout_s
            why = _TOO_LONG if late else _end_of(status)
            return SuiteTest(name, lost=True, why=why, ms=spent)
        return replace(answer, test=name, lost=False, ms=spent)

    def _run_and_answer(self, item: Any, pipe: int) -> None:
        """Runs a test in this new process, answers, and ends."""
        try:
            self._outcome = SuiteTest(_name(item.nodeid))
            most = math.ceil(self._cpu_s)  # a forked process begins at 0
            resource.setrlimit(resource.RLIMIT_CPU, (most, most + 1))
            for report in self._protocol(item, log=False, nextitem=None):
                self._outcome = _with_phase(self._outcome, report)
            data = memoryview(packed(self._outcome))
            while data:
                data = data[os.write(pipe, data) :]
        finally:
            os._exit(0)


def _read_answer(pipe: int, until: float) -> SuiteTest | None:
    """The outcome that a child writes before it is too late; None if it writes none."""
    data = b""
    while not data.endswith(b"\n") and len(data) <= _MOST_REPLY:
        ready, _, _ = select.select([pipe], [], [], max(0.0, until - now()))
        part = os.read(pipe, _READ_BYTES) if ready else b""
        if not part:
            return None
        data += part
    try:
        return unpacked(SuiteTest, data)
    except MisfitError:
        return None


def _reaped(child: int, until: float) -> int:
    """The status of a child, which is ended where it does not end by itself before a moment."""
    while now() < until:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status
        select.select([], [], [], _PAUSE_S)
    with contextlib.suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    return os.waitpid(child, 0)[1]


def _with_phase(outcome: SuiteTest, report: Any) -> SuiteTest:
    """The outcome of a test with one more of its phases."""
    if report.when == "call":
        # A test with parts that failed passes as a whole, and is reported after them.
        outcome = replace(outcome, passed=report.passed and not outcome.why)
    if report.skipped:
        return replace(outcome, skipped=True)
    if report.failed:
        why = outcome.why or reason_in(report.longreprtext)
        return replace(outcome, passed=False, why=why)
    return outcome


def _end_of(status: int) -> str:
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU:
        return _TOO_LONG
    if os.WIFSIGNALED(status):
        return f"its process was ended by signal {os.WTERMSIG(status)}"
    return f"its process exited with status {os.WEXITSTATUS(status)}"


def _name(nodeid: str) -> str:
    return nodeid[:_MOST_NAME]


def _nothing() -> None:
    pass


def _covering(path: str, tell: Tell) -> tuple[Callable[[], None], Callable[[], None]]:
    """Functions that begin and end the count of a module's lines and branches."""
    try:
        import coverage
    except ImportError:
        return _nothing, _nothing
    place = f"{project.PLACE}/{path}"
    counted = coverage.Coverage(
        branch=True, include=[place], data_file=None, config_file=False, messages=False
    )

    def end() -> None:
        counted.stop()
        with contextlib.suppress(coverage.CoverageException):
            counted.json_report(outfile=_REPORT)
            with open(_REPORT, encoding="utf-8") as file:
                reports = json.load(file)["files"]
            for each, report in reports.items():
                if os.path.abspath(each) == place:
                    _tell_coverage(report, tell)

    return counted.start, end


def _tell_coverage(report: dict[str, Any], tell: Tell) -> None:
    summary = report["summary"]
    tell(
        SuiteCoverage(
            lines=summary["num_statements"],
            lines_covered=summary["covered_lines"],
            branches=summary["num_branches"],
            branches_covered=summary["covered_branches"],
            missing=report["missing_lines"],
            missing_branches=report.get("missing_branches", []),
        )
    )
