"""A second try, alone, for a test that failed beside others: a loaded machine is at times late.

What a run tolerates it also names, so that a test which fails now and then is found and mended. A
hostile test has no second try: an attack that succeeds now and then is a hole.
"""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO

import pytest
from _pytest.runner import runtestprotocol

from tests.warm_process import RUN_FOLDER

HELP = "Try a failed test again when all others are done; what failed at the first try is listed."
_MOST = 10
"""Second tries of one worker: where more fail, the machine's load is not why."""
_LONGEST_WAIT_S = 900


class SecondTry:
    """Puts tests that fail off until every worker is done, and then runs them one at a time."""

    def __init__(self) -> None:
        self._waiting: list[pytest.Item] = []
        self._is_second = False

    @pytest.hookimpl(wrapper=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Iterator[None]:
        """Share a lock with all other workers while tests run; hold it alone for second tries."""
        with Path(os.environ[RUN_FOLDER], "running").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH)
            done = yield
            fcntl.flock(lock, fcntl.LOCK_UN)  # a process that a test forked would keep it
            if self._waiting and not (session.shouldfail or session.shouldstop):
                wait_until_alone(lock)
                self._run_again(session)
        return done

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> object:
        """Run a test for the first time; report a failure as one that has a second try."""
        if self._is_second or "hostile" in item.path.parts or len(self._waiting) >= _MOST:
            return None
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
        failed = [report for report in reports if report.failed]
        if failed:
            self._waiting.append(item)
        for report in failed:
            report.outcome = "rerun"  # type: ignore[assignment]
        for report in failed or reports:
            item.ihook.pytest_runtest_logreport(report=report)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        return True

    def _run_again(self, session: pytest.Session) -> None:
        self._is_second = True
        plugins = session.config.pluginmanager.get_plugins()
        workers = [each for each in plugins if type(each).__name__ == "WorkerInteractor"]
        for item, following in zip(self._waiting, [*self._waiting[1:], None], strict=True):
            for worker in workers:  # pytest-xdist names the item of each report by this number
                worker.item_index = session.items.index(item)
            item._initrequest()  # type: ignore[attr-defined]
            item.ihook.pytest_runtest_protocol(item=item, nextitem=following)


def wait_until_alone(lock: IO[str]) -> None:
    """Wait until no other worker runs tests; what is left of one that crashed is not waited for."""
    end = time.monotonic() + _LONGEST_WAIT_S
    while time.monotonic() < end:
        with suppress(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        time.sleep(0.1)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--second-try", action="store_true", help=HELP)


def pytest_configure(config: pytest.Config) -> None:
    runs_no_test = config.getoption("dist", "no") != "no"  # its workers do
    if config.getoption("second_try") and not runs_no_test:
        config.pluginmanager.register(SecondTry())


def pytest_report_teststatus(report: pytest.TestReport) -> tuple[str, str, str] | None:
    return ("rerun", "R", "RERUN") if report.outcome == "rerun" else None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Show each first try that failed, with its reason."""
    reports = terminalreporter.stats.get("rerun", [])
    if reports:
        terminalreporter.section("had a second try, alone; the first ended in")
    for report in reports:
        crash = getattr(report.longrepr, "reprcrash", None)
        reason = (crash.message if crash else str(report.longrepr)).strip()
        terminalreporter.line(f"{report.nodeid}: {reason.partition(chr(10))[0]}")
