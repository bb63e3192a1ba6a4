"""A machine that runs out of memory is no fault of the run that the kernel picks."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from steelyard.sandbox import Command
from steelyard.sandbox._cgroups import Hierarchy, detect
from steelyard.settings import SandboxSettings

_SCRIPT = """
import os, sys
from pathlib import Path
from steelyard.errors import InfrastructureError
from steelyard.sandbox import Blob, CellPool, Command
from steelyard.schemas import Limits
from steelyard.settings import SandboxSettings

group, backend, accounting, probe, *argv = sys.argv[1:]
Path(group, "cgroup.procs").write_text(str(os.getpid()))
program = Blob.from_file(Path(probe))
with CellPool(1, settings=SandboxSettings(backend=backend, accounting=accounting)) as pool:
    def run(*argv, mib):
        limits = Limits(memory_mib=mib, output_mib=1)
        return pool.run(Command(("probe", *argv), executable=program, limits=limits))

    print(run("heap", "200", "0", mib=100).stop.value)
    try:
        print(run(*argv, mib=4000).stop.value)
    except InfrastructureError as error:
        print(error)
    print(run("raise", "9", mib=100).signal)
"""


@pytest.fixture
def small_group() -> Iterator[Path]:
    """A group with less memory than a run's limit."""
    hierarchy: Hierarchy = detect()
    if hierarchy.version == "none":
        pytest.skip(f"no control groups: {hierarchy.why_not}")
    folder = hierarchy.parents["memory"] / f"test-small-{os.getpid()}"
    folder.mkdir()
    v1 = hierarchy.version == "cgroup-v1"
    limit = folder / ("memory.limit_in_bytes" if v1 else "memory.max")
    try:
        limit.write_text(str(400 << 20))
        with suppress(OSError):
            (folder / "memory.swap.max").write_text("0")
        yield folder
    finally:
        folder.rmdir()


@pytest.mark.parametrize(
    "work", [("heap", "600", "0"), ("spoiled", "600")], ids=["the-run", "its-child"]
)
def test_memory_that_runs_out_above_the_run_is_no_verdict(
    backend: SandboxSettings,
    small_group: Path,
    probe: Callable[..., Command],
    tmp_path: Path,
    work: tuple[str, ...],
) -> None:
    executable = probe().executable
    assert executable is not None
    program = tmp_path / "probe"
    program.write_bytes(executable.read())
    arguments = [small_group, backend.backend, backend.accounting, program, *work]

    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT, *map(str, arguments)],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        timeout=120,
    )

    own, above, by_itself = done.stdout.splitlines()
    assert own == "memory_limit"
    assert "memory ran out" in above
    assert by_itself == "9"
