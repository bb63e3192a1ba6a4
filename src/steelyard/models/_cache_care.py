"""Count, clear and encrypt a cache of replies as a whole."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

from pydantic import ValidationError

from steelyard.errors import CacheError, CacheKeyError
from steelyard.models._cache import (
    UnusableCacheError,
    check_key_ids,
    open_cache_file,
    plain_errors,
    transaction,
)
from steelyard.models._encryption import NEW_KEY_VARIABLE, Seal
from steelyard.models._request import Reply
from steelyard.schemas import Record


class RoleStats(Record):
    """The replies of one model in one role."""

    role: str
    model: str
    entries: int
    bytes: int
    """Of the replies as they are stored."""


class CacheStats(Record):
    """The contents of a cache: the number and sizes of replies, without their text."""

    path: str
    entries: int
    bytes: int
    """Of the replies as they are stored."""
    file_bytes: int
    """Size of the file and its journal."""
    encrypted: bool | None
    """None if the cache is empty."""
    key_ids: tuple[str, ...]
    """Ids of the keys that seal the replies; an id does not reveal its key."""
    by_role: tuple[RoleStats, ...]


def cache_stats(path: Path) -> CacheStats:
    """Return the contents of a cache, without a key.

    Raises:
        CacheError: if the file is damaged, from another version, or cannot be read.
    """
    rows: list[tuple[str, str, int, int]] = []
    ids: list[str] = []
    if os.path.lexists(path):
        with (
            closing(open_cache_file(path)) as connection,
            plain_errors(path),
            transaction(connection, writes=False),
        ):
            ids = [
                each
                for (each,) in connection.execute(
                    "SELECT DISTINCT key_id FROM replies ORDER BY key_id"
                )
            ]
            rows = connection.execute(
                "SELECT role, model, count(*), sum(bytes) FROM replies "
                "GROUP BY role, model ORDER BY role, model"
            ).fetchall()
    return CacheStats(
        path=str(path),
        entries=sum(row[2] for row in rows),
        bytes=sum(row[3] for row in rows),
        file_bytes=sum(map(_size, _files(path))),
        encrypted="" not in ids if ids else None,
        key_ids=tuple(filter(None, ids)),
        by_role=tuple(
            RoleStats(role=role, model=model, entries=entries, bytes=size)
            for role, model, entries, size in rows
        ),
    )


def clear_cache(path: Path) -> int | None:
    """Remove every reply, without a key.

    Returns:
        The number of replies; None if the file could not be read and was removed.

    Raises:
        CacheError: if the file is not a cache, or cannot be written.
    """
    if not os.path.lexists(path):
        return 0
    try:
        with closing(open_cache_file(path)) as connection, plain_errors(path):
            with transaction(connection):
                count: int = connection.execute("DELETE FROM replies").rowcount
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return count
    except UnusableCacheError:
        for file in _files(path):
            _remove(file)
        return None


def drop_damaged(path: Path, key: bytes | None) -> int:
    """Remove the replies that are damaged or from another version, and return their number.

    Raises:
        CacheKeyError: if the cache is sealed with another key.
        CacheError: if the file is damaged, not a cache, or cannot be written.
    """
    if not os.path.lexists(path):
        return 0
    seal = Seal(key)
    with closing(open_cache_file(path)) as connection, plain_errors(path), transaction(connection):
        check_key_ids(connection, path, seal.key_id)
        rows = _opened(connection, seal)
        damaged = [(row,) for row, _, body in rows if not _is_reply(body)]
        connection.executemany("DELETE FROM replies WHERE rowid = ?", damaged)
        return len(damaged)


def rekey_cache(path: Path, old: bytes | None, new: bytes | None) -> int:
    """Seal every reply with another key, in one transaction.

    If the process is killed meanwhile, all replies have the old key or all have the new key.

    Args:
        path: The file.
        old: The current key; None if the replies are unencrypted.
        new: The new key; None to store the replies unencrypted.

    Returns:
        The number of replies.

    Raises:
        CacheKeyError: if the cache is sealed with another key than `old`, or a key does not have
            32 bytes.
        CacheError: if a reply or the file is damaged, or it cannot be written.
    """
    before, after = Seal(old), Seal(new)
    if before.key_id == after.key_id:
        raise CacheKeyError(
            f"the new key equals the old one; set {NEW_KEY_VARIABLE} to another key"
        )
    if not os.path.lexists(path):
        return 0
    with closing(open_cache_file(path)) as connection, plain_errors(path):
        with transaction(connection):
            check_key_ids(connection, path, before.key_id)
            count = 0
            for row, label, body in _opened(connection, before):
                if body is None:
                    raise CacheError(
                        f"{path}: a reply is damaged, so all replies still have the old key; "
                        "remove such rows with `steelyard cache clear --damaged`"
                    )
                sealed = after.seal(body, label.encode())
                connection.execute(
                    "UPDATE replies SET key_id = ?, value = ?, bytes = ? WHERE rowid = ?",
                    (after.key_id, sealed, len(sealed), row),
                )
                count += 1
        # Unencrypted text remains in the file until the journal is merged into it.
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return count


def _opened(connection: sqlite3.Connection, seal: Seal) -> Iterator[tuple[int, str, bytes | None]]:
    """Yield each row with its key and its reply, which is None if it does not open."""
    for (row,) in connection.execute("SELECT rowid FROM replies").fetchall():
        label, value = connection.execute(
            "SELECT key, value FROM replies WHERE rowid = ?", (row,)
        ).fetchone()
        is_sealed = isinstance(label, str) and isinstance(value, bytes)
        key = str(label).encode("utf-8", "surrogateescape")
        yield row, str(label), seal.open(value, key) if is_sealed else None


def _is_reply(body: bytes | None) -> bool:
    try:
        return body is not None and bool(Reply.model_validate_json(body))
    except ValidationError:
        return False


def _files(path: Path) -> tuple[Path, ...]:
    return tuple(path.with_name(path.name + ending) for ending in ("", "-wal", "-shm", "-journal"))


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0


def _remove(file: Path) -> None:
    try:
        with suppress(FileNotFoundError):
            file.unlink()
    except OSError as error:
        raise CacheError(
            f"{file} cannot be removed: {error.strerror}; remove it by hand"
        ) from error
