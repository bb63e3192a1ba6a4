"""Read the rows of files, one at a time: JSON, JSONL, gzip, parquet, folders, a hub's data sets.

1. A file's name decides how it is read; a folder's files are read in the order of their names, and
   a folder with `question.txt` is one row.
2. A file is read in chunks, decompressed if it is gzip. JSONL is split at line breaks. JSON is
   split into the items of a list, or the rows that an object such as `{"NAME": {"CLASS": {row}}}`
   holds, without holding the file.
3. Tables of parquet and data sets of Hugging Face are read in a process of their own. Their
   libraries are large, native, and trust a file's figures: in a process with a limit on its memory,
   a hostile file costs one line.
4. Each text is decoded as JSON from strangers. A fault of a row leaves that row out, a fault of a
   file the rest of it, and each fault is one line.

A row is known here by its fields only; `steelyard.datasets.formats` knows their meaning.
"""

import codecs
import gzip
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from io import BufferedReader
from pathlib import Path
from typing import IO, Final, Literal, cast

from steelyard import schemas
from steelyard._installation import install_command
from steelyard._printable import printable
from steelyard.errors import DatasetError
from steelyard.schemas import RowFault

_CHUNK_BYTES: Final = 1 << 20
MAX_ROW_BYTES: Final = 256 << 20
"""Longest row, as JSON text. The rows of LiveCodeBench and CodeContests+ reach tens of MiB."""
MAX_RATIO: Final = 200
"""Compressed data may expand to this many times its size. Test data reaches about 100; deflate's
own limit is 1,032, which only a decompression bomb uses."""
RATIO_FLOOR_BYTES: Final = 16 << 20
"""Data up to this size may have any ratio."""


class RowError(ValueError):
    """A row cannot be read; the rows after it can."""


class _FileError(Exception):
    """The rest of a file cannot be read."""


OnFault = Callable[[RowFault], None]
"""Receives each fault as it is found."""


@dataclass(frozen=True, slots=True)
class Row:
    """The fields of one row, and its position."""

    file: str
    number: int
    """From 1."""
    fields: Mapping[str, object]
    digest: str
    """SHA-256 of the row's JSON text, as it was read."""


def refuse(fault: RowFault) -> None:
    """Let a fault end the reading, as an `OnFault`.

    Raises:
        DatasetError: for the fault.
    """
    raise DatasetError(str(fault))


HUB_PREFIX = "hf:"
_BLANK = b" \t\r\n"
_PAGES = (".html", ".htm")
_KINDS = (".jsonl", ".ndjson", ".json", ".parquet", *_PAGES)
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
        yield from _rows(source, _table_lines("hub", name), on_fault)
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
            kinds = ", ".join(_KINDS)
            raise DatasetError(f"{path} holds no data files ({kinds}); check the path")
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
        return _table_lines("parquet", str(file))
    chunks = _read_chunks(file)
    if name.endswith(_PAGES):
        return _page(chunks)
    return _nested_rows(_split_values(chunks)) if name.endswith(".json") else _split_lines(chunks)


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
            raise _FileError(f"a task of over {MAX_ROW_BYTES >> 20} MiB; split it")
        try:
            fields[file.stem] = file.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise _FileError(
                f"{file.name} is not UTF-8 (byte {error.start}); convert it"
            ) from error
    yield json.dumps(fields).encode()


def _page(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield a saved page as one row, whose only field is its HTML."""
    page = bytearray()
    for chunk in chunks:
        page += chunk
        if len(page) > _MAX_PAGE_BYTES:
            raise _FileError(f"a page of over {_MAX_PAGE_BYTES >> 20} MiB; save a single problem")
    try:
        yield json.dumps({"page": page.decode()}).encode()
    except UnicodeDecodeError as error:
        raise _FileError(f"byte {error.start + 1} is not UTF-8; save the page as UTF-8") from error


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
    except _FileError as error:
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


_GZIP = b"\x1f\x8b"
_MARKS = {
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
    b"\x00\x00\xfe\xff": "UTF-32",
}


def _read_chunks(path: Path) -> Iterator[bytes]:
    """Yield the bytes of a file, without a byte order mark.

    Raises:
        _FileError: if it is not UTF-8 by its mark, is damaged, or is a decompression bomb.
        OSError: if it cannot be read.
    """
    chunks = _plain_chunks(path)
    first = next(chunks, b"")
    for mark, encoding in _MARKS.items():
        if first.startswith(mark):
            raise _FileError(f"the file is {encoding}; save it as UTF-8")
    yield first.removeprefix(codecs.BOM_UTF8)
    yield from chunks


def _plain_chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as raw:
        packed = raw.read(len(_GZIP)) == _GZIP
        raw.seek(0)
        if not packed:
            while chunk := raw.read(_CHUNK_BYTES):
                yield chunk
            return
        size = 0
        with gzip.GzipFile(fileobj=raw) as unpacked:
            try:
                while chunk := unpacked.read1(_CHUNK_BYTES):  # what precedes a fault is kept
                    size += len(chunk)
                    if size > RATIO_FLOOR_BYTES and size > MAX_RATIO * raw.tell():
                        raise _FileError(
                            f"it expands to over {MAX_RATIO} times its size, as a decompression "
                            "bomb does; decompress it yourself if you trust it"
                        )
                    yield chunk
            except (EOFError, zlib.error, gzip.BadGzipFile) as error:
                raise _FileError(f"damaged gzip data ({error}); get the file again") from error


def _split_lines(chunks: Iterable[bytes]) -> Iterator[bytes | None]:
    """Yield the lines, without their ends; None for a line that is too long."""
    parts: list[bytes] = []
    size = 0
    for chunk in chunks:
        first, *rest = chunk.split(b"\n")
        for piece in (first, *rest[:-1]) if rest else ():
            size += len(piece)
            parts.append(piece)
            yield None if size > MAX_ROW_BYTES else b"".join(parts)
            parts, size = [], 0
        tail = rest[-1] if rest else first
        size += len(tail)
        if size > MAX_ROW_BYTES:
            parts.clear()  # the rest of the line is counted and dropped
        else:
            parts.append(tail)
    if size:
        yield None if size > MAX_ROW_BYTES else b"".join(parts)


# A string that has not ended is found as its quote. Possessive: a long string costs no stack.
_TOKEN = re.compile(rb'"(?:[^"\\]++|\\.)*+"|["{}\[\]]', re.DOTALL)
_SEPARATORS = _BLANK + b","
_MAX_DEPTH = 4
# Other values are not decoded here: a row begins with a text or a number.
_BEGINS_NESTED = re.compile(rb'\{\s*"(?:[^"\\]++|\\.)*+"\s*:\s*[{\[]', re.DOTALL)


def _split_values(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the items of a list, or the objects that follow each other, each as JSON text.

    Only brackets and strings are followed. A value with another fault of syntax is yielded, and
    decoding it shows the fault.

    Raises:
        _FileError: if the file ends within a value, or a value is too long.
    """
    buffer, started = bytearray(), False
    searched = depth = needed = 0

    def search() -> Iterator[bytes]:
        nonlocal searched, depth
        begin, spans = 0, []
        for match in _TOKEN.finditer(buffer, searched):
            token = match[0]
            if token == b'"':
                searched = match.start()
                break
            searched = match.end()
            if token in (b"{", b"["):
                depth += 1
            elif token in (b"}", b"]"):
                depth -= 1
                if depth <= 0:
                    spans.append((begin, match.start() if depth < 0 else match.end()))
                    begin, depth = match.end(), 0
        else:
            searched = len(buffer)
        for start, end in spans:
            if value := bytes(buffer[start:end]).strip(_SEPARATORS):
                yield value
        del buffer[:begin]
        searched -= begin

    for chunk in chunks:
        buffer += chunk
        if not started:  # the bracket that opens a list is dropped, so that its items are left
            stripped = buffer.lstrip(_BLANK)
            started = bool(stripped)
            buffer = stripped[1:] if stripped[:1] == b"[" else stripped
        # A long value is searched each time that it has doubled, so that the cost stays linear.
        if started and len(buffer) >= needed:
            yield from search()
            needed = 2 * len(buffer) if depth else 0
        if len(buffer) > MAX_ROW_BYTES:
            raise _FileError(f"a value of over {MAX_ROW_BYTES >> 20} MiB; the rest is not read")
    yield from search()
    if depth or searched < len(buffer):
        raise _FileError("the file ends within a value; get the whole file")
    if rest := bytes(buffer).strip(_SEPARATORS):
        yield rest


def _nested_rows(values: Iterable[bytes]) -> Iterator[bytes]:
    """Yield JSON values, with each object whose fields all hold rows replaced by these rows.

    A row has a field that is neither an object nor a list of objects, such as its id.
    """
    for value in values:
        found: object = None
        if _BEGINS_NESTED.match(value):
            with suppress(RowError):  # whoever decodes it again reports the fault
                found = decode_json(value)
        if _held(found):
            yield from (json.dumps(row).encode() for row in _flattened(found, _MAX_DEPTH))
        else:
            yield value


def _flattened(value: object, depth: int) -> Iterator[object]:
    held = _held(value)
    if not held or not depth:
        yield value
        return
    for each in held:
        yield from _flattened(each, depth - 1)


def _held(value: object) -> list[object]:
    """Return the objects in the fields of an object; none if a field holds anything else."""
    if not isinstance(value, dict):
        return []
    lists = [each if isinstance(each, list) and each else [each] for each in value.values()]
    held = [item for each in lists for item in each]
    return held if all(isinstance(item, dict) for item in held) else []


_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
"""Such escapes write a character in two halves; UTF-8 cannot write one half alone."""


def decode_json(data: bytes | str) -> object:
    """Return a JSON value, as `schemas.decode_json` reads it.

    Raises:
        RowError: if it is not JSON in UTF-8, repeats a key, nests too deep, or holds a number of a
            million digits.
    """
    try:
        value = schemas.decode_json(data)
        if _SURROGATE.search(data if isinstance(data, bytes) else data.encode()):
            json.dumps(value, ensure_ascii=False).encode()
        return value
    except UnicodeEncodeError as error:
        raise RowError("half of a character, which UTF-8 cannot write; fix the row") from error
    except schemas.JsonError as error:
        raise RowError(str(error)) from error


_MAX_TABLE_MIB = 4096
"""Memory of the process that reads a table."""
_CHILD = Path(__file__).with_name("_table_process.py")
_MOST_CHARS = 300


def require(package: str, extra: str) -> None:
    """Check that a package is installed, without importing it.

    Raises:
        DatasetError: with the command that installs it.
    """
    if find_spec(package) is None:
        raise DatasetError(f"the package {package} is not installed; run: {install_command(extra)}")


def _table_lines(kind: Literal["parquet", "hub"], source: str) -> Iterator[bytes | None]:
    """Yield the rows of a parquet file, or of a hub's `NAME[:CONFIG][@SPLIT]`, as JSON.

    Raises:
        _FileError: if the data are damaged or cannot be loaded, or reading takes too much memory.
    """
    command = [sys.executable, "-P", str(_CHILD), kind, source, str(_MAX_TABLE_MIB)]
    with (
        tempfile.TemporaryFile() as errors,
        subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors
        ) as process,
    ):
        try:
            out = cast("BufferedReader", process.stdout)
            yield from _split_lines(iter(lambda: out.read1(_CHUNK_BYTES), b""))
            status = process.wait()
        finally:
            process.kill()
        if status:
            raise _FileError(f"{_last_line(errors, status)}; the rest is not read")


def _last_line(errors: IO[bytes], status: int) -> str:
    size = errors.seek(0, os.SEEK_END)
    errors.seek(max(0, size - _MOST_CHARS))
    lines = errors.read().decode(errors="replace").strip().splitlines()
    return printable(lines[-1]) if lines else f"its reader ended with status {status}"
