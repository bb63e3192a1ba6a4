"""Keep a run's folder: every artefact is JSON, written atomically, and read again to resume.

    FOLDER/run.json                the head: what was asked, and the options
    FOLDER/iter_0/01_planner.json  a request with its reply, as soon as it is paid for
    FOLDER/iter_0/plan.json        and so on: the result of each step of the turn
    FOLDER/result.json             how it ended

1. `begin` writes the head of a new run, `reopen` takes up an earlier run, and `replay` reads one.
2. A step's result is kept once: a resumed or replayed run takes it from its artefact. So the same
   steps follow, nothing is paid for or measured twice, and a replay compares what is decided.
3. No model is called before there is room for its reply on the disk.

With `CACHE_ENCRYPT_KEY` set every artefact is encrypted, and a program is written as an artefact
only. Hidden files are not artefacts: a lock, space for the next reply, a file that is being
written.
"""

import fcntl
import itertools
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from steelyard._replaced_files import HIDDEN, replacing
from steelyard.errors import ArtefactError, RecordingError, UsageError
from steelyard.models import Reply, Request, read_key
from steelyard.runs._artefacts import (
    Artefact,
    Exchange,
    is_message,
    no_artefact,
    read_record,
    sealed,
)
from steelyard.schemas import Message, Record, json_text

T = TypeVar("T")
HEAD = "run.json"
_ROOM = ".room"
_ROOM_BYTES, _BYTES_PER_TOKEN = 64 << 10, 12


class RunFolder:
    """The artefacts of one run. Without `begin`, `reopen` or `replay` nothing is written or read.

    Args:
        option: The option of the command that names the folder, for errors.
    """

    def __init__(self, option: str = "--logs") -> None:
        self.path: Path | None = None
        self.reads_only = False
        """Write nothing, and compare instead: a replay."""
        self.iteration = 0
        self._option, self._task_id = option, ""
        self._exchanges = 0
        self._differences: list[str] = []
        self._lock: int | None = None
        self._key: bytes | None = None

    @property
    def differences(self) -> tuple[str, ...]:
        """Return the artefacts that differ in a replay."""
        return tuple(self._differences)

    def begin(self, path: Path, head: Message) -> None:
        """Begin a new run. An earlier run is kept, as `FOLDER.1` and so on.

        Args:
            path: The run's folder.
            head: The input of the run: all that it needs to be resumed.

        Raises:
            UsageError: if the folder cannot be created, or another run is using it.
        """
        require_encodable(path)
        try:
            if (path / HEAD).exists():
                earlier = locked(path, self._option)
                path.rename(_free_name(path))
                os.close(earlier)
        except OSError as error:
            raise UsageError(
                f"{path} cannot be created: {error.strerror}; choose another folder with "
                f"{self._option}"
            ) from error
        self._take(path, head.task_id)
        try:
            self.write("run", head)
        except ArtefactError as error:
            self.close()
            raise UsageError(
                f"{str(error).partition(';')[0]}; free disk space, or choose another folder "
                f"with {self._option}"
            ) from error

    def reopen(self, path: Path, task_id: str) -> None:
        """Take up the run in a folder.

        Raises:
            UsageError: if another run is using the folder.
        """
        self._take(path, task_id)
        for part in path.rglob(f"{HIDDEN}*"):  # of a process that was killed
            part.unlink(missing_ok=True)

    def replay(self, path: Path, task_id: str) -> None:
        """Read the run in a folder, and write nothing."""
        self.path, self._task_id, self.reads_only = path, task_id, True

    def close(self) -> None:
        """Let others write again."""
        self._give_room()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _take(self, path: Path, task_id: str) -> None:
        self._lock = locked(path, self._option)
        self.path, self._task_id, self._key = path, task_id, read_key()

    # -------------------------------------------------------------------------------- writing

    def turn_to(self, iteration: int) -> None:
        """Write the following artefacts to this turn of the loop."""
        self.iteration, self._exchanges = iteration, 0

    def write(self, name: str, record: Record) -> None:
        """Write an artefact of the run itself.

        Raises:
            ArtefactError: if it cannot be written.
        """
        if self.path is not None and not self.reads_only:
            self._give_room()
            self._put(self.path / f"{name}.json", json_text(record, 1, by_alias=True))

    def take_room(self, request: Request) -> None:
        """Reserve space for a request and its reply: no reply is paid for that cannot be stored.

        Raises:
            ArtefactError: if there is not enough space.
        """
        if self.path is None or self.reads_only:
            return
        asked = 2 * len(json_text(request))  # indented, and escaped a second time
        size = _ROOM_BYTES + 2 * (asked + _BYTES_PER_TOKEN * request.max_tokens)  # encoded
        flags = os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        try:
            room = os.open(self.path / _ROOM, flags, 0o600)
            try:
                os.posix_fallocate(room, 0, size)
            finally:
                os.close(room)
        except OSError as error:
            self._give_room()
            raise ArtefactError(
                f"the next reply cannot be stored in {self.path}: {error.strerror}; free disk "
                f"space, then resume with --resume {self.path}"
            ) from error

    def _give_room(self) -> None:
        if self.path is not None and not self.reads_only:
            with suppress(OSError):
                (self.path / _ROOM).unlink(missing_ok=True)

    def keep_exchange(self, asked: str, request: Request, reply: Reply) -> None:
        """Write what was just paid for.

        Raises:
            ArtefactError: if it cannot be written.
        """
        self._exchanges += 1
        file = self._turn_file(f"{self._exchanges:02}_{request.role}.json")
        if file is None or file.exists():
            return
        exchange = Exchange(
            task_id=self._task_id,
            iteration=self.iteration,
            asked=asked,
            request=request,
            reply=reply,
        )
        self._give_room()
        self._put(file, json_text(exchange, 1))

    def keep_text(self, name: str, text: str) -> None:
        """Write a text next to the artefacts, for people; not if artefacts are encrypted.

        Raises:
            ArtefactError: if it cannot be written.
        """
        file = self._turn_file(name)
        if file is not None and not file.exists() and self._key is None:
            self._put(file, text)

    def known(self, name: str, form: Any) -> Any:
        """Return the earlier result of a step of this turn; None if it was not done."""
        if self.path is None:
            return None
        file = self.path / f"iter_{self.iteration}" / f"{name}.json"
        if not file.exists():
            return None
        if is_message(form):
            return read_record(file, form)
        content = read_record(file, Artefact).content
        try:
            return TypeAdapter(form).validate_python(content)
        except ValidationError as error:
            raise no_artefact(file, error) from error

    def keep(self, name: str, form: Any, value: T) -> T:
        """Write the result of a step unless it has one.

        Returns:
            The result that is stored.

        Raises:
            ArtefactError: if it cannot be written.
        """
        known: T | None = self.known(name, form)
        if known is not None:
            if value is not known and _plain(known, form) != _plain(value, form):
                self._differences.append(f"iter_{self.iteration}/{name}")
            return known
        if self.reads_only:
            raise RecordingError(
                f"{self.path}/iter_{self.iteration}/{name}.json is missing; repeat that "
                f"step with --resume {self.path}"
            )
        file = self._turn_file(f"{name}.json")
        if file is not None:
            record: Record
            if is_message(form):
                assert isinstance(value, Record)
                record = value
            else:
                record = Artefact(
                    task_id=self._task_id,
                    iteration=self.iteration,
                    step=name,
                    content=_plain(value, form),
                )
            self._put(file, json_text(record, 1, by_alias=True))
        return value

    def _turn_file(self, name: str) -> Path | None:
        if self.path is None or self.reads_only:
            return None
        return self.path / f"iter_{self.iteration}" / name

    def _put(self, file: Path, text: str) -> None:
        """Write a file atomically; a link is replaced, not followed."""
        with disk_faults(file, f"resume with --resume {self.path}"):
            file.parent.mkdir(exist_ok=True)
            with replacing(file, mode=0o600, follow_links=False) as out:
                out.buffer.write(sealed(file, text, self._key))


def locked(folder: Path, option: str) -> int:
    """Keep other processes from writing to a folder, until the descriptor is closed.

    Args:
        folder: The folder, which is made if it does not exist.
        option: The option of the command that names the folder, for errors.

    Returns:
        The descriptor of the lock.

    Raises:
        UsageError: if another process is using it, or it cannot be written to.
    """
    lock = None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC)
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if lock is not None:
            os.close(lock)
        fault = f"{folder} cannot be written to: {error.strerror}; "
        if isinstance(error, BlockingIOError):
            fault = f"another run is using {folder}; wait for it, or "
        raise UsageError(f"{fault}choose another folder with {option}") from error
    return lock


@contextmanager
def disk_faults(file: Path, do: str = "resume") -> Iterator[None]:
    """Turn a fault of the disk into one line, which ends in what to `do`.

    Libraries in Rust and C++ report a full disk by exceptions of their own, so the message counts.

    Raises:
        ArtefactError: for a fault of the disk.
    """
    try:
        yield
    except Exception as error:
        full = any(each in str(error).lower() for each in ("no space left", "os error 28"))
        if not full and not isinstance(error, OSError):
            raise
        why = "No space left" if full else getattr(error, "strerror", None) or error
        raise ArtefactError(
            f"{file} cannot be written: {why}; free disk space, then {do}"
        ) from error


def require_encodable(folder: Path) -> None:
    """Require that a folder's name can be written to the result.

    Raises:
        UsageError: if it is not UTF-8.
    """
    try:
        str(folder).encode()
    except UnicodeEncodeError as error:
        raise UsageError(
            f"the folder's name is not UTF-8 at character {error.start + 1}; use UTF-8"
        ) from error


def _free_name(folder: Path) -> Path:
    names = (folder.with_name(f"{folder.name}.{number}") for number in itertools.count(1))
    return next(name for name in names if not name.exists())


def _plain(value: Any, form: Any) -> Any:
    """Return a step's value as plain JSON data, without its time stamp."""
    plain = TypeAdapter(form).dump_python(value, mode="json", by_alias=True)
    return {**plain, "timestamp_utc": ""} if is_message(form) else plain
