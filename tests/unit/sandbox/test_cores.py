"""A cell's core is the least used one, and changes only where others use it and another is free."""

from pathlib import Path

import pytest

from steelyard.sandbox._cores import CoreWatch, busy_ticks, least_used
from steelyard.schemas import Execution, Isolation, StopReason

ALONE = {0: 1, 1: 0}


def write(file: Path, *busy: int, total: int) -> None:
    lines = [
        f"cpu{core} {ticks} 0 0 {total - ticks} 0 0 0 0 0 0" for core, ticks in enumerate(busy)
    ]
    file.write_text("\n".join(["cpu 1 2 3 4 5 6 7 8 9 10", *lines, "intr 1", ""]))


def ran(wall_ms: float, cpu_ms: float) -> Execution:
    return Execution(
        stop=StopReason.EXITED,
        exit_code=0,
        signal=None,
        cpu_ms=cpu_ms,
        wall_ms=wall_ms,
        memory_mib=1,
        max_rss_mib=1,
        stdout=b"",
        stderr=b"",
        isolation=Isolation(backend="cell", level="none"),
    )


def waits(watch: CoreWatch) -> bool:
    return any(watch.add([ran(10.0, 1.0)]) for _ in range(20))


def test_reads_what_each_core_did(tmp_path: Path) -> None:
    write(tmp_path / "stat", 30, 90, total=100)

    assert busy_ticks(tmp_path / "stat") == {0: (30, 100), 1: (90, 100)}
    assert busy_ticks(tmp_path / "absent") == {}


def test_takes_the_core_with_the_fewest_cells() -> None:
    assert least_used([0, 1, 2], {0: 2, 1: 1, 2: 2}) == 1
    assert least_used([3, 5], {3: 1}) == 5


@pytest.mark.parametrize(
    ("own", "other", "taken", "chosen"),
    [
        (100, 10, ALONE, 1),
        (100, 100, ALONE, None),
        (5, 0, ALONE, None),
        (100, 10, {0: 1, 1: 1}, None),
        (100, 10, {0: 2, 1: 1}, 1),
    ],
    ids=["busy-and-free", "both-busy", "asleep", "used-by-another-cell", "less-used"],
)
def test_moves_only_to_a_core_that_is_better(
    tmp_path: Path, own: int, other: int, taken: dict[int, int], chosen: int | None
) -> None:
    stat = tmp_path / "stat"
    watch = CoreWatch(stat)
    write(stat, 0, 0, total=0)
    assert waits(watch)
    assert watch.better(0, [0, 1], taken) is None  # nothing to compare with
    write(stat, own, other, total=100)
    assert waits(watch)

    assert watch.better(0, [0, 1], taken) == chosen


def test_runs_that_use_their_time_do_not_wait() -> None:
    watch = CoreWatch()

    assert not any(watch.add([ran(10.0, 9.0)]) for _ in range(100))


def test_a_machine_without_figures_keeps_its_cores(tmp_path: Path) -> None:
    watch = CoreWatch(tmp_path / "absent")

    for _ in range(3):
        assert waits(watch)
        assert watch.better(0, [0, 1], ALONE) is None
