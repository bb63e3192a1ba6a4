"""What tests of all kinds share: a pool, a compile cache that outlives the run, and counts."""

import fcntl
import gc
import os
import re
import shutil
import signal
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import settings

from steelyard.sandbox import CellPool
from steelyard.settings import PEERS
from steelyard.toolchains import CompileCache
from tests import second_try
from tests.database_server import DatabaseServer, missing
from tests.exhaustive import HELP, Selection
from tests.http_server import Service, running_service
from tests.warm_command import WarmCommand
from tests.warm_process import RUN_FOLDER

CACHE = "STEELYARD_CACHE__DIR"
DATABASE = "STEELYARD_DATABASE_URL"
_REASONS = 6
"""Reasons of skipped tests that are shown."""


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    parser.addoption("--exhaustive", default="none", metavar="SHARE", help=HELP)
    pluginmanager.register(second_try)


def pytest_configure(config: pytest.Config) -> None:
    """Select tests, and keep what a test stores out of the user's own folders."""
    settings.register_profile("loaded", deadline=None)  # a loaded machine fails no test
    settings.load_profile("loaded")
    hear_ignored_signals()
    config.pluginmanager.register(Selection(config))
    if "PYTEST_XDIST_WORKER" in os.environ:
        return  # the workers share the folders of the process that started them
    folder = tempfile.mkdtemp(prefix="steelyard-tests-")
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    os.environ["XDG_DATA_HOME"] = f"{folder}/data"
    os.environ[RUN_FOLDER] = folder
    Path(folder, "owner").write_text(str(os.getpid()))
    os.environ[DATABASE] = f"{folder}/problems.sqlite3"
    has_cache = config.pluginmanager.has_plugin("cacheprovider")
    os.environ[CACHE] = str(config.cache.mkdir("steelyard")) if has_cache else folder


@pytest.hookimpl(tryfirst=True)  # before the groups are read
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let one worker run what shares a fixture that takes seconds, such as a service."""
    for item in items:
        for name in {"service", "peers"} & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.xdist_group(name))
        if item.get_closest_marker("xdist_group") is None and shares_a_fixture(item):
            item.add_marker(pytest.mark.xdist_group(item.path.stem))


def shares_a_fixture(item: pytest.Item) -> bool:
    """Return if a test uses a fixture that its own module makes once for all of its tests."""
    if not isinstance(item, pytest.Function):
        return False
    module = item.nodeid.partition("::")[0]
    fixtures = item._fixtureinfo.name2fixturedefs.values()
    return any(each[-1].scope == "module" and each[-1].baseid == module for each in fixtures)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection() -> Iterator[None]:
    """Leave the tests themselves, more than a million objects, out of each garbage collection."""
    gc.disable()
    try:
        with after_the_first_worker():
            return (yield)
    finally:
        gc.freeze()
        gc.enable()


@contextmanager
def after_the_first_worker() -> Iterator[None]:
    """Let one worker collect before the others: it compiles the tests, which takes half the time.

    Workers that begin together would each compile the same files.
    """
    if "PYTEST_XDIST_WORKER" not in os.environ:
        yield
        return
    collected = Path(os.environ[RUN_FOLDER], "collected")  # no name of a cache in this folder
    with collected.with_name("collecting").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not collected.exists():
            yield
            collected.touch()
            return
    yield


def hear_ignored_signals() -> None:
    """Start commands with each signal's default, under `nohup` and in a shell's background, too.

    An ignored signal stays ignored after exec; a handler does not outlive it.
    """
    for each in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
        if signal.getsignal(each) is signal.SIG_IGN:
            signal.signal(each, lambda _number, _frame: None)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Show why tests were skipped, and what tests have counted: their property `count`."""
    skipped = Counter(cause(report) for report in terminalreporter.stats.get("skipped", []))
    if skipped:
        common = [f"{count} {reason}" for reason, count in skipped.most_common(_REASONS)]
        others = skipped.total() - sum(count for _, count in skipped.most_common(_REASONS))
        reasons = "; ".join(common + ([f"{others} for other reasons (-rs)"] if others else []))
        terminalreporter.line(f"skipped: {reasons}. .ci/run installs what is missing.")
    reports = [report for each in terminalreporter.stats.values() for report in each]
    counts = [
        value
        for report in reports
        for name, value in getattr(report, "user_properties", ())
        if name == "count" and report.when == "call"
    ]
    if counts:
        terminalreporter.section("counts")
        for count in counts:
            terminalreporter.line(count)


def cause(report: pytest.TestReport | pytest.CollectReport) -> str:
    """Return why a test was skipped, in a few words: the reason without its details."""
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return re.split(r"[:;(,]", reason.removeprefix("Skipped: "))[0].strip()


@pytest.fixture(scope="session")
def pool() -> Iterator[CellPool]:
    with CellPool(size=1) as cells:
        yield cells


@pytest.fixture(scope="session")
def file_view(pool: CellPool) -> None:
    """Skip a test of what only a cell with a file view of its own can do, such as `compare`."""
    isolation = pool.isolation
    if isolation.filesystem != "view":
        pytest.skip(f"files here: {isolation.filesystem} ({'; '.join(isolation.missing)})")


@pytest.fixture(scope="session")
def database_server() -> Iterator[DatabaseServer]:
    """A PostgreSQL server of this test run."""
    why = missing()
    if why:
        pytest.skip(why)
    with DatabaseServer() as server:
        yield server


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of SQLite with all tables and no records, to copy."""
    from steelyard.storage import open_database

    file = tmp_path_factory.mktemp("database") / "empty.sqlite3"
    open_database(file).close()
    return file


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.exhaustive)])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database with all tables and no records: in a file, and on a server."""
    if request.param == "sqlite":
        file = tmp_path / "problems.sqlite3"
        shutil.copy(request.getfixturevalue("empty_database"), file)
        return f"sqlite:///{file}"
    server: DatabaseServer = request.getfixturevalue("database_server")
    return server.new_with_tables()


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service on loopback, without tokens."""
    with running_service(tmp_path_factory.mktemp("service")) as running:
        yield running


@pytest.fixture(scope="session")
def peers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service that also has the endpoints of every other judge."""
    with running_service(tmp_path_factory.mktemp("peers"), "--compat", ",".join(PEERS)) as running:
        yield running
        assert "Traceback" not in running.log


@pytest.fixture(scope="session")
def warm() -> Iterator[WarmCommand]:
    """`steelyard` as processes that have imported what it needs."""
    with WarmCommand() as command:
        yield command


@pytest.fixture(scope="session")
def compile_cache() -> CompileCache:
    """Kept between runs, so that a precompiled header is made once; workers share it."""
    return CompileCache()
