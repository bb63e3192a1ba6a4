"""Runs a script in a process as it is, and in one with the deterministic patches."""

import subprocess
import sys


def shown_plain_and_patched(script: str) -> list[str]:
    """Return what a script prints if its first argument is `plain`, and if it is `patched`."""
    return [
        subprocess.run(
            [sys.executable, "-c", script, how], capture_output=True, text=True, check=True
        ).stdout
        for how in ("plain", "patched")
    ]
