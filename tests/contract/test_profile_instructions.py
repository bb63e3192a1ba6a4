"""Instructions are counted by valgrind inside a cell: static, dynamic and interpreted programs."""

from pathlib import Path

import pytest

from steelyard.profiling import Point, _instructions
from steelyard.profiling._instructions import (
    CountedInstructions,
    InstructionCount,
    count_instructions,
    find_valgrind,
    why_not_counted,
)
from steelyard.profiling._timing import TimedSize
from steelyard.sandbox import CellPool, Command
from steelyard.schemas import Limits, StopReason
from steelyard.toolchains import CompileCache, find_toolchain
from tests.hostile.arena import LEVELS

needs_valgrind = pytest.mark.usefixtures("valgrind")
LIMITS = Limits(cpu_ms=5_000, memory_mib=256)
LOOP = """\
#include <stdio.h>
int main(void) {
    long n;
    volatile long sum = 0;
    if (scanf("%ld", &n) != 1) return 3;
    for (long i = 0; i < n; i++) sum += i;
    printf("%ld\\n", sum);
    return n == 7;
}
"""


@pytest.fixture(scope="session")
def valgrind(pool: CellPool) -> None:
    """Skip a test of what valgrind counts if it cannot count in this machine's cells."""
    why_not = why_not_counted(pool)
    if why_not:
        pytest.skip(why_not)


def count(
    pool: CellPool,
    compile_cache: CompileCache,
    source: str,
    stdin: str,
    *,
    language: str = "c",
    flags: tuple[str, ...] | None = None,
    cpu_ms: int = 120_000,
    limits: Limits = LIMITS,
) -> InstructionCount:
    toolchain = find_toolchain(language, flags=flags)
    artifact = toolchain.compile(source.encode(), pool, cache=compile_cache).artifact
    assert artifact is not None
    command = artifact.command(stdin=stdin.encode(), limits=toolchain.run_limits(limits))
    return count_instructions(command, pool, cpu_ms=cpu_ms)


@needs_valgrind
@pytest.mark.parametrize("flags", [("-O2", "-static"), ("-O2",)], ids=["static", "dynamic"])
def test_the_count_grows_with_the_work_and_repeats(
    pool: CellPool, compile_cache: CompileCache, flags: tuple[str, ...]
) -> None:
    small, large, again = (
        count(pool, compile_cache, LOOP, f"{n}\n", flags=flags) for n in (10_000, 110_000, 110_000)
    )
    assert small.instructions is not None
    assert large.instructions is not None
    assert again.instructions is not None
    assert 2 * 100_000 < large.instructions - small.instructions < 20 * 100_000
    assert abs(again.instructions - large.instructions) < 1_000
    assert large.note == ""
    assert large.execution is not None
    assert large.execution.stdout == b"%d\n" % sum(range(110_000))


@pytest.mark.exhaustive
@needs_valgrind
def test_an_interpreter_is_counted_too(pool: CellPool, compile_cache: CompileCache) -> None:
    source = "n = int(input())\ns = 0\nfor i in range(n): s += i\nprint(s)"
    small, large = (
        count(pool, compile_cache, source, f"{n}\n", language="python") for n in (1_000, 51_000)
    )
    assert small.instructions is not None
    assert large.instructions is not None
    assert large.instructions - small.instructions > 50_000
    assert large.execution is not None
    assert large.execution.stdout == b"%d\n" % sum(range(51_000))


@needs_valgrind
def test_a_program_that_fails_is_counted_up_to_its_end(
    pool: CellPool, compile_cache: CompileCache
) -> None:
    counted = count(pool, compile_cache, LOOP, "7\n")
    assert counted.instructions is not None
    assert counted.execution is not None
    assert counted.execution.exit_code == 1


@needs_valgrind
def test_deep_recursion_has_the_stack_of_its_limit(
    pool: CellPool, compile_cache: CompileCache
) -> None:
    source = """\
#include <stdio.h>
int deep(int n) { volatile char pad[1000]; pad[0] = 1; return n ? pad[0] + deep(n - 1) : 0; }
int main(void) { printf("%d\\n", deep(50000)); }
"""
    counted = count(pool, compile_cache, source, "")
    assert counted.execution is not None
    assert counted.execution.stdout == b"50000\n"
    assert counted.instructions is not None


@needs_valgrind
def test_a_run_that_is_not_done_in_time_has_no_count_and_says_so(
    pool: CellPool, compile_cache: CompileCache
) -> None:
    counted = count(pool, compile_cache, LOOP, f"{10**12}\n", cpu_ms=1_000)
    assert counted.instructions is None
    assert counted.note == "under valgrind the program did not finish within 1 s"


@needs_valgrind
def test_all_runs_under_valgrind_share_one_budget(
    pool: CellPool, compile_cache: CompileCache
) -> None:
    artifact = find_toolchain("c").compile(LOOP.encode(), pool, cache=compile_cache).artifact
    assert artifact is not None
    endless = artifact.command(stdin=b"%d\n" % 10**12, limits=LIMITS)
    started: list[Point] = []
    executed = CountedInstructions(lambda _point: endless, pool, 900.0, started.append)
    sizes = [TimedSize(Point(n), 2, 1, 1, 1, 1, 1, 1, StopReason.EXITED, 0) for n in range(9)]
    assert executed.for_class(sizes) == {}
    assert started == [Point(0)]
    assert executed.notes[0] == "under valgrind the program did not finish within 0.9 s"
    assert set(executed.notes[1:]) == {
        "instructions were not counted at every size: they take too much CPU time to count"
    }


@needs_valgrind
def test_a_program_cannot_forge_its_count(pool: CellPool, compile_cache: CompileCache) -> None:
    source = """\
#include <stdio.h>
int main(void) {
    FILE *f = fopen("cachegrind.out", "w");
    fputs("events: Ir\\nsummary: 5\\n", f);
    fclose(f);
}
"""
    counted = count(pool, compile_cache, source, "")
    assert counted.instructions is not None
    assert counted.instructions > 1_000


def test_without_valgrind_there_is_no_count_and_one_line(
    pool: CellPool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    _instructions.find_valgrind.cache_clear()
    try:
        counted = count_instructions(Command(("true",)), pool)
    finally:
        _instructions.find_valgrind.cache_clear()
    assert counted.instructions is None
    assert counted.note.endswith("install valgrind")
    assert counted.execution is None


@pytest.mark.skipif(find_valgrind() is None, reason="valgrind is not installed")
def test_without_namespaces_there_is_no_count_and_one_line() -> None:
    level = next(level for level in LEVELS if level.name == "landlock")
    with level.open_pool() as cells:
        if cells.isolation.filesystem != "landlock":
            pytest.skip(f"files here: {cells.isolation.filesystem}")
        counted = count_instructions(Command(("/bin/true",)), cells)
    assert counted.instructions is None
    assert "/proc" in counted.note
