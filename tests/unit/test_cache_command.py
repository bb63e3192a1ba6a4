"""`steelyard cache` within this process: what it prints, what it refuses."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from steelyard.cli._app import app
from steelyard.errors import CacheError, CacheKeyError, UsageError
from steelyard.models import ReplyCache, key_id
from steelyard.settings import current_settings
from tests.unit.models.exchanges import KEY, OTHER_KEY, a_reply, a_request

Call = Callable[..., str]
HERE, NEW = KEY.hex(), OTHER_KEY.hex()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "replies" / "replies.sqlite3"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Call]:
    """Runs the command, gives its output, and raises what it raises."""
    monkeypatch.setenv("STEELYARD_CACHE__DIR", str(tmp_path))
    for name in ("CACHE_ENCRYPT_KEY", "CACHE_ENCRYPT_KEY_NEW"):
        monkeypatch.delenv(name, raising=False)
    current_settings.cache_clear()

    def call(*args: str, **env: str) -> str:
        done = CliRunner().invoke(app, ["cache", *args], env=env)
        if done.exception and not isinstance(done.exception, SystemExit):
            raise done.exception
        return done.output

    yield call
    current_settings.cache_clear()


def fill(path: Path, key: bytes | None) -> None:
    filled = ReplyCache(path, key)
    filled.put(a_request(), a_reply())
    filled.put(a_request(role="planner"), a_reply())
    filled.close()


def test_stats_as_json(cache: Call, path: Path) -> None:
    empty = json.loads(cache("stats", "--json"))
    assert (empty["entries"], empty["encrypted"], empty["by_role"]) == (0, None, [])
    assert "replies  0" in cache("stats")
    fill(path, KEY)
    report = json.loads(cache("stats", "--json"))
    assert report["path"] == str(path)
    assert report["entries"] == 2
    assert report["encrypted"] is True
    assert report["key_ids"] == [key_id(KEY)]
    assert [row["role"] for row in report["by_role"]] == ["coder", "planner"]
    assert report["bytes"] == sum(row["bytes"] for row in report["by_role"])


def test_stats_say_how_replies_in_clear_are_encrypted(cache: Call, path: Path) -> None:
    fill(path, None)
    assert "steelyard cache rekey" in cache("stats")


def test_clear_without_a_person_needs_yes(cache: Call, path: Path) -> None:
    fill(path, KEY)
    with pytest.raises(UsageError, match="--yes"):
        cache("clear")
    assert json.loads(cache("stats", "--json"))["entries"] == 2
    assert json.loads(cache("clear", "--yes", "--json")) == {"path": str(path), "removed": 2}
    assert "removed 0 replies" in cache("clear", "--yes")


def test_clear_tells_that_the_file_itself_went(cache: Call, path: Path) -> None:
    fill(path, KEY)
    path.write_bytes(b"garbage" * 1000)
    assert "could not be read" in cache("clear", "--yes")
    assert not path.exists()


def test_clear_can_take_the_damaged_rows_only(cache: Call, path: Path) -> None:
    fill(path, KEY)
    with pytest.raises(CacheKeyError, match="encrypted with the key"):
        cache("clear", "--damaged", CACHE_ENCRYPT_KEY=NEW)
    assert "removed 0 replies" in cache("clear", "--damaged", CACHE_ENCRYPT_KEY=HERE)


def test_rekey_tells_the_new_key_by_its_id(cache: Call, path: Path) -> None:
    fill(path, KEY)
    env = {"CACHE_ENCRYPT_KEY": HERE, "CACHE_ENCRYPT_KEY_NEW": NEW}
    done = json.loads(cache("rekey", "--json", **env))
    assert done == {"path": str(path), "changed": 2, "key_id": key_id(OTHER_KEY)}
    assert ReplyCache(path, OTHER_KEY).get(a_request()) == a_reply()
    assert "unset CACHE_ENCRYPT_KEY" in cache("rekey", "--decrypt", CACHE_ENCRYPT_KEY=NEW)
    assert ReplyCache(path).get(a_request()) == a_reply()


@pytest.mark.parametrize(
    ("args", "env", "says"),
    [
        ((), {}, "CACHE_ENCRYPT_KEY_NEW"),
        (("--decrypt",), {"CACHE_ENCRYPT_KEY_NEW": NEW}, "not both"),
        ((), {"CACHE_ENCRYPT_KEY_NEW": "hunter2"}, "CACHE_ENCRYPT_KEY_NEW must be 32 bytes"),
        (("--decrypt",), {"CACHE_ENCRYPT_KEY": "hunter2"}, "CACHE_ENCRYPT_KEY must be 32 bytes"),
        ((), {"CACHE_ENCRYPT_KEY_NEW": NEW}, "CACHE_ENCRYPT_KEY is not set"),
    ],
)
def test_a_wrong_call_of_rekey_changes_nothing(
    cache: Call, path: Path, args: tuple[str, ...], env: dict[str, str], says: str
) -> None:
    fill(path, KEY)
    with pytest.raises(UsageError, match=says) as caught:
        cache("rekey", *args, **env)
    assert "hunter2" not in str(caught.value)
    assert ReplyCache(path, KEY).get(a_request()) == a_reply()


@pytest.mark.parametrize("command", ["stats", "rekey"])
def test_a_damaged_file_says_what_to_do(cache: Call, path: Path, command: str) -> None:
    fill(path, None)
    path.write_bytes(b"garbage" * 1000)
    with pytest.raises(CacheError, match=r"damaged.*steelyard cache clear"):
        cache(command, CACHE_ENCRYPT_KEY_NEW=NEW)


def test_without_a_command_it_shows_its_help(cache: Call) -> None:
    shown = cache()
    for word in ("stats", "clear", "rekey", "CACHE_ENCRYPT_KEY"):
        assert word in shown
