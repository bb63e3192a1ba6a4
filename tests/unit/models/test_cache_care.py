"""A cache is counted, cleared and given another key as a whole, or not at all."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from steelyard.errors import CacheError, CacheKeyError
from steelyard.models import (
    ReplyCache,
    cache_stats,
    clear_cache,
    drop_damaged,
    key_id,
    rekey_cache,
)
from tests.unit.models.exchanges import KEY, OTHER_KEY, a_reply, a_request

ROOT = Path(__file__).parents[3]
MANY = 60


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "replies.sqlite3"


def fill(path: Path, key: bytes | None, number: int = 5) -> None:
    cache = ReplyCache(path, key)
    for seed in range(number):
        cache.put(a_request(seed=seed), a_reply(f"narwhal {seed}" * 500))
    cache.close()


def holds_all(path: Path, key: bytes | None, number: int = 5) -> bool:
    cache = ReplyCache(path, key)
    found = [cache.get(a_request(seed=seed)) for seed in range(number)]
    cache.close()
    return found == [a_reply(f"narwhal {seed}" * 500) for seed in range(number)]


def change(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement)


def bytes_of(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.iterdir())


def test_stats_count_by_role_and_model(path: Path) -> None:
    cache = ReplyCache(path, KEY)
    cache.put(a_request(), a_reply())
    cache.put(a_request(seed=1), a_reply())
    cache.put(a_request(role="planner", provider="anthropic", model="claude"), a_reply())
    stats = cache_stats(path)
    assert stats.entries == 3
    assert stats.encrypted is True
    assert stats.key_ids == (key_id(KEY),)
    assert [(row.role, row.model, row.entries) for row in stats.by_role] == [
        ("coder", "openai:gpt-4.1", 2),
        ("planner", "anthropic:claude", 1),
    ]
    assert 0 < stats.bytes == sum(row.bytes for row in stats.by_role) < stats.file_bytes
    for secret in ("narwhal", "unicorn", KEY.hex()):
        assert secret not in stats.model_dump_json()


def test_stats_of_clear_and_of_no_replies(path: Path) -> None:
    assert cache_stats(path).encrypted is None
    assert not path.exists()
    fill(path, None)
    stats = cache_stats(path)
    assert stats.encrypted is False
    assert stats.key_ids == ()


def test_clearing_needs_no_key_and_leaves_nothing(path: Path) -> None:
    fill(path, None)
    assert b"narwhal" in bytes_of(path.parent)
    user = ReplyCache(path)  # another process, say
    assert clear_cache(path) == 5
    assert b"narwhal" not in bytes_of(path.parent)
    assert user.get(a_request(seed=0)) is None
    user.put(a_request(seed=0), a_reply())
    assert clear_cache(path) == 1
    assert clear_cache(path.with_name("absent")) == 0
    fill(path, OTHER_KEY)  # an empty one takes any key


@pytest.mark.parametrize("damage", [b"nothing of SQLite's" * 1000, None])
def test_clearing_removes_a_file_that_cannot_be_read(path: Path, damage: bytes | None) -> None:
    fill(path, KEY)
    if damage is None:
        change(path, "PRAGMA user_version = 99")
    else:
        path.write_bytes(damage)
    assert clear_cache(path) is None
    assert list(path.parent.iterdir()) == []
    fill(path, KEY)
    assert holds_all(path, KEY)


def test_clearing_leaves_a_file_of_others_alone(path: Path) -> None:
    change(path, "CREATE TABLE theirs (x)")
    before = path.read_bytes()
    with pytest.raises(CacheError, match="not a cache"):
        clear_cache(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("key", [None, KEY], ids=["clear", "sealed"])
def test_damaged_rows_alone_can_be_dropped(path: Path, key: bytes | None) -> None:
    fill(path, key)
    change(path, "UPDATE replies SET value = x'00' WHERE rowid = 2")
    change(path, "UPDATE replies SET key = 'moved' WHERE rowid = 4")
    assert drop_damaged(path, key) == 2
    cache = ReplyCache(path, key)
    assert [seed for seed in range(5) if cache.get(a_request(seed=seed))] == [0, 2, 4]
    assert drop_damaged(path, key) == 0


def test_with_a_wrong_key_no_row_counts_as_damaged(path: Path) -> None:
    fill(path, KEY)
    with pytest.raises(CacheKeyError):
        drop_damaged(path, OTHER_KEY)
    assert holds_all(path, KEY)


@pytest.mark.parametrize(
    ("old", "new"),
    [(KEY, OTHER_KEY), (None, KEY), (KEY, None)],
    ids=["change", "encrypt", "decrypt"],
)
def test_rekeying_changes_every_row(path: Path, old: bytes | None, new: bytes | None) -> None:
    fill(path, old)
    user = ReplyCache(path, old)
    assert rekey_cache(path, old, new) == 5
    with pytest.raises(CacheKeyError):  # who still has the old key is told
        user.get(a_request(seed=0))
    user.close()
    assert holds_all(path, new)
    with pytest.raises(CacheKeyError):
        ReplyCache(path, old)
    assert (b"narwhal" in bytes_of(path.parent)) == (new is None)


def test_rekeying_draws_new_nonces(path: Path) -> None:
    fill(path, KEY)
    seen = set()
    for old, new in ((KEY, OTHER_KEY), (OTHER_KEY, KEY), (KEY, OTHER_KEY)):
        rekey_cache(path, old, new)
        with closing(sqlite3.connect(path)) as connection:
            seen |= {value[:12] for (value,) in connection.execute("SELECT value FROM replies")}
    assert len(seen) == 15


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (OTHER_KEY, None, "encrypted with the key"),
        (None, OTHER_KEY, "is not set"),
        (KEY, KEY, "the new key equals the old one"),
        (None, None, "the new key equals the old one"),
    ],
    ids=["wrong", "missing", "same", "none"],
)
def test_rekeying_from_or_to_a_wrong_key_changes_nothing(
    path: Path, old: bytes | None, new: bytes | None, says: str
) -> None:
    fill(path, KEY)
    with pytest.raises(CacheKeyError, match=says):
        rekey_cache(path, old, new)
    assert holds_all(path, KEY)


def test_a_damaged_row_keeps_all_rows_under_the_old_key(path: Path) -> None:
    fill(path, KEY)
    change(path, "UPDATE replies SET value = x'00' WHERE rowid = 5")
    with pytest.raises(CacheError, match="--damaged"):
        rekey_cache(path, KEY, OTHER_KEY)
    assert drop_damaged(path, KEY) == 1
    assert rekey_cache(path, KEY, OTHER_KEY) == 4
    assert holds_all(path, OTHER_KEY, 4)


DYING = """
import os, signal, sqlite3, sys
from pathlib import Path
import steelyard.models._cache_care as care
from tests.unit.models.exchanges import KEY, OTHER_KEY

path, start, skipped = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
seen = 0

def trace(statement):
    global seen
    if statement.startswith(start):
        seen += 1
        if seen > skipped:
            os.kill(os.getpid(), signal.SIGKILL)

opened = care.open_cache_file

def traced(path):
    connection = opened(path)
    connection.set_trace_callback(trace)  # before each statement
    return connection

care.open_cache_file = traced
care.rekey_cache(path, KEY, OTHER_KEY)
"""


@pytest.mark.parametrize(
    ("start", "skipped", "key"),
    [
        ("UPDATE", MANY // 2, KEY),
        ("COMMIT", 0, KEY),
        ("PRAGMA wal_checkpoint", 0, OTHER_KEY),
    ],
    ids=["half", "commit", "committed"],
)
def test_killed_at_a_step_of_rekeying(path: Path, start: str, skipped: int, key: bytes) -> None:
    fill(path, KEY, MANY)
    done = subprocess.run(
        [sys.executable, "-c", DYING, str(path), start, str(skipped)],
        cwd=ROOT,
        check=False,
        timeout=60,
    )
    assert done.returncode == -signal.SIGKILL
    assert holds_all(path, key, MANY)
    other = OTHER_KEY if key == KEY else KEY
    assert rekey_cache(path, key, other) == MANY  # and it can be done again


FLIPPING = """
import sys
from pathlib import Path
from steelyard.models import rekey_cache
from tests.unit.models.exchanges import KEY, OTHER_KEY

old, new = (KEY, OTHER_KEY) if sys.argv[2] == "KEY" else (OTHER_KEY, KEY)
while True:
    rekey_cache(Path(sys.argv[1]), old, new)
    print("done", flush=True)
    old, new = new, old
"""


def test_killed_at_any_instant_of_rekeying(path: Path) -> None:
    fill(path, KEY, MANY)
    now = KEY
    instants = random.Random(5)
    for _ in range(3):
        process = subprocess.Popen(
            [sys.executable, "-c", FLIPPING, str(path), "KEY" if now == KEY else "OTHER"],
            cwd=ROOT,
            stdout=subprocess.PIPE,
        )
        assert process.stdout is not None
        for _ in range(instants.randrange(1, 4)):
            assert process.stdout.readline() == b"done\n"
        for _ in range(instants.randrange(200_000)):  # some instant of the next turn
            pass
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
        (of_key,) = cache_stats(path).key_ids  # one key for all
        now = KEY if of_key == key_id(KEY) else OTHER_KEY
        assert holds_all(path, now, MANY)
