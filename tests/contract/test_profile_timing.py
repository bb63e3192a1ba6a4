"""Times come from cells, in rounds over growing sizes; what a program does wrong is in them."""

from collections.abc import Callable

import pytest

from steelyard.errors import GeneratorError, ToolchainError
from steelyard.profiling import Input, Point
from steelyard.profiling._timing import CommandFor, TimedSize, measure_times, time_once
from steelyard.sandbox import Blob, CellPool, Command
from steelyard.schemas import Execution, Limits, StopReason
from steelyard.toolchains import CompileCache, find_toolchain

LIMITS = Limits(cpu_ms=20_000, wall_ms=120_000, memory_mib=256)
POINTS = tuple(Point(1 << k) for k in range(4, 11))
COUNTS_TO_N = "n = int(input())\nfor i in range(n * {scale}): pass\n"


class Numbers:
    """Inputs that hold their own size, up to a largest one."""

    description = "numbers"

    def __init__(self, largest: int = 1 << 60) -> None:
        self.largest = largest

    def get(self, point: Point, seed: int) -> Input:
        if point.n > self.largest:
            raise GeneratorError(f"no input at n = {point.n}; take less")
        return Input(point, Blob(f"{point.n}\n".encode()))


@pytest.fixture(scope="module")
def command_of(pool: CellPool, compile_cache: CompileCache) -> Callable[..., CommandFor]:
    def make(source: str, language: str = "python") -> CommandFor:
        toolchain = find_toolchain(language)
        artifact = toolchain.compile(source.encode(), pool, cache=compile_cache).artifact
        assert artifact is not None

        def command(given: Input, limits: Limits) -> Command:
            return artifact.command(stdin=given.content, limits=toolchain.run_limits(limits))

        return command

    return make


def test_every_size_is_run_in_rounds(pool: CellPool, command_of: Callable[..., CommandFor]) -> None:
    seen: list[TimedSize] = []
    timing = measure_times(
        POINTS[::-1],
        Numbers(),
        command_of("print(input())"),
        pool,
        LIMITS,
        cap_ms=10_000,
        budget_ms=100_000,
        progress=seen.append,
    )
    assert [size.point for size in timing.sizes] == list(POINTS)
    assert timing.ended == "largest"
    assert timing.notes == ()
    assert timing.usable == timing.sizes
    for size in timing.sizes:
        assert size.repetitions in (3, 5)
        assert 0 < size.cpu_ms <= size.cpu_ms_max
        assert size.memory_mib > 1
        assert size.charged_mib > 0
        assert size.input_bytes == len(f"{size.point.n}\n")
    assert timing.base_cpu_ms == timing.sizes[0].cpu_ms
    rounds = [size.repetitions for size in seen]
    assert rounds == sorted(rounds)  # round robin: no size is run again before all others are
    assert [size.point for size in seen[: len(POINTS)]] == list(POINTS)


@pytest.mark.parametrize("language", ["cpp", "python"])
def test_growth_ends_at_the_cap(
    pool: CellPool, command_of: Callable[..., CommandFor], language: str
) -> None:
    source = {
        "cpp": "#include <iostream>\nint main() { long n; std::cin >> n; "
        "for (volatile long i = 0; i < n * 100000; i = i + 1) {} }",
        "python": COUNTS_TO_N.format(scale=10_000),
    }[language]
    points = tuple(Point(1 << k) for k in range(24))
    timing = measure_times(
        points,
        Numbers(),
        command_of(source, language),
        pool,
        LIMITS,
        cap_ms=150,
        budget_ms=100_000,
    )
    assert timing.ended in ("cap", "waits")  # on a busy machine a run may wait for longer
    assert 4 < len(timing.sizes) < len(points)
    assert timing.sizes[-1].cpu_ms > 30
    assert timing.sizes[-1].repetitions >= 3


def test_the_budget_bounds_all_runs_together(
    pool: CellPool, command_of: Callable[..., CommandFor]
) -> None:
    points = tuple(Point(1 << k) for k in range(24))
    command = command_of(COUNTS_TO_N.format(scale=10_000))
    runs: list[TimedSize] = []
    timing = measure_times(
        points,
        Numbers(),
        command,
        pool,
        LIMITS,
        cap_ms=1e9,
        budget_ms=400,
        progress=runs.append,
    )
    assert timing.ended == "budget"
    assert timing.cut_short
    assert len(timing.sizes) < len(points)
    assert sum(size.repetitions for size in timing.sizes) == len(runs)


def test_a_program_that_fails_its_smallest_inputs_is_given_up(
    pool: CellPool, command_of: Callable[..., CommandFor]
) -> None:
    timing = measure_times(POINTS, Numbers(), command_of("raise SystemExit(3)"), pool, LIMITS)
    assert timing.ended == "none"
    assert timing.usable == ()
    assert len(timing.sizes) == 3
    assert timing.sizes[0].exit_code == 3
    assert "the program ended with status 3 on its smallest input (n = 16); " in timing.notes[0]
    assert (timing.base_cpu_ms, timing.base_memory_mib) == (0, 0)


def test_a_program_that_is_killed_at_every_size_is_given_up(
    pool: CellPool, command_of: Callable[..., CommandFor]
) -> None:
    source = "import os\nos.kill(os.getpid(), 9)"
    timing = measure_times(POINTS, Numbers(), command_of(source), pool, LIMITS)
    assert timing.ended == "none"
    assert "signal 9" in timing.notes[0]


def test_a_failure_at_the_smallest_input_alone_ends_nothing(
    pool: CellPool, command_of: Callable[..., CommandFor]
) -> None:
    source = "n = int(input())\nassert n > 16"
    timing = measure_times(POINTS, Numbers(), command_of(source), pool, LIMITS)
    assert timing.ended == "largest"
    assert [size.ok for size in timing.sizes] == [False] + [True] * (len(POINTS) - 1)
    assert timing.notes == ("at n = 16 the program ended with status 1 (AssertionError)",)
    assert timing.base_cpu_ms == timing.sizes[1].cpu_ms


def test_growth_ends_where_the_program_fails(
    pool: CellPool, command_of: Callable[..., CommandFor]
) -> None:
    source = "n = int(input())\nassert n < 128"
    timing = measure_times(POINTS, Numbers(), command_of(source), pool, LIMITS)
    assert timing.ended == "failure"
    assert [size.point.n for size in timing.sizes] == [16, 32, 64, 128]
    assert not timing.sizes[-1].ok
    assert timing.sizes[-1].repetitions == 1
    assert timing.notes == ("at n = 128 the program ended with status 1 (AssertionError)",)


@pytest.mark.parametrize(
    ("source", "stop", "words"),
    [
        ("while int(n) > 64: pass", StopReason.CPU_LIMIT, "not finish in time"),
        ("x = b'x' * (int(n) > 64 and 1 << 30)", StopReason.MEMORY_LIMIT, "ran out of memory"),
        ("print('x' * (int(n) > 64 and 9 << 20))", StopReason.OUTPUT_LIMIT, "wrote too much"),
    ],
)
def test_growth_ends_at_a_limit(
    pool: CellPool, command_of: Callable[..., CommandFor], source: str, stop: StopReason, words: str
) -> None:
    limits = Limits(cpu_ms=1_000, wall_ms=60_000, memory_mib=128, output_mib=4, file_mib=4)
    source = f"n = input()\n{source}"
    timing = measure_times(POINTS, Numbers(), command_of(source), pool, limits)
    assert timing.ended in ("limit", "failure")  # MemoryError may come before the limit
    assert timing.sizes[-1].point.n == 128
    assert not timing.sizes[-1].ok
    if timing.ended == "limit":
        assert timing.sizes[-1].stop is stop
        assert words in timing.notes[0]


def test_sizes_without_inputs_end_growth(
    pool: CellPool, command_of: Callable[..., CommandFor]
) -> None:
    command = command_of("print(input())")
    timing = measure_times(POINTS, Numbers(64), command, pool, LIMITS)
    assert timing.ended == "inputs"
    assert [size.point.n for size in timing.sizes] == [16, 32, 64]
    assert timing.notes == ("no input at n = 128; take less",)
    with pytest.raises(GeneratorError):
        measure_times(POINTS, Numbers(1), command, pool, LIMITS)


def test_a_fault_that_only_the_caller_knows_of_counts(
    pool: CellPool, command_of: Callable[..., CommandFor]
) -> None:
    def fault_of(execution: Execution) -> str:
        return "raised" if execution.stdout == b"64\n" else ""

    command = command_of("print(input())")
    timing = measure_times(POINTS, Numbers(), command, pool, LIMITS, fault_of=fault_of)
    assert timing.ended == "failure"
    assert timing.notes == ("at n = 64 the program raised",)


def test_on_a_grid_smaller_work_comes_first(
    pool: CellPool, command_of: Callable[..., CommandFor]
) -> None:
    points = (Point(10, 900), Point(20, 1), Point(30, 2))
    timing = measure_times(points, Numbers(), command_of("print(input())"), pool, LIMITS)
    assert [size.point for size in timing.sizes] == [Point(20, 1), Point(30, 2), Point(10, 900)]


def test_the_resident_set_of_a_native_program_is_the_same_each_time(
    pool: CellPool, command_of: Callable[..., CommandFor]
) -> None:
    command = command_of('#include <stdio.h>\nint main(void) { puts("hi"); }', "c")
    given = Numbers().get(Point(5), 1)
    seen = {time_once(given, command, pool, LIMITS).memory_mib for _ in range(6)}
    assert max(seen) - min(seen) < 0.1


def test_an_interpreter_that_does_not_start_is_no_fault_of_the_program(pool: CellPool) -> None:
    def command(given: Input, limits: Limits) -> Command:
        return Command(("/nothing/here",), limits=limits)

    with pytest.raises(ToolchainError):
        time_once(Numbers().get(Point(5), 1), command, pool, LIMITS)
