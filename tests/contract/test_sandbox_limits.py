"""What every backend promises of limits: each is kept, told apart, and its figure reported.

Margins are wide: other tests run beside these.
"""

import subprocess
import sys
from collections.abc import Callable

import pytest

from steelyard.sandbox import CellPool, Command
from steelyard.schemas import Limits, StopReason

Probe = Callable[..., Command]
MIB = 1024 * 1024
SLACK_MS = 3_000


def test_reports_the_cpu_time_that_was_used(cells: CellPool, probe: Probe) -> None:
    execution = cells.run(probe("burn", 120))

    assert execution.stop is StopReason.EXITED
    assert 119 <= execution.cpu_ms < 119 + SLACK_MS
    assert execution.wall_ms >= 119


def test_stops_at_the_cpu_limit(cells: CellPool, probe: Probe) -> None:
    execution = cells.run(probe("burn", 10_000, limits=Limits(cpu_ms=150, wall_ms=20_000)))

    assert execution.stop is StopReason.CPU_LIMIT
    assert 150 <= execution.cpu_ms < 150 + SLACK_MS


def test_cpu_time_counts_of_children_that_nobody_waits_for(cells: CellPool, probe: Probe) -> None:
    execution = cells.run(probe("orphans-burn", 5_000, limits=Limits(cpu_ms=200, wall_ms=20_000)))

    assert execution.stop is StopReason.CPU_LIMIT


def test_stops_at_the_wall_limit(cells: CellPool, probe: Probe) -> None:
    execution = cells.run(probe("rest", 20_000, limits=Limits(cpu_ms=1_000, wall_ms=100)))

    assert execution.stop is StopReason.WALL_LIMIT
    assert 100 <= execution.wall_ms < 100 + SLACK_MS
    assert execution.cpu_ms < 100


def test_limits_hold_to_the_millisecond_not_the_second(cells: CellPool, probe: Probe) -> None:
    def soonest(rest_ms: int, wall_ms: int, stop: StopReason) -> float:
        limits = Limits(cpu_ms=1_000, wall_ms=wall_ms)
        runs = [cells.run(probe("rest", rest_ms, limits=limits)) for _ in range(5)]
        assert {run.stop for run in runs} == {stop}
        return min(run.wall_ms for run in runs)  # other tests' load delays some of them

    assert 30 <= soonest(5_000, 30, StopReason.WALL_LIMIT) < 900
    assert 30 <= soonest(30, 20_000, StopReason.EXITED) < 900


def test_cpu_and_wall_time_do_not_count_what_the_cell_itself_does(
    cells: CellPool, probe: Probe
) -> None:
    best = min((cells.run(probe("exit", 0)) for _ in range(20)), key=lambda run: run.wall_ms)

    assert best.wall_ms < 20
    assert best.cpu_ms < 20


@pytest.mark.parametrize("mib", [16, 100])
def test_reports_the_memory_that_was_used(cells: CellPool, probe: Probe, mib: int) -> None:
    execution = cells.run(probe("heap", mib, 0))

    assert execution.stop is StopReason.EXITED
    assert mib <= execution.memory_mib < mib + 3
    assert mib <= execution.max_rss_mib < mib + 3


def test_a_small_program_is_not_charged_for_the_cell(cells: CellPool, probe: Probe) -> None:
    execution = cells.run(probe("rest", 30))

    assert execution.memory_mib < 3
    assert execution.max_rss_mib < 3


def test_a_large_run_does_not_weigh_on_the_next(cells: CellPool, probe: Probe) -> None:
    cells.run(probe("heap", 200, 0))

    assert cells.run(probe("heap", 16, 0)).memory_mib < 19


def test_stops_at_the_memory_limit(cells: CellPool, probe: Probe) -> None:
    limits = Limits(memory_mib=64, output_mib=1, wall_ms=60_000)

    execution = cells.run(probe("heap", 600, 30_000, limits=limits))

    assert execution.stop is StopReason.MEMORY_LIMIT
    assert execution.memory_mib > 64
    assert execution.wall_ms < 30_000


@pytest.mark.usefixtures("namespaces")
def test_memory_is_that_of_all_processes_together(cells: CellPool, probe: Probe) -> None:
    limits = Limits(memory_mib=96, output_mib=1)

    within = cells.run(probe("tree", 3, 16, limits=limits))
    beyond = cells.run(probe("tree", 4, 48, limits=limits))

    assert within.stop is StopReason.EXITED
    assert 47 < within.memory_mib < 60  # the kernel counts in batches
    assert beyond.stop is StopReason.MEMORY_LIMIT


def test_the_stack_ends_at_its_limit_and_reaches_up_to_it(cells: CellPool, probe: Probe) -> None:
    limits = Limits(stack_mib=32)

    assert cells.run(probe("stack", 24, limits=limits)).stop is StopReason.EXITED
    beyond = cells.run(probe("stack", 40, limits=limits))
    assert (beyond.stop, beyond.signal) == (StopReason.SIGNALED, 11)


@pytest.mark.parametrize("stream", [1, 2])
def test_output_of_exactly_the_limit_is_whole(cells: CellPool, probe: Probe, stream: int) -> None:
    execution = cells.run(probe("put", 2 * MIB, stream, limits=Limits(output_mib=2)))

    assert execution.stop is StopReason.EXITED
    assert len((execution.stdout, execution.stderr)[stream - 1]) == 2 * MIB
    assert not execution.stdout_truncated
    assert not execution.stderr_truncated


@pytest.mark.parametrize("stream", [1, 2])
@pytest.mark.parametrize("size", [2 * MIB + 1, 90 * MIB])
@pytest.mark.parametrize("file_mib", [1, 50])
def test_output_beyond_the_limit_is_cut_and_told(
    cells: CellPool, probe: Probe, stream: int, size: int, file_mib: int
) -> None:
    limits = Limits(output_mib=2, file_mib=file_mib)

    execution = cells.run(probe("put", size, stream, limits=limits))

    assert execution.stop is StopReason.OUTPUT_LIMIT
    assert len((execution.stdout, execution.stderr)[stream - 1]) == 2 * MIB
    assert (execution.stdout_truncated, execution.stderr_truncated)[stream - 1]
    assert not (execution.stderr_truncated, execution.stdout_truncated)[stream - 1]


def test_a_file_ends_at_its_limit(cells: CellPool, probe: Probe) -> None:
    limits = Limits(file_mib=3, output_mib=1)

    within = cells.run(probe("file", 3 * MIB, limits=limits, collect=("made",)))
    beyond = cells.run(probe("file", 3 * MIB + 2, limits=limits))

    assert (within.exit_code, len(within.files["made"])) == (0, 3 * MIB)
    assert (beyond.stop, beyond.signal) == (StopReason.SIGNALED, 25)


@pytest.mark.usefixtures("namespaces")
def test_no_more_processes_exist_than_the_limit(cells: CellPool, probe: Probe) -> None:
    execution = cells.run(probe("forks", limits=Limits(processes=8)))

    assert execution.stop is StopReason.EXITED
    assert 5 <= int(execution.stdout) <= 8


def test_limits_of_one_run_are_not_those_of_the_next(cells: CellPool, probe: Probe) -> None:
    small = Limits(memory_mib=16, processes=1, stack_mib=1, output_mib=1, file_mib=1, cpu_ms=50)

    cells.run(probe("exit", 0, limits=small))

    assert cells.run(probe("heap", 100, 0)).stop is StopReason.EXITED
    assert int(cells.run(probe("forks")).stdout) > 30
    assert cells.run(probe("burn", 120)).stop is StopReason.EXITED
    assert len(cells.run(probe("put", 3 * MIB, 1)).stdout) == 3 * MIB


def test_a_file_limit_of_the_callers_own_is_an_error_and_no_verdict() -> None:
    script = """
import resource, sys
from steelyard.errors import InfrastructureError
from steelyard.sandbox import CellPool, Command
from steelyard.schemas import Limits
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
try:
    with CellPool(1) as pool:
        print(pool.run(Command(("/bin/true",), limits=Limits(output_mib=1, file_mib=1))).exit_code)
        pool.run(Command(("/bin/true",)))
except InfrastructureError as error:
    print("ulimit -f" in str(error))
"""
    for size, shown in ((0, ["True"]), (4096, ["True"]), (8 * MIB, ["0", "True"])):
        done = subprocess.run(
            [sys.executable, "-c", script, str(size)],
            stdout=subprocess.PIPE,
            text=True,
            check=True,
            timeout=60,
        )
        assert done.stdout.split() == shown
