"""Keep a run's folder: every artefact is JSON, written atomically, and read again to resume.

    TASK_ID/run.json              the problem and the options
    TASK_ID/iter_0/01_planner.json  a request with its reply, as soon as it is paid for
    TASK_ID/iter_0/plan.json        and so on: the result of each step of the turn
    TASK_ID/result.json           how it ended

With `CACHE_ENCRYPT_KEY` set every artefact is encrypted, and a program is written as an artefact
only.

Hidden files are not artefacts: a lock, space for the next reply, a file that is being written.

A resumed or replayed run takes each step from its artefact if there is one. So the same steps
follow, nothing is paid for or measured twice, and decisions can be checked.
"""

import fcntl
import itertools
import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Self, TypeVar

from pydantic import TypeAdapter, ValidationError

from steelyard.errors import ArtefactError, RecordingError, UsageError
from steelyard.models import Reply, Request, read_key
from steelyard.schemas import Message, ProblemInput, Record
from steelyard.solving._options import SolveOptions
from steelyard.solving._sealed import content_of, sealed

__all__ = ["Artefact", "Exchange", "Journal", "RunHead"]

T = TypeVar("T")
_EXCHANGE = re.compile(r"(\d{2,})_([a-z]+)\.json")
_ITERATION = re.compile(r"iter_(\d+)")
_PART, _ROOM = ".part", ".room"
_ROOM_BYTES, _BYTES_PER_TOKEN = 64 << 10, 12


class RunHead(Message):
    """The input of a run."""

    problem: ProblemInput
    options: SolveOptions
    flags: str
    """Compiler and flags, as passed to the coder."""


class Exchange(Message):
    """A request to a model, and its reply."""

    asked: str
    """The model's name, as given to the run."""
    request: Request
    reply: Reply


class Artefact(Message):
    """The result of a step that is not a message of the loop itself."""

    step: str
    content: Any = None


class Journal:
    """The artefacts of one run.

    Args:
        folder: The run's folder; None: nothing is written or read.
        task_id: The problem's.
        reads_only: Write nothing, and compare instead: a replay.
    """

    def __init__(self, folder: Path | None, task_id: str, *, reads_only: bool = False) -> None:
        self.folder, self._task_id, self.reads_only = folder, task_id, reads_only
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
    def begin(cls, folder: Path, head: RunHead) -> Self:
        """Return a new run's journal. An earlier run is kept, as `FOLDER.1` and so on.

        Raises:
            UsageError: if the folder cannot be created, or another run is using it.
        """
        try:
            if (folder / "run.json").exists():
                cls(folder, head.task_id).lock().unlock()
                folder.rename(_free_name(folder))
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(
                f"{folder} cannot be created: {error.strerror}; choose another folder with --logs"
            ) from error
        journal = cls(folder, head.task_id).lock()
        try:
            journal.write("run", head)
        except ArtefactError as error:
            journal.unlock()
            raise UsageError(
                f"{str(error).partition(';')[0]}; free disk space, or choose another folder "
                "with --logs"
            ) from error
        return journal

    @classmethod
    def reopen(cls, folder: Path, task_id: str) -> Self:
        """Return the journal of a resumed run.

        Raises:
            UsageError: if another run is using the folder.
        """
        journal = cls(folder, task_id).lock()
        for part in folder.glob(f"**/.*{_PART}"):  # of a process that was killed
            part.unlink(missing_ok=True)
        return journal

    def lock(self) -> Self:
        """Keep other processes from writing to this run.

        Raises:
            UsageError: if another process is using it.
        """
        if self.folder is None:
            return self
        try:
            self._lock = os.open(self.folder / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC)
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            self.unlock()
            raise UsageError(
                f"another run is using {self.folder}; wait for it, or choose another folder with "
                "--logs"
            ) from error
        except OSError as error:
            raise UsageError(
                f"{self.folder} cannot be written to: {error.strerror}; choose another folder with "
                "--logs"
            ) from error
        return self

    def unlock(self) -> None:
        """Let others write again."""
        self._give_room()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    @classmethod
    def head_of(cls, folder: Path) -> RunHead:
        """Return the input of the run in a folder.

        Raises:
            UsageError: if it does not hold a run.
        """
        head: RunHead = read_record(folder / "run.json", RunHead)
        return head

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
            self._put(self.folder / f"{name}.json", record.model_dump_json(indent=1, by_alias=True))

    def take_room(self, request: Request) -> None:
        """Reserve space for a request and its reply: no reply is paid for that cannot be stored.

        Raises:
            ArtefactError: if there is not enough space.
        """
        if self.folder is None or self.reads_only:
            return
        asked = 2 * len(request.model_dump_json())  # indented, and escaped a second time
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
            task_id=self._task_id, iteration=self.iteration, asked=asked, request=request,
            reply=reply,
        )  # fmt: skip
        self._give_room()
        self._put(file, exchange.model_dump_json(indent=1))

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
        if _is_message(form):
            return read_record(file, form)
        content = read_record(file, Artefact).content
        try:
            return TypeAdapter(form).validate_python(content)
        except ValidationError as error:
            raise _no_artefact(file, error) from error

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
            if _is_message(form):
                assert isinstance(value, Record)
                record: Record = value
            else:
                content = _plain(value, form)
                record = Artefact(
                    task_id=self._task_id, iteration=self.iteration, step=name, content=content
                )
            file = self.folder / f"iter_{self.iteration}" / f"{name}.json"
            self._put(file, record.model_dump_json(indent=1, by_alias=True))
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

    # -------------------------------------------------------------------------------- reading

    @classmethod
    def exchanges_in(cls, folder: Path) -> tuple[Exchange, ...]:
        """Return all requests of a run with their replies, in order."""
        return tuple(read_record(file, Exchange) for file in _exchange_files(folder))


def _free_name(folder: Path) -> Path:
    names = (folder.with_name(f"{folder.name}.{number}") for number in itertools.count(1))
    return next(name for name in names if not name.exists())


def _exchange_files(folder: Path) -> Iterator[Path]:
    for _, turn in turns_in(folder):
        found = [(_EXCHANGE.fullmatch(file.name), file) for file in turn.iterdir()]
        numbered = sorted((int(match[1]), file) for match, file in found if match)
        yield from (file for _, file in numbered)


def turns_in(folder: Path) -> list[tuple[int, Path]]:
    """Return the folders of a run's turns with their numbers, in order."""
    found = [(_ITERATION.fullmatch(each.name), each) for each in folder.iterdir()]
    return sorted((int(match[1]), each) for match, each in found if match and each.is_dir())


def read_record(file: Path, form: type[Any]) -> Any:
    """Return a record out of an artefact.

    Raises:
        UsageError: if the file is missing or malformed.
    """
    try:
        return form.model_validate_json(content_of(file))
    except OSError as error:
        raise UsageError(
            f"{file} cannot be read: {error.strerror}; give the folder of a run"
        ) from error
    except ValidationError as error:
        raise _no_artefact(file, error) from error


def _no_artefact(file: Path, error: ValidationError) -> UsageError:
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    fault = f"{where}: {first['msg']}" if where else first["msg"]
    turn, name = file.parent, file.name
    if name == "run.json":
        do = "give the folder of another run"
    else:  # each step can be repeated from the artefacts before it
        folder = turn if name == "result.json" else turn.parent
        step = "request its reply again" if _EXCHANGE.fullmatch(name) else "repeat that step"
        do = f"delete it, and {step} with --resume {folder}"
    return UsageError(f"{file} is not an artefact of this version ({fault}); {do}")


def _plain(value: Any, form: Any) -> Any:
    """Return a step's value as plain JSON data, without its time stamp."""
    plain = TypeAdapter(form).dump_python(value, mode="json", by_alias=True)
    return {**plain, "timestamp_utc": ""} if _is_message(form) else plain


def _is_message(form: Any) -> bool:
    return isinstance(form, type) and issubclass(form, Message)
