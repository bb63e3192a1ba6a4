"""A release is one version in all places: its tag, its notes, its packages and its pins."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

import steelyard
from tests.scripts import script

ROOT = Path(__file__).parents[2]
SCRIPT = ".ci/release_notes.py"
UV = shutil.which("uv", path=str(Path(sys.executable).parent)) or shutil.which("uv")
PROJECT = '[project]\nname = "steelyard"\nversion = "1.2.0"\n'
CHANGELOG = """# Changelog

## [Unreleased]

## [1.2.0] - 2026-11-23

- Judge: a thing.

## [1.1.0] - 2026-10-01

- Judge: an older one.
"""


@pytest.fixture(scope="module")
def notes() -> ModuleType:
    return script(SCRIPT)


def test_the_version_is_written_once() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert steelyard.__version__ == version
    written = re.compile(
        rf"(?i)version\W{{1,5}}v?{re.escape(version)}\b|steelyard\W+v?{re.escape(version)}\b"
    )
    places = [*ROOT.glob("src/**/*.py"), *ROOT.glob("deploy/**/*"), ROOT / "CMakeLists.txt"]
    again = [str(p) for p in places if p.is_file() and written.search(p.read_text(errors="ignore"))]
    assert again == []


def test_notes_are_the_section_of_the_version(notes: ModuleType) -> None:
    assert notes.checked_notes("v1.2.0", PROJECT, CHANGELOG) == "- Judge: a thing.\n"
    last = CHANGELOG.replace("## [1.1.0] - 2026-10-01\n\n- Judge: an older one.\n", "")
    assert notes.checked_notes("v1.2.0", PROJECT, last) == "- Judge: a thing.\n"


@pytest.mark.parametrize(
    ("tag", "old", "new", "error"),
    [
        ("v1.2.1", "", "", "the tag is v1.2.1, and pyproject.toml has the version 1.2.0"),
        ("1.2.0", "", "", "the tag is 1.2.0, and"),
        ("v1.2.0", "## [1.2.0]", "## [1.3.0]", "CHANGELOG.md has 1.3.0 as its newest version"),
        ("v1.2.0", "## [", "## (", "CHANGELOG.md has no version as its newest"),
        ("v1.2.0", " - 2026-11-23", "", "the heading of 1.2.0 in CHANGELOG.md ends in ''"),
        ("v1.2.0", "- Judge: a thing.\n", "", "CHANGELOG.md has no text for 1.2.0"),
        ("v1.2.0", "[Unreleased]\n", "[Unreleased]\n\n- New.\n", "CHANGELOG.md has entries under"),
    ],
)
def test_a_contradiction_is_one_line(
    notes: ModuleType, tag: str, old: str, new: str, error: str
) -> None:
    with pytest.raises(notes.ReleaseError) as caught:
        notes.checked_notes(tag, PROJECT, CHANGELOG.replace(old, new))
    assert str(caught.value).startswith(error)
    assert "\n" not in str(caught.value)


def test_each_change_names_its_area() -> None:
    lines = [line for line in (ROOT / "CHANGELOG.md").read_text().splitlines() if line[:1] == "-"]
    assert lines
    assert [line for line in lines if not re.match(r"- [A-Z][\w ]+: \S", line)] == []


def test_the_script_reports_a_wrong_tag(notes: ModuleType) -> None:
    done = subprocess.run(
        (sys.executable, ROOT / SCRIPT, "v0.0.0-none"), capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert done.stderr.startswith("release_notes.py: the tag is v0.0.0-none")


def test_the_requirements_are_those_of_the_lock() -> None:
    """Each file begins with the command that writes it."""
    if UV is None:
        pytest.skip("uv is not installed")
    for name in ("requirements.txt", "requirements-dev.txt"):
        kept = (ROOT / name).read_text()
        command = re.search(r"#    uv (export [^\n]+)", kept)
        assert command
        argv = (
            UV,
            *command[1].replace(f"--output-file {name}", "").split(),
            "--offline",
            "--quiet",
        )
        done = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        pins, expected = ([x for x in t.splitlines() if x[:1] != "#"] for t in (kept, done.stdout))
        assert pins == expected, f"{name} differs from uv.lock; run `make lock`"
        assert all(re.match(r"[\w.-]+(\[[\w,-]+\])?==|    --hash=sha256:", line) for line in pins)
