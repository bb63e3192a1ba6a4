"""Clients of other judges and trainers, from PyPI, each run by an interpreter of its own.

.ci/clients and .ci/trainers install them.
"""

import json
import os
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

import pytest

_FOLDER = Path(__file__).parents[1] / "build" / "clients"


def run_client(
    name: str,
    script: str,
    *arguments: str,
    library: bool = False,
    installer: str = "clients",
    most_s: float = 120,
) -> Any:
    """Run a script with a client, and return the JSON that its last line holds.

    Args:
        name: As in .ci/clients; the test is skipped if the client is not installed.
        script: The text of a Python program.
        arguments: Its arguments.
        library: Let it import Steelyard, with what the client itself lacks.
        installer: The command in .ci that installs the client.
        most_s: Wall time that it may take.
    """
    folder = _FOLDER / name
    if not (folder / "installed").is_file():
        pytest.skip(f"{name} is not installed; run .ci/{installer}")
    if library:
        own = sysconfig.get_path("purelib")
        script = f"import site; site.addsitedir({own!r})\n{script}"
    done = subprocess.run(
        [str(folder / "bin" / "python"), "-c", script, *arguments],
        capture_output=True,
        text=True,
        timeout=most_s,
        check=False,
        env={**os.environ, "HF_HUB_OFFLINE": "1", "NO_COLOR": "1"},
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return json.loads(done.stdout.splitlines()[-1])
