"""What is the host's stays the host's: files, sockets, descriptors, other runs' inputs."""

import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from steelyard.errors import CellError, CommandError
from steelyard.sandbox import CellPool, Command
from steelyard.schemas import StopReason
from tests.hostile.arena import LEVELS, ROOT, Arena, Job, Level, alive
from tests.hostile.conftest import (
    AtLevel,
    AtLevelWithView,
    OpenAt,
    Unchanged,
    at_level,
    at_levels,
    run_honest,
)
from tests.processes import children

REFUSED = b"all refused\n"
SECRET = b"expected output: 42\n"
AtPrivilegedLevel = pytest.mark.parametrize(
    "level", [at_level(level) for level in LEVELS if not level.ordinary]
)


@pytest.fixture
def host_folder(arena: Arena) -> Iterator[Path]:
    """A folder that the run's user owns and that everybody may read and write."""
    with TemporaryDirectory(prefix="hostile-", dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o777)
        yield folder


def plant(folder: Path, arena: Arena) -> Path:
    """A file of the run's own user, outside of what it may see."""
    file = folder / "expected.ans"
    file.write_bytes(SECRET)
    file.chmod(0o644)
    uid = arena.user()
    if uid != os.geteuid():
        os.chown(file, uid, uid)
    return file


def wait_until(come_about: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not come_about():
        assert time.monotonic() < deadline, "it never came about"
        time.sleep(0.01)


def groups() -> set[str]:
    """The control groups of all cells, of any process."""
    walk = os.walk("/sys/fs/cgroup")  # Path.rglob fails where a folder goes while it looks
    return {name for _, folders, _ in walk for name in folders if name.startswith("steelyard-")}


@AtLevel
def test_tests_and_sources_cannot_be_read(arena: Arena, host_folder: Path) -> None:
    secret = plant(host_folder, arena)
    paths = (secret, host_folder, ROOT / "pyproject.toml", Path(__file__), ROOT / "tests", ROOT)
    execution = arena.run(Job("read_secrets", tuple(map(str, paths))))
    assert execution.stdout == REFUSED


@AtLevel
def test_no_file_of_proc_tells_of_the_host(arena: Arena, host_folder: Path) -> None:
    secret = plant(host_folder, arena)
    words = (secret.name, host_folder.name, str(ROOT / "tests"), "PYTEST_", "PYTHONPATH")
    execution = arena.run(Job("snoop_proc", words))
    assert execution.stdout == REFUSED


@AtLevel
def test_files_of_its_user_cannot_be_changed(arena: Arena, host_folder: Path) -> None:
    secret = plant(host_folder, arena)
    before = secret.stat()
    execution = arena.run(Job("meddle", (str(secret),)))
    isolation = arena.isolation()
    same_user = not isolation.namespaces and not isolation.separate_user
    if same_user and execution.stdout != REFUSED:
        pytest.xfail("Landlock does not cover modes, owners and times; only the filter could")
    assert execution.stdout == REFUSED
    after = secret.stat()
    assert (after.st_mode, after.st_mtime_ns, after.st_uid, after.st_nlink) == (
        before.st_mode,
        before.st_mtime_ns,
        before.st_uid,
        before.st_nlink,
    )
    assert secret.read_bytes() == SECRET


@AtLevel
def test_services_of_the_host_cannot_be_reached(arena: Arena, host_folder: Path) -> None:
    path, name = host_folder / "service", f"hostile-{os.getpid()}"
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_UNIX) as unix,
        socket.socket(socket.AF_UNIX) as abstract,
    ):
        unix.bind(str(path))
        path.chmod(0o777)
        unix.listen()
        abstract.bind(f"\0{name}")
        abstract.listen()
        port = str(tcp.getsockname()[1])
        execution = arena.run(Job("network", (port, str(path), name)))
    assert execution.stdout == REFUSED


@AtLevel
def test_only_own_regular_files_are_collected(arena: Arena) -> None:
    names = (
        "link",
        "link2",
        "zero",
        "pipe",
        "folder",
        "linked/env",
        "self/environ",
        "whiteout",
        "socket",
        "absent",
        "real",
        "real/file",
        "hard",
    )
    execution = arena.run(Job("collect_tricks", collect=names))
    assert execution.exit_code == 0
    assert execution.files == {"real/file": b"mine", "hard": b"mine"}


@AtLevel
def test_cleaning_up_follows_no_link(arena: Arena, host_folder: Path, unchanged: Unchanged) -> None:
    victim = host_folder / "victim"
    victim.touch()
    job = Job("swap_placed_file", (str(host_folder),), files={"placed/victim": b""})
    assert arena.run(job).exit_code == 0
    unchanged()
    assert victim.exists()


@AtLevel
@pytest.mark.parametrize("attack", ["overwrite_input", "stream_modes", "stream_locks"])
@pytest.mark.parametrize("shared", [True, False])
def test_an_input_is_the_same_for_the_next_run(
    arena: Arena, unchanged: Unchanged, attack: str, shared: bool
) -> None:
    arena.run(Job(attack, stdin=b"600000\n", shared_input=shared))
    execution = arena.run(Job("honest", stdin=b"600000\n", shared_input=shared))
    assert (execution.stop, execution.exit_code) == (StopReason.EXITED, 0)
    unchanged()


@AtLevelWithView
@pytest.mark.parametrize("shared", [True, False])
def test_streams_open_by_name(arena: Arena, shared: bool) -> None:
    data = bytes(range(256)) * 4
    execution = arena.run(Job("open_by_name", stdin=data, shared_input=shared))
    assert execution.exit_code == 0
    assert execution.stdout == data


@AtLevel
def test_its_own_program_cannot_be_changed(arena: Arena) -> None:
    for placed in (False, True, False):
        execution = arena.run(Job("rewrite_itself", placed=placed))
        assert execution.stdout.startswith(b"original\n")
        if not placed:
            assert execution.stdout == b"original\n" + REFUSED


@at_levels(level for level in LEVELS if level.counts)
@pytest.mark.parametrize("program", ["memory_in_flight", "memory_in_cache"])
def test_memory_that_an_earlier_run_left_buys_nothing(
    arena: Arena, unchanged: Unchanged, program: str
) -> None:
    if arena.isolation().memory_counter == "rss":
        pytest.skip("without a control group memory is not measured against a base")
    arena.run(Job(program, ("leave",)))
    stop = arena.run(Job(program, ("spend",))).stop
    unchanged()
    assert stop is StopReason.MEMORY_LIMIT


@AtPrivilegedLevel
def test_a_descriptor_that_the_caller_left_inheritable_is_not_passed_on(
    level: Level, open_at: OpenAt, tmp_path: Path
) -> None:
    secret = os.open(tmp_path, os.O_RDONLY)
    os.set_inheritable(secret, True)
    try:
        arena = open_at(level)
        execution = arena.run(Job("scan_descriptors"))
        arena.close()
    finally:
        os.close(secret)
    assert execution.stdout == REFUSED


def test_what_is_too_long_for_a_cell_is_an_error_that_says_so(pool: CellPool) -> None:
    for command in (
        Command(("/bin/true", "x" * 1_000_000)),
        Command(("/bin/true", *["x"] * 10_000)),
        Command(("/bin/true",), env={"X": "x" * 1_000_000}),
        Command(("/bin/true",), files={f"f{i}": b"" for i in range(1000)}),
        Command(("/bin/true", "a\0b")),
        Command(("/bin/true",), files={"../x": b""}),
        Command(("/bin/true",), files={"/etc/x": b""}),
        Command(("/bin/true",), collect=("a/../../etc/passwd",)),
        Command(("",)),
        Command(()),
    ):
        with pytest.raises(CommandError):
            pool.run(command)
    assert pool.run(Command(("/bin/true",))).exit_code == 0


def test_bytes_of_all_kinds_pass_through(pool: CellPool) -> None:
    data = bytes(range(256)) * 1000
    for stdin in (data[:1000], data):
        assert pool.run(Command(("/bin/cat",), stdin=stdin)).stdout == stdin


@pytest.mark.parametrize("before", ["honest", "heap_bomb"])
@pytest.mark.parametrize("killed", ["outer", "inner", "both"])
@AtPrivilegedLevel
def test_a_killed_cell_takes_its_run_along_and_is_no_verdict(
    level: Level, open_at: OpenAt, killed: str, before: str
) -> None:
    arena = open_at(level)
    arena.run(Job(before, stdin=b"1"))
    run_honest(arena)  # a cell that a memory bomb has ended is made anew by the next run
    (cell,) = arena.cells()
    cells = [cell]
    if killed != "outer":
        cells += children(cell) or pytest.skip("the container's process 1 is the cell")
    if killed == "inner":
        del cells[0]
    isolation = arena.isolation()
    if killed == "both" and not isolation.namespaces and isolation.memory_counter == "rss":
        pytest.skip("without a process namespace and a control group nobody knows what is left")

    def kill_when_it_runs() -> None:
        wait_until(lambda: len(alive(arena.owner())) == 3)
        for each in cells:  # one that is stopped cannot clean up before its own end
            os.kill(each, signal.SIGSTOP)
        for each in cells:
            os.kill(each, signal.SIGKILL)

    killer = threading.Thread(target=kill_when_it_runs)
    killer.start()
    try:
        execution = arena.run(Job("outlive_cell", limits={"cpu_ms": 20_000, "wall_ms": 30_000}))
    except CellError:
        execution = None
    killer.join()
    wait_until(lambda: not alive(arena.owner()))  # they die by the kernel's hand, a little later
    again = run_honest(arena)
    arena.close()
    assert again.exit_code == 0
    assert execution is None


@pytest.mark.parametrize("level", [at_level(level) for level in LEVELS])
def test_nothing_is_left_when_the_pool_is_closed(level: Level, open_at: OpenAt) -> None:
    before = groups()  # a killed process whose number the owner has now may have left some
    arena = open_at(level)
    for name in ("daemon", "fork_and_exit", "heap_bomb", "sticky_tree", "memory_in_flight"):
        arena.run(Job(name, limits={"cpu_ms": 100, "wall_ms": 200}))
    cells, owner = arena.cells(), arena.owner()
    arena.close()
    assert not any(Path("/proc", str(pid)).exists() for pid in cells)
    assert not alive(owner)
    of_owner = {name for name in groups() if name.startswith(f"steelyard-{owner}-")}
    assert of_owner <= before
