"""Choose the reader of a file, and read the files of a folder."""

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from steelyard.datasets.rows._bytes import read_chunks, split_lines
from steelyard.datasets.rows._json import decode_json
from steelyard.datasets.rows._limits import MAX_ROW_BYTES, FileError, OnFault, Row, RowError
from steelyard.datasets.rows._tables import require, table_lines
from steelyard.datasets.rows._values import nested_rows, split_values
from steelyard.errors import DatasetError
from steelyard.schemas import RowFault

HUB_PREFIX = "hf:"
_BLANK = b" \t\r\n"
_PAGES = (".html", ".htm")
_KINDS = (".jsonl", ".ndjson", ".json", ".parquet", *_PAGES)
_SHOWN = ", ".join(_KINDS)
_MAX_PAGE_BYTES = 16 << 20
_TASK_FILE = "question.txt"
"""The file that marks a folder with one row."""
_TASK_KINDS = (".txt", ".json", ".py")


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
        yield from _rows(source, table_lines("hub", name), on_fault)
        return
    path = Path(source)
    try:
        files = _files_in(path)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise DatasetError(f"{path} cannot be read: {why}; check the path") from error
    for file in files:
        yield from _rows(str(file), _texts_in(file), on_fault)


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
        if _TASK_FILE in names:
            subfolders.clear()
            yield Path(folder, _TASK_FILE)
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


def _texts_in(file: Path) -> Iterator[bytes | None]:
    """Return the rows of a file as JSON; None for a row that is too long."""
    if file.name == _TASK_FILE:
        return _task_folder(file.parent)
    name = file.name.removesuffix(".gz")
    if name.endswith(".parquet"):
        require("pyarrow", "datasets")
        return table_lines("parquet", str(file))
    chunks = read_chunks(file)
    if name.endswith(_PAGES):
        return _page(chunks)
    return nested_rows(split_values(chunks)) if name.endswith(".json") else split_lines(chunks)


def _task_folder(folder: Path) -> Iterator[bytes]:
    """Yield a folder as one row, as APPS is distributed: each of its files is a field.

    The names are those of its files without endings, and its own is `problem_id`.
    """
    fields, size = {"problem_id": folder.name}, 0
    for file in sorted(folder.iterdir()):
        if file.suffix not in _TASK_KINDS or file.is_symlink() or not file.is_file():
            continue
        size += file.stat().st_size
        if size > MAX_ROW_BYTES:
            raise FileError(f"a task of over {MAX_ROW_BYTES >> 20} MiB; split it")
        try:
            fields[file.stem] = file.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise FileError(f"{file.name} is not UTF-8 (byte {error.start}); convert it") from error
    yield json.dumps(fields).encode()


def _page(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield a saved page as one row, whose only field is its HTML."""
    page = bytearray()
    for chunk in chunks:
        page += chunk
        if len(page) > _MAX_PAGE_BYTES:
            raise FileError(f"a page of over {_MAX_PAGE_BYTES >> 20} MiB; save a single problem")
    try:
        yield json.dumps({"page": page.decode()}).encode()
    except UnicodeDecodeError as error:
        raise FileError(f"byte {error.start + 1} is not UTF-8; save the page as UTF-8") from error


def _rows(name: str, texts: Iterator[bytes | None], on_fault: OnFault) -> Iterator[Row]:
    last: int | None = None
    try:
        for number, text in enumerate(texts, start=1):
            line = text and text.strip(_BLANK)
            if line == b"":
                continue
            last = number
            try:
                yield _row(name, number, line)
            except RowError as error:
                on_fault(RowFault(file=name, row=number, message=str(error)))
    except FileError as error:
        after = f" (after row {last})" if last else ""
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
