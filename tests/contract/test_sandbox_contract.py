"""What every backend promises of a command: what goes in, what comes out, how its end is told."""

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from steelyard.errors import CellError, CommandError
from steelyard.sandbox import SYSTEM_VIEW, Blob, CellPool, Command, Mount, View
from steelyard.sandbox._wire import MAX_FILES, MAX_INLINE_BYTES
from steelyard.schemas import Limits, StopReason

Probe = Callable[..., Command]


def shell(script: str, **options: object) -> Command:
    return Command(("/bin/sh", "-c", script), **options)


def assert_works(cells: CellPool) -> None:
    execution = cells.run(shell("echo well"))
    assert (execution.exit_code, execution.stdout, execution.stderr) == (0, b"well\n", b"")


def cell_of(cells: CellPool) -> int:
    """The process id of the cell that ran last."""
    return [cell.pid for slot in cells._slots for cell in slot._cells.values()][-1]


# -------------------------------------------------------------------------------- what goes in


def test_says_which_backend_it_is(cells: CellPool, backend) -> None:
    assert cells.run(shell("true")).isolation == cells.isolation
    assert cells.isolation.backend == backend.backend
    if backend.accounting == "none":
        assert cells.isolation.memory_limited_by == "sampling"


@pytest.mark.parametrize(
    "argument", ["", "two words", "'\"$(id)`", "\u00e4\u2713", "a\nb", "\udcff\udc80"]
)
def test_hands_over_arguments_as_they_are(cells: CellPool, argument: str) -> None:
    execution = cells.run(Command(("/usr/bin/printf", "%s|", argument, "last")))

    assert execution.stdout == argument.encode(errors="surrogateescape") + b"|last|"


@pytest.mark.usefixtures("namespaces")
def test_gives_no_environment_but_the_commands_own(cells: CellPool) -> None:
    execution = cells.run(Command(("/usr/bin/env",), env={"ONE": "1", "TWO": "a=b c", "NONE": ""}))

    assert sorted(execution.stdout.splitlines()) == [b"NONE=", b"ONE=1", b"TWO=a=b c"]


@pytest.mark.usefixtures("namespaces")
def test_works_in_an_empty_folder_that_it_may_write_to(cells: CellPool) -> None:
    execution = cells.run(shell("pwd; ls -A; mkdir a && echo x > a/b && cat a/b"))

    assert execution.stdout == b"/w\nx\n"


@pytest.mark.parametrize("size", [0, 1, MAX_INLINE_BYTES, MAX_INLINE_BYTES + 1, 5_000_000])
@pytest.mark.parametrize("kind", [bytes, Blob])
def test_gives_standard_input_of_any_size_back(cells: CellPool, size: int, kind) -> None:
    data = os.urandom(size)

    assert cells.run(Command(("/bin/cat",), stdin=kind(data))).stdout == data


def test_a_shared_input_is_read_from_its_start_by_each_run(cells: CellPool) -> None:
    shared = Blob(b"x" * 100_000)

    for _ in range(2):
        assert cells.run(Command(("/usr/bin/wc", "-c"), stdin=shared)).stdout == b"100000\n"


def test_input_that_is_not_read_does_no_harm(cells: CellPool) -> None:
    assert cells.run(shell("true", stdin=b"x" * 1_000_000)).exit_code == 0
    assert cells.run(Command(("/bin/cat",), stdin=b"next")).stdout == b"next"


def test_places_files_with_their_folders(cells: CellPool) -> None:
    files = {"a": b"1", "dir/b": Blob(b"2"), "dir/sub/c": b"3", "empty": b""}

    execution = cells.run(
        shell("find . -type f | sort | xargs tail -n +1 -q; touch dir/new", files=files)
    )

    assert (execution.stdout, execution.stderr) == (b"123", b"")


def test_runs_a_placed_file_as_a_program(cells: CellPool) -> None:
    script = b"#!/bin/sh\necho $0 ran\n"

    assert cells.run(Command(("./go",), files={"go": script})).stdout == b"./go ran\n"


def test_runs_an_executable_from_memory(cells: CellPool) -> None:
    image = Blob.from_file(Path("/bin/echo").resolve())

    assert cells.run(Command(("any name", "hello"), executable=image)).stdout == b"hello\n"


@pytest.mark.usefixtures("namespaces")
def test_looks_a_bare_name_up_along_the_commands_path(cells: CellPool) -> None:
    files = {
        "one/other": b"#!/bin/sh\n",
        "two/tool": b"#!/bin/sh\necho two\n",
        "three/tool": b"#!/bin/sh\necho three\n",
    }
    env = {"PATH": "/nowhere:/w/one::/w/two:/w/three"}

    assert cells.run(Command(("tool",), files=files, env=env)).stdout == b"two\n"


@pytest.mark.usefixtures("namespaces")
def test_shows_what_the_view_mounts_and_nothing_beside_it(cells: CellPool, tmp_path: Path) -> None:
    (tmp_path / "seen").mkdir()
    (tmp_path / "seen" / "file").write_text("content")
    (tmp_path / "hidden").write_text("secret")
    mounts = (*SYSTEM_VIEW.mounts, Mount(str(tmp_path / "seen"), "/data/here"), Mount("/absent"))
    script = f"cat /data/here/file; ls /data; ls {tmp_path}; echo x > /data/here/file"

    execution = cells.run(shell(script, view=View(mounts)))

    assert execution.stdout == b"contenthere\n"
    assert (tmp_path / "seen" / "file").read_text() == "content"
    assert execution.exit_code != 0


# ------------------------------------------------------------------------------- what comes out


@pytest.mark.parametrize(
    "size", [0, 1, MAX_INLINE_BYTES, MAX_INLINE_BYTES + 1, 10_000_000], ids=lambda n: f"{n}B"
)
@pytest.mark.parametrize("stream", [1, 2])
def test_brings_back_outputs_of_any_size(
    cells: CellPool, probe: Probe, size: int, stream: int
) -> None:
    execution = cells.run(probe("put", size, stream))

    assert (execution.stdout, execution.stderr)[stream - 1] == b"x" * size
    assert (execution.stderr, execution.stdout)[stream - 1] == b""
    assert (execution.stop, execution.exit_code) == (StopReason.EXITED, 0)


def test_keeps_the_two_outputs_apart_where_only_their_sum_is_long(cells: CellPool) -> None:
    half = MAX_INLINE_BYTES // 2 + 1
    execution = cells.run(
        shell(f"head -c {half} /dev/zero; head -c {half} /dev/zero | tr '\\0' e >&2")
    )

    assert (execution.stdout, execution.stderr) == (bytes(half), b"e" * half)


def test_one_runs_output_is_never_in_the_next(cells: CellPool, probe: Probe) -> None:
    for size in (100_000, 10, 0, 70_000, 1):
        assert len(cells.run(probe("put", size, 1)).stdout) == size


def test_brings_back_the_files_that_were_asked_for(cells: CellPool) -> None:
    script = (
        "mkdir -p deep/er folder; printf 1 > one; printf 2 > deep/er/two; : > empty; ln -s one link"
    )
    asked = ("one", "deep/er/two", "empty", "absent", "folder", "link", "one/below")

    execution = cells.run(shell(script, collect=asked))

    assert execution.files == {"one": b"1", "deep/er/two": b"2", "empty": b""}


def test_brings_back_a_long_file_beside_long_output(cells: CellPool, probe: Probe) -> None:
    execution = cells.run(shell("head -c 300000 /dev/zero | tee made", collect=("made",)))

    assert (execution.files, execution.stdout) == ({"made": bytes(300_000)}, bytes(300_000))


# --------------------------------------------------------------------------- how its end is told


@pytest.mark.parametrize("code", [0, 1, 42, 127, 255])
def test_tells_the_exit_status(cells: CellPool, probe: Probe, code: int) -> None:
    execution = cells.run(probe("exit", code))

    assert (execution.stop, execution.exit_code, execution.signal) == (
        StopReason.EXITED,
        code,
        None,
    )


@pytest.mark.parametrize("number", [signal.SIGABRT, signal.SIGSEGV, signal.SIGKILL, signal.SIGPIPE])
def test_tells_the_signal(cells: CellPool, probe: Probe, number: int) -> None:
    execution = cells.run(probe("raise", int(number)))

    assert (execution.stop, execution.exit_code, execution.signal) == (
        StopReason.SIGNALED,
        None,
        number,
    )


@pytest.mark.usefixtures("namespaces")
def test_no_signal_is_blocked_or_ignored(cells: CellPool) -> None:
    status = cells.run(Command(("/bin/grep", "-E", "Sig(Blk|Ign)", "/proc/self/status"))).stdout

    # Those from 32 on are the C library's own.
    assert [int(line.split()[1], 16) & 0x7FFF_FFFF for line in status.splitlines()] == [0, 0]


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("/bin/absent", "No such file or directory"),
        ("absent", "No such file or directory"),
        ("./placed/below", "Not a directory"),
        ("/bin", "Permission denied"),
        ("./placed", "Exec format error"),
        ("./script", "No such file or directory"),
    ],
)
def test_says_why_a_program_cannot_be_started(cells: CellPool, program: str, reason: str) -> None:
    files = {"placed": b"text", "script": b"#!/no/interpreter\n"}

    execution = cells.run(Command((program,), files=files))

    assert (execution.stop, execution.exit_code, execution.signal) == (
        StopReason.NOT_STARTED,
        None,
        None,
    )
    assert execution.message == f"{program}: {reason}"
    assert_works(cells)


@pytest.mark.parametrize(
    "command",
    [
        Command(()),
        Command(("",)),
        Command(("/bin/echo", "a\0b")),
        Command(("/bin/echo",), env={"A": "\0"}),
        Command(("/bin/echo", "\ud800")),
        Command(("/bin/echo",), files={"../up": b""}),
        Command(("/bin/echo",), files={"a/../../up": b""}),
        Command(("/bin/echo",), files={"/etc/absolute": b""}),
        Command(("/bin/echo",), files={"": b""}),
        Command(("/bin/echo",), collect=("../up",)),
        Command(("/bin/echo",), collect=("/etc/passwd",)),
        Command(("/bin/echo",), files={f"f{i}": b"" for i in range(MAX_FILES + 1)}),
        Command(("/bin/echo", "x" * 1_000_000)),
        Command(("/bin/echo", *["x"] * 10_000)),
    ],
)
def test_refuses_a_command_that_no_cell_could_run(cells: CellPool, command: Command) -> None:
    with pytest.raises(CommandError):
        cells.run(command)
    assert_works(cells)


def test_takes_as_many_files_as_it_says(cells: CellPool) -> None:
    files = {f"f{i}": b"" for i in range(MAX_FILES)}

    assert cells.run(shell("ls | wc -l", files=files)).stdout == b"%d\n" % MAX_FILES


def test_files_in_each_others_place_are_told_from_files_that_do_not_fit(cells: CellPool) -> None:
    with pytest.raises(CellError, match="unique name"):
        cells.run(shell("true", files={"a": b"", "a/b": b""}))
    assert_works(cells)


@pytest.mark.usefixtures("namespaces")
def test_files_that_do_not_fit_are_no_fault_of_the_candidate(cells: CellPool) -> None:
    view = View(SYSTEM_VIEW.mounts, scratch_mib=1)

    with pytest.raises(CellError, match="scratch_mib larger"):
        cells.run(shell("true", files={"big": bytes(2_000_000)}, view=view))
    execution = cells.run(shell("ls -A; echo fits > f", view=view))
    assert (execution.exit_code, execution.stdout) == (0, b"")


@pytest.mark.usefixtures("namespaces")
def test_leaves_nothing_of_one_run_for_the_next(cells: CellPool, probe: Probe) -> None:
    script = "mkdir -p a/b/c; echo x > a/b/c/d; chmod 0 a; touch /tmp/t /dev/shm/s; sleep 60 &"
    cells.run(shell(script))
    cell = cell_of(cells)
    cells.run(probe("leave"))

    after = cells.run(shell("ls -A /w /tmp /dev/shm; set -- /proc/[0-9]*; echo $#"))

    assert after.stdout == b"/dev/shm:\n\n/tmp:\n\n/w:\n1\n"  # itself
    assert cell_of(cells) == cell  # it was cleaned, not replaced


@pytest.mark.usefixtures("namespaces")
def test_shows_no_descriptor_of_the_process_that_asked(backend) -> None:
    inner, outer = os.pipe()
    os.set_inheritable(outer, True)
    try:
        with CellPool(1, settings=backend) as pool:
            execution = pool.run(Command(("/bin/ls", "/proc/self/fd")))
    finally:
        os.close(inner)
        os.close(outer)

    assert execution.stdout == b"0\n1\n2\n3\n"  # the last is the folder that ls reads


def test_runs_within_given_limits_only(cells: CellPool) -> None:
    assert cells.run(shell("true", limits=Limits(cpu_ms=1000, memory_mib=64))).exit_code == 0


def test_fixed_addresses_are_the_same_in_every_run(cells: CellPool) -> None:
    shows = Command(("cat", "/proc/self/maps"), fixed_addresses=True)
    layouts = {cells.run(shows).stdout for _ in range(5)}
    if any(not layout for layout in layouts):
        pytest.skip("no /proc in this cell")
    assert len({layout.split(b"[stack]")[0] for layout in layouts}) == 1


@pytest.mark.parametrize("target", ["/tmp/tool", "/w", "/dev/shm/tool", "/proc/1"])
def test_refuses_to_show_what_its_own_folders_would_hide(
    cells: CellPool, tmp_path: Path, target: str
) -> None:
    if cells.isolation.filesystem != "view":
        pytest.skip("no file view of its own")
    with pytest.raises(CommandError, match="each cell has its own"):
        cells.run(
            Command(("true",), view=View((*SYSTEM_VIEW.mounts, Mount(str(tmp_path), target))))
        )


def test_the_level_is_full_only_if_all_memory_is_bounded(cells: CellPool) -> None:
    isolation = cells.isolation

    if isolation.memory_limited_by == "sampling":
        assert isolation.level != "full"
        assert any("memory files" in line for line in isolation.missing)
    else:
        assert not any("memory files" in line for line in isolation.missing)
