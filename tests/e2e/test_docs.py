"""Every example in the documents runs as it stands."""

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from steelyard.toolchains import CompileCache
from tests.warm_command import WarmCommand

ROOT = Path(__file__).parents[2]
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), ROOT / "CONTRIBUTING.md")
BLOCK = re.compile(r"^```(python|console)\n(.*?)^```", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
"""A command, and what the page shows of its output."""
SETTING_UP = ("make ", "git ")
"""What this very test runs inside of."""


def blocks(kind: str) -> Iterator[tuple[str, str]]:
    """Where each is, and what it holds."""
    for page in PAGES:
        text = page.read_text()
        for match in BLOCK.finditer(text):
            if match[1] == kind:
                line = text[: match.start()].count("\n") + 1
                yield f"{page.relative_to(ROOT)}:{line}", match[2]


def sessions() -> Iterator[object]:
    """The commands of each block, with what the pages show of each command; once for all pages."""
    found: dict[tuple[str, ...], tuple[list[str], list[str]]] = {}
    for place, text in blocks("console"):
        commands = COMMAND.findall(text)
        assert commands, place
        key = tuple(command for command, _ in commands)
        places, shown = found.setdefault(key, ([], [""] * len(key)))
        places.append(place)
        shown[:] = [known + more for known, (_, more) in zip(shown, commands, strict=True)]
    for commands, (places, shown) in found.items():
        yield pytest.param(list(zip(commands, shown, strict=True)), id="=".join(places))


@pytest.fixture
def environment(compile_cache: CompileCache, tmp_path: Path) -> dict[str, str]:
    return {
        "STEELYARD_CACHE__DIR": str(compile_cache.folder), "COLUMNS": "100",
        "STEELYARD_LOGS": str(tmp_path / "logs"),
    }  # fmt: skip


@pytest.mark.parametrize("code", [pytest.param(code, id=at) for at, code in blocks("python")])
def test_python_examples_run(
    code: str, environment: dict[str, str], tmp_path: Path, warm: WarmCommand
) -> None:
    done = warm.run(cwd=tmp_path, code=code, **environment)
    assert done.status == 0, done.stderr


def test_the_package_is_imported_without_a_warning() -> None:
    names = "steelyard", "steelyard.equivalence", "steelyard.profiling", "steelyard.solving"
    code = "".join(f"import {name}\n" for name in names)
    subprocess.run([sys.executable, "-W", "error", "-c", code], timeout=120, check=True)


@pytest.mark.parametrize("session", list(sessions()))
def test_commands_run_and_show_what_the_page_shows(
    session: list[tuple[str, str]], environment: dict[str, str], warm: WarmCommand
) -> None:
    for command, shown in session:
        if command.startswith(SETTING_UP):
            continue
        name, *arguments = shlex.split(command.split("#")[0])
        assert name == "steelyard", f"do not know how to test {command!r}"
        done = warm.run(*arguments, cwd=ROOT, **environment)
        assert done.status in (0, 1), done.stderr
        for line in filter(None, map(str.strip, shown.splitlines())):
            assert loose(line) in loose(done.stdout), f"the page shows {line!r}"


def loose(text: str) -> str:
    """Without what differs from run to run: figures, and the spaces that align them."""
    return re.sub(r"[\s\d.,]+", " ", text)
