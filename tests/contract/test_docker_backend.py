"""The docker backend keeps the promises of any other cell. It needs an engine on this machine."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import docker
import pytest
from docker.errors import DockerException

from steelyard._installation import install_command
from steelyard.errors import CommandError
from steelyard.sandbox import SYSTEM_VIEW, Blob, CellPool, Command, Mount, View
from steelyard.schemas import Limits, StopReason
from steelyard.settings import SandboxSettings


@pytest.fixture(scope="module")
def engine() -> Iterator[docker.DockerClient]:
    path = os.environ.get("DOCKER_HOST", "unix:///var/run/docker.sock").removeprefix("unix://")
    try:
        with socket.socket(socket.AF_UNIX) as probe:
            probe.connect(path)
        client = docker.from_env(version="auto")
    except (DockerException, OSError) as error:
        pytest.skip(f"the docker engine at {path} does not answer: {error}")
    yield client
    client.close()


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(accounting, marks=pytest.mark.exhaustive) for accounting in ("auto", "none")
    ],
)
def pool(engine: docker.DockerClient, request: pytest.FixtureRequest) -> Iterator[CellPool]:
    with CellPool(1, settings=SandboxSettings(backend="docker", accounting=request.param)) as pool:
        yield pool


def shell(script: str, **options: object) -> Command:
    return Command(("/bin/sh", "-c", script), **options)


def test_says_that_a_container_is_around_the_run(pool: CellPool) -> None:
    isolation = pool.run(shell("true")).isolation

    assert isolation == pool.isolation
    assert isolation.backend == "docker"
    assert isolation.filesystem == "container"
    assert isolation.network == "none"
    assert {"mount", "pid", "network"} <= set(isolation.namespaces)


def test_gives_a_run_its_input_and_brings_back_what_it_did(pool: CellPool) -> None:
    command = shell(
        "cat; cat given >&2; echo made > made; exit 7",
        stdin=b"in",
        files={"given": b"file"},
        collect=("made", "absent"),
    )

    execution = pool.run(command)

    assert (execution.stop, execution.exit_code) == (StopReason.EXITED, 7)
    assert (execution.stdout, execution.stderr) == (b"in", b"file")
    assert execution.files == {"made": b"made\n"}


def test_passes_long_input_and_long_output_by_descriptor(pool: CellPool) -> None:
    data = bytes(range(256)) * 40_000

    assert pool.run(Command(("/bin/cat",), stdin=data)).stdout == data


def test_runs_an_executable_from_memory(pool: CellPool) -> None:
    image = Blob.from_file(Path("/bin/echo").resolve())

    assert pool.run(Command(("echo", "from memory"), executable=image)).stdout == b"from memory\n"


def test_a_signal_is_reported_as_a_signal(pool: CellPool) -> None:
    execution = pool.run(Command((sys.executable, "-c", "")))
    assert execution.stop is StopReason.NOT_STARTED  # it is no part of the view

    execution = pool.run(Command(("/usr/bin/perl", "-e", "kill 'ABRT', $$; sleep 1")))
    assert (execution.stop, execution.signal) == (StopReason.SIGNALED, signal.SIGABRT)


@pytest.mark.parametrize(
    ("script", "limits", "stop"),
    [
        ("while :; do :; done", Limits(cpu_ms=200, wall_ms=5_000), StopReason.CPU_LIMIT),
        ("sleep 60", Limits(cpu_ms=200, wall_ms=300), StopReason.WALL_LIMIT),
        ("trap '' TERM INT; sleep 60 & sleep 60", Limits(wall_ms=300), StopReason.WALL_LIMIT),
        (
            "exec perl -e '$x = \"x\" x (600 << 20); print length $x'",
            Limits(memory_mib=100),
            StopReason.MEMORY_LIMIT,
        ),
        ("exec head -c 20000000 /dev/zero", Limits(output_mib=1), StopReason.OUTPUT_LIMIT),
    ],
)
def test_holds_a_run_to_its_limits(
    pool: CellPool, script: str, limits: Limits, stop: StopReason
) -> None:
    assert pool.run(shell(script, limits=limits)).stop is stop


def test_memory_beyond_an_earlier_bound_is_there_when_the_limits_allow_it(pool: CellPool) -> None:
    script = "exec perl -e 'vec($x, 1200 << 20, 8) = 1; print length $x'"

    execution = pool.run(shell(script, limits=Limits(memory_mib=2_500, cpu_ms=60_000)))

    assert execution.stdout == b"1258291201"
    assert execution.memory_mib > 1_200


def test_counts_the_processor_time_of_children(pool: CellPool) -> None:
    script = "perl -e '1 while times < 0.3' & wait"

    assert pool.run(shell(script)).cpu_ms >= 300


def test_processes_are_bounded(pool: CellPool) -> None:
    script = "perl -e 'while ($n < 50 and defined($p = fork)) { $p or sleep 9; $n++ } print $n + 0'"

    execution = pool.run(shell(script, limits=Limits(processes=10)))

    assert 0 < int(execution.stdout) < 10


def test_nothing_of_a_run_is_left_for_the_next(pool: CellPool) -> None:
    pool.run(
        shell("mkdir -p a/b; touch a/b/c /tmp/d; chmod 0 a; (setsid sleep 99 &) ; sleep 98 & true")
    )

    assert pool.run(shell("ls -A . /tmp")).stdout.split() == [b".:", b"/tmp:"]
    assert b"sleep" not in pool.run(shell("cat /proc/[0-9]*/comm")).stdout


def test_a_run_cannot_end_its_cell(pool: CellPool) -> None:
    pool.run(shell("true"))
    before = pool.run(shell("readlink /proc/self/ns/pid")).stdout

    pool.run(shell("kill -9 1; kill -9 -1; kill -STOP 1"))

    assert pool.run(shell("readlink /proc/self/ns/pid")).stdout == before


def test_a_run_has_no_privilege(pool: CellPool) -> None:
    status = pool.run(shell("cat /proc/self/status")).stdout.decode()
    fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)

    assert "0" not in fields["Uid"].split()
    assert "0" not in fields["Groups"].split()
    assert {int(fields[key], 16) for key in ("CapPrm", "CapEff", "CapBnd", "CapAmb")} == {0}
    assert fields["NoNewPrivs"] == "1"
    assert fields["Seccomp"] == "2"


@pytest.mark.parametrize(
    "script",
    [
        "touch /x",
        "touch /usr/bin/x",
        "touch /dev/x",
        "touch /etc/x",
        "echo 1 > /proc/sys/kernel/hostname",
        "cat /etc/passwd",
        "cat /etc/shadow",
        "ls /run/steelyard/socket",
        "cat /proc/1/environ",
        "ls /proc/1/fd",
        "perl -MIO::Socket -e 'IO::Socket::INET->new(q(1.1.1.1:80)) or die'",
        "unshare -U true",
        "mount -t tmpfs x /w",
        "chroot /w true",
    ],
)
def test_what_lies_outside_is_out_of_reach(pool: CellPool, script: str) -> None:
    execution = pool.run(shell(script))

    assert execution.stop is StopReason.EXITED
    assert execution.exit_code != 0
    assert execution.stdout == b""


def test_there_is_no_network_but_loopback(pool: CellPool) -> None:
    lines = pool.run(shell("cat /proc/self/net/dev")).stdout.decode().splitlines()

    assert [line.split(":")[0].strip() for line in lines[2:]] == ["lo"]


def test_shows_the_view_read_only_and_no_other_file(pool: CellPool, tmp_path: Path) -> None:
    (tmp_path / "shown").write_text("shown")
    (tmp_path / "secret").write_text("secret")
    mounts = (
        *SYSTEM_VIEW.mounts,
        Mount(str(tmp_path / "shown"), "/given/here"),
        Mount(str(tmp_path / "absent"), "/given/absent"),
    )
    script = f"cat /given/here; cat {tmp_path}/secret; echo x > /given/here; ls /given/absent"

    execution = pool.run(shell(script, view=View(mounts)))

    assert execution.stdout == b"shown"
    assert execution.exit_code != 0
    assert (tmp_path / "shown").read_text() == "shown"


def test_a_view_over_the_scratch_folder_is_refused(pool: CellPool) -> None:
    with pytest.raises(CommandError, match="give it another target"):
        pool.run(shell("true", view=View((*SYSTEM_VIEW.mounts, Mount("/usr/share", "/tmp/x")))))


def test_a_full_scratch_folder_costs_the_run_and_not_the_cell(pool: CellPool) -> None:
    limits = Limits(file_mib=1_000, memory_mib=1_000)
    view = View(SYSTEM_VIEW.mounts, scratch_mib=32)

    execution = pool.run(shell("head -c 99m /dev/zero > big", limits=limits, view=view))
    assert execution.exit_code not in (0, None)

    assert pool.run(shell("ls", view=view)).stdout == b""


def test_compiles_and_runs_a_program(pool: CellPool) -> None:
    if not Path("/usr/bin/gcc").exists():
        pytest.skip("no gcc is installed")
    view = View((*SYSTEM_VIEW.mounts, Mount("/usr/include")))
    source = b'#include <stdio.h>\nint main(void) { puts("compiled"); }\n'

    compiled = pool.run(
        Command(
            ("/usr/bin/gcc", "-O1", "a.c", "-o", "a"),
            files={"a.c": source},
            collect=("a",),
            limits=Limits(cpu_ms=20_000),
            view=view,
        )
    )

    assert compiled.exit_code == 0, compiled.stderr
    program = Blob(compiled.files["a"])
    assert pool.run(Command(("a",), executable=program)).stdout == b"compiled\n"


_HOLD_A_CELL = """
import sys
from steelyard.sandbox import CellPool, Command
from steelyard.settings import SandboxSettings
with CellPool(1, settings=SandboxSettings(backend="docker")) as pool:
    pool.run(Command(("/bin/true",)))
    print("ready", flush=True)
    sys.stdin.read()
"""


@pytest.mark.exhaustive
@pytest.mark.parametrize("end", ["close", "kill"])
def test_no_container_outlives_its_process(engine: docker.DockerClient, end: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", _HOLD_A_CELL], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"ready\n"
        mine = {"label": f"steelyard.owner={holder.pid}"}
        assert len(engine.containers.list(all=True, filters=mine)) == 1

        if end == "kill":
            holder.kill()
        else:
            holder.communicate()

    for _ in range(100):
        if not engine.containers.list(all=True, filters=mine):
            return
        time.sleep(0.1)
    pytest.fail("a container is left behind")


_TRY = """
import sys
for name in sys.argv[1:]:
    sys.modules[name] = None
from steelyard._installation import install_command
from steelyard.errors import CellError
from steelyard.sandbox import CellPool
from steelyard.settings import SandboxSettings
try:
    CellPool(1, settings=SandboxSettings(backend="docker"))
except CellError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("host", "absent", "expected"),
    [
        ("", "docker", install_command("docker")),
        ("tcp://10.0.0.1:2375", "", "engine must be on this machine"),
        ("ssh://somewhere", "", "engine must be on this machine"),
        ("unix:///nowhere/docker.sock", "", "set sandbox.backend to auto"),
    ],
)
def test_an_engine_that_cannot_serve_is_one_clear_line(
    host: str, absent: str, expected: str
) -> None:
    outcome = subprocess.run(
        [sys.executable, "-c", _TRY, *absent.split()],
        env={**os.environ, "DOCKER_HOST": host},
        capture_output=True,
        text=True,
        check=True,
    )

    assert outcome.stderr == ""
    assert outcome.stdout.count("\n") == 1
    assert expected in outcome.stdout


def test_importing_the_sandbox_does_not_import_docker() -> None:
    code = "import sys, steelyard.sandbox; print('docker' in sys.modules)"

    assert subprocess.check_output([sys.executable, "-c", code]) == b"False\n"
