"""The cache gives back what was paid for, to whoever has the key, and never a silent miss."""

import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from steelyard.errors import CacheError, CacheKeyError, SteelyardError
from steelyard.models import ChatTurn, ReplyCache, open_reply_cache
from steelyard.settings import current_settings
from tests.unit.models.exchanges import KEY, OTHER_KEY, a_reply, a_request


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "replies.sqlite3"


def change(path: Path, statement: str, *values: object) -> None:
    """A statement of somebody else."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement, values)


def bytes_of(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.iterdir())


@pytest.mark.parametrize("key", [None, KEY], ids=["clear", "sealed"])
def test_a_reply_comes_back_as_it_was_paid_for(path: Path, key: bytes | None) -> None:
    cache = ReplyCache(path, key)
    assert cache.get(a_request()) is None
    cache.put(a_request(), a_reply("naïve 🦄\n\0"))
    assert cache.get(a_request()) == a_reply("naïve 🦄\n\0")
    cache.close()
    assert ReplyCache(path, key).get(a_request()) == a_reply("naïve 🦄\n\0")


@pytest.mark.parametrize(
    "change",
    [
        {"provider": "anthropic"},
        {"model": "gpt-5"},
        {"base_url": "http://localhost:1/v1"},
        {"role": "planner"},
        {"prompt": "coder@2"},
        {"system": "Write."},
        {"temperature": 0.0},
        {"messages": (ChatTurn(author="user", text="Other."),)},
        {"reply_schema": {}},
        {"max_tokens": 101},
        {"seed": 1},
        {"attempt": 1},
    ],
)
def test_whatever_shapes_a_reply_is_in_its_key(path: Path, change: dict[str, object]) -> None:
    cache = ReplyCache(path)
    cache.put(a_request(), a_reply())
    assert cache.get(a_request(**change)) is None


def test_the_first_reply_to_a_request_stays(path: Path) -> None:
    cache = ReplyCache(path)
    cache.put(a_request(), a_reply("first"))
    cache.put(a_request(), a_reply("second"))
    found = cache.get(a_request())
    assert found is not None
    assert found.text == "first"


def test_the_files_are_for_their_owner_only(path: Path) -> None:
    mask = os.umask(0)
    try:
        cache = ReplyCache(path)
        cache.put(a_request(), a_reply())
        files = list(path.parent.iterdir())
        assert path in files
        assert len(files) == 3  # with the journal and its index
        for file in files:
            assert stat.S_IMODE(file.stat().st_mode) == 0o600, file
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        cache.close()
        path.chmod(0o644)
        ReplyCache(path)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    finally:
        os.umask(mask)


def test_nothing_of_prompts_and_replies_is_readable_under_a_key(path: Path) -> None:
    cache = ReplyCache(path, KEY)
    cache.put(a_request(), a_reply())
    assert b"narwhal" not in bytes_of(path.parent)  # journal and all
    cache.close()
    assert b"narwhal" not in bytes_of(path.parent)
    assert KEY not in bytes_of(path.parent)


def test_prompts_are_not_kept_even_in_clear(path: Path) -> None:
    cache = ReplyCache(path)
    cache.put(a_request(), a_reply())
    assert b"narwhal" in bytes_of(path.parent)
    assert b"unicorn" not in bytes_of(path.parent)


@pytest.mark.parametrize(
    ("sealed_with", "opened_with", "says"),
    [
        (KEY, OTHER_KEY, "is encrypted with the key"),
        (KEY, None, "CACHE_ENCRYPT_KEY is not set"),
        (None, KEY, "has unencrypted replies"),
    ],
    ids=["wrong", "missing", "clear"],
)
def test_a_wrong_or_missing_key_is_an_error_at_once(
    path: Path, sealed_with: bytes | None, opened_with: bytes | None, says: str
) -> None:
    ReplyCache(path, opened_with).close()  # an empty cache takes any key
    before = ReplyCache(path, opened_with)
    writer = ReplyCache(path, sealed_with)
    writer.put(a_request(), a_reply())
    with pytest.raises(CacheKeyError, match=says) as caught:
        ReplyCache(path, opened_with)
    assert "\n" not in str(caught.value)
    for use in (
        lambda: before.get(a_request()),
        lambda: before.get(a_request(seed=5)),  # a miss by its key
        lambda: before.put(a_request(seed=6), a_reply()),
    ):
        with pytest.raises(CacheKeyError, match=says):
            use()
    assert writer.get(a_request(seed=6)) is None


def test_a_row_with_anothers_key_id_is_no_miss(path: Path) -> None:
    cache = ReplyCache(path, KEY)
    cache.put(a_request(), a_reply())
    cache.put(a_request(seed=1), a_reply())
    change(path, "UPDATE replies SET key_id = 'ff' WHERE rowid = 2")
    with pytest.raises(CacheKeyError):
        cache.get(a_request())


@pytest.mark.parametrize("key", [None, KEY], ids=["clear", "sealed"])
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE replies SET value = zeroblob(40)",
        "UPDATE replies SET value = x''",
        "UPDATE replies SET value = 'a text'",
        "UPDATE replies SET value = (SELECT value FROM replies WHERE rowid = 2) WHERE rowid = 1",
    ],
)
def test_a_damaged_row_is_one_line_that_says_what_to_do(
    path: Path, key: bytes | None, statement: str
) -> None:
    cache = ReplyCache(path, key)
    cache.put(a_request(), a_reply("one"))
    cache.put(a_request(seed=1), a_reply("two"))
    change(path, statement)
    with pytest.raises(CacheError, match=r"damaged.*steelyard cache clear --damaged") as caught:
        cache.get(a_request())
    assert "\n" not in str(caught.value)


def test_a_row_of_another_version_is_told(path: Path) -> None:
    cache = ReplyCache(path)
    value = cache._seal.seal(b'{"text": "old"}', a_request().key.encode())
    cache.put(a_request(), a_reply())
    change(path, "UPDATE replies SET value = ?", value)
    with pytest.raises(CacheError, match="from another version"):
        cache.get(a_request())


def damage_pages(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[100:] = b"\x5a" * (len(data) - 100)
    path.write_bytes(data)


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda path: path.write_bytes(b"no database at all" * 100), "clear"),
        (damage_pages, "clear"),
        (lambda path: path.write_bytes(path.read_bytes()[:5000]), "clear"),
        (lambda path: change(path, "DROP TABLE replies"), "clear"),
        (lambda path: change(path, "PRAGMA user_version = 7"), "schema 7.*clear"),
        (lambda path: change(path, "PRAGMA application_id = 7"), "not a cache"),
        (lambda path: path.write_bytes(b""), "not a cache"),
    ],
)
def test_a_file_that_cannot_be_used_is_one_line(path: Path, damage, says: str) -> None:
    ReplyCache(path).close()
    damage(path)
    with pytest.raises(CacheError, match=says) as caught:
        ReplyCache(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_damaged_under_an_open_cache_is_told(path: Path) -> None:
    cache = ReplyCache(path)
    cache.put(a_request(), a_reply())
    change(path, "DROP TABLE replies")
    with pytest.raises(CacheError, match="damaged"):
        cache.get(a_request())


def test_places_that_cannot_hold_a_cache(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    for path in (tmp_path / "file" / "replies", tmp_path / "folder", tmp_path / "link"):
        with pytest.raises(CacheError, match=r"cannot be used.*cache\.dir"):
            ReplyCache(path)
    assert not (tmp_path / "elsewhere").exists()


def test_the_least_recently_used_go_first(path: Path) -> None:
    cache = ReplyCache(path, max_mib=1)
    size = 100_000
    for seed in range(10):
        cache.put(a_request(seed=seed), a_reply("x" * size))
    change(path, "UPDATE replies SET used_s = rowid")  # all long ago, the last written last
    assert cache.get(a_request(seed=0)) is not None  # used again
    for seed in range(10, 13):
        cache.put(a_request(seed=seed), a_reply("x" * size))
    left = [seed for seed in range(13) if cache.get(a_request(seed=seed)) is not None]
    assert {0, 10, 11, 12} <= set(left)
    assert 1 not in left
    assert 7 <= len(left) <= 10


def test_a_reply_beyond_the_bounds_is_not_kept(path: Path) -> None:
    cache = ReplyCache(path, max_mib=1)
    cache.put(a_request(), a_reply())
    cache.put(a_request(seed=1), a_reply("x" * 600_000))
    assert cache.get(a_request(seed=1)) is None
    assert cache.get(a_request()) is not None


def test_a_full_file_is_one_line_and_loses_nothing(path: Path) -> None:
    cache = ReplyCache(path)
    cache.put(a_request(), a_reply())
    (pages,) = cache._connection.execute("PRAGMA page_count").fetchone()
    cache._connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(CacheError, match="full"):
        cache.put(a_request(seed=1), a_reply("x" * 100_000))
    assert cache.get(a_request()) == a_reply()
    cache._connection.execute(f"PRAGMA max_page_count = {pages + 1000}")
    cache.put(a_request(seed=1), a_reply("x" * 100_000))


def test_a_file_that_stays_locked_is_one_line(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("steelyard._sqlite_files.BUSY_S", 0.01)
    cache = ReplyCache(path)
    cache.put(a_request(), a_reply())
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert cache.get(a_request()) == a_reply()  # reading goes on
        with pytest.raises(CacheError, match=r"locked by another process.*try again"):
            cache.put(a_request(seed=1), a_reply())


def test_settings_and_the_variable_say_where_and_how(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STEELYARD_CACHE__DIR", str(tmp_path))
    monkeypatch.setenv("CACHE_ENCRYPT_KEY", KEY.hex())
    current_settings.cache_clear()
    try:
        cache = open_reply_cache()
        cache.put(a_request(), a_reply())
        assert cache.path == tmp_path / "replies" / "replies.sqlite3"
        monkeypatch.delenv("CACHE_ENCRYPT_KEY")
        with pytest.raises(SteelyardError, match="encrypted"):
            open_reply_cache()
    finally:
        current_settings.cache_clear()
