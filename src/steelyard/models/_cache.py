"""The cache of replies: each reply is paid for once.

1. `CachedModel` puts a cache in front of a model. Equal requests at the same time, in one process,
   wait for one call. Whoever asked takes the reply before the cache stores it (`complete_for`): a
   run keeps it with its cost, and would get it from the cache for free.
2. `ReplyCache` finds a reply by its request's key, and removes the least recently used ones.
3. A cache is one SQLite file with mode 0600, which any number of processes share. It is made
   complete, and checked for its owner, kind and version when it is opened: `open_cache_file`.
"""

import asyncio
import os
import sqlite3
import stat
import tempfile
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import closing, contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path

from pydantic import ValidationError

from steelyard._scratch_folders import temporary_cache
from steelyard._sqlite_files import BUSY_S, open_sqlite
from steelyard.errors import CacheError, CacheKeyError, SteelyardError
from steelyard.models._encryption import KEY_VARIABLE, Seal, read_key
from steelyard.models._request import Model, Reply, Request
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
        self._seal = Seal(key)
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


_TAKE: ContextVar[Callable[[Reply], None]] = ContextVar("take", default=lambda _reply: None)
"""Takes the reply to the request of this task."""


async def complete_for(take: Callable[[Reply], None], model: Model, request: Request) -> Reply:
    """Return a model's reply; `take` gets it as soon as it is there, before a cache stores it.

    Raises:
        ModelError: as in the model.
    """
    takes = [take]

    def take_once(reply: Reply) -> None:
        if takes:
            takes.pop()(reply)

    token = _TAKE.set(take_once)
    try:
        reply = await model.complete(request)
    finally:
        _TAKE.reset(token)
    take_once(reply)
    return reply


_FLIGHTS: dict[tuple[Path, str], "Future[Reply | None]"] = {}
"""The requests under way in this process, by cache and key."""
_FLIGHTS_LOCK = threading.Lock()


class CachedModel:
    """A model that gets only the requests that the cache cannot answer.

    Equal requests at the same time are paid for once in a process, from any of its models, tasks
    and threads.

    Args:
        model: The model behind the cache.
        cache: The cache of its replies.
    """

    def __init__(self, model: Model, cache: ReplyCache) -> None:
        self._model = model
        self._cache = cache

    @property
    def name(self) -> str:
        """The name of the model behind the cache."""
        return self._model.name

    async def complete(self, request: Request) -> Reply:
        """Return the reply to a request; a reply from the cache costs nothing and is marked so.

        A reply that was paid for and cannot be stored is returned; its `not_kept` has the reason.

        Raises:
            ModelError: as in the model.
            CacheKeyError: if the cache's key is wrong; then nothing was paid for.
            CacheError: if the cache cannot be read; then nothing was paid for.
        """
        entry = (self._cache.path, request.key)
        while True:
            with _FLIGHTS_LOCK:
                flight = _FLIGHTS.get(entry)
                if flight is None:
                    mine: Future[Reply | None] = Future()
                    mine.set_running_or_notify_cancel()  # so that no waiting task can cancel it
                    _FLIGHTS[entry] = mine
            if flight is None:
                return await self._lead(request, mine)
            reply = await asyncio.wrap_future(flight)
            if reply is not None:
                return _free(reply)

    async def _lead(self, request: Request, flight: "Future[Reply | None]") -> Reply:
        reply = None
        try:
            cached = await asyncio.to_thread(self._cache.get, request)
            if cached is None:
                reply = await self._model.complete(request)
                try:
                    _TAKE.get()(reply)
                finally:  # paid for, even if it could not be taken
                    reply = await self._kept(request, reply)
            else:
                reply = _free(cached)
            return reply
        finally:
            with _FLIGHTS_LOCK:
                del _FLIGHTS[self._cache.path, request.key]
            flight.set_result(reply)  # None: waiting tasks try on their own

    async def _kept(self, request: Request, reply: Reply) -> Reply:
        cut = reply.finish == "length" and request.affordable_tokens is not None
        if reply.finish in ("too-large", "context") or cut:
            return reply  # another limit may allow the whole response
        try:
            await asyncio.to_thread(self._cache.put, request, reply)
        except SteelyardError as error:
            return reply.model_copy(update={"not_kept": str(error)})
        return reply


def _free(reply: Reply) -> Reply:
    nothing = {"tokens_in": 0, "tokens_out": 0, "cost_usd": 0.0, "retries": 0, "seconds": 0.0}
    return reply.model_copy(update={**nothing, "from_cache": True})


SCHEMA = 1
"""Increase it with every change of the tables, of `Request` or of `Reply`."""
_APPLICATION = 0x53544C59  # "STLY" identifies the file as ours
_PRAGMAS = (
    "secure_delete = ON",  # no unencrypted text may remain
    f"journal_size_limit = {1 << 20}",
)
_TABLES = f"""
PRAGMA journal_mode = WAL;
BEGIN;
PRAGMA application_id = {_APPLICATION};
PRAGMA user_version = {SCHEMA};
CREATE TABLE replies (
    key TEXT NOT NULL PRIMARY KEY,  -- Request.key
    key_id TEXT NOT NULL,           -- of the key that seals the value; '' in clear
    role TEXT NOT NULL,
    model TEXT NOT NULL,
    value BLOB NOT NULL,            -- a sealed Reply
    bytes INTEGER NOT NULL,         -- of the value
    used_s INTEGER NOT NULL         -- since the epoch; when it was last asked for
);
CREATE INDEX replies_by_key_id ON replies (key_id);
CREATE INDEX replies_by_use ON replies (used_s, bytes);
COMMIT;
"""
_DAMAGED = frozenset({sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_UNWRITABLE = frozenset({sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY})
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})


class UnusableCacheError(CacheError):
    """A file that is damaged, or from another version: it can only be removed."""


class UnwritableCacheError(CacheError):
    """A file that cannot be made, or that another user owns; `why` is short."""

    def __init__(self, message: str, *, why: str) -> None:
        super().__init__(message)
        self.why = why


def open_cache_file(path: Path) -> sqlite3.Connection:
    """Return a connection to the file, which is made if it is missing.

    Any thread may use the connection, one at a time. It starts no transaction of its own.

    Raises:
        UnusableCacheError: if it is damaged, or from another version of Steelyard.
        UnwritableCacheError: if this user cannot make it or write to it.
        CacheError: if it cannot be read, or is not a cache of replies.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not os.path.lexists(path):
            _make(path)
        _check_owner(path)
    except OSError as error:
        why = error.strerror or str(error)
        raise UnwritableCacheError(
            f"the cache of replies {path} cannot be used: {why}; "
            "set cache.dir to a folder that you can write to",
            why=why,
        ) from error
    with plain_errors(path):
        connection = open_sqlite(path, *_PRAGMAS)
        try:
            _check_version(connection, path)
        except BaseException:
            connection.close()
            raise
    return connection


def _make(path: Path) -> None:
    """Make an empty cache, visible only when complete: another process may be making it too."""
    # Made with mode 0600, which SQLite gives to its further files too.
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    os.close(descriptor)
    try:
        with plain_errors(path), closing(sqlite3.connect(name)) as connection:
            connection.executescript(_TABLES)
        with suppress(FileExistsError):
            os.link(name, path)
    finally:
        os.unlink(name)


def _check_owner(path: Path) -> None:
    # It is not opened here: closing any descriptor of it would release SQLite's own locks.
    status = path.lstat()
    if not stat.S_ISREG(status.st_mode):
        raise FileExistsError(None, "it is not a file")
    if status.st_uid != os.geteuid():
        raise PermissionError(None, f"it belongs to user {status.st_uid}")
    if stat.S_IMODE(status.st_mode) != 0o600:
        path.chmod(0o600)


def _check_version(connection: sqlite3.Connection, path: Path) -> None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (schema,) = connection.execute("PRAGMA user_version").fetchone()
    if application != _APPLICATION:
        raise CacheError(f"{path} is not a cache of replies; move it to another folder")
    if schema != SCHEMA:
        raise UnusableCacheError(
            f"{path} has schema {schema}, and this version of Steelyard reads schema {SCHEMA}; "
            "use the version that made it, or remove it with `steelyard cache clear`"
        )


@contextmanager
def plain_errors(path: Path) -> Iterator[None]:
    """Convert SQLite's errors to one line that ends in what to do.

    Raises:
        UnusableCacheError: if the file is damaged.
        CacheError: if SQLite fails in another way.
    """
    try:
        yield
    except sqlite3.Error as error:
        # A text that is not UTF-8 has no code.
        unnamed = sqlite3.SQLITE_ERROR if isinstance(error, sqlite3.OperationalError) else 0
        code = getattr(error, "sqlite_errorcode", unnamed) & 0xFF
        if code in _DAMAGED:
            raise UnusableCacheError(
                f"{path} is damaged ({error}); remove it with `steelyard cache clear`"
            ) from error
        if code in _BUSY:
            raise CacheError(
                f"{path} has been locked by another process for {BUSY_S:.0f} s; "
                "try again when it has ended"
            ) from error
        if code == sqlite3.SQLITE_FULL:
            raise UnwritableCacheError(
                f"the disk of {path} is full; free disk space", why="the disk is full"
            ) from error
        text = f"{path} cannot be used: {error}; set cache.dir to a folder that you can write to"
        if code in _UNWRITABLE:
            raise UnwritableCacheError(text, why=str(error)) from error
        raise CacheError(text) from error


@contextmanager
def transaction(connection: sqlite3.Connection, *, writes: bool = True) -> Iterator[None]:
    """Run a transaction: reads see one state, and either all writes are kept or none."""
    connection.execute("BEGIN IMMEDIATE" if writes else "BEGIN")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):  # SQLite may have rolled it back itself
            connection.execute("ROLLBACK")
        raise
