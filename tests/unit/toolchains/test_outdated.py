"""A tool that is too old is not available; whoever asks for it reads which version is needed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from steelyard.errors import LanguageError
from steelyard.toolchains import _detect, find_toolchain, languages


def install(folder: Path, version: str) -> None:
    go = folder / "bin" / "go"
    go.parent.mkdir(parents=True)
    go.write_text(
        f"#!/bin/sh\ncase $1 in env) echo {folder};; *) echo go version go{version} linux;; esac\n"
    )
    go.chmod(0o755)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    _detect.find_tool.cache_clear()
    monkeypatch.setenv("PATH", f"{tmp_path}/one/bin:{tmp_path}/two/bin")
    yield tmp_path
    _detect.find_tool.cache_clear()


def go_status():
    return next(each for each in languages() if each.language == "go")


@pytest.mark.parametrize("version", ["1.19.8", "1.20", "1.9"])
def test_an_old_go_is_not_available_and_the_needed_version_is_named(
    path: Path, version: str
) -> None:
    install(path / "one", version)

    status = go_status()
    assert not status.installed
    assert "1.21 or later" in status.problem
    assert version in status.problem
    assert not status.command
    with pytest.raises(LanguageError, match=r"too old; install 1\.21 or later"):
        find_toolchain("go")


@pytest.mark.parametrize("version", ["1.21", "1.22.1", "2.0"])
def test_a_later_one_along_the_path_serves(path: Path, version: str) -> None:
    install(path / "one", "1.19")
    install(path / "two", version)

    assert go_status().installed
    assert f"go{version}" in find_toolchain("go").version


def test_no_go_at_all_is_not_called_old(path: Path) -> None:
    assert not go_status().problem
    with pytest.raises(LanguageError, match="go is not installed"):
        find_toolchain("go")
