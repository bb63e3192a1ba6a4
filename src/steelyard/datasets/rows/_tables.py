"""Read tables of parquet, and data sets of Hugging Face, in a process of their own.

Their libraries are large, native, and trust a file's figures. In a process with a limit on its
memory, a hostile file costs one line.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from io import BufferedReader
from pathlib import Path
from typing import IO, Literal, cast

from steelyard._installation import install_command
from steelyard._printable import printable
from steelyard.datasets.rows._bytes import split_lines
from steelyard.datasets.rows._limits import CHUNK_BYTES, FileError
from steelyard.errors import DatasetError

MAX_TABLE_MIB = 4096
"""Memory of the process that reads a table."""
_CHILD = Path(__file__).with_name("_table_process.py")
_SHOWN = 300


def require(package: str, extra: str) -> None:
    """Check that a package is installed, without importing it.

    Raises:
        DatasetError: with the command that installs it.
    """
    if find_spec(package) is None:
        raise DatasetError(f"the package {package} is not installed; run: {install_command(extra)}")


def table_lines(kind: Literal["parquet", "hub"], source: str) -> Iterator[bytes | None]:
    """Yield the rows of a parquet file, or of a hub's `NAME[:CONFIG][@SPLIT]`, as JSON.

    Raises:
        FileError: if the data are damaged or cannot be loaded, or reading takes too much memory.
    """
    command = [sys.executable, "-P", str(_CHILD), kind, source, str(MAX_TABLE_MIB)]
    with (
        tempfile.TemporaryFile() as errors,
        subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors
        ) as process,
    ):
        try:
            out = cast("BufferedReader", process.stdout)
            yield from split_lines(iter(lambda: out.read1(CHUNK_BYTES), b""))
            status = process.wait()
        finally:
            process.kill()
        if status:
            raise FileError(f"{_last_line(errors, status)}; the rest is not read")


def _last_line(errors: IO[bytes], status: int) -> str:
    size = errors.seek(0, os.SEEK_END)
    errors.seek(max(0, size - _SHOWN))
    lines = errors.read().decode(errors="replace").strip().splitlines()
    return printable(lines[-1]) if lines else f"its reader ended with status {status}"
