"""The cache of replies: each reply is paid for once."""

import os
import sqlite3
import threading
import time
import weakref
from contextlib import suppress
from pathlib import Path

from pydantic import ValidationError

from steelyard._scratch_folders import temporary_cache
from steelyard.errors import CacheError, CacheKeyError
from steelyard.models._cache_file import (
    UnwritableCacheError,
    open_cache_file,
    plain_errors,
    transaction,
)
from steelyard.models._encryption import KEY_VARIABLE, read_key, seal_with
from steelyard.models._request import Reply, Request
from steelyard.settings import current_settings

_MIB = 1 << 20
_MAX_REPLY_BYTES = 16 * _MIB
_TRIM_SHARE = 8
"""An eighth of the limit is freed at a time."""
_TOUCH_S = 3_600
"""The age at which a row's time of use is renewed: a hit costs a write at most once an hour."""
_TRIM = """
DELETE FROM replies WHERE key IN (
    SELECT key FROM (
        SELECT key, sum(bytes) OVER (ORDER BY used_s DESC, rowid DESC) AS kept FROM replies
    ) WHERE kept > ?
)
"""


def default_cache_path() -> Path:
    """Return the path of the cache of replies, from the settings."""
    return Path(os.path.abspath(current_settings().cache.dir)) / "replies" / "replies.sqlite3"


def open_reply_cache() -> "ReplyCache":
    """Return the cache of replies that settings and `CACHE_ENCRYPT_KEY` name.

    If its folder is not writable, replies are kept only for this process, with a warning.

    Raises:
        CacheKeyError: as in `ReplyCache`, and if the variable's value is not a key.
        CacheError: as in `ReplyCache`.
    """
    path, key = default_cache_path(), read_key()
    max_mib = current_settings().cache.max_replies_mib
    try:
        return ReplyCache(path, key, max_mib=max_mib)
    except UnwritableCacheError as error:
        folder = temporary_cache(path.parents[1], error.why)
        return ReplyCache(folder / path.relative_to(path.parents[1]), key, max_mib=max_mib)


class ReplyCache:
    """Replies by their requests. Safe to share between threads and processes.

    It stores neither prompts nor messages: only their digest, the role, the model's name, and
    the sealed reply.

    Args:
        path: The SQLite file, which is made with mode 0600 if it is missing.
        key: A key of 32 bytes for AES-GCM; None to store replies unencrypted.
        max_mib: The limit on all replies together, in MiB; the least recently used go first.

    Raises:
        CacheKeyError: if the stored replies are sealed with another key, the key is missing, or a
            key is given for unencrypted replies.
        CacheError: if the file is damaged, from another version, or cannot be used.
    """

    def __init__(self, path: Path, key: bytes | None = None, *, max_mib: int = 256) -> None:
        self.path = Path(os.path.abspath(path))
        self._seal = seal_with(key)
        self._max_bytes = max_mib * _MIB
        self._lock = threading.Lock()
        self._connection = open_cache_file(self.path)
        self._close = weakref.finalize(self, self._connection.close)
        try:
            with plain_errors(self.path):
                check_key_ids(self._connection, self.path, self._seal.key_id)
        except BaseException:
            self._close()
            raise

    def get(self, request: Request) -> Reply | None:
        """Return the reply that was stored for an equal request, or None.

        Raises:
            CacheKeyError: as in the class: another process may have changed the key.
            CacheError: if the row or the file is damaged or cannot be read.
        """
        key = request.key
        with self._lock, plain_errors(self.path):
            with transaction(self._connection, writes=False):
                check_key_ids(self._connection, self.path, self._seal.key_id)
                row = self._connection.execute(
                    "SELECT value, used_s FROM replies WHERE key = ?", (key,)
                ).fetchone()
            if row is None:
                return None
            value, used_s = row
            body = self._seal.open(value, key.encode()) if isinstance(value, bytes) else None
            if body is not None:
                self._touch(key, used_s)
        if body is None:
            raise CacheError(
                f"{self.path}: a reply to the role {request.role} is damaged; "
                "remove such rows with `steelyard cache clear --damaged`"
            )
        try:
            return Reply.model_validate_json(body)
        except ValidationError as error:
            raise CacheError(
                f"{self.path}: a reply to the role {request.role} is from another version of "
                "Steelyard; remove such rows with `steelyard cache clear --damaged`"
            ) from error

    def put(self, request: Request, reply: Reply) -> None:
        """Store a reply, unless an equal request already has one.

        A reply larger than 16 MiB, or than half of the limit, is not stored.

        Raises:
            CacheKeyError: as in `get`.
            CacheError: if the file is damaged or cannot be written.
        """
        key = request.key
        value = self._seal.seal(reply.model_dump_json().encode(), key.encode())
        if len(value) > min(_MAX_REPLY_BYTES, self._max_bytes // 2):
            return
        name = f"{request.provider}:{request.model}"
        row = (key, self._seal.key_id, request.role, name, value, len(value), int(time.time()))
        with self._lock, plain_errors(self.path), transaction(self._connection):
            check_key_ids(self._connection, self.path, self._seal.key_id)
            self._connection.execute(
                "INSERT INTO replies VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING", row
            )
            (total,) = self._connection.execute("SELECT sum(bytes) FROM replies").fetchone()
            if total > self._max_bytes:
                self._connection.execute(_TRIM, (self._max_bytes - self._max_bytes // _TRIM_SHARE,))

    def close(self) -> None:
        """Close the file; the cache cannot be used afterwards."""
        with self._lock:
            self._close()

    def _touch(self, key: str, used_s: int) -> None:
        now_s = int(time.time())
        if now_s - used_s < _TOUCH_S:
            return
        with suppress(sqlite3.OperationalError):  # read-only or busy: the hit still counts
            self._connection.execute("UPDATE replies SET used_s = ? WHERE key = ?", (now_s, key))


def check_key_ids(connection: sqlite3.Connection, path: Path, key_id: str) -> None:
    """Check that all rows are sealed by this key: an unreadable row must not look like a miss.

    Raises:
        CacheKeyError: if a row is sealed by another key.
    """
    found = connection.execute(
        "SELECT (SELECT min(key_id) FROM replies), (SELECT max(key_id) FROM replies)"
    ).fetchone()  # both use the index
    others = [each for each in found if each is not None and each != key_id]
    if not others:
        return
    if not others[0]:
        raise CacheKeyError(
            f"{KEY_VARIABLE} is set, but {path} has unencrypted replies; encrypt them with "
            "`steelyard cache rekey`, or remove them with `steelyard cache clear`"
        )
    here = f"{KEY_VARIABLE} is the key {key_id}" if key_id else f"{KEY_VARIABLE} is not set"
    raise CacheKeyError(
        f"{path} is encrypted with the key {others[0]}, but {here}; set the right key, "
        "or remove the replies with `steelyard cache clear`"
    )
