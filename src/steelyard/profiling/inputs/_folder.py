"""Inputs from a folder of files, with their sizes in the names or in an index."""

import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from steelyard.errors import GeneratorError
from steelyard.profiling._records import Input, Point
from steelyard.profiling.inputs._generator import Kept
from steelyard.sandbox import Blob
from steelyard.schemas import values

_JSON_INDEX, _CSV_INDEX = "inputs.json", "sizes.csv"
_ANSWERS = frozenset({".out", ".ans", ".a"})
_NAME = re.compile(r"(?:n=?)?([0-9]+)(?:[_,\- ]*m=?([0-9]+))?", re.IGNORECASE)
_HOW = "name files such as 1000.txt or n=1000_m=50.txt, or list them in inputs.json or sizes.csv"


class FolderSource:
    """Inputs from the files of a folder. The seed is ignored.

    A size is read from a file's name (`1000.txt`, `n=1000.txt`, `n=1000_m=50.in`), or from an
    index: `inputs.json`, `{FILE: n}` or `{FILE: {"n": ..., "m": ...}}`; or `sizes.csv`, with the
    columns file, n and, if used, m. Answers next to them (`.out`, `.ans`, `.a`), hidden
    files, and files with other names are left out.

    Args:
        folder: Where they are.
        calls: Whether the program is a function or method. A file then holds JSON:
            a list of the arguments, or `{"args": [...], "kwargs": {...}}`.

    Raises:
        GeneratorError: if it holds no inputs, or two of one size, or its index cannot be read.
    """

    def __init__(self, folder: Path, *, calls: bool = False) -> None:
        self.description = f"the files of {folder.name or folder}"
        self._calls = calls
        self._kept = Kept()
        self._files: dict[Point, Path] = {}
        try:
            for path, point in _listed(folder):
                other = self._files.setdefault(point, path)
                if other != path:
                    raise GeneratorError(
                        f"{folder}: {other.name} and {path.name} are both for {point}; keep one"
                    )
        except OSError as error:
            raise GeneratorError(
                f"{error.filename or folder} cannot be read: {error.strerror}; {_HOW}"
            ) from error
        if not self._files:
            raise GeneratorError(f"{folder} has no inputs with sizes; {_HOW}")

    @property
    def points(self) -> tuple[Point, ...]:
        """The folder's sizes, ascending."""
        return tuple(sorted(self._files))

    def get(self, point: Point, seed: int) -> Input:
        """Return the input of this size.

        Args:
            point: One of `points`.
            seed: Ignored.

        Raises:
            GeneratorError: if the folder has no such size, or the file cannot be read.
        """
        kept = self._kept.get(point, seed)
        if kept is not None:
            return kept
        path = self._files.get(point)
        if path is None:
            raise GeneratorError(f"the folder has no file for {point}; use one of its sizes")
        try:
            content = path.read_bytes()
        except OSError as error:
            raise GeneratorError(
                f"{path} cannot be read: {error.strerror}; fix or remove it"
            ) from error
        return self._kept.put(Input(point, Blob(self._request(path, content))), seed)

    def _request(self, path: Path, content: bytes) -> bytes:
        """Return what the program reads: for calls, a request as the harness reads it."""
        if not self._calls:
            return content
        try:
            args: Any = json.loads(content)
            named_ones: object = None
            if isinstance(args, dict) and args and args.keys() <= {"args", "kwargs"}:
                args, named_ones = args.get("args") or [], args.get("kwargs") or None
            if not isinstance(args, list) or not isinstance(named_ones, dict | None):
                raise GeneratorError(
                    f"{path} does not hold a list of arguments; "
                    'write [...], or {"args": [...], "kwargs": {...}}'
                )
            return values.encode([args, named_ones, 0]).encode()
        except (ValueError, RecursionError, values.NotPlainError) as error:
            raise GeneratorError(
                f"{path} does not hold arguments as JSON: {error}; fix the file"
            ) from error


def _listed(folder: Path) -> Iterator[tuple[Path, Point]]:
    """Yield each input's file with its size.

    Raises:
        GeneratorError: if the index cannot be read.
        OSError: if the folder cannot.
    """
    if (folder / _JSON_INDEX).is_file():
        yield from _from_json(folder)
        return
    if (folder / _CSV_INDEX).is_file():
        yield from _from_csv(folder)
        return
    for path in sorted(folder.iterdir()):
        found = _NAME.fullmatch(path.stem)
        if found and path.suffix not in _ANSWERS and path.is_file():
            yield path, Point(int(found[1]), int(found[2] or 0))


def _from_json(folder: Path) -> Iterator[tuple[Path, Point]]:
    index = folder / _JSON_INDEX
    try:
        listed = json.loads(index.read_bytes())
    except (ValueError, RecursionError) as error:
        raise GeneratorError(f"{index} is not JSON: {error}; fix the file") from error
    if not isinstance(listed, dict):
        raise GeneratorError(f'{index} does not hold an object; write {{"FILE": n}}')
    for name, size in listed.items():
        fields = size if isinstance(size, dict) else {"n": size}
        yield _entry(folder, index, name, fields.get("n"), fields.get("m", 0))


def _from_csv(folder: Path) -> Iterator[tuple[Path, Point]]:
    index = folder / _CSV_INDEX
    try:
        rows = list(
            csv.DictReader(index.read_text("utf-8-sig").splitlines(), skipinitialspace=True)
        )
    except (ValueError, csv.Error) as error:
        raise GeneratorError(f"{index} is not CSV: {error}; fix the file") from error
    for row in rows:
        if not row.get("file"):
            raise GeneratorError(
                f"{index} has no column named file; start it with the line file,n,m"
            )
        yield _entry(folder, index, row["file"], row.get("n"), row.get("m") or 0)


def _entry(folder: Path, index: Path, name: str, n: object, m: object) -> tuple[Path, Point]:
    path = folder / name
    sizes = [_size(n), _size(m)]
    if sizes[0] is None or sizes[1] is None:
        raise GeneratorError(
            f"{index}: {name} has no size (n is {n!r}, m is {m!r}); write whole numbers"
        )
    if not path.is_file():
        raise GeneratorError(f"{index}: file {name} does not exist; remove it from the index")
    return path, Point(sizes[0], sizes[1])


def _size(value: object) -> int | None:
    if isinstance(value, str) and value.strip().isdecimal():
        return int(value)
    is_size = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return value if is_size else None  # type: ignore[return-value]
