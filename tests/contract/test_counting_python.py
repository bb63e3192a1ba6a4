"""A counted Python program does what the program does, and its counts say what that costs."""

import re
from pathlib import Path

import pytest

from steelyard.profiling import CountedRun, Input, Point
from steelyard.profiling.counting import PythonCounter, python_counter
from steelyard.profiling.inputs import FolderSource
from steelyard.sandbox import Blob, CellPool
from steelyard.schemas import Entry, Execution, Limits
from steelyard.toolchains import Toolchain, find_toolchain

PATIENT = Limits(cpu_ms=30_000, wall_ms=120_000)
PROGRAMS = Path(__file__).with_name("programs")


@pytest.fixture(scope="module")
def python() -> Toolchain:
    return find_toolchain("python")


def _counted(
    source: str, stdin: bytes, pool: CellPool, python: Toolchain, entry: str = "stdio"
) -> tuple[CountedRun, Execution]:
    """The counted run, and for `stdio` the ordinary one."""
    artifact = python.compile(source.encode(), pool).artifact
    assert artifact is not None
    counter = python_counter(python, artifact, Entry.parse(entry), pool)
    assert isinstance(counter, PythonCounter)
    run = counter.run(Input(Point(1), Blob(stdin)), PATIENT)
    if entry != "stdio":
        return run, run.execution
    return run, pool.run(artifact.command(stdin=stdin, limits=PATIENT))


def _work(source: str, n: int, pool: CellPool, python: Toolchain) -> int:
    run, ordinary = _counted(source, str(n).encode(), pool, python)
    assert (run.execution.stdout, run.execution.stderr) == (ordinary.stdout, b"")
    assert run.work is not None
    return sum(run.work.values())


@pytest.mark.usefixtures("file_view")
@pytest.mark.parametrize("path", sorted(PROGRAMS.glob("counted_*.py")), ids=lambda path: path.stem)
def test_it_prints_and_ends_as_the_program_does(
    path: Path, pool: CellPool, python: Toolchain
) -> None:
    run, ordinary = _counted(path.read_text(), b"3 2\nab\ncd\nrest of it\n", pool, python)
    assert run.execution.stdout == ordinary.stdout
    depth = rb"repeated \d+ more"  # each harness has frames of its own
    assert re.sub(depth, b"", run.execution.stderr) == re.sub(depth, b"", ordinary.stderr)
    assert run.execution.exit_code == ordinary.exit_code
    assert run.execution.signal == ordinary.signal
    assert run.work or ordinary.signal


GROWTH = {
    "n = int(input())\nfor i in range(n): pass": 2.0,
    "n = int(input())\na = []\nfor i in range(n): a.insert(0, i)": 4.0,
    "n = int(input())\na = list(range(n))\nwhile a: a.pop(0)": 4.0,
    "n = int(input())\na = [0] * n\nfor i in range(n):\n    if 1 in a: pass": 4.0,
    "n = int(input())\ns = ''\nfor i in range(n): s += 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'": 4.0,
    "def f(n):\n s = ''\n for i in range(n): s += 'xxxxxxxxxxxxxxxxxxxxxx'\nf(int(input()))": 2.0,
    "n = int(input())\na, b = 0, 1\nfor i in range(n * 20): a, b = b, a + b": 3.4,
    "n = int(input())\na = sum(sum(map(abs, range(n))) for i in range(n))": 4.0,
    "n = int(input())\na = sorted(range(n))": 2.0,
    "n = int(input())\na = [x[i:] for x in ['ab' * n] for i in range(2 * n)]": 4.0,
    "from collections import *\nn = int(input())\na = deque(range(n))\nfor i in a: -1 in a": 4.0,
}


@pytest.mark.parametrize("source", GROWTH)
def test_the_counts_grow_as_the_work_does(source: str, pool: CellPool, python: Toolchain) -> None:
    ratio = _work(source, 2000, pool, python) / _work(source, 1000, pool, python)
    assert ratio == pytest.approx(GROWTH[source], rel=0.2)


def test_a_cached_call_costs_nothing_more(pool: CellPool, python: Toolchain) -> None:
    source = (
        "import functools\n@functools.cache\ndef f(x):\n    for i in range(10000): pass\n"
        "for i in range(int(input())): f(1)\n"
    )
    assert _work(source, 20, pool, python) - _work(source, 10, pool, python) < 100


def test_counts_are_the_same_each_time_and_know_their_lines(
    pool: CellPool, python: Toolchain
) -> None:
    source = (
        "n = int(input())\ns = {str(i) for i in range(n)}\nfor x in s:\n"
        "    if hash(x) % 3:\n        n += 1\n"
    )
    runs = [_counted(source, b"1000", pool, python)[0] for _ in range(3)]
    assert runs[0].work == runs[1].work == runs[2].work
    assert runs[0].work is not None
    assert {int(name.partition(":")[0]) for name in runs[0].work} >= {1, 2, 3, 5}


def test_functions_and_methods_are_called(
    pool: CellPool, python: Toolchain, tmp_path: Path
) -> None:
    (tmp_path / "n=3_m=1.json").write_text('{"args": [[1, 2, 3]], "kwargs": {"k": 2}}')
    (tmp_path / "n=3_m=2.json").write_text("[[1, 2, 3]]")
    calls = FolderSource(tmp_path, calls=True)
    source = (
        "def f(a, k=1):\n    return sum(a) * k\n"
        "class Solution:\n    solve = lambda self, a: len(a)\n"
    )
    request = calls.get(Point(3, 1), 1).content.read()
    run, execution = _counted(source, request, pool, python, "function:f")
    assert execution.stdout.endswith(b'["ok",12]\n')
    assert run.work is not None
    assert sum(run.work.values()) >= 3
    request = calls.get(Point(3, 2), 1).content.read()
    run, execution = _counted(source, request, pool, python, "class:Solution")
    assert execution.stdout.endswith(b'["ok",3]\n')
    assert run.work


def test_a_killed_program_leaves_no_counts(pool: CellPool, python: Toolchain) -> None:
    run, _ = _counted("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)", b"", pool, python)
    assert run.work is None
    assert "did not exit by itself" in run.note


@pytest.mark.parametrize("written", ["b'x' * 7", "b'\\xff' * 8 * 999", "b''"])
def test_forged_counts_are_no_counts(written: str, pool: CellPool, python: Toolchain) -> None:
    source = (
        "import os, signal\n"
        f"with open('.steelyard-counts', 'wb') as f: f.write({written})\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    run, _ = _counted(source, b"", pool, python)
    assert run.work is None
