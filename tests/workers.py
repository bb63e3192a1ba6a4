"""Run tests in several processes that are forked after one collection: `pytest -n 6`.

1. The tests are collected once: it takes as much time as hundreds of tests, and a fork copies
   only the memory that it writes to.
2. Tests with one `xdist_group` mark, or one fixture that takes seconds, are a group; each other
   test is a group of its own. The largest groups begin first.
3. A worker runs a group, sends the reports of each of its tests, and is given the next group.
   Reports are shown and counted as if the test had run here.
4. If a worker dies, the test that it ran has failed, and a new worker runs the rest of the group.
5. With `--second-try`, failed tests run once more, one at a time, when all others are done.
   A hostile test has no second try: an attack that succeeds now and then is a hole.
"""

import os
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, NoReturn

import pytest

from tests.warm_process import end_process

MARK = "xdist_group"
_MOST_SECOND_TRIES = 10
"""If more tests fail, the machine's load is not the reason."""

Group = list[int]
"""The tests of a group, as indices of the collected tests."""


@dataclass
class Worker:
    """A process that runs tests, and the rest of its group."""

    pid: int
    connection: Connection
    group: Group = field(default_factory=list)


class Workers:
    """Runs the session's tests in worker processes."""

    def __init__(self, count: int, *, second_try: bool) -> None:
        self._count = count
        self._has_second_try = second_try
        self._started = 0
        self._workers: list[Worker] = []
        self._failed: Group = []
        self._is_second = False

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        """Run all tests; pytest's own loop handles what has none to run."""
        if session.config.option.collectonly or session.testsfailed or not session.items:
            return None
        self._run(session, groups_of(session.items), self._count)
        if self._failed:
            self._is_second = True
            self._run(session, [[index] for index in self._failed], 1)
        return True

    def _run(self, session: pytest.Session, groups: list[Group], count: int) -> None:
        waiting = list(reversed(groups))
        try:
            for _ in range(min(count, len(groups))):
                self._start(session, waiting)
            while self._workers:
                ready = wait([each.connection for each in self._workers])
                for worker in [each for each in self._workers if each.connection in ready]:
                    try:
                        values = worker.connection.recv()
                    except EOFError:
                        self._end(session, worker, waiting)
                        continue
                    reports = [read(session.config, each) for each in values]
                    self._show(session, worker.group.pop(0) if worker.group else None, reports)
                    if not worker.group:
                        give(worker, waiting)
        finally:
            for worker in self._workers:  # they end after their tests if the run ends early
                worker.connection.close()
            for worker in self._workers:
                os.waitpid(worker.pid, 0)

    def _start(self, session: pytest.Session, waiting: list[Group]) -> None:
        """Fork a worker, which never returns from here, and give it the next group."""
        self._started += 1
        basetemp = session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
        sys.stdout.flush()
        sys.stderr.flush()
        here, there = Pipe()
        pid = os.fork()
        if pid == 0:
            for each in (here, *(worker.connection for worker in self._workers)):
                each.close()
            work(session, there, basetemp / f"worker{self._started}")
        there.close()
        worker = Worker(pid, here)
        self._workers.append(worker)
        give(worker, waiting)

    def _end(self, session: pytest.Session, worker: Worker, waiting: list[Group]) -> None:
        """Forget a worker that has ended; if a test has ended it, report that and start another."""
        self._workers.remove(worker)
        worker.connection.close()
        _, status = os.waitpid(worker.pid, 0)
        if not worker.group:
            return
        index, *rest = worker.group
        item = session.items[index]
        reason = f"the worker ended with status {os.waitstatus_to_exitcode(status)}"
        call = pytest.CallInfo.from_call(lambda: pytest.fail(reason, pytrace=False), "call")
        self._show(session, index, [pytest.TestReport.from_item_and_call(item, call)])
        if rest:
            waiting.append(rest)
        if waiting:
            self._start(session, waiting)

    def _show(
        self, session: pytest.Session, index: int | None, reports: Sequence[pytest.TestReport]
    ) -> None:
        """Report what a worker has run; an index of None is for what a worker does at its end."""
        hook = session.config.hook
        failed = any(report.failed for report in reports)
        if failed and index is not None and self._has_another_try(session.items[index]):
            self._failed.append(index)
            for report in reports:
                if report.failed:
                    report.outcome = "rerun"  # type: ignore[assignment]
                    hook.pytest_runtest_logreport(report=report)
        else:
            for report in reports:
                hook.pytest_runtest_logreport(report=report)
        if session.shouldfail:
            raise session.Failed(session.shouldfail)
        if session.shouldstop:
            raise session.Interrupted(session.shouldstop)

    def _has_another_try(self, item: pytest.Item) -> bool:
        if self._is_second or not self._has_second_try or "hostile" in item.path.parts:
            return False
        return len(self._failed) < _MOST_SECOND_TRIES


def groups_of(items: Sequence[pytest.Item]) -> list[Group]:
    """Return the groups, largest first."""
    groups: defaultdict[object, Group] = defaultdict(list)
    for index, item in enumerate(items):
        mark = item.get_closest_marker(MARK)
        groups[mark.args[0] if mark else index].append(index)
    return sorted(groups.values(), key=len, reverse=True)


def give(worker: Worker, waiting: list[Group]) -> None:
    """Give a worker the next group, or none: then it ends."""
    worker.group = list(waiting.pop()) if waiting else []
    with suppress(BrokenPipeError):  # it has died, which is seen next
        worker.connection.send(worker.group)


def work(session: pytest.Session, connection: Connection, basetemp: Path) -> NoReturn:
    """Run groups of tests until there is no other, as the process of a worker."""
    status = 1
    try:
        reporter = Reporter(session.config, basetemp)
        for group in iter(connection.recv, []):
            for index, following in zip(group, [*group[1:], None], strict=True):
                item = session.items[index]
                # After a group all is torn down, except what the whole session shares.
                nextitem: Any = session if following is None else session.items[following]
                session.config.hook.pytest_runtest_protocol(item=item, nextitem=nextitem)
                connection.send(reporter.take())
        end = pytest.CallInfo.from_call(
            lambda: session._setupstate.teardown_exact(None), "teardown"
        )
        if end.excinfo is not None:
            report = pytest.TestReport.from_item_and_call(item, end)
            connection.send([plain(session.config, report)])
        status = 0
    except (EOFError, OSError, KeyboardInterrupt):  # the run ends early
        with suppress(Exception):
            session._setupstate.teardown_exact(None)
    finally:
        connection.close()
        end_process(status)


def read(config: pytest.Config, data: dict[str, Any]) -> pytest.TestReport:
    """Return the report that another process has written as plain values."""
    report: pytest.TestReport = config.hook.pytest_report_from_serializable(
        config=config, data=data
    )
    return report


class Reporter:
    """Keeps the reports of a worker's tests in place of showing them; has outputs of its own."""

    def __init__(self, config: pytest.Config, basetemp: Path) -> None:
        self._config = config
        self._reports: list[pytest.TestReport] = []
        manager = config.pluginmanager
        self._tw = config.get_terminal_writer()
        """The attribute of pytest's own reporter, which others write to, such as a timeout."""
        for implementation in config.hook.pytest_runtest_logreport.get_hookimpls():
            if not isinstance(implementation.plugin, pytest.Session):
                manager.unregister(implementation.plugin)
        manager.register(self, "terminalreporter")
        capture: Any = manager.getplugin("capturemanager")
        capture.stop_global_capturing()  # its files are the other processes', too
        capture.start_global_capturing()
        capture.suspend_global_capture()
        basetemp.mkdir()
        config._tmp_path_factory._basetemp = basetemp  # type: ignore[attr-defined]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._reports.append(report)

    def take(self) -> list[dict[str, Any]]:
        """Return the reports since the last call, as plain values."""
        reports, self._reports = self._reports, []
        return [plain(self._config, each) for each in reports]


def plain(config: pytest.Config, report: pytest.TestReport) -> dict[str, Any]:
    """Return a report as plain values, which another process can read."""
    data: dict[str, Any] = config.hook.pytest_report_to_serializable(config=config, report=report)
    return data


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("workers")
    group._addoption(  # `addoption` keeps lowercase letters for pytest's own options
        "-n", dest="workers", type=int, default=0, metavar="N", help="Number of worker processes."
    )
    group.addoption(
        "--second-try", action="store_true",
        help="Try a failed test again when all others are done; list the first failures.",
    )  # fmt: skip


def pytest_configure(config: pytest.Config) -> None:
    line = f"{MARK}(name): tests with the same name run in one worker, in order"
    config.addinivalue_line("markers", line)
    count = config.getoption("workers")
    if count > 0 and not config.getoption("usepdb", False):
        second_try = config.getoption("second_try")
        config.pluginmanager.register(Workers(count, second_try=second_try))


def pytest_report_teststatus(report: pytest.TestReport) -> tuple[str, str, str] | None:
    return ("rerun", "R", "RERUN") if report.outcome == "rerun" else None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Show each first try that failed, with its reason."""
    for report in first_failures(terminalreporter):
        crash = getattr(report.longrepr, "reprcrash", None)
        reason = (crash.message if crash else str(report.longrepr)).strip()
        terminalreporter.line(f"{report.nodeid}: {reason.partition(chr(10))[0]}")


def first_failures(terminalreporter: pytest.TerminalReporter) -> Iterator[pytest.TestReport]:
    reports = terminalreporter.stats.get("rerun", [])
    if reports:
        terminalreporter.section("had a second try, alone; the first ended in")
    yield from reports
