"""The memory that all cells may use together, on faked trees."""

from pathlib import Path

import pytest

from steelyard.sandbox._inspect import _for_memory, memory_room_mib

MIB = 1024 * 1024


def room(folder: Path, kind: str, own: str, limits: dict[str, str]) -> int:
    name = "memory.max" if kind == "cgroup2" else "memory.limit_in_bytes"
    for group, limit in limits.items():
        (folder / "tree" / group).mkdir(parents=True, exist_ok=True)
        (folder / "tree" / group / name).write_text(limit)
    (folder / "cgroup").write_text(own)
    (folder / "mounts").write_text(f"30 24 0:26 / {folder}/tree rw - {kind} x rw,memory\n")
    (folder / "meminfo").write_text(f"MemTotal: {8000 * 1024} kB\nMemFree: 1 kB\n")
    return memory_room_mib(
        proc_cgroup=folder / "cgroup",
        proc_mounts=folder / "mounts",
        proc_meminfo=folder / "meminfo",
    )


@pytest.mark.parametrize(("kind", "own"), [("cgroup", "4:memory:/a/b"), ("cgroup2", "0::/a/b")])
def test_the_smallest_limit_of_all_groups_above_counts(tmp_path: Path, kind: str, own: str) -> None:
    limits = {"a/b": f"{900 * MIB}\n", "a": f"{300 * MIB}\n", ".": f"{2**63 - 4096}\n"}

    assert room(tmp_path, kind, own, limits) == 300


def test_without_a_limit_the_machine_counts(tmp_path: Path) -> None:
    assert room(tmp_path, "cgroup2", "0::/a", {"a": "max\n"}) == 8000


def test_doctor_speaks_where_the_cells_do_not_fit() -> None:
    (remedy,) = _for_memory(2, 1000)

    assert "2 cells x 512 MiB" in remedy.why
    assert "1,000 MiB" in remedy.why
    assert not list(_for_memory(2, 1024))
    assert not list(_for_memory(2, 0))
