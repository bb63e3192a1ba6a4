"""`steelyard cache`: stats, clear, rekey."""

import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from steelyard.models import ReplyCache, key_id
from tests.e2e.conftest import Run
from tests.unit.models.exchanges import KEY, OTHER_KEY, a_reply, a_request

Cache = Callable[..., CompletedProcess[str]]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "replies" / "replies.sqlite3"


@pytest.fixture
def cache(steelyard: Run, tmp_path: Path) -> Cache:
    def run(*args: str, **env: str) -> CompletedProcess[str]:
        return steelyard("cache", *args, STEELYARD_CACHE__DIR=str(tmp_path / "cache"), **env)

    return run


def fill(path: Path, key: bytes | None) -> None:
    filled = ReplyCache(path, key)
    filled.put(a_request(), a_reply())
    filled.put(a_request(role="pl[red]an\x1b[2Jner"), a_reply())
    filled.close()


def test_replies_are_encrypted_and_shown_without_their_text(cache: Cache, path: Path) -> None:
    fill(path, None)
    done = cache("rekey", CACHE_ENCRYPT_KEY_NEW=KEY.hex())
    assert done.returncode == 0
    assert f"2 replies under the key {key_id(KEY)}" in done.stdout
    again = cache("rekey", CACHE_ENCRYPT_KEY_NEW=OTHER_KEY.hex())
    assert again.returncode == 2
    assert again.stderr.count("\n") == 1
    assert key_id(KEY) in again.stderr
    assert ReplyCache(path, KEY).get(a_request()) == a_reply()
    shown = cache("stats").stdout
    for text in ("coder", "openai:gpt-4.1", key_id(KEY), "pl[red]an\\x1b[2Jner"):
        assert text in shown
    for text in ("narwhal", "unicorn", "\x1b", KEY.hex()):
        assert text not in shown


def test_a_damaged_file_is_one_line_and_clear_mends_it(cache: Cache, path: Path) -> None:
    fill(path, None)
    path.write_bytes(b"garbage" * 1000)
    done = cache("stats", "--json")
    assert done.returncode == 3
    assert done.stderr.count("\n") == 1
    assert "steelyard cache clear" in done.stderr
    assert cache("clear", "--yes").returncode == 0
    fill(path, KEY)


@pytest.mark.parametrize(("answer", "status", "left"), [("n\n", 1, True), ("y\n", 0, False)])
def test_clear_asks_a_person(path: Path, answer: str, status: int, left: bool) -> None:
    fill(path, None)
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "steelyard", "cache", "clear"],
        env={**os.environ, "STEELYARD_CACHE__DIR": str(path.parent.parent)},
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.write(ours, answer.encode())
    _, asked = process.communicate(timeout=120)
    os.close(ours)
    os.close(theirs)
    assert "remove 2 replies" in asked
    assert process.returncode == status, asked
    assert (ReplyCache(path).get(a_request()) is not None) == left
