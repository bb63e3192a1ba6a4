"""Our pytest plug-in: reports each test's outcome and output."""

from __future__ import annotations

from typing import Any

from steelyard.comparing.effects.incell.hearing import Hearing
from steelyard.comparing.incell.told import TestDone
from steelyard.comparing.recording.incell.recording import Recorder
from steelyard.comparing.steadiness.incell import patches
from steelyard.project_runs.incell.channel import Tell
from steelyard.project_runs.incell.sessions import Collecting, TestBegun, Uncollected, reason_in
from steelyard.project_runs.incell.watchdog import Watchdog
from steelyard.values.incell.temporary import masked

_MOST_CHARS = 20_000


class Plugin:
    """One session of tests around a recorded function."""

    def __init__(
        self, tell: Tell, recorder: Recorder, hearing: Hearing, test_timeout_s: float
    ) -> None:
        self._tell, self._recorder, self._hearing = tell, recorder, hearing
        self._outcome: dict[str, Any] = {}
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
        self._outcome = {"passed": False, "skipped": False, "why": ""}
        self._said: dict[str, str] = {}
        self._hearing.take()
        self._tell(TestBegun(nodeid))
        self._watchdog.begin()
        patches.restart()
        self._recorder.begin(nodeid)

    def pytest_runtest_logreport(self, report: Any) -> None:
        """One phase of a test."""
        outcome = self._outcome
        if report.when == "call":
            # A test with parts that failed passes as a whole, and is reported after them.
            outcome["passed"] = report.passed and not outcome["why"]
            streams = {"stdout": report.capstdout, "stderr": report.capstderr}
            said = {name: text[-_MOST_CHARS:] for name, text in streams.items() if text}
            said |= self._hearing.take()
            self._said = {name: masked(text) for name, text in said.items()}
        if report.skipped:
            outcome["skipped"] = True
        elif report.failed:
            outcome["passed"] = False
            outcome["why"] = outcome["why"] or reason_in(report.longreprtext)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """The test, after its tear-down."""
        calls = self._recorder.end()
        self._tell(TestDone(test=nodeid, calls=calls, said=self._said, **self._outcome))

    def pytest_sessionfinish(self) -> None:
        """All tests are over."""
        self._watchdog.end()
