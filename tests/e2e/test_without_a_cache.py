"""A cache folder that cannot be used means "without a cache", said once."""

import json
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.rights import can_become, can_give_to

ROOT = Path(__file__).parents[2]
STRANGER = 12_345
"""Another user, to whom folders are given."""
CPP = "#include <iostream>\nint main() { int n; std::cin >> n; std::cout << n * n; }\n"
REPLIES = """
import asyncio, os
from pathlib import Path
from steelyard.models import open_reply_cache
from steelyard.toolchains import CompileCache
first, second = open_reply_cache(), CompileCache()
assert first.path.parents[1] == second.folder, (first.path, second.folder)
print(second.folder)
"""
Folder = Callable[[Path], None]


def below_a_file(folder: Path) -> None:
    folder.parent.mkdir(parents=True)
    folder.parent.joinpath("file").touch()
    folder.symlink_to(folder.parent / "file" / "cache")


def open_to_all(folder: Path) -> None:
    folder.mkdir(parents=True)
    folder.chmod(0o777)


def of_another_user(folder: Path) -> None:
    if not can_give_to(STRANGER):
        pytest.skip("folders cannot be given to another user here")
    folder.mkdir(parents=True)
    os.chown(folder, STRANGER, STRANGER)


def entries_are_links(folder: Path) -> None:
    for name in ("compiled", "replies"):
        folder.parent.joinpath(name).mkdir(parents=True)
    folder.mkdir()
    folder.joinpath("compiled").symlink_to(folder.parent / "compiled")
    folder.joinpath("replies").symlink_to("/proc/1")


UNUSABLE = [below_a_file, open_to_all, of_another_user, entries_are_links]


@pytest.fixture
def judged() -> Iterator[tuple[str | Path, ...]]:
    """A command that judges a program, with files that every user may read."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        program, tests = folder / "square.cpp", folder / "tests.json"
        program.write_text(CPP)
        tests.write_text(json.dumps([{"input": "12", "expected": "144"}]))
        yield sys.executable, "-m", "steelyard", "judge", program, "--tests", tests


def run(*argv: str | Path, **changes: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, **changes}
    return subprocess.run(argv, env=env, capture_output=True, text=True, check=False)


def told_once(stderr: str) -> bool:
    return stderr.count("\n") == 1 and stderr.startswith("steelyard: warning: without a cache: ")


@pytest.mark.parametrize("unusable", UNUSABLE, ids=lambda each: each.__name__)
def test_a_program_is_judged_without_a_cache(
    judged: tuple[str | Path, ...], tmp_path: Path, unusable: Folder
) -> None:
    folder = tmp_path / "home" / "cache"
    unusable(folder)
    done = run(*judged, STEELYARD_CACHE__DIR=str(folder))
    assert (done.returncode, told_once(done.stderr)) == (0, True), done.stderr
    assert str(folder) in done.stderr


def test_the_warning_comes_once_for_all_caches_and_nothing_is_left(tmp_path: Path) -> None:
    folder, temporary = tmp_path / "home" / "cache", tmp_path / "tmp"
    below_a_file(folder)
    temporary.mkdir()
    done = run(
        sys.executable, "-c", REPLIES, STEELYARD_CACHE__DIR=str(folder), TMPDIR=str(temporary)
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("SteelyardWarning: without a cache") == 1
    assert Path(done.stdout.strip()).parent == temporary
    assert not list(temporary.iterdir())


def home_of_the_entry() -> str:
    try:
        return pwd.getpwuid(os.geteuid()).pw_dir
    except KeyError:
        return os.devnull


def skip_if_writable(folder: Path) -> None:
    first = next(each for each in (folder, *folder.parents) if each.exists())
    if first.is_dir() and os.access(first, os.W_OK):
        pytest.skip(f"this user can write to {first}")


def as_ordinary_user(*argv: str | Path, **changes: str) -> subprocess.CompletedProcess[str]:
    nobody = pwd.getpwnam("nobody")
    if not can_become(nobody.pw_uid):
        skip_if_writable(Path(changes["HOME"] or home_of_the_entry()))
        return run(*argv, **changes)
    if not shutil.which("setpriv"):
        pytest.skip("setpriv, which gives up root's rights, is not installed")
    drop = ("setpriv", f"--reuid={nobody.pw_uid}", f"--regid={nobody.pw_gid}", "--clear-groups")
    # Root's own interpreter stays readable; what may be written is an ordinary user's.
    reads = ("--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search")
    if run(*drop, *reads, "true").returncode != 0:
        pytest.skip("the right to read cannot be kept here")
    return run(*drop, *reads, *argv, **changes)


@pytest.mark.parametrize("home", ["/nonexistent", "read-only", ""])
def test_an_ordinary_user_without_a_home_of_their_own(
    judged: tuple[str | Path, ...], tmp_path: Path, home: str
) -> None:
    """Without the variable the home is that of the user's entry, if there is one."""
    changes = {"STEELYARD_CACHE__DIR": "", "XDG_CACHE_HOME": "", "XDG_CONFIG_HOME": ""}
    if home == "read-only":
        home = str(tmp_path / home)
        Path(home).mkdir(mode=0o555)
    unset = ["-u", "STEELYARD_CACHE__DIR", *([] if home else ["-u", "HOME"])]
    done = as_ordinary_user("env", *unset, *judged, **changes, HOME=home)
    assert (done.returncode, told_once(done.stderr)) == (0, True), done.stderr


def test_a_full_disk_costs_the_cache_alone(judged: tuple[str | Path, ...], tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    script = (
        f"mount -t tmpfs -o size=64k,nr_inodes=64 none {disk} && "
        f'head -c 100k /dev/zero >{disk}/full 2>/dev/null; exec "$@"'
    )
    begin = ("unshare", "--mount", "sh", "-c")
    if run(*begin, f"mount -t tmpfs none {disk}").returncode != 0:
        pytest.skip("no file system can be mounted here")
    done = run(*begin, script, "sh", *judged, STEELYARD_CACHE__DIR=str(disk / "cache"))
    assert (done.returncode, told_once(done.stderr)) == (0, True), done.stderr
