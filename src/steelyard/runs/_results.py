"""A folder of results, which one process at a time adds to, and which a later one resumes.

    FOLDER/run.json    what shapes the results
    FOLDER/*.jsonl     results, each a line of JSON

1. A run resumes only with the same `run.json`; an error names the first difference.
2. Lines are only appended. Each is written whole; one that a killed process left unfinished is cut
   off before the next is written.
3. All other files appear whole.
"""

import json
import mmap
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Self, TypeVar

from pydantic import TypeAdapter, ValidationError

from steelyard._replaced_files import HIDDEN, replacing
from steelyard.errors import UsageError
from steelyard.runs._folder import HEAD, disk_faults, locked

R = TypeVar("R")

_SHOWN = 80


class ResultsFolder:
    """A folder of results, open for writing by this process alone.

    Args:
        path: The folder, which is made if it does not exist.
        shape: What shapes the results; a key `begun` may differ in a run that is resumed.
        option: The option that names the folder, for errors.

    Raises:
        UsageError: if it cannot be used, another process uses it, or it holds other results.
    """

    def __init__(self, path: Path, shape: Mapping[str, Any], option: str) -> None:
        self.path = path
        self._lock = locked(path, option)
        try:
            self.resumed = holds_results(path, shape, option)
            if not self.resumed:
                self.write(HEAD, json.dumps(shape, indent=1))
            for part in (*path.glob(f"{HIDDEN}*"), *path.glob(f"*/{HIDDEN}*")):
                part.unlink(missing_ok=True)  # of a process that was killed
        except BaseException:  # an interrupt, too, must let the next run write
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        held = {each.name for each in self.path.iterdir() if each.name[0] != "."}
        if isinstance(error, UsageError) and not self.resumed and held == {HEAD}:
            (self.path / HEAD).unlink()  # a call that was wrong begins no run
        self.close()

    def close(self) -> None:
        """Let others write."""
        os.close(self._lock)

    def write(self, name: str, text: str) -> None:
        """Write a file whole.

        Raises:
            ArtefactError: if it cannot be written.
        """
        file = self.path / name
        with disk_faults(file):
            file.parent.mkdir(parents=True, exist_ok=True)
            with replacing(file) as out:
                out.buffer.write(text.encode("utf-8", "surrogateescape"))

    def append_lines(self, name: str, text: str, *, sync: bool = True) -> None:
        """Add whole lines to a file.

        Args:
            name: The file.
            text: The lines.
            sync: Wait until the whole file is on the disk, which takes some 5 ms.

        Raises:
            ArtefactError: if they cannot be written.
        """
        file = self.path / name
        with disk_faults(file):
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("ab") as stream:
                stream.write(text.encode())
                stream.flush()
                if sync:
                    os.fsync(stream.fileno())

    def cut_torn_line(self, name: str) -> None:
        """Cut off the last line of a file if a killed process left it unfinished.

        Raises:
            ArtefactError: if the file cannot be written.
        """
        file = self.path / name
        if not file.exists() or not file.stat().st_size:
            return
        with disk_faults(file), file.open("r+b") as stream:
            with mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
                whole = data.rfind(b"\n") + 1
            stream.truncate(whole)


def holds_results(path: Path, shape: Mapping[str, Any], option: str) -> bool:
    """Return True if a folder holds results of this shape, and False if it holds none.

    Raises:
        UsageError: if it holds others; the message names the first difference.
    """
    file = path / HEAD
    if not file.exists():
        return False
    try:
        had, new = _flat(json.loads(file.read_bytes())), _flat(json.loads(json.dumps(shape)))
    except (OSError, ValueError, AttributeError, RecursionError) as error:
        raise UsageError(
            f"{file} cannot be read: {error}; choose another folder with {option}"
        ) from error
    for name in new | had:
        if had.get(name) != new.get(name) and name != "begun":
            before, now = (f"{each.get(name)!r:.{_SHOWN}}" for each in (had, new))
            raise UsageError(
                f"{path} holds another run: {name} is {before} there and {now} here; choose "
                f"another folder with {option}"
            )
    return True


def _flat(shape: Mapping[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in shape.items():
        inner = value if isinstance(value, dict) else {"": value}
        flat |= {f"{name}.{key}".rstrip("."): each for key, each in inner.items()}
    return flat


def read_lines(
    file: Path, form: TypeAdapter[R], is_wanted: Callable[[bytes], bool] = bool
) -> Iterator[R]:
    """Yield the results in a file, if there is one; an unfinished last line is not a result.

    Args:
        file: The file.
        form: Reads a line.
        is_wanted: False for a line that need not be read.

    Raises:
        UsageError: if a line cannot be read; the message names it.
    """
    if not file.exists():
        return
    try:
        with file.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if not line.endswith(b"\n"):
                    return
                if is_wanted(line):
                    yield _read(form, line, f"{file}:{number}")
    except OSError as error:
        raise UsageError(
            f"{file} cannot be read: {error.strerror}; give the folder of a run"
        ) from error


def _read(form: TypeAdapter[R], line: bytes, position: str) -> R:
    try:
        return form.validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        raise UsageError(
            f"{position}: {'.'.join(map(str, first['loc']))}: {first['msg']}; remove the line and "
            "those after it, and resume to repeat them"
        ) from error
