"""What the kernel counts for a user or for the whole machine is not used up by one candidate.

`programs/hog.c` has the table of these quotas. While one candidate holds as much of each as it can
get, a candidate in the next cell, one in another pool and a program of the host use a little.
"""

import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from steelyard.schemas import StopReason
from tests.hostile.arena import LEVELS, Job, Level, build, open_arena
from tests.hostile.conftest import at_level, open_or_skip

HOLDS = Job("hog", ("take",), limits={"cpu_ms": 20_000, "wall_ms": 2_500, "memory_mib": 256})
USES = Job("hog", ("use",))
SHARED = {
    "landlock-ordinary": {"pipes", "descriptors in flight", "timers", "signals", "processes"},
    "cell-ordinary": {"pipes", "descriptors in flight"},
}
"""Quotas that candidates in cells of one ordinary user have in common: one user id, one count."""


@pytest.mark.parametrize("level", [at_level(each) for each in LEVELS])
def test_one_candidate_leaves_something_of_every_quota(level: Level, binaries: Path) -> None:
    open_or_skip(level, binaries).close()
    on_host = [build("hog", binaries), "use", "on the host"]
    host: list[str] = []
    others: list[str] = []

    def of_host() -> None:
        done = subprocess.run(on_host, capture_output=True, start_new_session=True, check=False)
        host.extend(shortages(done.stdout))

    def of_another_pool() -> None:
        others.extend(shortages(another.run(USES).stdout))

    arena, another = (open_arena(level, binaries, size) for size in (2, 1))
    try:
        with ThreadPoolExecutor(3) as threads:
            running = threads.submit(arena.run_beside, HOLDS, USES)
            rounds = [
                threads.submit(again_until, running.done, each)
                for each in (of_host, of_another_pool)
            ]
            held, *neighbours = running.result()
        assert all(each.result() > 1 for each in rounds)
    finally:
        arena.close()
        another.close()
    assert held.stop is StopReason.WALL_LIMIT
    assert len(neighbours) > 1
    assert set(host) == set()
    assert set(others) == set()
    found = {each for run in neighbours for each in shortages(run.stdout)}
    assert found <= SHARED.get(level.name, set())


def again_until(is_done: Callable[[], bool], act: Callable[[], None]) -> int:
    """Return how often something was done until something else ended."""
    count = 0
    while not is_done():
        act()
        count += 1
    return count


def shortages(output: bytes) -> list[str]:
    """Return the quotas of which the program got nothing."""
    lines = output.decode().splitlines()
    assert lines[-1] == "end", lines
    return [line.removeprefix("none left: ").partition(" (")[0] for line in lines[:-1]]
