"""What is left where no namespaces are to be had: Landlock, seccomp, limits, and a clean end."""

import dataclasses
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from steelyard.errors import IsolationError
from steelyard.sandbox import Blob, CellPool, Command, Mount, View, _plans
from steelyard.sandbox._seccomp import build_filter
from steelyard.sandbox._wire import Namespace
from steelyard.schemas import Limits, StopReason
from steelyard.settings import SandboxSettings
from tests.contract.test_toolchains_compile import SQUARES, preferred
from tests.hostile.arena import build
from tests.processes import children

Probe = Callable[..., Command]


@pytest.fixture
def poor(backend: SandboxSettings, monkeypatch: pytest.MonkeyPatch) -> Iterator[SandboxSettings]:
    """The backend on a machine that refuses every namespace."""
    monkeypatch.setattr(_plans, "_ALL", Namespace(0))
    _plans._find_plan.cache_clear()
    yield backend
    _plans._find_plan.cache_clear()


@pytest.fixture
def cells(poor: SandboxSettings) -> Iterator[CellPool]:
    with CellPool(1, settings=poor) as pool:
        if pool.isolation.filesystem != "landlock":
            pytest.skip("this kernel has no Landlock")
        yield pool


def shell(script: str, **options: object) -> Command:
    return Command(("/bin/sh", "-c", script), **options)


def test_says_how_little_is_in_force(cells: CellPool) -> None:
    isolation = cells.isolation

    assert (isolation.level, isolation.namespaces) == ("partial", ())
    assert isolation.network == "none"


def test_refuses_where_more_is_required(poor: SandboxSettings) -> None:
    with pytest.raises(IsolationError, match="full"):
        CellPool(1, settings=poor.model_copy(update={"require": "full"}))


def test_gives_a_run_its_input_and_brings_back_what_it_did(cells: CellPool) -> None:
    command = shell(
        "cat; cat in/given >&2; echo made > made; exit 7",
        stdin=b"x" * 100_000,
        files={"in/given": b"file"},
        collect=("made", "absent"),
    )

    for _ in range(2):
        execution = cells.run(command)
        assert (execution.stop, execution.exit_code) == (StopReason.EXITED, 7)
        assert (execution.stdout, execution.stderr) == (b"x" * 100_000, b"file")
        assert execution.files == {"made": b"made\n"}


def test_shows_the_views_files_and_no_others(cells: CellPool, tmp_path: Path) -> None:
    for name in ("shown", "hidden"):
        (tmp_path / name).mkdir(mode=0o755)
        (tmp_path / name / "file").write_text(name)
    view = View((*Command(("x",)).view.mounts, Mount(str(tmp_path / "shown"))))
    for folder in (tmp_path, *tmp_path.parents[:-2]):  # the candidate's own id must get through
        folder.chmod(0o755)

    execution = cells.run(
        shell(
            f"cd {tmp_path}; cat shown/file; cat hidden/file; echo x > shown/file; cat /etc/passwd",
            view=view,
        )
    )

    assert execution.stdout == b"shown"
    assert (tmp_path / "shown" / "file").read_text() == "shown"


def test_keeps_every_limit(cells: CellPool, probe: Probe) -> None:
    tight = Limits(cpu_ms=20_000, wall_ms=60_000, memory_mib=64, output_mib=1)

    burning = cells.run(probe("burn", 60_000, limits=tight.replace(cpu_ms=100)))
    assert burning.stop is StopReason.CPU_LIMIT
    assert cells.run(probe("heap", 600, 30_000, limits=tight)).stop is StopReason.MEMORY_LIMIT
    assert cells.run(probe("put", 1 << 24, 1, limits=tight)).stop is StopReason.OUTPUT_LIMIT
    resting = cells.run(probe("rest", 9_000, limits=tight.replace(wall_ms=100)))
    assert resting.stop is StopReason.WALL_LIMIT


def test_counts_what_children_use_while_they_run(cells: CellPool, probe: Probe) -> None:
    tight = Limits(cpu_ms=100, wall_ms=60_000, memory_mib=64)
    burning = cells.run(probe("children", 1, 60_000, limits=tight))
    assert burning.stop is StopReason.CPU_LIMIT
    # A control group remembers its peak; a sample must meet the processes alive.
    rest_ms = 60_000 if cells.isolation.memory_limited_by == "sampling" else 1_000
    large = cells.run(probe("heaps", 3, rest_ms, limits=tight.replace(cpu_ms=20_000)))
    assert large.stop is StopReason.MEMORY_LIMIT


def test_leaves_neither_process_nor_file(cells: CellPool, probe: Probe) -> None:
    cells.run(shell("mkdir -p a/b; touch a/b/c; chmod 0 a; (setsid sleep 600 &)"))
    cells.run(probe("leave"))
    assert cells.run(shell("ls -A")).stdout == b""

    cell = next(iter(cells._slots[0]._cells.values()))
    (inner,) = children(cell.pid)
    below = Path(f"/proc/{inner}/task/{inner}/children")
    deadline = time.monotonic() + 20
    while below.read_text():  # the one that empties the folder goes by itself
        assert time.monotonic() < deadline
    work = Path(cell._work)
    cells.close()
    assert not work.exists()


def test_reaches_neither_the_network_nor_another_process(cells: CellPool) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        connect = f"use IO::Socket::INET; exit(IO::Socket::INET->new('127.0.0.1:{port}') ? 0 : 3)"
        assert cells.run(Command(("/usr/bin/perl", "-e", connect))).exit_code == 3
    assert cells.run(shell(f"kill -0 {os.getpid()}")).exit_code != 0


def test_ends_a_run_where_signals_are_denied_too(
    poor: SandboxSettings, probe: Probe, tmp_path: Path
) -> None:
    """On a kernel whose Landlock keeps no signals inside, seccomp denies most kinds of them."""
    with CellPool(1, settings=poor) as pool:
        strict = build_filter(own_network=False, own_signals=False, own_files=False)
        for slot in pool._slots:
            slot._plan = dataclasses.replace(slot._plan, filter=strict)

        execution = pool.run(probe("rest", 30_000, limits=Limits(cpu_ms=1_000, wall_ms=100)))
        assert (execution.stop, execution.signal) == (StopReason.WALL_LIMIT, signal.SIGKILL)
        without_first_thread = Command(
            ("x",),
            executable=Blob.from_file(build("main_thread_ends", tmp_path)),
            limits=Limits(cpu_ms=100, wall_ms=20_000),
        )
        execution = pool.run(without_first_thread)
        assert execution.stop in (StopReason.CPU_LIMIT, StopReason.WALL_LIMIT)
        assert execution.cpu_ms < 1_000
        pool.run(shell("(setsid sleep 600 &)"))
        assert pool.run(shell("echo well")).stdout == b"well\n"


@pytest.mark.parametrize("language", ["java", "javascript"])
def test_a_runtime_works_without_the_hosts_settings(cells: CellPool, language: str) -> None:
    toolchain = preferred(language)
    folders = Path(toolchain.tool.executable).resolve().parents
    if cells.isolation.separate_user and not all(each.stat().st_mode & 1 for each in folders):
        pytest.skip(f"another user cannot reach {toolchain.tool.executable}")

    compilation = toolchain.compile(SQUARES[language], cells)

    assert compilation.artifact is not None, compilation.result.errors
    limits = toolchain.run_limits(Limits())
    execution = cells.run(compilation.artifact.command(stdin=b"12\n", limits=limits))
    assert (execution.stop, execution.exit_code) == (StopReason.EXITED, 0), execution.stderr
    assert execution.stdout.strip(b"\n!") == b"144"


_AS_BARE_ROOT = """
from steelyard.sandbox import CellPool, Command
from tests.rights import give_up_capabilities
give_up_capabilities(for_good=True)
with CellPool(1) as pool:
    execution = pool.run(Command(("/bin/sh", "-c", "id -u; chown 1 . && echo owner changed")))
    print(pool.isolation.level, pool.isolation.separate_user, execution.stdout.decode().split())
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be root without capabilities")
def test_root_without_capabilities_has_cells_with_its_own_id() -> None:
    """A hardened container runs so: user id 0 that may neither change ids nor map them."""
    shown = subprocess.run(
        [sys.executable, "-c", _AS_BARE_ROOT], capture_output=True, text=True, check=False
    )

    assert shown.stderr == ""
    assert shown.stdout == "partial False ['0']\n"
