"""Anything but Linux is one line that says what to do, on use and not at import."""

import subprocess
import sys

import pytest

FAKE = """
import asyncio, os, sys
import jinja2, numpy, pydantic, rich.console, typer  # these work on every system
pydantic.create_model("Loaded", field=(int, 0))
sys.platform = {platform!r}
for name in {missing!r}:
    sys.modules[name] = None
del os.sched_getaffinity
"""
WINDOWS = ("win32", ("fcntl", "resource", "pwd", "grp"), "WSL 2")
MACOS = ("darwin", (), "container")
SYSTEMS = pytest.mark.parametrize(("platform", "missing", "advice"), [WINDOWS, MACOS])


def run_on(platform: str, missing: tuple[str, ...], code: str) -> subprocess.CompletedProcess[str]:
    whole = FAKE.format(platform=platform, missing=missing) + code
    return subprocess.run(
        [sys.executable, "-c", whole], capture_output=True, text=True, check=False
    )


@SYSTEMS
def test_the_library_can_be_imported(platform: str, missing: tuple[str, ...], advice: str) -> None:
    code = (
        "import steelyard; print(steelyard.__version__, len(dir(steelyard)) > 9, steelyard.Limits)"
    )
    done = run_on(platform, missing, code)
    assert (done.returncode, done.stderr) == (0, "")


@SYSTEMS
@pytest.mark.parametrize("use", ["steelyard.judge('print(1)', [])", "steelyard.CellPool(1)"])
def test_its_use_is_a_typed_error(
    platform: str, missing: tuple[str, ...], advice: str, use: str
) -> None:
    code = (
        "import steelyard\nfrom steelyard.errors import PlatformError\n"
        f"try: {use}\nexcept PlatformError as error: print(error)\n"
    )
    done = run_on(platform, missing, code)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"steelyard runs on Linux, got {platform}; ")
    assert advice in done.stdout
    assert done.stdout.count("\n") == 1


@SYSTEMS
@pytest.mark.parametrize("command", ["judge", "doctor", "--version"])
def test_the_command_says_so_in_one_line(
    platform: str, missing: tuple[str, ...], advice: str, command: str
) -> None:
    code = (
        f"from steelyard.cli import main\nsys.argv = ['steelyard', {command!r}]\nsys.exit(main())"
    )
    done = run_on(platform, missing, code)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith(f"steelyard: steelyard runs on Linux, got {platform}; ")
    assert advice in done.stderr
    assert done.stderr.count("\n") == 1
