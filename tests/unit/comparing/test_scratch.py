"""The places that a candidate can write to are put back to what they held."""

import os
import socket
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from steelyard.project_runs.incell.scratch import Scratch

Seen = dict[str, tuple[int, bytes, tuple[int, int]]]


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "place"
    (place / "pkg/inner").mkdir(parents=True)
    (place / "pkg/a.py").write_text("a = 1\n", encoding="utf-8")
    (place / "pkg/inner/run.sh").write_text("true\n", encoding="utf-8")
    (place / "pkg/inner/run.sh").chmod(0o755)
    (place / "pkg/link").symlink_to("a.py")
    (place / "empty").mkdir()
    yield place
    for folder in (place, *place.rglob("*")):  # for pytest to take away
        if folder.is_dir() and not folder.is_symlink():
            folder.chmod(0o755)


def paths_below(place: Path) -> Iterator[Path]:
    """Yield all paths without following a link: to follow one moves its atime."""
    with os.scandir(place) as entries:
        for entry in entries:
            yield Path(entry.path)
            if entry.is_dir(follow_symlinks=False):
                yield from paths_below(Path(entry.path))


def seen_in(place: Path) -> Seen:
    found: Seen = {}
    for path in sorted(paths_below(place)):
        told = path.lstat()
        held = b""
        if path.is_symlink():
            held = os.fsencode(path.readlink())
        elif path.is_file():
            held = path.read_bytes()
        times = (0, told.st_mtime_ns) if path.is_dir() else (told.st_atime_ns, told.st_mtime_ns)
        found[str(path.relative_to(place))] = told.st_mode, held, times
    return found


def _add(place: Path) -> None:
    (place / "pkg/new").write_bytes(b"x" * 100_000)
    (place / "pkg/inner/more/and/more").mkdir(parents=True)
    (place / "pkg/inner/more/and/file").touch()


def _change(place: Path) -> None:
    (place / "pkg/a.py").write_text("a = 2\n", encoding="utf-8")


def _change_and_hide_it(place: Path) -> None:
    path = place / "pkg/a.py"
    told = path.stat()
    path.write_text("a = 2\n", encoding="utf-8")
    os.utime(path, ns=(told.st_atime_ns, told.st_mtime_ns))


def _lock(place: Path) -> None:
    (place / "x/y").mkdir(parents=True)
    (place / "x/y/z").touch()
    for path in (place / "x/y/z", place / "x/y", place / "x", place / "pkg/inner", place / "pkg"):
        path.chmod(0)


def _remove(place: Path) -> None:
    (place / "pkg/inner/run.sh").unlink()
    (place / "pkg/inner").rmdir()
    (place / "pkg/link").unlink()
    (place / "empty").rmdir()


def _swap(place: Path) -> None:
    """What was a file is a folder, what was a folder a link, and what was a link a file."""
    (place / "pkg/a.py").unlink()
    (place / "pkg/a.py").mkdir()
    (place / "pkg/a.py/inside").touch()
    (place / "empty").rmdir()
    (place / "empty").symlink_to("pkg")
    (place / "pkg/link").unlink()
    (place / "pkg/link").touch()


def _rename(place: Path) -> None:
    (place / "pkg").rename(place / "moved")
    (place / "moved/inner").rename(place / "pkg")


def _set_times(place: Path) -> None:
    for path in (place / "pkg/a.py", place / "pkg/link", place / "pkg/inner"):
        os.utime(path, ns=(7, 9), follow_symlinks=False)


def _special(place: Path) -> None:
    os.mkfifo(place / "pipe")
    there = os.open(place, os.O_RDONLY)
    try:
        with socket.socket(socket.AF_UNIX) as one:
            one.bind(f"/proc/self/fd/{there}/socket")
    finally:
        os.close(there)


def _link_twice(place: Path) -> None:
    os.link(place / "pkg/a.py", place / "second")
    (place / "second").write_text("a = 3\n", encoding="utf-8")


def _fill(place: Path) -> None:
    (place / ".moved-0").touch()
    for i in range(2_000):
        (place / f"{i}").mkdir()
        (place / f"{i}/.moved-0").mkdir()


def _go_deep(place: Path) -> None:
    fd = os.open(place, os.O_RDONLY)
    for _ in range(3_000):
        os.mkdir("deep", dir_fd=fd)
        inner = os.open("deep", os.O_RDONLY, dir_fd=fd)
        os.close(fd)
        fd = inner
    os.close(fd)


@pytest.mark.parametrize(
    "spoil",
    [
        _add,
        _change,
        _change_and_hide_it,
        _lock,
        _remove,
        _swap,
        _rename,
        _set_times,
        _special,
        _link_twice,
        _fill,
        _go_deep,
    ],
)
def test_whatever_was_done_is_undone_and_again(place: Path, spoil: Callable[[Path], None]) -> None:
    scratch = Scratch([str(place)])
    before = seen_in(place)
    for _ in range(2):
        spoil(place)
        scratch.restore()
        scratch.restore()
        assert seen_in(place) == before


def test_what_lies_outside_is_let_be(place: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir(mode=0o750)
    (outside / "kept").write_text("kept", encoding="utf-8")
    scratch = Scratch([str(place)])
    (place / "to").symlink_to(outside)
    (place / "in").mkdir()
    (place / "in/to").symlink_to(outside)
    (place / "empty").rmdir()
    (place / "empty").symlink_to(outside)
    (place / "pkg/a.py").unlink()
    (place / "pkg/a.py").symlink_to(outside / "kept")
    scratch.restore()
    assert (outside / "kept").read_text(encoding="utf-8") == "kept"
    assert stat.S_IMODE(outside.stat().st_mode) == 0o750
    assert sorted(path.name for path in place.iterdir()) == ["empty", "pkg"]


def test_what_is_as_it_was_is_let_be(place: Path) -> None:
    scratch = Scratch([str(place)])
    before = {path: path.lstat().st_ino for path in place.rglob("*")}
    _add(place)
    scratch.restore()
    assert {path: path.lstat().st_ino for path in place.rglob("*")} == before


ENDING = """
import os, sys
sys.path[:0] = sys.argv[1:]
from steelyard.comparing.timing.incell import descent

descent._prctl(36, 1)
reading, writing = os.pipe()
if os.fork() == 0:
    for _ in range(5):  # each has a child and leaves; the last one stays
        if os.fork():
            os._exit(0)
        os.setsid()
    os.write(writing, str(os.getpid()).encode())
    while True:
        os.read(reading, 0)
os.wait()
left = int(os.read(reading, 100))
os.kill(left, 0)
descent.end_children()
try:
    os.kill(left, 0)
except ProcessLookupError:
    print("ended")
"""


def test_processes_that_are_left_running_are_ended() -> None:
    given = [sys.executable, "-c", ENDING, *sys.path]
    done = subprocess.run(given, capture_output=True, text=True, check=False, timeout=60)
    assert (done.stdout, done.stderr) == ("ended\n", "")
