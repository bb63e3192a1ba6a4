"""Tools are found as they really are: no shim, no wrapper, no virtual environment."""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from steelyard.errors import LanguageError
from steelyard.toolchains import find_toolchain, languages
from steelyard.toolchains._detect import find_tool, view_of

GCC = shutil.which("g++")
needs_gcc = pytest.mark.skipif(GCC is None, reason="g++ is not installed")


@pytest.fixture
def fresh() -> Iterator[None]:
    find_tool.cache_clear()
    yield
    find_tool.cache_clear()


@pytest.fixture
def shim_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh: None) -> Path:
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    return tmp_path


@needs_gcc
def test_a_script_in_front_of_the_compiler_is_passed_over(shim_folder: Path) -> None:
    shim = shim_folder / "g++"
    shim.write_text(f'#!/bin/sh\nexec {GCC} "$@"\n')
    shim.chmod(0o755)
    tool = find_tool("cpp", "gcc")
    assert tool is not None
    assert tool.executable != str(shim)
    assert "Free Software" not in tool.version
    assert tool.version.startswith("g++")


@needs_gcc
def test_a_caching_wrapper_is_passed_over(shim_folder: Path) -> None:
    wrapper = shim_folder / "ccache"
    shutil.copy(str(GCC), wrapper)
    (shim_folder / "g++").symlink_to(wrapper)
    tool = find_tool("cpp", "gcc")
    assert tool is not None
    assert not tool.executable.startswith(str(shim_folder))


def test_python_is_the_base_interpreter_and_not_an_environment() -> None:
    tool = find_tool("python", "cpython")
    assert tool is not None
    assert tool.executable == os.path.realpath(tool.executable)
    assert tool.executable.startswith(os.path.realpath(sys.base_prefix))
    assert tool.version == f"Python {sys.version.split()[0]}"


def test_a_proxy_that_knows_its_tools_folder_is_followed_to_the_compiler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh: None
) -> None:
    toolchain = tmp_path / "toolchains" / "stable"
    for path, text in (
        (tmp_path / "rustc", f"echo 'warning: a note' >&2; echo {toolchain}"),
        (toolchain / "bin" / "rustc", "echo rustc 1.95.0"),
    ):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    tool = find_tool("rust", "rustc")
    assert tool is not None
    assert tool.executable == str(toolchain / "bin" / "rustc")
    assert (tool.root, tool.version) == (str(toolchain), "rustc 1.95.0")


def test_a_proxy_without_a_toolchain_is_not_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh: None
) -> None:
    proxy = tmp_path / "rustc"
    proxy.write_text("#!/bin/sh\necho 'no default toolchain'; exit 1\n")
    proxy.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_tool("rust", "rustc") is None


def test_zig_is_found_in_its_python_package_without_importing_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh: None
) -> None:
    package = tmp_path / "ziglang"
    package.mkdir()
    (package / "__init__.py").write_text("raise AssertionError('imported')")
    shutil.copy("/bin/echo", package / "zig")
    monkeypatch.syspath_prepend(tmp_path)
    tool = find_tool("cpp", "zig")
    assert tool is not None
    assert tool.executable == str(package / "zig")
    assert tool.root == str(package)


def test_what_is_missing_is_told_with_the_package_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh: None
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    missing = "Java is not available: javac is not installed; run: apt-get install default-jdk"
    with pytest.raises(LanguageError, match=missing):
        find_toolchain("java")
    status = {(each.language, each.compiler): each for each in languages()}
    assert not status["java", "javac"].installed
    assert status["java", "javac"].package == "default-jdk-headless"
    assert status["python", "cpython"].installed


def test_an_unknown_compiler_is_told_with_the_known_ones() -> None:
    with pytest.raises(
        LanguageError, match=r"unknown compiler 'icc' for C\+\+.*gcc, clang, zig, mingw"
    ):
        find_toolchain("cpp", compiler="icc")


@needs_gcc
@pytest.mark.parametrize("name", ["gcc", "g++", str(GCC)])
def test_a_compiler_is_known_by_name_program_and_path(name: str) -> None:
    toolchain = find_toolchain("c++", compiler=name)
    assert (toolchain.language, toolchain.compiler) == ("cpp", "gcc")


def test_a_compiler_that_answers_with_failure_is_not_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh: None
) -> None:
    shutil.copy("/bin/false", tmp_path / "g++")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_tool("cpp", "gcc") is None


@needs_gcc
def test_flags_are_the_defaults_only_where_none_are_given() -> None:
    assert "-static" in find_toolchain("cpp", compiler="gcc").flags
    assert find_toolchain("cpp", compiler="gcc", flags=["-O1"]).flags == ("-O1",)
    assert find_toolchain("cpp", compiler="gcc", flags=[]).flags == ()


def test_without_a_choice_no_compiler_for_another_system_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh: None
) -> None:
    mingw = shutil.which("x86_64-w64-mingw32-g++")
    if mingw is None:
        pytest.skip("MinGW is not installed")
    (tmp_path / "x86_64-w64-mingw32-g++").symlink_to(mingw)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not find_toolchain("cpp", compiler="mingw").runnable
    with pytest.raises(LanguageError):
        find_toolchain("cpp", compiler="gcc")


def test_a_view_names_what_is_there_once(tmp_path: Path) -> None:
    (tmp_path / "tool" / "lib").mkdir(parents=True)
    inside = str(tmp_path / "tool" / "lib")
    view = view_of((inside, "{root}", "/no/such/path"), str(tmp_path / "tool"))
    assert [mount.source for mount in view.mounts] == [str(tmp_path / "tool")]


def test_a_tool_beside_other_software_shows_only_folders_of_programs_and_libraries() -> None:
    sources = {mount.source for mount in view_of(("{root}",), "/usr").mounts}
    assert "/usr" not in sources
    assert "/usr/lib" in sources
    assert "/usr/share" not in sources
