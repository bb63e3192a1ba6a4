"""What a run waits for because others have the core is not the run's: no limit counts it."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

import steelyard
from steelyard.sandbox import CellPool, Command
from steelyard.schemas import Limits, StopReason
from tests.contract.python_judging import verdicts

Probe = Callable[..., Command]

_LOOPS_A_CORE = 8
"""So many that a run waits for far longer than it may take, on a machine of any speed."""
_LOOP = "import time\nend = time.monotonic() + 60\nwhile time.monotonic() < end: pass"


@pytest.fixture
def load() -> Iterator[None]:
    """Busy loops on every core, each in a session of its own, as the scheduler groups by them."""
    with ExitStack() as stack:
        for _ in range(_LOOPS_A_CORE * len(os.sched_getaffinity(0))):
            loop = stack.enter_context(
                subprocess.Popen([sys.executable, "-S", "-c", _LOOP], start_new_session=True)
            )
            stack.callback(loop.kill)
        yield


@pytest.mark.usefixtures("load")
@pytest.mark.parametrize(
    "work",
    [("burn", 60), ("threads", 1, 60), ("threads", 10, 6), ("children", 10, 6)],
    ids=["main", "thread", "threads-in-turn", "children-in-turn"],
)
def test_waiting_for_a_core_is_not_counted_whichever_thread_waits(
    cells: CellPool, probe: Probe, work: tuple[object, ...]
) -> None:
    execution = cells.run(probe(*work, limits=Limits(cpu_ms=1_000, wall_ms=300)))

    assert execution.stop is StopReason.EXITED
    assert execution.exit_code == 0


@pytest.mark.usefixtures("load")
def test_it_is_told_how_long_a_run_waited(cells: CellPool, probe: Probe) -> None:
    limits = Limits(cpu_ms=5_000, wall_ms=1_000)
    busy = cells.run(probe("burn", 150, limits=limits))
    asleep = cells.run(probe("rest", 300, limits=limits))

    assert 0 < busy.waited_ms <= busy.wall_ms
    assert asleep.waited_ms < asleep.wall_ms - 150


@pytest.mark.usefixtures("load")
@pytest.mark.exhaustive
def test_a_program_that_waits_for_its_core_is_not_late_for_assertions(pool: CellPool) -> None:
    """The assertions' own clock runs on while others have the candidate's core."""
    busy = "import time\ndef f():\n    while time.process_time() < 0.3: pass\n    return 1"
    asleep = "import time\ndef f():\n    time.sleep(60)\n    return 1"
    results = [
        steelyard.judge(
            source, ["assert f() == 1"], entry="asserts:f", limits=Limits(cpu_ms=1_500), pool=pool
        )
        for source in (busy, asleep)
    ]
    assert [verdicts(each) for each in results] == ["AC", "TLE"]


@pytest.mark.parametrize("work", [("storm", 1, 60_000), ("held", 60_000)], ids=["storm", "vfork"])
def test_no_waiting_of_its_own_making_buys_a_run_more_than_the_bound(
    cells: CellPool, probe: Probe, work: tuple[object, ...]
) -> None:
    execution = cells.run(probe(*work, limits=Limits(cpu_ms=5_000, wall_ms=80)))

    assert execution.stop is StopReason.WALL_LIMIT
