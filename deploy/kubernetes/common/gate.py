"""Fail a roll-out on a node whose isolation lacks what the profile promises.

`required.json` next to this file has the values that are accepted for each fact of `steelyard
doctor --json`; for a fact that is a list, such as `namespaces`, all values must be in it.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any


def lacking(isolation: dict[str, Any], required: dict[str, list[str]]) -> list[str]:
    """Return one line for each fact that is not as required."""
    found = []
    for name, values in required.items():
        got = isolation[name]
        if isinstance(got, list):
            missing = sorted(set(values) - set(got))
            if missing:
                found.append(f"{name} lacks {', '.join(missing)}")
        elif got not in values:
            found.append(f"{name} is {got!r}, required is {' or '.join(values)}")
    return found


def main() -> int:
    """Run `steelyard doctor --json`; return 3 if a fact is not as required."""
    required = json.loads(Path(__file__).with_name("required.json").read_text())
    done = subprocess.run(
        ["steelyard", "doctor", "--json"], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        print(f"gate: steelyard doctor failed: {done.stdout}{done.stderr}", file=sys.stderr)
        return 3
    isolation = json.loads(done.stdout)["sandbox"]["isolation"]
    print(json.dumps(isolation))
    faults = lacking(isolation, required)
    for fault in faults:
        print(f"gate: {fault}; change the profile or the node", file=sys.stderr)
    return 3 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
