"""Read the URL of a database. Its password never leaves this module as text."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from steelyard.errors import UsageError

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):")
_POSTGRES = frozenset({"postgres", "postgresql", "postgresql+psycopg"})
_HOST = re.compile(r"[A-Za-z0-9._:-]*")
_SECRETS = ("password", "sslpassword", "passfile")
_FORMS = "name a file, sqlite:///FILE or postgresql://USER@HOST/NAME"


@dataclass(frozen=True, slots=True)
class Target:
    """The place of a database."""

    shown: str
    """For people: without a password."""
    file: Path | None = None
    """A file of SQLite; None for a server."""
    url: URL | None = field(default=None, repr=False)
    """The URL of a server."""

    def without_secrets(self, text: str) -> str:
        """Return a driver's message without the secrets of the URL."""
        if self.url is None:
            return text
        queries = (self.url.query.get(name, "") for name in _SECRETS)
        for secret in (self.url.password, *queries):
            if isinstance(secret, str) and secret:
                text = text.replace(secret, "***")
        return text


def target_of(text: str) -> Target:
    """Return the place that a text names.

    Args:
        text: The path of a file, or a URL.

    Raises:
        UsageError: if it is neither; the message does not repeat a URL.
    """
    if "\0" in text or not text:
        raise UsageError(f"the name of the database is empty or holds a NUL byte; {_FORMS}")
    scheme = _SCHEME.match(text)
    if not scheme:
        return _file(text)
    name = scheme[1].lower()
    if name != "sqlite" and name not in _POSTGRES:
        raise UsageError(f"no database is reached by {name}:; {_FORMS}")
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise UsageError(
            f"the {name} URL of the database is malformed; "
            "write special characters of a password as %XX, such as %40 for @"
        ) from None
    return _sqlite(url) if name == "sqlite" else _server(url)


def _file(name: str) -> Target:
    try:
        path = Path(name).expanduser()
    except RuntimeError as error:  # there is no such user
        raise UsageError(f"{name}: {error}; write the whole path") from error
    return Target(shown=str(path), file=path)


def _sqlite(url: URL) -> Target:
    if url.host or url.query:
        raise UsageError(
            "a sqlite URL has three slashes before the path and no options; "
            "write sqlite:///FILE, or sqlite:////FOLDER/FILE from the root"
        )
    if not url.database or url.database == ":memory:":
        raise UsageError("a database in memory is lost at the end; write sqlite:///FILE")
    return _file(url.database)


def _server(url: URL) -> Target:
    url = url.set(drivername="postgresql+psycopg")
    if not _HOST.fullmatch(url.host or ""):
        # Part of a password may be in it.
        raise UsageError(
            "the host in the URL of the database is malformed; "
            "write special characters of a password as %XX, such as %40 for @"
        )
    shown = URL.create(
        "postgresql", username=url.username, host=url.host, port=url.port, database=url.database
    )
    return Target(shown=str(shown), url=url)
