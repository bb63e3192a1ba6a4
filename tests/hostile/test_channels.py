"""What is shared between runs carries nothing from one to the next, and hides nothing."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from steelyard.sandbox import Blob, CellPool, Command, View
from steelyard.schemas import StopReason
from tests.hostile.arena import Arena, Job
from tests.hostile.conftest import AtLevel, Unchanged

TRAITS = """\
/* Tries: to leave a message for the next run in the times and modes of its own executable and of
 * its input, which runs share. Must see the same as the first run did. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
int main(void)
{
    const char *names[] = {"/proc/self/exe", "/proc/self/fd/0"};
    for (int i = 0; i < 2; i++) {
        struct stat st;
        stat(names[i], &st);
        printf("%ld %ld %o\\n", (long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec, st.st_mode & 07777);
        utimensat(AT_FDCWD, names[i], NULL, 0);
        chmod(names[i], 0700);
    }
    return 0;
}
"""
READ_BACK = """\
/* Tries: to use its standard output as memory that is not counted. Must not get it back. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void)
{
    char byte;
    int again = open("/proc/self/fd/1", O_RDONLY), both = open("/proc/self/fd/1", O_RDWR);
    if (write(1, "x", 1) != 1) return 2;
    if (pread(1, &byte, 1, 0) == 1) puts("read");
    if (mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 1, 0) != MAP_FAILED) puts("mapped");
    if (again >= 0 || both >= 0) puts("opened");
    return 0;
}
"""


@pytest.fixture
def cells() -> Iterator[CellPool]:
    with CellPool(1) as pool:
        yield pool


def build(text: str, folder: Path) -> Blob:
    (folder / "attack.c").write_text(text)
    program = folder / "attack"
    subprocess.run(["gcc", "-O1", "-static", "-w", "-o", program, folder / "attack.c"], check=True)
    return Blob.from_file(program)


def test_shared_files_have_no_memory(cells: CellPool, tmp_path: Path) -> None:
    command = Command(
        argv=("attack",), executable=build(TRAITS, tmp_path), stdin=Blob(b"input"), view=View()
    )
    first = cells.run(command)
    assert first.exit_code == 0
    assert first.stdout == b"0 0 555\n" * 2
    for _ in range(3):
        assert cells.run(command).stdout == first.stdout


def test_output_cannot_be_read_back(cells: CellPool, tmp_path: Path) -> None:
    if not cells.isolation.separate_user:
        pytest.skip("under one user id, output counts as memory instead")
    command = Command(argv=("attack",), executable=build(READ_BACK, tmp_path), view=View())
    assert cells.run(command).stdout == b"x"


@AtLevel
@pytest.mark.parametrize("placed", [False, True])
@pytest.mark.parametrize("shared", [True, False])
def test_no_trait_of_a_shared_file_is_carried_over(
    arena: Arena, unchanged: Unchanged, shared: bool, placed: bool
) -> None:
    def run(*what: str) -> bytes:
        jobs = (
            Job(
                "carry_over",
                (each,),
                stdin=b"600000\n",
                shared_input=shared,
                files={"given": b"data"},
                placed=placed,
            )
            for each in what
        )
        execution = arena.run(*jobs)
        assert (execution.stop, execution.exit_code) == (StopReason.EXITED, 0)
        return execution.stdout

    before = run("look")
    for _ in range(2):
        run("leave")
        assert run("look") == before
    assert run("leave", "look", "leave", "look") == before
    unchanged()


@AtLevel
def test_streams_are_no_memory_that_is_not_counted(arena: Arena, unchanged: Unchanged) -> None:
    isolation = arena.isolation()
    execution = arena.run(Job("swap_in_output"))
    if isolation.separate_user:
        assert (execution.stop, execution.stdout) == (StopReason.EXITED, b"all refused\n")
    elif isolation.memory_counter != "rss":  # which sees none of a memory file that is not mapped
        assert execution.stop is StopReason.MEMORY_LIMIT
    unchanged()
