"""The URL of a database: what it names, what is refused, and that a password is never shown."""

from pathlib import Path

import pytest

from steelyard.errors import UsageError
from steelyard.storage import database_at
from steelyard.storage._engine import target_of

SECRET = "s3cret"


@pytest.mark.parametrize(
    ("text", "file"),
    [
        ("problems.sqlite3", "problems.sqlite3"),
        ("/data/a b.sqlite3", "/data/a b.sqlite3"),
        ("./with:colon", "with:colon"),
        ("sqlite:///problems.sqlite3", "problems.sqlite3"),
        ("sqlite:////data/problems.sqlite3", "/data/problems.sqlite3"),
        ("SQLITE:///x", "x"),
    ],
)
def test_a_file_is_a_path_or_a_url(text: str, file: str) -> None:
    assert target_of(text).file == Path(file)


def test_the_home_folder_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ann")
    assert target_of("~/x").file == Path("/home/ann/x")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("postgresql://ann:s3cret@host:5433/problems", "postgresql://ann@host:5433/problems"),
        ("postgres://ann:s3cret@host/problems", "postgresql://ann@host/problems"),
        ("postgresql+psycopg://host/p?password=s3cret&sslmode=require", "postgresql://host/p"),
        ("postgresql://ann:p%40%2Fs3cret@/p?host=/run/s3cret", "postgresql://ann@/p"),
        ("postgresql://ann:a/s3cret@host/p", "postgresql://ann@host/p"),
        ("postgresql://ann@[::1]:5432/p", "postgresql://ann@[::1]:5432/p"),
    ],
)
def test_a_server_is_shown_without_its_password(text: str, shown: str) -> None:
    target = target_of(text)
    assert target.shown == shown
    assert target.url is not None
    assert target.url.drivername == "postgresql+psycopg"
    with database_at(text) as database:
        assert (database.shown, repr(database)) == (shown, f"Database({shown!r})")


def test_messages_of_a_driver_lose_the_password() -> None:
    target = target_of("postgresql://ann:p%40%2Fs3cret@host/p?sslpassword=other")
    assert target.without_secrets("no p@/s3cret and other") == "no *** and ***"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is empty"),
        ("a\0b", "NUL byte"),
        (
            "mysql://u:s3cret@h/d",
            "no database is reached by mysql:; name a file, sqlite:///FILE or",
        ),
        ("sqlite+aiosqlite:///x", "no database is reached by sqlite"),
        ("sqlite://", "in memory is lost"),
        ("sqlite:///:memory:", "in memory is lost"),
        ("sqlite://s3cret/x", "has three slashes"),
        ("sqlite:///x?mode=s3cret", "has three slashes before the path and no options"),
        ("postgresql://ann:s3cret@host:port/p", "is malformed; write special characters"),
        ("postgresql://ann:s3cret@ho@st/p", "host .* is malformed; .* such as %40 for @"),
        ("postgresql:s3cret", "the postgresql URL of the database is malformed"),
        ("~nobody-has-this-name/x", "write the whole path"),
    ],
)
def test_a_wrong_name_is_refused_in_one_line(text: str, says: str) -> None:
    with pytest.raises(UsageError, match=says) as caught:
        target_of(text)
    assert "\n" not in str(caught.value)
    assert SECRET not in str(caught.value)
    assert caught.value.__cause__ is None or SECRET not in str(caught.value.__cause__)
