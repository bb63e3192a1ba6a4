"""Find the token of a request, and make tokens."""

import hashlib
import hmac
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from steelyard.schemas import Scope, StoredToken
from steelyard.storage import Database, find_token, has_tokens

PREFIX = "steelyard"
_REMEMBERED_S = 1.0
_MOST_REMEMBERED = 10_000
_LONGEST = 100


def new_token(
    name: str,
    scopes: tuple[Scope, ...],
    *,
    now: datetime,
    owner: str = "",
    lifetime: timedelta | None = None,
    requests_per_minute: int | None = None,
    concurrency: int | None = None,
) -> tuple[str, StoredToken]:
    """Return a new token as its holder gets it, and as it is stored.

    It belongs to `owner`, or to a new account.

    Only a hash of its secret is stored. The secret has 256 random bits, so one round of SHA-256
    protects it as well as a slow hash would.
    """
    token_id, secret = secrets.token_hex(6), secrets.token_urlsafe(32)
    stored = StoredToken(
        id=token_id,
        owner=owner or token_id,
        name=name,
        secret_sha256=_hash(secret),
        scopes=scopes,
        created_utc=now,
        expires_utc=None if lifetime is None else now + lifetime,
        requests_per_minute=requests_per_minute,
        concurrency=concurrency,
    )
    return f"{PREFIX}_{token_id}_{secret}", stored


@dataclass(frozen=True, slots=True)
class FoundToken:
    """A token with the right secret, and if it may be used."""

    token: StoredToken
    fault: str = ""
    """`expired` or `revoked`; empty if it may be used."""


class TokenBook:
    """Finds tokens in the database, and remembers them for a second. Threads may share it."""

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        self._database, self._clock = database, clock
        self._lock = threading.Lock()
        self._found: dict[str, tuple[float, StoredToken | None]] = {}
        self._any: tuple[float, bool] = (float("-inf"), False)

    @property
    def known_empty(self) -> bool | None:
        """The answer of `is_empty`, if it needs no database; else None."""
        known, any_token = self._any
        fresh = any_token or time.monotonic() - known <= _REMEMBERED_S
        return not any_token if fresh else None

    def is_empty(self) -> bool:
        """Return True if no token was ever created: then callers on loopback need none.

        Raises:
            DatabaseError: if the database fails.
        """
        known = self.known_empty
        if known is None:
            now = time.monotonic()
            with self._database.read() as reader:
                known = not has_tokens(reader)
            self._any = (now, not known)
        return known

    def remembers(self, given: str) -> bool:
        """Return True if `find` needs no database for this token."""
        parts = given.split("_", 2)
        with self._lock:
            known = self._found.get(parts[1] if len(parts) > 1 else "")
        return known is not None and time.monotonic() - known[0] < _REMEMBERED_S

    def find(self, given: str) -> FoundToken | None:
        """Return the token that a request carries; None if there is no such token.

        Raises:
            DatabaseError: if the database fails.
        """
        parts = given.split("_", 2)
        if len(given) > _LONGEST or len(parts) != 3 or parts[0] != PREFIX:
            return None
        token = self._stored(parts[1])
        # Compared even without a token, so that the time shows nothing about which ids exist.
        expected = "" if token is None else token.secret_sha256
        if not hmac.compare_digest(expected, _hash(parts[2])) or token is None:
            return None
        if token.revoked_utc is not None:
            return FoundToken(token, "revoked")
        if token.expires_utc is not None and token.expires_utc <= self._clock():
            return FoundToken(token, "expired")
        return FoundToken(token)

    def _stored(self, token_id: str) -> StoredToken | None:
        now = time.monotonic()
        with self._lock:
            known = self._found.get(token_id)
        if known is not None and now - known[0] < _REMEMBERED_S:
            return known[1]
        with self._database.read() as reader:
            token = find_token(reader, token_id)
        with self._lock:
            if len(self._found) >= _MOST_REMEMBERED:
                self._found.clear()
            self._found[token_id] = (now, token)
        return token


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
