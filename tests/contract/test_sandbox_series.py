"""A series of runs gives what the same runs give one by one, in every backend."""

import threading
import time
from collections.abc import Callable

import pytest

from steelyard.errors import CellError
from steelyard.sandbox import CellPool, Command, View
from steelyard.schemas import Execution, Limits, StopReason
from steelyard.settings import SandboxSettings

Probe = Callable[..., Command]


def in_series(cells: CellPool, commands: list[Command]) -> list[Execution]:
    done: list[Execution] = []
    while len(done) < len(commands):
        done += cells.run_series(commands[len(done) :])
    return done


def echo(text: bytes) -> Command:
    return Command(("cat",), stdin=text)


def test_every_command_has_its_own_input_and_output(cells: CellPool) -> None:
    texts = [b"%d\n" % number * number for number in range(40)]
    assert [each.stdout for each in in_series(cells, [echo(text) for text in texts])] == texts


def test_several_are_run_at_once(cells: CellPool, probe: Probe) -> None:
    """A run that others hold up ends a series: one of many tries suffices."""
    most = max(len(cells.run_series([probe("exit", 0)] * 16)) for _ in range(50))
    assert most > 1 or not cells.isolation.separate_user  # who owns the executable can mark it


def test_what_comes_after_a_failure_is_not_run(cells: CellPool) -> None:
    shell = ("sh", "-c")
    commands = [Command((*shell, f"exit {code}")) for code in (0, 3, 0)]
    first = cells.run_series(commands)
    assert len(first) < 3
    rest = in_series(cells, commands[len(first) :])
    assert [each.exit_code for each in [*first, *rest]] == [0, 3, 0]


@pytest.mark.parametrize(
    ("what", "limits", "stop"),
    [
        (("raise", 11), Limits(), StopReason.SIGNALED),
        (("raise", 9), Limits(), StopReason.SIGNALED),
        (("heap", 96), Limits(memory_mib=32), StopReason.MEMORY_LIMIT),
        (("heaps", 4, 5_000), Limits(memory_mib=64), StopReason.MEMORY_LIMIT),
        (("burn", 5_000), Limits(cpu_ms=60), StopReason.CPU_LIMIT),
        (("rest", 60_000), Limits(wall_ms=150), StopReason.WALL_LIMIT),
        (("put", 3 << 20, 1), Limits(output_mib=1), StopReason.OUTPUT_LIMIT),
    ],
)
def test_each_end_is_that_of_a_single_run(
    cells: CellPool, probe: Probe, what: tuple[object, ...], limits: Limits, stop: StopReason
) -> None:
    commands = [probe("exit", 0), probe(*what, limits=limits), probe("exit", 0), echo(b"x")]
    done = in_series(cells, commands)
    if done[1].stop is StopReason.SIGNALED and stop is StopReason.MEMORY_LIMIT:
        assert cells.isolation.memory_limited_by != "sampling"
    else:
        assert done[1].stop is stop
    assert [done[place].exit_code for place in (0, 2, 3)] == [0, 0, 0]
    assert done[3].stdout == b"x"


def test_long_outputs_do_not_hold_it_up(cells: CellPool) -> None:
    """More than the socket takes, both in messages and as descriptors."""
    for size in (60_000, 200_000):
        command = Command(("head", "-c", str(size), "/dev/zero"))
        assert [len(each.stdout) for each in in_series(cells, [command] * 12)] == [size] * 12


def test_files_are_placed_and_collected_for_each(cells: CellPool) -> None:
    commands = [
        Command(("cp", "given", "made"), files={"given": text}, collect=("made",))
        for text in (b"a", b"bb", b"ccc")
    ]
    files = [each.files for each in in_series(cells, commands)]
    assert files == [{"made": b"a"}, {"made": b"bb"}, {"made": b"ccc"}]


def test_inputs_too_long_for_a_message_are_given_too(cells: CellPool) -> None:
    sizes = [10, 100_000, 10, 60_000, 60_000]
    done = in_series(cells, [echo(b"x" * size) for size in sizes])
    assert [len(each.stdout) for each in done] == sizes


def test_another_view_is_another_series(cells: CellPool) -> None:
    commands = [
        echo(b"1"),
        Command(("cat",), stdin=b"2", view=View.of("/usr", "/bin", "/lib", "/lib64")),
    ]
    assert len(cells.run_series(commands)) == 1
    assert [each.stdout for each in in_series(cells, commands)] == [b"1", b"2"]


def test_aborting_the_pool_ends_a_series(backend: SandboxSettings) -> None:
    pool = CellPool(1, settings=backend)
    pool.run(echo(b""))
    ender = threading.Timer(0.3, pool.abort)
    ender.start()
    begun = time.monotonic()
    with pytest.raises(CellError):
        in_series(pool, [echo(b"x"), Command(("sleep", "60")), echo(b"x")])
    assert time.monotonic() - begun < 50
    ender.join()
