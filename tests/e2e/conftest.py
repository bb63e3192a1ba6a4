"""The command line as a stranger uses it: a process, its two outputs and its exit status."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from steelyard.toolchains import CompileCache
from tests.warm_command import WarmCommand

Run = Callable[..., subprocess.CompletedProcess[str]]

SQUARE_CPP = """\
#include <iostream>
int main() { long long n; std::cin >> n; std::cout << n * n << std::endl; }
"""
SQUARE_PY = "n = int(input())\nprint(n * n)\n"


@pytest.fixture
def environment(compile_cache: CompileCache) -> dict[str, str]:
    return {"STEELYARD_CACHE__DIR": str(compile_cache.folder), "COLUMNS": "120"}


@pytest.fixture
def steelyard(warm: WarmCommand, environment: dict[str, str], tmp_path: Path) -> Run:
    """Runs `steelyard` with arguments, in an empty folder."""

    def run(*args: str | Path, **env: str) -> subprocess.CompletedProcess[str]:
        done = warm.run(*args, cwd=tmp_path, **environment | env)
        return subprocess.CompletedProcess(args, done.status, done.stdout, done.stderr)

    return run


@pytest.fixture
def cold_steelyard(environment: dict[str, str], tmp_path: Path) -> Run:
    """As `steelyard`, in an interpreter of its own, whose own variables may be set."""

    def run(*args: str | Path, **env: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "steelyard", *map(str, args)],
            cwd=tmp_path,
            env={**os.environ, **environment, **env},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    return run


@pytest.fixture
def square(tmp_path: Path) -> Path:
    """A right program beside its tests."""
    source = tmp_path / "square.cpp"
    source.write_text(SQUARE_CPP)
    (tmp_path / "square.py").write_text(SQUARE_PY)
    tests = tmp_path / "tests"
    tests.mkdir()
    for number in (3, 12, 1_000_000):
        (tests / f"{number}.in").write_text(f"{number}\n")
        (tests / f"{number}.ans").write_text(f"{number * number}\n")
    return source
