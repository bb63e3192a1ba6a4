"""An arena at each level, and the check that a run has left the cell as it found it."""

import os
import shutil
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from zlib import crc32

import pytest
from _pytest.mark import ParameterSet

from steelyard.errors import SteelyardError
from steelyard.sandbox._plans import find_plan, native_cell
from steelyard.schemas import Execution, StopReason
from steelyard.settings import SandboxSettings
from tests.exhaustive import MARK as EXHAUSTIVE
from tests.hostile.arena import LEVELS, Arena, Job, Level, open_arena
from tests.warm_process import RUN_FOLDER

HERE = Path(__file__).parent


def at_level(level: Level) -> ParameterSet:
    """Return a level as a parameter. Tests of one level share a worker, which opens it once."""
    return pytest.param(level, marks=pytest.mark.xdist_group(level.name), id=level.name)


def at_levels(levels: Iterable[Level]) -> pytest.MarkDecorator:
    """Give a test an arena at each of the levels; see `pytest_collection_modifyitems`."""
    return pytest.mark.parametrize("arena", [at_level(each) for each in levels], indirect=True)


AtLevel = at_levels(LEVELS)
AtLevelWithView = at_levels(level for level in LEVELS if level.namespaces)
_TRIES = 40
_PAUSE_S = 0.25
Unchanged = Callable[[], None]
OpenAt = Callable[[Level], Arena]


@pytest.hookimpl(wrapper=True)  # before the exhaustive tests are selected
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Iterator[None]:
    """Run each test at one level by turns, and leave its other levels to the exhaustive tests.

    The name of the test chooses the level, so that the choice is the same everywhere. Levels that a
    machine may lack (Docker) or that go away (the cell in Python) are never chosen.
    """
    by_test: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.path.is_relative_to(HERE) and level_of(item):
            others = {k: v for k, v in item.callspec.params.items() if not isinstance(v, Level)}
            by_test[f"{item.path.stem}:{item.originalname}:{others}"].append(item)
    for name, at_each_level in by_test.items():
        usual = [item for item in at_each_level if is_usual(item)] or at_each_level
        chosen = usual[crc32(name.encode()) % len(usual)]
        for item in at_each_level:
            if item is not chosen:
                item.add_marker(pytest.mark.exhaustive)
    yield


def level_of(item: pytest.Item) -> Level | None:
    """Return the level that a test is for."""
    callspec = getattr(item, "callspec", None)
    values = callspec.params.values() if callspec else ()
    return next((value for value in values if isinstance(value, Level)), None)


def is_usual(item: pytest.Item) -> bool:
    """Return if every run may have this test."""
    level = level_of(item)
    return (
        level is not None
        and level.backend == "cell"
        and (has_namespaces() or not level.namespaces)
        and item.get_closest_marker(EXHAUSTIVE) is None
    )


@cache
def has_namespaces() -> bool:
    """Return if a cell of this user has namespaces on this machine."""
    try:
        return bool(find_plan(SandboxSettings()).isolation.namespaces)
    except SteelyardError:
        return False


@pytest.fixture(scope="session")
def binaries() -> Path:
    """Where compiled programs are kept; the workers of one test run share it."""
    if shutil.which("gcc") is None:
        pytest.skip("the hostile programs are C: no gcc here")
    folder = Path(os.environ[RUN_FOLDER], "hostile-programs")
    folder.mkdir(exist_ok=True)
    return folder


def open_or_skip(level: Level, binaries: Path) -> Arena:
    """The arena of a level, where this machine has it."""
    if level.backend == "cell" and native_cell() is None:
        pytest.skip("the native cell was not built")
    try:
        opened = open_arena(level, binaries)
        isolation = opened.isolation()
    except SteelyardError as error:
        pytest.skip(f"{level.name}: {error}")
    if level.namespaces and not isolation.namespaces:
        opened.close()
        pytest.skip(f"{level.name}: no namespaces here: {'; '.join(isolation.missing)}")
    return opened


class Kept:
    """The arena of the level that the last test was for, and what a fresh cell gave there."""

    def __init__(self, binaries: Path) -> None:
        self._binaries = binaries
        self._arena: Arena | None = None
        self._pristine: tuple[str, Execution] | None = None

    def arena(self, level: Level) -> Arena:
        """Return the arena of a level; the one of another level is closed."""
        if self._arena is None or self._arena.level != level:
            self.close()
            self._arena = open_or_skip(level, self._binaries)
        return self._arena

    def pristine(self, arena: Arena) -> tuple[str, Execution]:
        """Return what the inspector and the honest program gave before any other run."""
        if self._pristine is None:
            run_honest(arena)  # the first run of all brings pages in that later ones find
            world = inspect(arena)
            fastest = min((run_honest(arena) for _ in range(3)), key=lambda run: run.cpu_ms)
            self._pristine = world, fastest
        return self._pristine

    def close(self) -> None:
        if self._arena is not None:
            self._arena.close()
        self._arena = self._pristine = None


@pytest.fixture(scope="module")
def kept(binaries: Path) -> Iterator[Kept]:
    """A module-scoped `arena` would be opened anew for each test that has other parameters, too."""
    opened = Kept(binaries)
    yield opened
    opened.close()


@pytest.fixture
def arena(request: pytest.FixtureRequest, kept: Kept) -> Arena:
    """One cell at the level that the test is for, kept for all tests of a module."""
    return kept.arena(request.param)


@pytest.fixture
def open_at(binaries: Path) -> Iterator[OpenAt]:
    """Opens a fresh arena, for tests that break or close it."""
    opened: list[Arena] = []

    def open_level(level: Level) -> Arena:
        opened.append(open_or_skip(level, binaries))
        return opened[-1]

    yield open_level
    for each in opened:
        each.close()


def inspect(arena: Arena) -> str:
    """All that a run sees of its surroundings."""
    args = () if arena.isolation().namespaces else ("host",)
    execution = arena.run(Job("inspector", args=args))
    assert execution.stop is StopReason.EXITED
    return execution.stdout.decode()


def run_honest(arena: Arena) -> Execution:
    """An honest program's run."""
    limits = {"cpu_ms": 5_000, "wall_ms": 20_000}
    return arena.run(Job("honest", stdin=b"600000\n", limits=limits))


@pytest.fixture
def unchanged(arena: Arena, kept: Kept) -> Unchanged:
    """Asserts that the next run finds everything as it was, and is measured as before."""
    world, honest = kept.pristine(arena)

    def check() -> None:
        assert inspect(arena) == world
        for _ in range(_TRIES):
            again = run_honest(arena)
            assert (again.stop, again.exit_code) == (StopReason.EXITED, 0)
            assert again.stdout == honest.stdout
            assert abs(again.memory_mib - honest.memory_mib) < 0.5
            if again.cpu_ms < 3 * honest.cpu_ms + 5:
                break
            time.sleep(_PAUSE_S)  # other load comes and goes; what an attack left behind would stay
        else:
            pytest.fail(f"{again.cpu_ms} ms instead of {honest.cpu_ms} ms, {_TRIES} times")

    return check
