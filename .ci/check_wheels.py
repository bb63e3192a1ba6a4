"""Check that wheels hold what their names claim; the exit status is 1 if one does not."""

import re
import struct
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

NATIVE = (
    "steelyard/sandbox/_cell",
    "steelyard/sandbox/_fork_server.so",
    "steelyard/profiling/counting/_heap.so",
)
ALWAYS = (
    "steelyard/py.typed",
    "steelyard/toolchains/languages.toml",
    "steelyard/sandbox/cell.Dockerfile",
    "steelyard/_examples/examples.toml",
)
MACHINES = {62: "x86_64", 183: "aarch64"}
"""By `e_machine` of the ELF header."""


def faults(wheel: Path) -> Iterator[str]:
    """Yield what is wrong with a wheel, one line each."""
    tag = wheel.stem.split("-", 2)[2]
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        yield from (f"lacks {name}" for name in ALWAYS if name not in names)
        binaries = {name for name in names if archive.read(name)[:4] == b"\x7fELF"}
        if tag == "py3-none-any":
            yield from (f"is pure and holds {name}" for name in sorted(binaries))
        elif found := re.fullmatch(r"py3-none-manylinux_2_34_(\w+)", tag):
            if binaries != set(NATIVE):
                yield f"holds the programs {sorted(binaries)}; expected {sorted(NATIVE)}"
            else:
                yield from _native_faults(wheel, archive, found[1])
        else:
            yield f"has the tag {tag}; expected py3-none-any or py3-none-manylinux_2_34_*"


def _machine(program: bytes) -> str:
    (number,) = struct.unpack_from("<H", program.ljust(20, b"\0"), 18)
    return MACHINES.get(number, f"machine {number}")


def _native_faults(wheel: Path, archive: zipfile.ZipFile, machine: str) -> Iterator[str]:
    others = {name: _machine(archive.read(name)) for name in NATIVE}
    wrong = [f"holds {name} for {own}" for name, own in others.items() if own != machine]
    if wrong:
        yield from wrong
        return
    shown = subprocess.run(
        ("auditwheel", "show", wheel), capture_output=True, text=True, check=True
    ).stdout
    # It may even be of use with an older C library than its tag says.
    found = re.search(r'platform\s+tag:\s+"(manylinux_2_(\d+)_\w+)"', shown)
    if found is None or int(found[2]) > 34:
        yield f"is not manylinux_2_34_{machine}, says auditwheel: {' '.join(shown.split())}"
    if not archive.getinfo(NATIVE[0]).external_attr >> 16 & 0o111:
        yield f"holds {NATIVE[0]}, which is not executable"
    with tempfile.TemporaryDirectory() as folder:
        cell = archive.extract(NATIVE[0], folder)
        dynamic = subprocess.run(
            ("readelf", "--program-headers", cell), capture_output=True, text=True, check=True
        ).stdout
    if "INTERP" in dynamic or "DYNAMIC" in dynamic:
        yield f"holds {NATIVE[0]}, which is not static; install libc's static library and rebuild"


def main(folder: Path) -> int:
    """Check every wheel in a folder."""
    wheels = sorted(folder.glob("*.whl"))
    wrong = [f"{wheel.name} {fault}" for wheel in wheels for fault in faults(wheel)]
    print("\n".join(wrong or [f"{wheel.name}: ok" for wheel in wheels]))
    if not wheels:
        print(f"there is no wheel in {folder}")
    return int(bool(wrong) or not wheels)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
