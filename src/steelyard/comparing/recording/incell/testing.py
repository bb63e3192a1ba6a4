"""Runs the project's tests around the recorded function, in this process."""

from __future__ import annotations

import os
import runpy
import sys
from typing import Any

from steelyard.comparing.effects.incell.files import Files
from steelyard.comparing.effects.incell.hearing import Hearing
from steelyard.comparing.effects.incell.world import changes, made_world
from steelyard.comparing.incell.told import Passed, RunOutside, RunScript, RunTests, TestsDone
from steelyard.comparing.recording.incell.plugin import Plugin
from steelyard.comparing.recording.incell.recording import Recorder
from steelyard.comparing.recording.incell.watching import watch
from steelyard.project_runs.incell import project
from steelyard.project_runs.incell.channel import Tell
from steelyard.project_runs.incell.sessions import run_session
from steelyard.project_runs.incell.task import Context, Ended


def run_tests(asked: RunTests, context: Context) -> int:
    """One session; gives pytest's exit status.

    The project is laid out already, and this process is in it.
    """
    function, tell, loaded = context.function, context.tell, set(sys.modules)
    recorder = Recorder(tell, keeps_arguments=asked.keeps_arguments)
    place = f"{project.PLACE}/{function.path}"
    watch(place, function.qualname, recorder.wrap, asked.docstring)
    world = made_world()
    before, files = world.observe(), Files()
    plugin = Plugin(tell, recorder, Hearing(), asked.test_timeout_s)
    status = run_session(asked.session, [plugin])
    seen = changes(before, world.observe()) | files.changes()
    tell(
        TestsDone(
            changes=seen,
            sys_path=[path for path in sys.path if type(path) is str],
            modules=[name for name in sys.modules if name not in loaded],
            own=sorted(project.owned()) if asked.keeps_arguments else [],
            pid=os.getpid(),
            watched=recorder.watched(),
            address_bytes=_most_address_bytes(),
        )
    )
    tell(Ended(status))
    return status


def run_outside(asked: RunOutside, context: Context) -> int:
    """Report the tests that pass with nothing of ours in their way."""
    return run_session(asked.session, [_Passing(context.tell)])


class _Passing:
    """Reports the tests that pass, with all of their parts."""

    def __init__(self, tell: Tell) -> None:
        self._tell, self._ends = tell, set[str]()

    def pytest_runtest_logstart(self) -> None:
        """A test, before its set-up."""
        self._ends = set()

    def pytest_runtest_logreport(self, report: Any) -> None:
        """One phase of a test, or one of its parts."""
        if report.when == "call" or not report.passed:
            self._ends.add(report.outcome)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """A test, after its tear-down."""
        if self._ends == {"passed"}:
            self._tell(Passed(nodeid))


def _most_address_bytes() -> int:
    """The most that this process has had mapped at once."""
    with open("/proc/self/status", encoding="ascii", errors="replace") as status:
        for line in status:
            if line.startswith("VmPeak:"):
                return int(line.split()[1]) * 1_024
    return 0


def run_script(asked: RunScript, context: Context) -> int:
    """Run a script of the project, and report its calls of the function."""
    function = context.function
    recorder = Recorder(context.tell, keeps_arguments=True)
    watch(f"{project.PLACE}/{function.path}", function.qualname, recorder.wrap)
    path, *arguments = asked.script
    sys.argv = [path, *arguments]
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    recorder.begin("")
    status = 0
    try:
        runpy.run_path(path, run_name="__main__")
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
        if end.code is not None and not isinstance(end.code, int):
            print(end.code, file=sys.stderr)
    recorder.end()
    context.tell(Ended(status))
    return 0
