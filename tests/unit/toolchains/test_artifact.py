"""What is handed to a cell: the arguments filled in, the files sealed, static told from dynamic."""

import shutil
import subprocess
from pathlib import Path

import pytest

from steelyard.schemas import CompileResult, Diagnostic, Limits
from steelyard.toolchains import Artifact
from steelyard.toolchains._artifact import CompileOutcome, is_static, pack, unpack
from steelyard.toolchains._languages import filled, language_table, report_options


def test_a_run_s_limits_reach_the_runtime_s_own_options() -> None:
    artifact = Artifact(
        argv=("java", "-Xss{stack_mib}m", "-Xmx{heap_mib}m", "--stack-size={stack_kib}"),
        runtime_mib=100,
    )
    command = artifact.command(stdin=b"", limits=Limits(memory_mib=612, stack_mib=64))
    assert command.argv == ("java", "-Xss64m", "-Xmx512m", "--stack-size=63488")


def test_a_tiny_limit_still_gives_options_that_a_runtime_takes() -> None:
    artifact = Artifact(argv=("{heap_mib}", "{stack_kib}"), runtime_mib=100)
    command = artifact.command(stdin=b"", limits=Limits(memory_mib=1, stack_mib=1), args=("x",))
    assert command.argv == ("16", "984", "x")


def test_a_placeholder_becomes_all_of_its_values_and_text_is_not_split() -> None:
    values = {"{flags}": ("-a", "b c"), "{root}": ("/opt/x",), "{header}": ()}
    template = ("cc", "{flags}", "{header}", "{root}/bin/jar", "{unknown}")
    assert filled(template, values) == ("cc", "-a", "b c", "/opt/x/bin/jar", "{unknown}")


@pytest.mark.parametrize(
    ("version", "option"),
    [
        ("g++ (Debian 12.2.0-14+deb12u1) 12.2.0", "-fdiagnostics-format=json"),
        ("x86_64-w64-mingw32-g++ (GCC) 12-win32", "-fdiagnostics-format=json"),
        ("gcc (GCC) 14.2.1 20250207", "-fdiagnostics-format=json"),
        ("gcc (Debian 15.1.0-4) 15.1.0", "-fdiagnostics-format=sarif-stderr"),
        ("g++-16 (Ubuntu 16) 16", "-fdiagnostics-format=sarif-stderr"),
    ],
)
def test_gcc_is_asked_for_the_format_that_its_version_speaks(version: str, option: str) -> None:
    gcc = language_table().row("cpp").compilers[0]
    assert report_options(gcc, version) == (option,)


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
@pytest.mark.parametrize(
    ("flag", "static"), [("-static", True), ("-static-pie", True), ("", False)]
)
def test_static_programs_are_told_from_dynamic_ones(
    tmp_path: Path, flag: str, static: bool
) -> None:
    (tmp_path / "a.c").write_text("int main(void) { return 0; }")
    argv = ["gcc", *flag.split(), "a.c", "-o", "a"]
    subprocess.run(argv, cwd=tmp_path, check=True, capture_output=True)
    assert is_static((tmp_path / "a").read_bytes()) is static


@pytest.mark.parametrize("image", [b"", b"\x7fELF", b"#!/bin/sh", bytes(100)])
def test_what_is_no_program_is_not_called_static(image: bytes) -> None:
    assert not is_static(image)


def test_an_outcome_comes_back_from_its_packed_form() -> None:
    warning = Diagnostic(severity="warning", message="ünused", line=3, column=4)
    result = CompileResult(ok=True, warnings=(warning,), compiler="g++ 12")
    outcome = CompileOutcome(result, {"main": b"\x7fELF\x00", "empty": b""})
    again = unpack(memoryview(b"".join(pack(outcome))))
    assert again is not None
    assert again.result == result
    assert {name: bytes(data) for name, data in again.outputs.items()} == outcome.outputs


@pytest.mark.parametrize(
    "body", [b"", b"\x02\x00\x00\x00{}", b"\xff\xff\xff\xff", b"\x01\x00\x00\x001"]
)
def test_a_body_in_another_form_is_no_outcome(body: bytes) -> None:
    assert unpack(memoryview(body)) is None
