"""Runs the project's tests around the recorded function, in this process."""

from __future__ import annotations

import os
import re
import runpy
import sys
from pathlib import Path
from typing import Any

from steelyard.comparing.effects.incell.files import Files
from steelyard.comparing.effects.incell.hearing import Hearing
from steelyard.comparing.effects.incell.world import changes, made_world
from steelyard.comparing.incell.told import (
    Passed,
    RunOutside,
    RunScript,
    RunTests,
    TestDone,
    TestsDone,
)
from steelyard.comparing.recording.incell.recording import Recorder
from steelyard.comparing.recording.incell.watching import watch
from steelyard.comparing.steadiness.incell import patches
from steelyard.project_runs.incell import project
from steelyard.project_runs.incell.channel import Tell
from steelyard.project_runs.incell.sessions import (
    Collecting,
    TestBegun,
    Uncollected,
    reason_in,
    run_session,
)
from steelyard.project_runs.incell.task import Context, Ended
from steelyard.project_runs.incell.watchdog import Watchdog
from steelyard.values.incell.temporary import masked

_MOST_CHARS = 20_000
_MOST_MAPPED = re.compile(r"^VmPeak:\s*(\d+) kB", re.MULTILINE)
_STATUS = Path("/proc/self/status")


def run_tests(asked: RunTests, context: Context) -> int:
    """One session; gives pytest's exit status.

    The project is laid out already, and this process is in it.
    """
    tell, loaded = context.tell, set(sys.modules)
    recorder = _recorder(context, asked.docstring, keeps_arguments=asked.keeps_arguments)
    world = made_world()
    before, files = world.observe(), Files()
    status = run_session(asked.session, [_Recording(tell, recorder, asked.test_timeout_s)])
    mapped = _MOST_MAPPED.search(_STATUS.read_text("ascii", "replace"))
    tell(
        TestsDone(
            changes=changes(before, world.observe()) | files.changes(),
            sys_path=[path for path in sys.path if type(path) is str],
            modules=[name for name in sys.modules if name not in loaded],
            own=sorted(project.owned()) if asked.keeps_arguments else [],
            pid=os.getpid(),
            watched=recorder.state.names(),
            address_bytes=int(mapped[1]) * 1_024 if mapped else 0,
        )
    )
    tell(Ended(status))
    return status


def run_outside(asked: RunOutside, context: Context) -> int:
    """Report the tests that pass with nothing of ours in their way."""
    return run_session(asked.session, [_Passing(context.tell)])


def run_script(asked: RunScript, context: Context) -> int:
    """Run a script of the project, and report its calls of the function."""
    recorder = _recorder(context, keeps_arguments=True)
    path, *arguments = asked.script
    sys.argv = [path, *arguments]
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    recorder.begin("")
    status = 0
    try:
        runpy.run_path(path, run_name="__main__")
    except SystemExit as end:
        status = int(bool(end.code))
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
    recorder.end()
    context.tell(Ended(status))
    return 0


def _recorder(context: Context, docstring: str = "", *, keeps_arguments: bool) -> Recorder:
    """Return what reports the function's calls from now on."""
    recorder = Recorder(context.tell, keeps_arguments=keeps_arguments)
    function = context.function
    watch(f"{project.PLACE}/{function.path}", function.qualname, recorder.wrap, docstring)
    return recorder


class _Passing:
    """Our pytest plug-in: reports the tests that pass, with all of their parts."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """A test, before its set-up."""
        self._test = nodeid
        self._passed = self._skipped = False
        self._why = ""

    def pytest_runtest_logreport(self, report: Any) -> None:
        """One phase of a test, or one of its parts."""
        self._skipped |= report.skipped
        if report.when == "call":
            # A test with parts that failed passes as a whole, and is reported after them.
            self._passed = report.passed and not self._why
        if report.failed:
            self._passed = False
            self._why = self._why or reason_in(report.longreprtext)

    def pytest_runtest_logfinish(self) -> None:
        """A test, after its tear-down."""
        if self._passed and not self._skipped:
            self._tell(Passed(self._test))


class _Recording(_Passing):
    """Our pytest plug-in: reports each test's outcome and output, around a recorded function."""

    def __init__(self, tell: Tell, recorder: Recorder, test_timeout_s: float) -> None:
        super().__init__(tell)
        self._recorder, self._hearing = recorder, Hearing()
        self._watchdog = Watchdog(test_timeout_s)

    def pytest_collectstart(self, collector: Any) -> None:
        """A file, before it is loaded; or a class or folder."""
        self._tell(Collecting(collector.nodeid))

    def pytest_collectreport(self, report: Any) -> None:
        """A file that cannot be collected."""
        if report.failed:
            self._tell(Uncollected(report.nodeid, reason_in(report.longreprtext)))

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """A test, before its set-up."""
        super().pytest_runtest_logstart(nodeid)
        self._said: dict[str, str] = {}
        self._hearing.take()
        self._tell(TestBegun(nodeid))
        self._watchdog.begin()
        patches.restart()
        self._recorder.begin(nodeid)

    def pytest_runtest_logreport(self, report: Any) -> None:
        """One phase of a test."""
        super().pytest_runtest_logreport(report)
        if report.when == "call":
            streams = {"stdout": report.capstdout, "stderr": report.capstderr}
            said = {name: text[-_MOST_CHARS:] for name, text in streams.items() if text}
            said |= self._hearing.take()
            self._said = {name: masked(text) for name, text in said.items()}

    def pytest_runtest_logfinish(self) -> None:
        """The test, after its tear-down."""
        outcome = self._passed, self._skipped, self._why
        self._tell(TestDone(self._test, *outcome, self._said, self._recorder.end()))

    def pytest_sessionfinish(self) -> None:
        """All tests are over."""
        self._watchdog.end()
