"""Choose the reader of a file, and read the files of a folder."""

import hashlib
import os
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from steelyard.datasets.rows._bytes import read_chunks
from steelyard.datasets.rows._json import decode_json
from steelyard.datasets.rows._limits import MAX_ROW_BYTES, FileError, RowError
from steelyard.datasets.rows._lines import split_lines
from steelyard.datasets.rows._nested import nested_rows
from steelyard.datasets.rows._page import page_row
from steelyard.datasets.rows._row import OnFault, Row
from steelyard.datasets.rows._tables import hub_lines, parquet_lines, require
from steelyard.datasets.rows._task_folder import TASK_FILE, read_task_folder
from steelyard.datasets.rows._values import split_values
from steelyard.errors import DatasetError
from steelyard.schemas import RowFault

__all__ = ["HUB_PREFIX", "read_rows"]

HUB_PREFIX = "hf:"
_BLANK = b" \t\r\n"
_PAGES = (".html", ".htm")
_KINDS = (".jsonl", ".ndjson", ".json", ".parquet", *_PAGES)
_SHOWN = ", ".join(_KINDS)


def read_rows(source: str | Path, on_fault: OnFault) -> Iterator[Row]:
    """Yield the rows of a file, of the files in a folder, or of a data set on a hub.

    Args:
        source: A path, or `hf:NAME[:CONFIG][@SPLIT]`.
        on_fault: Receives what cannot be read.

    Raises:
        DatasetError: if the source does not exist, or needs a package that is not installed.
    """
    if isinstance(source, str) and source.startswith(HUB_PREFIX):
        require("datasets", "hub")
        name = source.removeprefix(HUB_PREFIX)
        yield from _rows(source, _located(hub_lines(name)), on_fault)
        return
    path = Path(source)
    try:
        files = _files_in(path)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise DatasetError(f"{path} cannot be read: {why}; check the path") from error
    for file in files:
        reader = _reader_of(file)
        yield from _rows(str(file), reader(file), on_fault)


def _files_in(path: Path) -> list[Path]:
    if path.is_dir():
        found = list(_files_below(path))
        if not found:
            raise DatasetError(f"{path} holds no data files ({_SHOWN}); check the path")
        return found
    if not path.exists():
        raise DatasetError(
            f"{path}: no such file or folder; check the path, or write {HUB_PREFIX}NAME for a "
            "data set of Hugging Face"
        )
    if not path.is_file():
        raise DatasetError(f"{path} is neither a file nor a folder; name a file")
    return [path]


def _files_below(root: Path) -> Iterator[Path]:
    inside = root.resolve()
    for folder, subfolders, names in os.walk(root):
        if TASK_FILE in names:
            subfolders.clear()
            yield Path(folder, TASK_FILE)
            continue
        subfolders[:] = sorted((each for each in subfolders if each[0] != "."), key=_natural)
        for name in sorted(names, key=_natural):
            file = Path(folder, name)
            if name[0] == "." or not name.removesuffix(".gz").endswith(_KINDS):
                continue
            if file.is_file() and file.resolve().is_relative_to(inside):
                yield file


def _natural(name: str) -> list[tuple[int, str]]:
    """Return a sort key that puts 2 before 10."""
    return [
        (int(run), "") if run.isascii() and run.isdigit() and len(run) < 20 else (-1, run)
        for run in re.findall(r"[0-9]+|[^0-9]+", name)
    ]


_Numbered = Iterator[tuple[int, bytes | None]]


def _reader_of(file: Path) -> Callable[[Path], _Numbered]:
    if file.name == TASK_FILE:
        return _task_folder
    name = file.name.removesuffix(".gz")
    if name.endswith(".parquet"):
        require("pyarrow", "datasets")
        return lambda path: _located(parquet_lines(path))
    if name.endswith(_PAGES):
        return _page
    return _json_values if name.endswith(".json") else _json_lines


def _task_folder(path: Path) -> _Numbered:
    try:
        yield 1, read_task_folder(path.parent)
    except RowError as error:
        raise FileError(str(error)) from error


def _page(path: Path) -> _Numbered:
    yield 1, page_row(read_chunks(path))


def _json_lines(path: Path) -> _Numbered:
    return _located(split_lines(read_chunks(path)))


def _json_values(path: Path) -> _Numbered:
    return enumerate(nested_rows(split_values(read_chunks(path))), start=1)


def _located(lines: Iterable[bytes | None]) -> _Numbered:
    for number, line in enumerate(lines, start=1):
        if line is None or (line := line.strip(_BLANK)):
            yield number, line


def _rows(name: str, numbered: _Numbered, on_fault: OnFault) -> Iterator[Row]:
    number: int | None = None
    try:
        for number, text in numbered:
            try:
                yield _row(name, number, text)
            except RowError as error:
                on_fault(RowFault(file=name, row=number, message=str(error)))
    except FileError as error:
        after = f" (after row {number})" if number else ""
        on_fault(RowFault(file=name, message=f"{error}{after}"))
    except OSError as error:
        reason = error.strerror or str(error)
        on_fault(RowFault(file=name, message=f"it cannot be read: {reason}"))


def _row(name: str, number: int, text: bytes | None) -> Row:
    if text is None:
        raise RowError(f"a row of over {MAX_ROW_BYTES >> 20} MiB; split it")
    fields = decode_json(text)
    if not isinstance(fields, dict):
        raise RowError("not an object; a row has names and values")
    return Row(name, number, fields, hashlib.sha256(text).hexdigest())
