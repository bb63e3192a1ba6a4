"""Runs one file of tests: all in one process, or each in a process of its own.

A process of its own is forked when all tests are collected. If the module or the suite has started
threads by then, a fork would lack them, so that each test needs a process that imports all anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import marshal
import math
import os
import random
import resource
import select
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
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
from steelyard.project_runs.incell.watching import Watch

_MOST_NAME = 500
_MOST_REPLY = 4 << 20
_MOST_STEPS = 20_000
_READ_BYTES = 1 << 16
_PAUSE_S = 0.002
_WALL_PER_CPU, _LEAST_WALL_S = 4, 5.0
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
    anew: bool
    """Each process imports all by itself; only with `apart` and an order."""
    stop: bool
    """The session ends at the first test that fails."""
    explains: bool
    """Each failure tells what failed."""
    watches: bool
    """The module's lines, branches and calls are recorded for each test; only with `apart`."""
    bounds: list[int]
    """Numbers that the module or its specification names."""


@dataclass(frozen=True)
class Collected:
    """All tests are known."""

    tests: list[str]
    threads: bool = False
    """Threads were started by then, so that tests that need a process each were not run."""


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
    case: str = ""
    """A digest of the parameters, which is the same for equal ones; empty without one."""
    raised: bool = False
    """A function of the module raised an exception out to the test."""
    edge: bool = False
    """A function of the module was given an edge value, or returned one."""
    boundary: bool = False
    """A number or size in such a call was at a bound, or one away."""
    steps: list[tuple[int, int]] = field(default_factory=list)
    """The steps from line to line that it made in the module."""


@dataclass(frozen=True)
class SuiteCoverage:
    """The lines and branches of the module that tests which passed reached."""

    lines: Count
    lines_covered: Count
    branches: Count
    branches_covered: Count
    missing: list[Count]
    missing_branches: list[tuple[int, int]]
    imported: list[Count]
    """Lines that run when the module is imported."""


def run_suite(asked: Suite, context: Context) -> int:
    """One session over a file."""
    import pytest
    from _pytest.runner import runtestprotocol  # before a suite can replace it

    tell, path = context.tell, context.function.path
    random.seed(asked.shuffle)
    lines = _Lines(f"{project.PLACE}/{path}") if asked.watches else None
    session = _Session(tell, asked, path, runtestprotocol, lines)
    arguments = pytest_arguments(Session([asked.file], [], [], []))
    # Names of the suite are the usual ones, whatever the project calls its own tests.
    arguments += ["-o", "python_functions=test", "-o", "python_classes=Test"]
    if not asked.explains:
        arguments.append("--tb=line")  # to find the lines of a failure takes longer than the test
    elif not asked.apart:
        arguments.append("--assert=rewrite")  # failures then name the values

    def run_all() -> int:
        return int(pytest.main([*arguments, "-p", "no:cov"], [session]))

    status = session.run_anew(run_all) if asked.anew else run_all()
    if lines is not None:
        lines.end(tell)
    tell(Ended(status))
    return status


class _Session:
    """Our plug-in of one session."""

    def __init__(
        self,
        tell: Tell,
        asked: Suite,
        path: str,
        protocol: Callable[..., list[Any]],
        lines: _Lines | None,
    ) -> None:
        self._tell, self._asked, self._protocol, self._lines = tell, asked, protocol, lines
        self._path = f"{project.PLACE}/{path}"
        self._pipe: int | None = None
        """In a process for one test: where its outcome goes."""
        self._uncollected = ""
        self._cpu_s = asked.test_timeout_s
        self._timeout_s = max(_LEAST_WALL_S, _WALL_PER_CPU * self._cpu_s)
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
            self._uncollected = reason_in(report.longreprtext)
            self._tell(Uncollected(_name(report.nodeid), self._uncollected))

    # The last word, whatever other plug-ins and the suite's own conftest do.
    def pytest_collection_finish(self, session: Any) -> None:
        """All tests are known: brings them into the order that is wanted."""
        self._session = session
        most = self._asked.most_tests
        forks = self._asked.apart and self._pipe is None
        threads = forks and len(os.listdir("/proc/self/task")) > 1
        self._tell(Collected([_name(each.nodeid) for each in session.items[: most + 1]], threads))
        if self._lines is not None:
            self._lines.end_import()
        items = session.items if len(session.items) <= most and not threads else []
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
        if self._pipe is not None:
            self._run_and_answer(item)
        elif self._asked.apart:
            outcome = self._outcome_of_child(name, lambda: self._run_and_answer(item))
            if self._is_last(outcome):
                item.session.shouldstop = "a test failed"
        else:
            self._tell(TestBegun(name))
            self._outcome, self._began = SuiteTest(name), now()
            _, hard = resource.getrlimit(resource.RLIMIT_CPU)
            resource.setrlimit(resource.RLIMIT_CPU, (self._cpu_limit(), hard))
            self._watchdog.begin()
            return None
        return True

    def run_anew(self, run_all: Callable[[], int]) -> int:
        """Run each test of the order in a process that imports all by itself."""
        self._tell(Collected(self._asked.order))
        for name in self._asked.order:
            outcome = self._outcome_of_child(name, run_all)
            if not outcome.test:
                self._tell(Uncollected(self._asked.file, outcome.why))
                break
            if self._is_last(outcome):
                break
        return 0

    def _is_last(self, outcome: SuiteTest) -> bool:
        return self._asked.stop and not outcome.passed and not outcome.skipped

    def _cpu_limit(self) -> int:
        """Return the CPU time of this process at which a test that begins now ends, in seconds."""
        spent = resource.getrusage(resource.RUSAGE_SELF)
        return math.ceil(spent.ru_utime + spent.ru_stime + self._cpu_s)

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
        if self._is_last(self._outcome):
            self._session.shouldstop = "a test failed"

    def pytest_sessionfinish(self) -> None:
        """All tests are over."""
        self._watchdog.end()

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

    def _outcome_of_child(self, name: str, run: Callable[[], object]) -> SuiteTest:
        """Run one test in a process of its own, and tell its outcome.

        Returns:
            The outcome; of no test if the suite could not be loaded.
        """
        self._tell(TestBegun(name))
        reading, writing = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        began = now()
        child = os.fork()
        if child == 0:
            try:
                os.close(reading)
                self._pipe, self._asked = writing, replace(self._asked, order=[name])
                run()
                self._answer(SuiteTest("", why=self._uncollected or "it is not collected"))
            finally:
                os._exit(0)
        os.close(writing)
        until = began + self._timeout_s
        answer = _read_answer(reading, until)
        os.close(reading)
        status = _reaped(child, began if answer else until)
        ms = int((now() - began) * 1_000)
        if answer is None:
            why = _TOO_LONG if now() >= until else _end_of(status)
            answer = SuiteTest(name, lost=True, why=why)
        if not answer.test:
            return answer
        if self._restored():
            answer = replace(answer, passed=False, lost=True, why=_SPOILT)
        elif answer.passed and self._lines is not None:
            self._lines.add(answer.steps)
        answer = replace(answer, test=name, ms=ms)
        self._tell(answer)
        return answer

    def _run_and_answer(self, item: Any) -> None:
        """Run a test in this process, answer, and end."""
        try:
            self._outcome = SuiteTest(_name(item.nodeid), case=_digest(item))
            most = self._cpu_limit()
            resource.setrlimit(resource.RLIMIT_CPU, (most, most + 1))
            watch = Watch(self._path, self._asked.bounds) if self._lines is not None else None
            if watch is not None:
                watch.begin()
            for report in self._protocol(item, log=False, nextitem=None):
                self._outcome = _with_phase(self._outcome, report)
            if watch is not None and self._lines is not None:
                watch.end()
                self._outcome = replace(
                    self._outcome,
                    raised=watch.raised,
                    edge=watch.edge,
                    boundary=watch.boundary,
                    steps=self._lines.steps(),
                )
            self._answer(self._outcome)
        finally:
            os._exit(0)

    def _answer(self, outcome: SuiteTest) -> None:
        data = memoryview(packed(outcome))
        while self._pipe is not None and data:
            data = data[os.write(self._pipe, data) :]


def _digest(item: Any) -> str:
    """Return a digest of a test's parameters, or its name if they are not all plain values."""
    given = getattr(getattr(item, "callspec", None), "params", None)
    if not given:
        return ""
    try:
        # Version 2 writes equal values alike; later ones mark values that are used twice.
        data = marshal.dumps(sorted(given.items()), 2)
    except (TypeError, ValueError):
        data = item.nodeid.encode("utf-8", "replace")
    return hashlib.blake2b(data, digest_size=8).hexdigest()


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


class _Lines:
    """Counts the lines and branches of the module, from here on.

    Args:
        path: The module's file.
    """

    def __init__(self, path: str) -> None:
        import coverage

        self._path, self._error = path, coverage.CoverageException
        self._imported: list[int] = []
        self._counted = coverage.Coverage(
            branch=True, include=[path], data_file=None, config_file=False, messages=False
        )
        self._counted.start()

    def steps(self) -> list[tuple[int, int]]:
        """Return the steps from line to line since the start; in a fork since the fork."""
        return (self._counted.get_data().arcs(self._path) or [])[:_MOST_STEPS]

    def end_import(self) -> None:
        """Note what the import of the module reached."""
        self._imported = sorted({line for step in self.steps() for line in step if line > 0})

    def add(self, steps: list[tuple[int, int]]) -> None:
        """Add the steps of another process."""
        self._counted.get_data().add_arcs({self._path: steps})

    def end(self, tell: Tell) -> None:
        """Tell what was reached."""
        self._counted.stop()
        with contextlib.suppress(self._error):
            self._counted.json_report(outfile=_REPORT)
            with open(_REPORT, encoding="utf-8") as file:
                reports = json.load(file)["files"]
            for each, report in reports.items():
                if os.path.abspath(each) == self._path:
                    self._tell_report(report, tell)

    def _tell_report(self, report: dict[str, Any], tell: Tell) -> None:
        summary = report["summary"]
        tell(
            SuiteCoverage(
                lines=summary["num_statements"],
                lines_covered=summary["covered_lines"],
                branches=summary["num_branches"],
                branches_covered=summary["covered_branches"],
                missing=report["missing_lines"],
                missing_branches=report.get("missing_branches", []),
                imported=self._imported,
            )
        )
