"""An arena at each level, and the check that a run has left the cell as it found it."""

import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from steelyard.errors import SteelyardError
from steelyard.sandbox._plans import find_plan, native_cell
from steelyard.schemas import Execution, StopReason
from steelyard.settings import SandboxSettings
from tests.hostile.arena import LEVELS, Arena, Job, Level, open_arena
from tests.warm_process import RUN_FOLDER

AtLevel = pytest.mark.parametrize(
    "arena",
    [pytest.param(level, marks=pytest.mark.xdist_group(level.name)) for level in LEVELS],
    indirect=True,
    ids=lambda level: level.name,
)
_TRIES = 40
_PAUSE_S = 0.25
Unchanged = Callable[[], None]
OpenAt = Callable[[Level], Arena]


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
