"""What the fork server promises: its runs are runs like any other, and leave nothing behind."""

import dataclasses
from collections.abc import Iterator

import pytest

from steelyard import judge
from steelyard.errors import ForkServerError
from steelyard.sandbox import CellPool, Command
from steelyard.schemas import Execution, Limits, StopReason
from steelyard.settings import SandboxSettings
from steelyard.toolchains import Harness, find_toolchain
from tests.hostile.arena import pool_without_forks

LIMITS = Limits(cpu_ms=10_000, wall_ms=30_000)


@pytest.fixture(scope="module", params=["auto", "none"])
def cells(request: pytest.FixtureRequest) -> Iterator[CellPool]:
    """With and without control groups."""
    with CellPool(1, settings=SandboxSettings(backend="cell", accounting=request.param)) as pool:
        if not pool.forks:
            pytest.skip("no process namespace here: runs are started, not forked")
        yield pool


@pytest.fixture(scope="module")
def harness() -> Harness:
    found = find_toolchain("python").harness
    assert found
    return found


def script(harness: Harness, source: str, **changes: object) -> Command:
    command = harness.command(
        ("stdio", "main.py"), stdin=b"", limits=LIMITS, sources={"main.py": source.encode()}
    )
    return dataclasses.replace(command, **changes)


def server_pid(pool: CellPool) -> str:
    """The fork server's id, as a run sees it: its own parent's child before it."""
    cell = list(pool._slots[0]._cells.values())[-1]  # the one that was used last
    children = f"/proc/{cell.pid}/task/{cell.pid}/children"
    with open(children) as file:
        init = file.read().split()[0]
    with open(f"/proc/{init}/task/{init}/children") as file:
        return file.read()


def run(pool: CellPool, command: Command) -> Execution:
    execution = pool.run(command)
    assert execution.stop is StopReason.EXITED, execution
    return execution


def printed(pool: CellPool, harness: Harness, source: str) -> bytes:
    return run(pool, script(harness, source)).stdout


def test_a_run_is_forked_and_the_server_stays(cells: CellPool, harness: Harness) -> None:
    first = run(cells, script(harness, "print('hello')"))
    before = server_pid(cells)
    again = run(cells, script(harness, "print('hello')"))
    assert before
    assert before == server_pid(cells)
    assert (first.stdout, first.exit_code) == (again.stdout, 0) == (b"hello\n", 0)
    assert first.forked
    assert again.forked


def test_commands_that_name_different_cells_keep_their_servers(harness: Harness) -> None:
    """With one view for both, and with servers that differ, as hash seeds make them."""
    with CellPool(1, settings=SandboxSettings(backend="cell")) as pool:
        if not pool.forks:
            pytest.skip("no process namespace here: runs are started, not forked")
        servers: dict[str, set[str]] = {"one": set(), "two": set()}
        for _ in range(3):
            for name, seen in servers.items():
                command = script(harness, "print(1)", cell=name)
                assert command.server
                env = (*command.server.env, ("NAME", name))
                server = dataclasses.replace(command.server, env=env)
                assert run(pool, dataclasses.replace(command, server=server)).forked
                seen.add(server_pid(pool))
        assert len(servers["one"]) == len(servers["two"]) == 1
        assert servers["one"] != servers["two"]


def test_what_its_modules_take_is_not_charged_to_the_run(cells: CellPool, harness: Harness) -> None:
    run(cells, script(harness, "pass"))
    small = run(cells, script(harness, "pass"))
    large = run(cells, script(harness, "data = bytearray(60 << 20)"))
    assert small.memory_mib < 6
    assert small.max_rss_mib < 6
    assert 60 <= large.memory_mib < 68
    assert 60 <= large.max_rss_mib < 68


@pytest.mark.parametrize(
    ("source", "limits", "stop"),
    [
        ("while True: pass", {"cpu_ms": 200}, StopReason.CPU_LIMIT),
        ("import time; time.sleep(60)", {"wall_ms": 200}, StopReason.WALL_LIMIT),
        ("data = bytearray(300 << 20)", {"memory_mib": 64}, StopReason.MEMORY_LIMIT),
        ("while True: print('x' * 99999)", {"output_mib": 1}, StopReason.OUTPUT_LIMIT),
        ("import os; os.kill(os.getpid(), 9)", {}, StopReason.SIGNALED),
    ],
)
def test_keeps_the_limits_of_each_run(
    cells: CellPool, harness: Harness, source: str, limits: dict[str, int], stop: StopReason
) -> None:
    tight = script(harness, source, limits=LIMITS.replace(**limits))
    assert cells.run(tight).stop is stop
    assert printed(cells, harness, "print(1)") == b"1\n"


def test_limits_that_were_lowered_for_one_run_do_not_hold_for_the_next(
    cells: CellPool, harness: Harness
) -> None:
    source = (
        "import resource as r\n"
        "print(r.getrlimit(r.RLIMIT_FSIZE)[1], r.getrlimit(r.RLIMIT_NPROC)[1])\n"
    )
    low = LIMITS.replace(file_mib=1, output_mib=1, processes=3)
    lowered = run(cells, script(harness, source, limits=low))
    usual = run(cells, script(harness, source))
    assert int(lowered.stdout.split()[0]) < int(usual.stdout.split()[0])
    assert int(lowered.stdout.split()[1]) < int(usual.stdout.split()[1])


def test_the_kernels_own_limit_of_cpu_time_does_not_come_before_the_cells(
    cells: CellPool, harness: Harness
) -> None:
    source = "import resource as r\nprint(r.getrlimit(r.RLIMIT_CPU)[1])\n"
    most_s = int(run(cells, script(harness, source)).stdout)
    assert most_s >= 4 * LIMITS.cpu_ms / 1_000


def test_every_run_starts_from_the_same_state(cells: CellPool, harness: Harness) -> None:
    source = (
        "import random, os, sys, threading, signal\n"
        "print(random.random(), hash('text'), sorted(os.listdir('/proc/self/fd')),\n"
        "      os.listdir('.'), threading.active_count(), signal.getsignal(15), len(sys.modules))\n"
        "random.seed(); open('left', 'w').close(); os.dup(1); sys.modules['left'] = sys\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    )
    first = printed(cells, harness, source)
    assert printed(cells, harness, source) == first


def test_a_run_has_its_own_session_and_no_rights(cells: CellPool, harness: Harness) -> None:
    source = (
        "import os\n"
        "status = open('/proc/self/status').read()\n"
        "print([line for line in status.splitlines() if line[:3] == 'Cap'],\n"
        "      os.getsid(0) == os.getpid())\n"
        "print(os.getresuid(), os.getresgid(), os.getgroups())\n"
    )
    said = printed(cells, harness, source).decode()
    capabilities, ids = said.splitlines()
    assert capabilities.count("0000000000000000") == 5
    assert capabilities.endswith("True")
    assert len(set(eval(ids.split(") ")[0] + ")"))) == 1


def test_what_is_left_running_ends_with_the_run(cells: CellPool, harness: Harness) -> None:
    leaves = "import subprocess; print(subprocess.Popen(['/usr/bin/sleep', '600']).pid)"
    run(cells, script(harness, leaves))
    counts = "import os; print(sum(name.isdigit() for name in os.listdir('/proc')))"
    assert printed(cells, harness, counts) in (b"1\n", b"2\n", b"3\n")


def test_what_hides_is_ended_with_its_run_all_the_same(cells: CellPool, harness: Harness) -> None:
    hides = (
        "import ctypes, os, time\n"
        "if os.fork() == 0:\n"
        "    ctypes.CDLL(None).prctl(4, 0)\n"
        "    while True:\n"
        "        open('left', 'w').close()\n"
        "        time.sleep(0.001)\n"
        "time.sleep(0.05)\n"
    )
    looks = "import os, time; time.sleep(0.05); print(sorted(os.listdir('.')))"
    clean = printed(cells, harness, looks)
    run(cells, script(harness, hides))
    assert printed(cells, harness, looks) == clean


def test_the_server_cannot_be_reached_from_a_run(cells: CellPool, harness: Harness) -> None:
    """As root it has another id; else a candidate can end it, and the next run gets a new one."""
    attack = (
        "import os, signal\n"
        "for number in range(2, 64):\n"
        "    if number != os.getpid():\n"
        "        for way in (signal.SIGKILL, signal.SIGSTOP, signal.SIGUSR1):\n"
        "            try:\n"
        "                os.kill(number, way); print('through')\n"
        "            except OSError: pass\n"
        "        for file in ('mem', 'maps', 'environ', 'fd'):\n"
        "            try:\n"
        "                open(f'/proc/{number}/{file}').read(1); print('read')\n"
        "            except OSError: pass\n"
    )
    said = printed(cells, harness, attack)
    assert b"read" not in said
    if cells.isolation.separate_user:
        assert said == b""
    assert printed(cells, harness, "print('well')") == b"well\n"


def test_exits_as_the_interpreter_does(cells: CellPool, harness: Harness) -> None:
    source = (
        "import atexit, sys, threading, time\n"
        "atexit.register(print, 'at exit')\n"
        "class Last:\n    def __del__(self): print('deleted')\n"
        "last = Last()\n"
        "threading.Thread(target=lambda: (time.sleep(0.05), print('thread'))).start()\n"
        "print('end', file=sys.stderr)\n"
    )
    execution = run(cells, script(harness, source))
    assert execution.stdout == b"thread\nat exit\ndeleted\n"
    for source, status in {
        "import sys; sys.exit(7)": 7,
        "import sys; sys.exit('why')": 1,
        "raise SystemExit": 0,
        "1 / 0": 1,
        "exit()": 0,
        "quit(3)": 3,
        "import os; os._exit(9)": 9,
        "def f(:": 1,
    }.items():
        assert cells.run(script(harness, source)).exit_code == status, source


def test_a_traceback_shows_the_program_alone(cells: CellPool, harness: Harness) -> None:
    said = cells.run(script(harness, "def f():\n    return 1 / 0\nf()\n")).stderr.decode()
    assert "steelyard" not in said
    assert said.splitlines()[0] == "Traceback (most recent call last):"
    assert 'main.py", line 2, in f' in said
    assert "return 1 / 0" in said


@pytest.mark.usefixtures("file_view")
def test_is_the_same_where_nothing_can_be_forked(harness: Harness) -> None:
    source = (  # without namespaces each cell has a folder of its own name
        "import os, sys; name = os.path.basename(__file__); "
        "print(sys.argv, __name__, name, sys.stdin.read()); sys.exit(4)"
    )
    with pool_without_forks() as pool:
        assert not pool.forks
        started = pool.run(script(harness, source, stdin=b"in"))
    with CellPool(1) as pool:
        forked = pool.run(script(harness, source, stdin=b"in"))
    assert (started.stdout, started.exit_code) == (forked.stdout, forked.exit_code)
    assert started.exit_code == 4
    assert (started.forked, forked.forked) == (False, True)


def test_a_seed_is_the_same_where_nothing_can_be_forked() -> None:
    program = "import random; print(random.random(), hash('text'))"
    printed = set()
    for make_pool in (lambda: CellPool(1), pool_without_forks):
        with make_pool() as pool:
            for _ in range(2):
                result = judge(program, [{"input": "", "expected": ""}], limits=LIMITS, pool=pool)
                printed.add(result.cases[0].stdout)

    assert len(printed) == 1
    assert "0." in printed.pop()


def test_a_server_that_does_not_come_up_is_the_machines_failure(
    cells: CellPool, harness: Harness
) -> None:
    broken = dataclasses.replace(harness, preload=("no_such_module",))
    with pytest.raises(ForkServerError, match="no_such_module"):
        cells.run(script(broken, "print(1)"))
    assert printed(cells, harness, "print(1)") == b"1\n"


def test_two_runs_that_are_joined_talk_and_see_each_other_end(
    cells: CellPool, harness: Harness
) -> None:
    asks = "import os; os.write(3, b'question'); print(os.read(3, 99))"
    answers = "import os; print(os.read(3, 99)); os.write(3, b'answer'); print(os.read(3, 99))"
    one, two = cells.run_joined(script(harness, asks), script(harness, answers))
    assert one.stdout == b"b'answer'\n"
    assert two.stdout == b"b'question'\nb''\n"
    silent = script(harness, "import time; time.sleep(60)", limits=LIMITS.replace(wall_ms=200))
    one, two = cells.run_joined(silent, script(harness, "import os; print(os.read(3, 99))"))
    assert one.stop is StopReason.WALL_LIMIT
    assert two.stdout == b"b''\n"


def test_a_joined_run_that_is_of_no_more_use_is_called_off(
    cells: CellPool, harness: Harness
) -> None:
    done = script(harness, "print(1)")
    sleeps = script(harness, "import time; time.sleep(600)", limits=LIMITS.replace(wall_ms=600_000))
    one, two = cells.run_joined(done, sleeps, calls_off=lambda first: first.stdout == b"1\n")
    assert one.exit_code == 0
    assert two.stop is StopReason.WALL_LIMIT
    for _ in range(3):  # one that has ended by itself is left alone, and so is the cell's next run
        one, two = cells.run_joined(
            script(harness, "import os; os.read(3, 9)"), done, calls_off=lambda _: True
        )
        assert (one.exit_code, two.exit_code, two.stdout) == (0, 0, b"1\n")


def test_a_run_that_cannot_be_set_up_is_no_exit_status(cells: CellPool, harness: Harness) -> None:
    unknown = dataclasses.replace(script(harness, ""), forked_argv=("no-such-entry",))
    with pytest.raises(ForkServerError, match="no such entry: no-such-entry"):
        cells.run(unknown)
    for source in ("import sys; sys.exit(121)", "import os; os._exit(121)"):
        assert run(cells, script(harness, source)).exit_code == 121


def test_nothing_that_a_program_does_looks_like_a_failed_start(
    cells: CellPool, harness: Harness
) -> None:
    source = (
        "import os\n"
        "for way in (os.setsid, lambda: os.setpgid(0, os.getppid()), lambda: os.setpgid(0, 0)):\n"
        "    try: way(); print('through')\n"
        "    except OSError: pass\n"
        "os.write(2, b'the run cannot be set up')\n"
        "os._exit(121)\n"
    )
    execution = run(cells, script(harness, source))
    assert (execution.exit_code, execution.stdout) == (121, b"")
