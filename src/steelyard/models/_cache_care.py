"""What is done to a cache of replies as a whole: counted, cleared, given another key."""

import os
from contextlib import closing, suppress
from pathlib import Path

from pydantic import ValidationError

from steelyard.errors import CacheError, CacheKeyError
from steelyard.models._cache import check_key_ids
from steelyard.models._cache_file import (
    UnusableCacheError,
    open_cache_file,
    told_plainly,
    transaction,
)
from steelyard.models._encryption import KEY_VARIABLE, NEW_KEY_VARIABLE, Seal, seal_with
from steelyard.models._request import Reply
from steelyard.schemas import Record

__all__ = ["CacheStats", "RoleStats", "cache_stats", "clear_cache", "drop_damaged", "rekey_cache"]


class RoleStats(Record):
    """The replies of one model in one role."""

    role: str
    model: str
    entries: int
    bytes: int
    """Of the replies as they are stored."""


class CacheStats(Record):
    """What a cache holds; of prompts and replies only how many and how large."""

    path: str
    entries: int
    bytes: int
    """Of the replies as they are stored."""
    file_bytes: int
    """Of the file and its journal."""
    encrypted: bool | None
    """None where there is no reply."""
    key_ids: tuple[str, ...]
    """Of the keys that seal the replies; they tell keys apart and give none away."""
    by_role: tuple[RoleStats, ...]


def cache_stats(path: Path) -> CacheStats:
    """What a cache holds; it needs no key.

    Raises:
        CacheError: where the file is damaged, of another version, or cannot be read.
    """
    rows: list[tuple[str, str, int, int]] = []
    ids: list[str] = []
    if os.path.lexists(path):
        with (
            closing(open_cache_file(path)) as connection,
            told_plainly(path),
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
    """Remove every reply; it needs no key.

    Returns:
        How many there were; None where the file could not be read and was itself removed.

    Raises:
        CacheError: where the file is not a cache, or cannot be written.
    """
    if not os.path.lexists(path):
        return 0
    try:
        with closing(open_cache_file(path)) as connection, told_plainly(path):
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
    """Remove the replies that do not open, or are of another version; it gives how many.

    Raises:
        CacheKeyError: where the key is not the one that the cache is sealed with.
        CacheError: where the file is damaged, not a cache, or cannot be written.
    """
    if not os.path.lexists(path):
        return 0
    seal = seal_with(key)
    with closing(open_cache_file(path)) as connection, told_plainly(path), transaction(connection):
        check_key_ids(connection, path, seal.key_id)
        rows = [row for (row,) in connection.execute("SELECT rowid FROM replies")]
        damaged = []
        for row in rows:
            label, value = connection.execute(
                "SELECT key, value FROM replies WHERE rowid = ?", (row,)
            ).fetchone()
            if not _is_reply(_opened(seal, label, value)):
                damaged.append((row,))
        connection.executemany("DELETE FROM replies WHERE rowid = ?", damaged)
        return len(damaged)


def rekey_cache(path: Path, old: bytes | None, new: bytes | None) -> int:
    """Seal every reply with another key, in one transaction.

    A process that is killed meanwhile leaves all of them under the old key or all under the new.

    Args:
        path: The file.
        old: The key that it is sealed with; None: it is in clear.
        new: The key that it is to be sealed with; None: in clear.

    Returns:
        How many there are.

    Raises:
        CacheKeyError: where `old` is not the key that the cache is sealed with, or a key is of
            another length than 32 bytes.
        CacheError: where a reply or the file is damaged, or it cannot be written.
    """
    before, after = seal_with(old), seal_with(new)
    if before.key_id == after.key_id:
        raise CacheKeyError(
            f"the new key is the old one; set {NEW_KEY_VARIABLE} to another key than {KEY_VARIABLE}"
        )
    if not os.path.lexists(path):
        return 0
    with closing(open_cache_file(path)) as connection, told_plainly(path):
        with transaction(connection):
            check_key_ids(connection, path, before.key_id)
            rows = [row for (row,) in connection.execute("SELECT rowid FROM replies")]
            for row in rows:
                label, value = connection.execute(
                    "SELECT key, value FROM replies WHERE rowid = ?", (row,)
                ).fetchone()
                body = _opened(before, label, value)
                if body is None:
                    raise CacheError(
                        f"{path}: a reply is damaged, and none has been given the new key; "
                        "remove such rows with `steelyard cache clear --damaged`"
                    )
                sealed = after.seal(body, label.encode())
                connection.execute(
                    "UPDATE replies SET key_id = ?, value = ?, bytes = ? WHERE rowid = ?",
                    (after.key_id, sealed, len(sealed), row),
                )
        # What was in clear is still in the file until the journal has been worked into it.
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return len(rows)


def _opened(seal: Seal, label: object, value: object) -> bytes | None:
    if isinstance(label, str) and isinstance(value, bytes):
        return seal.open(value, label.encode("utf-8", "surrogateescape"))
    return None


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
