"""A wheel that does not hold what its name claims is found before it is published."""

import zipfile
from pathlib import Path
from types import ModuleType

import pytest

from tests.scripts import script

PURE = "steelyard-0.1.0-py3-none-any.whl"
ELF = b"\x7fELF and more"


@pytest.fixture(scope="module")
def check() -> ModuleType:
    return script(".ci/check_wheels.py")


def wheel(folder: Path, name: str, check: ModuleType, **more: bytes) -> Path:
    path = folder / name
    with zipfile.ZipFile(path, "w") as archive:
        for each in check.ALWAYS:
            archive.writestr(each, "")
        for each, content in more.items():
            archive.writestr(each, content)
    return path


def faults(path: Path, check: ModuleType) -> list[str]:
    return list(check.faults(path))


def test_a_pure_wheel_holds_no_program(tmp_path: Path, check: ModuleType) -> None:
    assert faults(wheel(tmp_path, PURE, check), check) == []
    bad = wheel(tmp_path, PURE, check, **{"steelyard/sandbox/_cell": ELF})
    assert faults(bad, check) == ["is pure and holds steelyard/sandbox/_cell"]


def test_a_platform_wheel_holds_every_program(tmp_path: Path, check: ModuleType) -> None:
    name = "steelyard-0.1.0-py3-none-manylinux_2_34_x86_64.whl"
    (fault,) = faults(wheel(tmp_path, name, check), check)
    assert fault.startswith("holds the programs []; expected [")


def test_programs_of_another_machine_are_found(tmp_path: Path, check: ModuleType) -> None:
    aarch64 = ELF.ljust(18, b"\0") + b"\xb7\0"
    name = "steelyard-0.1.0-py3-none-manylinux_2_34_x86_64.whl"
    bad = wheel(tmp_path, name, check, **dict.fromkeys(check.NATIVE, aarch64))
    assert faults(bad, check) == [f"holds {each} for aarch64" for each in check.NATIVE]


@pytest.mark.parametrize("tag", ["linux_x86_64", "manylinux_2_40_x86_64", "musllinux_1_2_x86_64"])
def test_another_tag_is_refused(tmp_path: Path, check: ModuleType, tag: str) -> None:
    (fault,) = faults(wheel(tmp_path, f"steelyard-0.1.0-py3-none-{tag}.whl", check), check)
    assert fault.startswith(f"has the tag py3-none-{tag}; expected ")


def test_a_file_that_is_missing_is_named(tmp_path: Path, check: ModuleType) -> None:
    with zipfile.ZipFile(tmp_path / PURE, "w"):
        pass
    assert "lacks steelyard/py.typed" in faults(tmp_path / PURE, check)


def test_no_wheel_at_all_is_a_fault(tmp_path: Path, check: ModuleType) -> None:
    assert check.main(tmp_path) == 1
