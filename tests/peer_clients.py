"""Clients of other judges, from PyPI, each run by an interpreter of its own (.ci/clients)."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

_FOLDER = Path(__file__).parents[1] / "build" / "clients"
_MOST_S = 120


def run_client(name: str, script: str, *arguments: str) -> Any:
    """Run a script with a client, and return the JSON that its last line holds.

    Args:
        name: As in .ci/clients; the test is skipped if the client is not installed.
        script: The text of a Python program.
        arguments: Its arguments.
    """
    folder = _FOLDER / name
    if not (folder / "installed").is_file():
        pytest.skip(f"the client {name} is not installed; run .ci/clients")
    done = subprocess.run(
        [str(folder / "bin" / "python"), "-c", script, *arguments],
        capture_output=True, text=True, timeout=_MOST_S, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return json.loads(done.stdout.splitlines()[-1])
