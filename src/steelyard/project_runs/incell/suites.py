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
from typing import Any

from steelyard.project_runs.incell import project
from steelyard.project_runs.incell.channel import Tell
from steelyard.project_runs.incell.real_clock import now
from steelyard.project_runs.incell.sessions import pytest_arguments, reason_in
from steelyard.project_runs.incell.task import Clocks, Task
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


def run_suite(task: Task, tell: Tell, _clocks: Clocks) -> int:
    """One session over `tests`, as the task wants it.

    `order` names the tests to run, in this order; empty: all. `shuffle` is the seed of another
    order; None keeps it. A suite of more than `most_tests` is not run. `apart` gives each test a
    process of its own, forked when all tests are collected. `stop` ends the session at the first
    test that fails. `explains` says in each failure what failed. `covers` counts the lines and
    branches of the module.
    """
    import pytest
    from _pytest.runner import runtestprotocol  # before a suite can replace it

    said = task.said
    random.seed(said["shuffle"])
    session = _Session(tell, said, runtestprotocol)
    arguments = pytest_arguments({**said, "left_out": [], "inspired": []})
    # Names of the suite are the usual ones, whatever the project calls its own tests.
    arguments += ["-o", "python_functions=test", "-o", "python_classes=Test"]
    if not said["apart"]:
        arguments.append("--assert=rewrite")  # failures then name the values
    if not said["explains"]:
        arguments.append("--tb=line")  # to find the lines of a failure takes longer than the test
    begin, end = _covering(said["path"], tell) if said["covers"] else (_nothing, _nothing)
    begin()
    status = int(pytest.main([*arguments, "-p", "no:cov"], [session]))
    end()
    tell("session", status=status)
    return status


class _Session:
    """Our plug-in of one session."""

    def __init__(
        self, tell: Tell, said: dict[str, Any], protocol: Callable[..., list[Any]]
    ) -> None:
        self._tell, self._said, self._protocol = tell, said, protocol
        self._cpu_s: float = said["test_timeout_s"]
        self._timeout_s = _WALL_PER_CPU * self._cpu_s
        self._watchdog = Watchdog(self._timeout_s)
        self._outcome: dict[str, Any] = {}
        self._files = {}
        for path in (said["path"], *said["tests"]):
            with open(f"{project.PLACE}/{path}", "rb") as file:
                self._files[file.name] = file.read()
        self._claims = (AssertionError, sys.modules["pytest"].fail.Exception)

    def pytest_collectstart(self, collector: Any) -> None:
        """A file, before it is loaded; or a class or folder."""
        self._tell("collecting", test=_name(collector.nodeid))

    def pytest_collectreport(self, report: Any) -> None:
        """A file that cannot be collected."""
        if report.failed:
            self._tell("uncollected", test=_name(report.nodeid), why=reason_in(report.longreprtext))

    # The last word, whatever other plug-ins and the suite's own conftest do.
    def pytest_collection_finish(self, session: Any) -> None:
        """All tests are known: brings them into the order that is wanted."""
        most = self._said["most_tests"]
        self._tell("collected", tests=[_name(each.nodeid) for each in session.items[: most + 1]])
        items = session.items if len(session.items) <= most else []
        wanted = self._said["order"]
        if wanted:
            by_name = {item.nodeid: item for item in items}
            items = [by_name[name] for name in wanted if name in by_name]
        if self._said["shuffle"] is not None:
            random.Random(self._said["shuffle"]).shuffle(items)  # noqa: S311
        session.items[:] = items

    def pytest_runtest_protocol(self, item: Any) -> bool | None:
        """One test from its set-up to its tear-down; None leaves that to pytest."""
        name = _name(item.nodeid)
        self._tell("begin", test=name)
        if not self._said["apart"]:
            self._outcome, self._began = _fresh(), now()
            self._watchdog.begin()
            return None
        outcome = self._outcome_of_child(item)
        if self._restored():
            outcome |= {"passed": False, "lost": True, "why": _SPOILT}
        self._tell("test", test=name, **outcome)
        self._end_at(item.session, outcome)
        return True

    def pytest_runtest_makereport(self, call: Any) -> None:
        """A phase is over: an exception of an assertion is another matter than a crash."""
        raised = call.excinfo.value if call.excinfo is not None else None
        self._outcome["asserted"] |= isinstance(raised, self._claims)

    def pytest_runtest_logreport(self, report: Any) -> None:
        """One phase of a test, or one of its parts."""
        _add(self._outcome, report)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """A test in this process, after its tear-down."""
        self._outcome["ms"] = int((now() - self._began) * 1_000)
        self._tell("test", test=_name(nodeid), **self._outcome)

    def pytest_sessionfinish(self) -> None:
        """All tests are over."""
        self._watchdog.end()

    def _end_at(self, session: Any, outcome: dict[str, Any]) -> None:
        if self._said["stop"] and not outcome["passed"] and not outcome["skipped"]:
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

    def _outcome_of_child(self, item: Any) -> dict[str, Any]:
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
        answer = _read_answer(reading, until)
        os.close(reading)
        status = _reaped(child, began if answer else until)
        spent = int((now() - began) * 1_000)
        if answer is None:
            late = now() - began >= self._timeout_s
            why = _TOO_LONG if late else _end_of(status)
            return {**_fresh(), "lost": True, "why": why, "ms": spent}
        return {**answer, "ms": spent}

    def _run_and_answer(self, item: Any, pipe: int) -> None:
        """Runs a test in this new process, answers, and ends."""
        try:
            self._outcome = _fresh()
            most = math.ceil(self._cpu_s)  # a forked process begins at 0
            resource.setrlimit(resource.RLIMIT_CPU, (most, most + 1))
            for report in self._protocol(item, log=False, nextitem=None):
                _add(self._outcome, report)
            data = memoryview(json.dumps(self._outcome).encode() + b"\n")
            while data:
                data = data[os.write(pipe, data) :]
        finally:
            os._exit(0)


def _read_answer(pipe: int, until: float) -> dict[str, Any] | None:
    """The outcome that a child writes before it is too late; None if it writes none."""
    data = b""
    while not data.endswith(b"\n") and len(data) <= _MOST_REPLY:
        ready, _, _ = select.select([pipe], [], [], max(0.0, until - now()))
        part = os.read(pipe, _READ_BYTES) if ready else b""
        if not part:
            return None
        data += part
    try:
        given = json.loads(data)
        passed, skipped = given["passed"], given["skipped"]
        asserted, why = given["asserted"], given["why"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    if type(why) is not str or not {type(passed), type(skipped), type(asserted)} <= {bool}:
        return None
    return {**_fresh(), "passed": passed, "skipped": skipped, "asserted": asserted, "why": why}


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


def _fresh() -> dict[str, Any]:
    return {
        "passed": False,
        "skipped": False,
        "asserted": False,
        "lost": False,
        "why": "",
        "ms": 0,
    }


def _add(outcome: dict[str, Any], report: Any) -> None:
    """Adds one phase of a test to its outcome."""
    if report.when == "call":
        # A test with parts that failed passes as a whole, and is reported after them.
        outcome["passed"] = report.passed and not outcome["why"]
    if report.skipped:
        outcome["skipped"] = True
    elif report.failed:
        outcome["passed"] = False
        outcome["why"] = outcome["why"] or reason_in(report.longreprtext)


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
        "coverage",
        lines=summary["num_statements"],
        lines_covered=summary["covered_lines"],
        branches=summary["num_branches"],
        branches_covered=summary["covered_branches"],
        missing=report["missing_lines"],
        missing_branches=report.get("missing_branches", []),
    )
