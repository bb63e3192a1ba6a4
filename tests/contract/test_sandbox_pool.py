"""What a pool promises on every backend: threads, tasks, forks, lost cells, and a clean end."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from steelyard.errors import CellError
from steelyard.sandbox import SYSTEM_VIEW, CellPool, Command, StoppedError, View, _cell
from steelyard.sandbox._cgroups import detect
from steelyard.sandbox._pool import _taken
from steelyard.schemas import Limits, StopReason
from steelyard.settings import SandboxSettings
from tests.processes import children, is_running

Probe = Callable[..., Command]


def echo(text: object) -> Command:
    return Command(("/bin/cat",), stdin=str(text).encode())


def processes_of(pool: CellPool) -> list[int]:
    """Every process of the pool's cells: the outermost ones, and all below them."""
    found = [cell.pid for slot in pool._slots for cell in slot._cells.values()]
    for pid in found:
        found += children(pid)
    return found


def wait_until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline, "it never came about"
        time.sleep(0.005)


def groups_of_this_process(backend: SandboxSettings) -> set[Path]:
    parents = detect(backend.accounting).parents.values()
    return {group for parent in parents for group in parent.glob(f"steelyard-{os.getpid()}-*")}


def test_threads_share_a_pool(backend: SandboxSettings) -> None:
    with CellPool(2, settings=backend) as pool, ThreadPoolExecutor(8) as threads:
        outputs = list(threads.map(lambda n: pool.run(echo(n)).stdout, range(64)))

    assert outputs == [str(n).encode() for n in range(64)]


def test_a_pool_counts_its_free_cells(backend: SandboxSettings) -> None:
    long = Command(("/bin/sleep", "600"), limits=Limits(cpu_ms=600_000))
    with CellPool(2, settings=backend) as pool, ThreadPoolExecutor(1) as threads:
        assert pool.free == 2
        running = threads.submit(pool.run, long)
        wait_until(lambda: pool.free == 1)
        pool.abort()
        with pytest.raises(CellError):
            running.result()
        assert pool.free == 2


def test_work_that_is_stopped_ends_at_once_and_other_work_goes_on(backend: SandboxSettings) -> None:
    long = Command(("/bin/sleep", "600"), limits=Limits(cpu_ms=600_000))
    with CellPool(2, settings=backend) as pool, ThreadPoolExecutor(5) as threads:
        own = pool.stoppable()
        begun = [threads.submit(own.run, long)]
        wait_until(lambda: pool.free == 1)
        begun += [threads.submit(own.run, long)]
        wait_until(lambda: pool.free == 0)
        waiting = [threads.submit(own.run, long), threads.submit(own.run_series, [long])]
        other = threads.submit(pool.run, echo("other"))
        own.stop()
        for each in (*begun, *waiting):
            with pytest.raises(StoppedError):
                each.result()
        assert other.result().stdout == b"other"
        with pytest.raises(StoppedError):
            own.run(echo("later"))
        own.close()
        assert pool.free == 2
        assert pool.run(echo("last")).stdout == b"last"


def test_cells_are_lent_in_turn(backend: SandboxSettings) -> None:
    short = Command(("/bin/sleep", "0.02"), limits=Limits(cpu_ms=600_000))
    has_had_its_turn = threading.Event()
    with CellPool(1, settings=backend) as pool, ThreadPoolExecutor(2) as threads:

        def many() -> bool:
            """Take the cell again and again; tell whether the other got it meanwhile."""
            return any(pool.run(short) and has_had_its_turn.is_set() for _ in range(500))

        def one() -> None:
            pool.run(short)
            has_had_its_turn.set()

        first = threads.submit(many)
        wait_until(lambda: pool.free == 0)
        threads.submit(one).result()
        assert first.result(), "the other was always the first to take the cell again"


def test_owners_get_cells_in_turns(backend: SandboxSettings) -> None:
    """One that has many runs under way does not hold up another's first for longer than one run."""
    short = Command(("/bin/sleep", "0.02"), limits=Limits(cpu_ms=600_000))
    order: list[str] = []

    def run_for(owner: str) -> None:
        cells = pool.stoppable(owner)
        for _ in range(5):
            cells.run(short)
            order.append(owner)

    with CellPool(2, settings=backend) as pool, ThreadPoolExecutor(8) as threads:
        held = [pool._take(short) for _ in range(2)]  # until all stand in line
        runs = [threads.submit(run_for, "many") for _ in range(6)]
        wait_until(lambda: len(pool._line) == 6)
        runs.append(threads.submit(run_for, "one"))
        wait_until(lambda: len(pool._line) == 7)
        for slot in held:
            pool._give_back(slot)
        for each in runs:
            each.result()
    assert order[:20].count("one") == 5, order  # in turns it is done after 10 runs; else after 30


async def test_tasks_share_a_pool(backend: SandboxSettings) -> None:
    with CellPool(2, settings=backend) as pool:
        executions = await asyncio.gather(*(pool.arun(echo(n)) for n in range(16)))

    assert [execution.stdout for execution in executions] == [str(n).encode() for n in range(16)]


@pytest.mark.usefixtures("namespaces")
def test_commands_with_different_views_share_a_pool(backend: SandboxSettings) -> None:
    views = [View(SYSTEM_VIEW.mounts, scratch_mib=mib) for mib in range(1, 8)]
    with CellPool(1, settings=backend) as pool:
        for _ in range(2):
            for view in views:
                command = Command(("/bin/df", "--output=size", "-k", "/w"), view=view)
                assert int(pool.run(command).stdout.split()[1]) == view.scratch_mib * 1024


def test_a_closed_pool_says_so(backend: SandboxSettings) -> None:
    pool = CellPool(1, settings=backend)
    pool.close()
    pool.close()

    with pytest.raises(CellError, match="closed"):
        pool.run(echo(1))


def test_closing_waits_for_what_runs_and_turns_away_who_waits(
    backend: SandboxSettings, probe: Probe
) -> None:
    pool = CellPool(1, settings=backend)
    pool.run(echo("made"))
    with ThreadPoolExecutor(2) as threads:
        running = threads.submit(pool.run, probe("rest", 300))
        wait_until(lambda: not pool._free)
        waiting = threads.submit(pool.run, echo(2))
        pool.close()

        assert running.result().stop is StopReason.EXITED
        with pytest.raises(CellError, match="closed"):
            waiting.result()


@pytest.mark.usefixtures("namespaces")
@pytest.mark.parametrize("which", [0, -1], ids=["outermost", "innermost"])
def test_a_cell_that_was_killed_while_idle_is_replaced(
    backend: SandboxSettings, which: int
) -> None:
    with CellPool(1, settings=backend) as pool:
        pool.run(echo("first"))
        before = processes_of(pool)
        os.kill(before[which], signal.SIGKILL)
        wait_until(lambda: not any(map(is_running, before)))

        assert pool.run(echo("second")).stdout == b"second"
        assert not set(before) & set(processes_of(pool))


@pytest.mark.usefixtures("namespaces")
@pytest.mark.parametrize("which", [0, 1], ids=["outermost", "inner"])
def test_a_run_whose_cell_is_killed_fails_and_is_not_run_again(
    backend: SandboxSettings, probe: Probe, which: int
) -> None:
    with CellPool(1, settings=backend) as pool, ThreadPoolExecutor(1) as threads:
        pool.run(echo("first"))
        idle = processes_of(pool)
        limits = Limits(cpu_ms=60_000)
        running = threads.submit(pool.run, probe("rest", 60_000, limits=limits))
        wait_until(lambda: children(idle[-1]))
        os.kill(idle[which], signal.SIGKILL)

        with pytest.raises(CellError, match="not run again"):
            running.result(timeout=20)
        assert pool.run(echo("next")).stdout == b"next"


@pytest.mark.usefixtures("namespaces")
def test_leaves_no_process_no_group_and_no_descriptor(
    backend: SandboxSettings, probe: Probe
) -> None:
    groups, descriptors = groups_of_this_process(backend), os.listdir("/proc/self/fd")
    with CellPool(1, settings=backend) as pool:
        pool.run(probe("leave"))
        pool.run(probe("put", 200_000, 1, collect=("nothing",)))
        left = processes_of(pool)

    assert len(left) >= 2
    assert not any(map(is_running, left))
    assert groups_of_this_process(backend) == groups
    assert len(os.listdir("/proc/self/fd")) == len(descriptors)


def test_a_pool_that_nobody_closes_ends_with_its_last_reference(backend: SandboxSettings) -> None:
    pool = CellPool(1, settings=backend)
    pool.run(echo("made"))
    left = processes_of(pool)
    del pool

    wait_until(lambda: not any(map(is_running, left)))


PREAMBLE = """
import os, signal, sys, threading, time
from pathlib import Path
from steelyard.sandbox import CellPool, Command
from steelyard.schemas import Limits
from steelyard.settings import SandboxSettings

def children(pid):
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

def inner(pool):
    pid = next(iter(pool._slots[0]._cells.values())).pid
    return [pid, *children(pid)]

def works(pool):
    return pool.run(Command(("/bin/cat",), stdin=b"text")).stdout == b"text"

pool = CellPool(1, settings=SandboxSettings(backend=sys.argv[1], accounting=sys.argv[2]))
assert works(pool)
"""


def script(backend: SandboxSettings, text: str) -> list[str]:
    return [sys.executable, "-c", PREAMBLE + text, backend.backend, backend.accounting]


@pytest.mark.usefixtures("namespaces")
def test_a_forked_process_makes_its_own_cells_and_harms_none(backend: SandboxSettings) -> None:
    text = """
before = inner(pool)
child = os.fork()
if child == 0:
    ok = works(pool) and not set(inner(pool)) & set(before)
    pool.close()
    os._exit(0 if ok else 1)
assert os.waitpid(child, 0)[1] == 0
assert works(pool) and inner(pool) == before
pool.close()
"""
    subprocess.run(script(backend, text), check=True, timeout=60)


@pytest.mark.usefixtures("namespaces")
def test_cells_end_with_a_process_that_is_killed(backend: SandboxSettings) -> None:
    text = "print(*inner(pool), flush=True); os.kill(os.getpid(), signal.SIGKILL)"

    assert_ends_with_all(script(backend, text), processes=2)


@pytest.mark.usefixtures("namespaces")
def test_a_run_ends_with_the_process_that_asked_for_it(backend: SandboxSettings) -> None:
    text = """
idle = inner(pool)
def end():
    while not (running := children(idle[-1])):
        time.sleep(0.005)
    print(*idle, *running, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
threading.Thread(target=end).start()
pool.run(Command(("/bin/sleep", "600"), limits=Limits(cpu_ms=600_000)))
"""
    assert_ends_with_all(script(backend, text), processes=3)


def assert_ends_with_all(argv: list[str], processes: int) -> None:
    done = subprocess.run(argv, stdout=subprocess.PIPE, timeout=60, check=False)

    named = [int(pid) for pid in done.stdout.split()]
    assert len(named) == processes
    wait_until(lambda: not any(map(is_running, named)))


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")  # of threads: it is the point
def test_a_process_forked_during_a_run_leaves_that_run_alone(probe: Probe) -> None:
    with CellPool(1) as pool:
        runs: list[StopReason] = []
        thread = threading.Thread(target=lambda: runs.append(pool.run(probe("rest", 1_500)).stop))
        thread.start()
        wait_until(lambda: bool(pool._slots[0]._busy))
        child = os.fork()
        if child == 0:
            try:
                os._exit(0 if pool.run(probe("exit", 7)).exit_code == 7 else 1)
            finally:
                os._exit(2)
        _, status = os.waitpid(child, 0)
        thread.join()
        assert os.waitstatus_to_exitcode(status) == 0
        assert runs == [StopReason.EXITED]


def cores_of(pool: CellPool) -> bytes:
    command = Command(("/bin/grep", "Cpus_allowed_list", "/proc/self/status"))
    return pool.run(command).stdout.split()[-1]


@pytest.mark.usefixtures("namespaces")
def test_pools_of_one_process_share_no_core_while_another_is_free(
    backend: SandboxSettings,
) -> None:
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("one core")
    with CellPool(1, settings=backend) as first, CellPool(1, settings=backend) as second:
        used = [first._slots[0].core, second._slots[0].core]
        assert [cores_of(first), cores_of(second)] == [b"%d" % core for core in used]
        taken = _taken()
    # Pools of other tests may have left one core that was less used than the rest.
    counts = [taken[core] for core in os.sched_getaffinity(0)]
    assert used[0] != used[1] or max(counts) - min(counts) <= 1


@pytest.mark.usefixtures("namespaces")
def test_a_pool_moves_with_all_its_cells(backend: SandboxSettings, probe: Probe) -> None:
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        pytest.skip("one core")
    with CellPool(1, settings=backend) as pool:
        slot = pool._slots[0]
        assert cores_of(pool) == b"%d" % slot.core
        cell = next(iter(slot._cells.values()))
        other = next(core for core in cores if core != slot.core)
        slot.move(other)

        assert cores_of(pool) == b"%d" % other
        assert next(iter(slot._cells.values())) is cell


def test_a_cell_of_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with CellPool(1) as pool:
        if pool.isolation.backend != "cell":
            pytest.skip("no native cell here")
        monkeypatch.setattr(_cell, "_VERSION", _cell._VERSION ^ 1)
        with pytest.raises(CellError, match=r"built from another version.*make setup"):
            pool.run(Command(("true",)))
