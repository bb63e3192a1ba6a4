"""A folder that a killed process left is removed by the next one; a live process's is not."""

import os
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from steelyard import _scratch_folders
from steelyard._scratch_folders import make_scratch_folder, remove_scratch_folder

_MAKE = """
import sys, time
from steelyard._scratch_folders import make_scratch_folder
folder = make_scratch_folder("test")
(folder / "file").write_text("x")
print(folder, flush=True)
time.sleep(600)
"""


def old(folder: Path) -> Path:
    os.utime(folder, (1, 1))
    return folder


def test_one_module_replaces_files_and_names_those_that_are_not_complete() -> None:
    source = Path(_scratch_folders.__file__).parent
    own = re.compile(r"os\.(?:replace|rename)\(|f?\"\.steelyard-(?:\{|\")")
    found = {
        str(path.relative_to(source))
        for path in source.rglob("*.py")
        if own.search(path.read_text())
    }
    within_an_open_folder = {"project_runs/incell/scratch.py", "toolchains/_cache.py"}
    assert found == {"_replaced_files.py"} | within_an_open_folder


def test_what_a_killed_process_left_is_removed_and_what_a_live_one_has_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(_scratch_folders, "_swept", set())
    others = [
        subprocess.Popen(
            [sys.executable, "-c", _MAKE],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "TMPDIR": str(tmp_path)},
        )
        for _ in range(2)
    ]
    try:
        live, dead = (old(Path(other.stdout.readline().strip())) for other in others)
        others[1].send_signal(signal.SIGKILL)
        others[1].wait()
        foreign = old(Path(tempfile.mkdtemp(prefix="steelyard-other-")))
        young = Path(tempfile.mkdtemp(prefix="steelyard-test-"))
        mine = make_scratch_folder("test")

        assert not dead.exists()
        assert all(folder.exists() for folder in (live, foreign, young, mine))
        remove_scratch_folder(mine)
        assert not mine.exists()
    finally:
        for other in others:
            other.kill()
            other.communicate()
