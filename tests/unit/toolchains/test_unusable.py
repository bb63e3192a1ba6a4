"""A tool that is there and cannot be used is not called missing: what failed is named."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from steelyard.errors import LanguageError, ToolchainError
from steelyard.sandbox import CellPool
from steelyard.schemas import Limits
from steelyard.toolchains import LanguageStatus, _detect, _languages, find_toolchain, languages

DASH = shutil.which("dash")
needs_dash = pytest.mark.skipif(DASH is None, reason="dash is not installed")
ROW = """
[[language]]
name = "tiny"
title = "Tiny"
extensions = [".tiny"]
source = "main.tiny"
probe = "echo 0"
run = ["{compiler}", "{source}"]
run_view = ["@libraries", "/bin", "/usr/bin", "/usr/share/tcltk"]

  [[language.compiler]]
  name = "tiny"
  executables = ["tiny"]
  package = "tiny-tools"
  diagnostics = "text"
  view = ["@libraries", "/bin", "/usr/bin", "/usr/share/tcltk"]
"""


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of folders for programs, and of the user's configuration."""
    monkeypatch.setenv("PATH", f"{tmp_path}/one/bin:{tmp_path}/two/bin")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    _detect.find_tool.cache_clear()
    _languages.language_table.cache_clear()
    yield tmp_path
    _detect.find_tool.cache_clear()
    _languages.language_table.cache_clear()


@pytest.fixture
def add_row(path: Path) -> Callable[[str], Path]:
    """Add the row of Tiny, with these further keys of its compiler."""

    def add(keys: str) -> Path:
        file = path / "config" / "steelyard" / "languages.toml"
        file.parent.mkdir(parents=True)
        file.write_text(ROW + keys)
        return file

    return add


def install_shell(path: Path) -> Path:
    """Install a shell, a tool whose answer the row's `version` decides."""
    tool = path / "one" / "bin" / "tiny"
    tool.parent.mkdir(parents=True)
    shutil.copy(str(DASH), tool)
    return tool


def install_go(folder: Path, version: str) -> None:
    go = folder / "bin" / "go"
    go.parent.mkdir(parents=True)
    go.write_text(
        f"#!/bin/sh\ncase $1 in env) echo {folder};; *) echo go version go{version} linux;; esac\n"
    )
    go.chmod(0o755)


def status_of(language: str) -> LanguageStatus:
    return next(each for each in languages() if each.language == language)


def test_what_is_absent_is_called_missing(add_row: Callable[[str], Path]) -> None:
    add_row("")
    status = status_of("tiny")
    assert (status.installed, status.problem) == (False, "")
    assert status.command == "apt-get install tiny-tools"
    with pytest.raises(LanguageError, match="tiny is not installed; run: apt-get install"):
        find_toolchain("tiny")


@needs_dash
@pytest.mark.parametrize(
    ("script", "fault"),
    [
        ("echo 'no such option' >&2; exit 2", "failed with status 2 (no such option)"),
        ("exit 3", "failed with status 3"),
        ("true", "printed nothing"),
        ("kill -9 $$", "failed with status -9"),
    ],
)
def test_refusal_and_silence_name_the_command_and_the_key_to_set(
    path: Path, add_row: Callable[[str], Path], script: str, fault: str
) -> None:
    tool = install_shell(path)
    file = add_row(f'version = ["-c", "{script}"]\n')
    status = status_of("tiny")
    assert not status.installed
    assert not status.command  # there is nothing to install
    assert status.problem.startswith(f"`{tool} -c ")
    assert status.problem.endswith(f"` {fault}; set `version` in {file}")
    with pytest.raises(LanguageError) as raised:
        find_toolchain("tiny")
    assert str(raised.value) == f"Tiny is not available: {status.problem}"


def test_a_program_that_the_system_cannot_start_is_a_refusal(
    path: Path, add_row: Callable[[str], Path]
) -> None:
    tool = path / "one" / "bin" / "tiny"
    tool.parent.mkdir(parents=True)
    tool.write_bytes(b"\x7fELF of another machine")
    tool.chmod(0o755)
    add_row("")
    assert "--version` cannot be started (Exec format error)" in status_of("tiny").problem


def test_a_script_is_there_though_a_cell_cannot_follow_it(
    path: Path, add_row: Callable[[str], Path]
) -> None:
    tool = path / "one" / "bin" / "tiny"
    tool.parent.mkdir(parents=True)
    tool.write_text("#!/bin/sh\nexec real-tiny\n")
    tool.chmod(0o755)
    add_row("")
    assert status_of("tiny").problem.startswith(f"{tool} only starts another program")


def test_a_proxy_that_names_no_folder_is_a_refusal(path: Path) -> None:
    rustc = path / "one" / "bin" / "rustc"
    rustc.parent.mkdir(parents=True)
    rustc.write_text("#!/bin/sh\necho 'no default toolchain' >&2; exit 1\n")
    rustc.chmod(0o755)
    problem = status_of("rust").problem
    assert problem.startswith(f"`{rustc} --print sysroot` failed with status 1")
    assert problem.endswith("(no default toolchain); repair rustc")
    rustc.write_text("#!/bin/sh\necho /nowhere\n")
    assert "names a folder without it (/nowhere)" in status_of("rust").problem


@pytest.mark.parametrize(
    ("name", "keys", "source"),
    [
        ("dash", "version = []", b"read n; echo $((n * n))"),
        ("tclsh", "version = []", b"puts [expr {[gets stdin] ** 2}]"),
        ("mawk", 'version = ["-W", "version"]', b"#!mawk\n{ print $1 * $1 }"),
    ],
)
def test_tools_without_the_usual_option_serve(
    path: Path,
    add_row: Callable[[str], Path],
    monkeypatch: pytest.MonkeyPatch,
    pool: CellPool,
    name: str,
    keys: str,
    source: bytes,
) -> None:
    """The rows have no `aliases` and no `compile`: both are optional."""
    monkeypatch.setenv("PATH", os.defpath)
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")
    file = add_row("")
    row = file.read_text().replace('["tiny"]', f'["{name}"]').replace("echo 0", "# nothing")
    if name == "mawk":
        row = row.replace('"{compiler}", "{source}"', '"{compiler}", "-f", "{source}"')
    file.write_text(row)
    assert f"{name} --version` " in status_of("tiny").problem
    file.write_text(row + keys)
    _languages.language_table.cache_clear()
    _detect.find_tool.cache_clear()
    toolchain = find_toolchain("tiny")
    assert name in toolchain.version
    artifact = toolchain.compile(source, pool).artifact
    assert artifact is not None
    done = pool.run(artifact.command(stdin=b"12\n", limits=Limits()))
    assert (done.stdout, done.stderr) == (b"144\n", b"")


@needs_dash
def test_a_row_that_cannot_run_its_probe_is_no_fault_of_a_program(
    monkeypatch: pytest.MonkeyPatch, add_row: Callable[[str], Path], pool: CellPool
) -> None:
    monkeypatch.setenv("PATH", os.defpath)
    file = add_row("version = []\n")
    row = file.read_text().replace('["tiny"]', '["dash"]')
    file.write_text(row.replace('"echo 0"', '"echo no >&2; exit 5"'))
    with pytest.raises(ToolchainError, match=r"cannot run the probe of Tiny \(no\); check"):
        find_toolchain("tiny").compile(b"echo 1", pool)


@pytest.mark.parametrize("version", ["1.19.8", "1.20", "1.9"])
def test_an_old_go_is_not_available_and_the_needed_version_is_named(
    path: Path, version: str
) -> None:
    install_go(path / "one", version)
    status = status_of("go")
    assert not status.installed
    assert "1.21 or later" in status.problem
    assert version in status.problem
    assert not status.command
    with pytest.raises(LanguageError, match=r"too old; install 1\.21 or later"):
        find_toolchain("go")


@pytest.mark.parametrize("version", ["1.21", "1.22.1", "2.0"])
def test_a_later_one_along_the_path_serves(path: Path, version: str) -> None:
    install_go(path / "one", "1.19")
    install_go(path / "two", version)
    assert status_of("go").installed
    assert f"go{version}" in find_toolchain("go").version


def test_no_go_at_all_is_not_called_old(path: Path) -> None:
    assert not status_of("go").problem
    with pytest.raises(LanguageError, match="go is not installed"):
        find_toolchain("go")
