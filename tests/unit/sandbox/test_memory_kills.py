"""A kill for memory is looked for in this process's group, and on the machine if there is none."""

from pathlib import Path

import pytest

from steelyard.sandbox import _cgroups
from steelyard.sandbox._cgroups import MemoryKills


def write(folder: Path, text: str) -> None:
    (folder / "memory.events").write_text(text)


def test_the_group_around_is_asked_before_the_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_cgroups, "memory_folders", lambda: iter([(tmp_path, 2)]))
    write(tmp_path, "low 0\noom 4\noom_kill 3\n")
    kills = MemoryKills(None)
    assert not kills.include_strangers
    assert kills.look() == (False, False)
    write(tmp_path, "low 0\noom 5\noom_kill 4\n")
    assert kills.look() == (True, False)
    assert kills.look() == (False, False)


def test_without_such_a_group_the_machine_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vmstat = tmp_path / "vmstat"
    vmstat.write_text("nr_free_pages 7\noom_kill 3\n")
    monkeypatch.setattr(_cgroups, "memory_folders", lambda: iter(()))
    monkeypatch.setattr(_cgroups, "_VMSTAT", vmstat)
    kills = MemoryKills(None)
    assert kills.include_strangers
    vmstat.write_text("nr_free_pages 7\noom_kill 4\n")
    assert kills.look() == (True, False)
