"""Unpack a ZIP archive that a caller sends. It is read in a cell only."""

import base64
import json

from steelyard.sandbox import CellPool
from steelyard.schemas import Limits, StopReason
from steelyard.service._problems import Problem
from steelyard.service.compat._programs import Program, build_and_run, safe_path
from steelyard.toolchains import find_toolchain

_MOST_FILES = 200
_MOST_MIB = 16
_UNPACK = f"""\
import base64, io, json, sys, zipfile

found, size = {{}}, 0
with zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read())) as archive:
    for entry in archive.infolist():
        if entry.is_dir():
            continue
        size += entry.file_size
        if len(found) >= {_MOST_FILES} or size > {_MOST_MIB << 20}:
            sys.exit("the archive holds more than {_MOST_FILES} files or {_MOST_MIB} MiB")
        with archive.open(entry) as file:
            found[entry.filename] = base64.b64encode(file.read(entry.file_size)).decode()
json.dump(found, sys.stdout)
"""
_LIMITS = Limits(cpu_ms=5_000, memory_mib=256, output_mib=2 * _MOST_MIB)


def unpacked(pool: CellPool, archive: bytes) -> dict[str, bytes]:
    """Return the files in a ZIP archive, by path.

    Raises:
        Problem: 422 if it is not an archive, is too large, or has a path that leads out of it.
        InfrastructureError: if the machine failed.
    """
    program = Program(find_toolchain("python"), _UNPACK.encode(), stdin=archive, limits=_LIMITS)
    done = build_and_run(pool, program).execution
    if done is None or done.stop is not StopReason.EXITED or done.exit_code != 0:
        why = b"" if done is None else done.stderr.strip().rpartition(b"\n")[2]
        raise Problem(
            422,
            "archive-invalid",
            "An archive cannot be unpacked",
            f"the ZIP archive cannot be unpacked: {why.decode('utf-8', 'replace')[:300]}",
        )
    found: dict[str, str] = json.loads(done.stdout)
    return {safe_path(name): base64.b64decode(content) for name, content in found.items()}
