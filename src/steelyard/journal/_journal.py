"""Keep a run's folder: every artefact is JSON, written atomically, and read again to resume.

    FOLDER/run.json                what was asked, and the options
    FOLDER/iter_0/01_planner.json  a request with its reply, as soon as it is paid for
    FOLDER/iter_0/plan.json        and so on: the result of each step of the turn
    FOLDER/result.json             how it ended

With `CACHE_ENCRYPT_KEY` set every artefact is encrypted, and a program is written as an artefact
only.

Hidden files are not artefacts: a lock, space for the next reply, a file that is being written.

A resumed or replayed run takes each step from its artefact if there is one. So the same steps
follow, nothing is paid for or measured twice, and decisions can be checked: `Steps`.
"""

import fcntl
import itertools
import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Self, TypeVar

from pydantic import TypeAdapter, ValidationError

from steelyard.errors import ArtefactError, RecordingError, UsageError
from steelyard.journal._artefacts import (
    Artefact,
    Exchange,
    is_message,
    no_artefact,
    read_record,
    sealed,
)
from steelyard.models import Reply, Request, read_key
from steelyard.options import beside
from steelyard.schemas import Event, Job, Message, OnEvent, Record, json_text

T = TypeVar("T")
_PART, _ROOM = ".part", ".room"
_ROOM_BYTES, _BYTES_PER_TOKEN = 64 << 10, 12


class Journal:
    """The artefacts of one run.

    Args:
        folder: The run's folder; None: nothing is written or read.
        task_id: The problem's.
        option: The option of the command that names the folder, for errors.
        reads_only: Write nothing, and compare instead: a replay.
    """

    def __init__(
        self, folder: Path | None, task_id: str, *, option: str = "--logs", reads_only: bool = False
    ) -> None:
        self.folder, self._task_id, self.reads_only = folder, task_id, reads_only
        self._option = option
        self.iteration = 0
        self._exchanges = 0
        self._differences: list[str] = []
        self._lock: int | None = None
        self._key = None if folder is None or reads_only else read_key()

    @property
    def differences(self) -> tuple[str, ...]:
        """Return the artefacts that differ in a replay."""
        return tuple(self._differences)

    @classmethod
    def begin(cls, folder: Path, head: Message, *, option: str = "--logs") -> Self:
        """Return a new run's journal. An earlier run is kept, as `FOLDER.1` and so on.

        Args:
            folder: The run's folder.
            head: The input of the run: all that it needs to be resumed.
            option: The option of the command that names the folder, for errors.

        Raises:
            UsageError: if the folder cannot be created, or another run is using it.
        """
        try:
            if (folder / "run.json").exists():
                cls(folder, head.task_id, option=option).lock().unlock()
                folder.rename(_free_name(folder))
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(
                f"{folder} cannot be created: {error.strerror}; choose another folder with {option}"
            ) from error
        journal = cls(folder, head.task_id, option=option).lock()
        try:
            journal.write("run", head)
        except ArtefactError as error:
            journal.unlock()
            raise UsageError(
                f"{str(error).partition(';')[0]}; free disk space, or choose another folder "
                f"with {option}"
            ) from error
        return journal

    @classmethod
    def reopen(cls, folder: Path, task_id: str, *, option: str = "--logs") -> Self:
        """Return the journal of a resumed run.

        Raises:
            UsageError: if another run is using the folder.
        """
        journal = cls(folder, task_id, option=option).lock()
        for part in folder.glob(f"**/.*{_PART}"):  # of a process that was killed
            part.unlink(missing_ok=True)
        return journal

    def lock(self) -> Self:
        """Keep other processes from writing to this run.

        Raises:
            UsageError: if another process is using it.
        """
        if self.folder is not None:
            self._lock = locked(self.folder, self._option)
        return self

    def unlock(self) -> None:
        """Let others write again."""
        self._give_room()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    # -------------------------------------------------------------------------------- writing

    def turn_to(self, iteration: int) -> None:
        """Write the following artefacts to this turn of the loop."""
        self.iteration, self._exchanges = iteration, 0

    def write(self, name: str, record: Record) -> None:
        """Write an artefact of the run itself.

        Raises:
            ArtefactError: if it cannot be written.
        """
        if self.folder is not None and not self.reads_only:
            self._give_room()
            self._put(self.folder / f"{name}.json", json_text(record, 1, by_alias=True))

    def take_room(self, request: Request) -> None:
        """Reserve space for a request and its reply: no reply is paid for that cannot be stored.

        Raises:
            ArtefactError: if there is not enough space.
        """
        if self.folder is None or self.reads_only:
            return
        asked = 2 * len(json_text(request))  # indented, and escaped a second time
        size = _ROOM_BYTES + 2 * (asked + _BYTES_PER_TOKEN * request.max_tokens)  # encoded
        try:
            room = os.open(self.folder / _ROOM, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                os.posix_fallocate(room, 0, size)
            finally:
                os.close(room)
        except OSError as error:
            self._give_room()
            raise ArtefactError(
                f"the next reply cannot be stored in {self.folder}: {error.strerror}; free disk "
                f"space, then resume with --resume {self.folder}"
            ) from error

    def _give_room(self) -> None:
        if self.folder is not None and not self.reads_only:
            with suppress(OSError):
                (self.folder / _ROOM).unlink(missing_ok=True)

    def keep_exchange(self, asked: str, request: Request, reply: Reply) -> None:
        """Write what was just paid for.

        Raises:
            ArtefactError: if it cannot be written.
        """
        self._exchanges += 1
        file = self._turn_folder(f"{self._exchanges:02}_{request.role}.json")
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
        file = self._turn_folder(name)
        if file is not None and not file.exists() and self._key is None:
            self._put(file, text)

    def known(self, name: str, form: Any) -> Any:
        """Return the earlier result of a step of this turn; None if it was not done."""
        if self.folder is None:
            return None
        file = self.folder / f"iter_{self.iteration}" / f"{name}.json"
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
                f"{self.folder}/iter_{self.iteration}/{name}.json is missing; repeat that "
                f"step with --resume {self.folder}"
            )
        if self.folder is not None:
            if is_message(form):
                assert isinstance(value, Record)
                record: Record = value
            else:
                content = _plain(value, form)
                record = Artefact(
                    task_id=self._task_id, iteration=self.iteration, step=name, content=content
                )
            file = self.folder / f"iter_{self.iteration}" / f"{name}.json"
            self._put(file, json_text(record, 1, by_alias=True))
        return value

    def _turn_folder(self, name: str) -> Path | None:
        if self.folder is None or self.reads_only:
            return None
        return self.folder / f"iter_{self.iteration}" / name

    def _put(self, file: Path, text: str) -> None:
        """Write a file atomically."""
        temporary = None
        try:
            file.parent.mkdir(exist_ok=True)
            descriptor, temporary = tempfile.mkstemp(
                dir=file.parent, prefix=f".{file.name}.", suffix=_PART
            )
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(sealed(file, text, self._key))
                stream.flush()
                os.fsync(stream.fileno())
            os.replace(temporary, file)
        except OSError as error:
            if temporary:
                with suppress(OSError):
                    os.unlink(temporary)
            raise ArtefactError(
                f"{file} cannot be written: {error.strerror}; free disk space, then resume "
                f"with --resume {self.folder}"
            ) from error


def locked(folder: Path, option: str) -> int:
    """Keep other processes from writing to a folder, until the descriptor is closed.

    Args:
        folder: The folder.
        option: The option of the command that names the folder, for errors.

    Returns:
        The descriptor of the lock.

    Raises:
        UsageError: if another process is using it, or it cannot be written to.
    """
    lock = None
    try:
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


def _free_name(folder: Path) -> Path:
    names = (folder.with_name(f"{folder.name}.{number}") for number in itertools.count(1))
    return next(name for name in names if not name.exists())


def _plain(value: Any, form: Any) -> Any:
    """Return a step's value as plain JSON data, without its time stamp."""
    plain = TypeAdapter(form).dump_python(value, mode="json", by_alias=True)
    return {**plain, "timestamp_utc": ""} if is_message(form) else plain


class Steps:
    """The steps of one run, with its notes.

    Args:
        journal: Keeps the result of each step.
        on_event: Receives each stage as it begins.
        job: The job in events.
    """

    def __init__(self, journal: Journal, on_event: OnEvent, job: Job) -> None:
        self._journal, self._on_event, self._job = journal, on_event, job
        self._notes: list[str] = []

    @property
    def notes(self) -> tuple[str, ...]:
        """Return the notes so far."""
        return tuple(self._notes)

    def note(self, text: str) -> None:
        """Add a note to the result, once."""
        if text not in self._notes:
            self._notes.append(text)

    def notify(self, stage: str, message: str = "", share: float | None = None) -> None:
        """Report that a stage begins."""
        self._on_event(
            Event(
                job=self._job,
                stage=stage,
                message=message,
                share=share,
                iteration=self._journal.iteration,
            )
        )

    def decided(self, name: str, form: Any, decision: T) -> T:
        """Return the earlier decision in a resumed run; a replay decides anew."""
        kept = self._journal.keep(name, form, decision)
        return decision if self._journal.reads_only else kept

    async def done(self, name: str, form: Any, make: Callable[[], Any]) -> Any:
        """Return the result of a blocking step: from its artefact, or run in a thread."""
        known = self._journal.known(name, form)
        if known is not None or self._journal.reads_only:
            return self._journal.keep(name, form, known)
        return self._journal.keep(name, form, await beside(make))
