"""Run adapters inside the real packages, with the completions that all adapters are compared on."""

import json
from typing import Any

from steelyard import ExecutionVerifier, Limits
from steelyard.sandbox import CellPool
from tests.peer_clients import run_client
from tests.training_completions import rows

ROWS = list(rows(200))
LIMITS = Limits(cpu_ms=300, wall_ms=3_000)
PRELUDE = """
import json, sys
from steelyard import Limits
from steelyard.training import reward
rows = json.loads(sys.argv[1])
judge = reward(entry="function:f", limits=Limits(cpu_ms=300, wall_ms=3_000))
"""


def known_rewards(pool: CellPool) -> list[float]:
    """Return the verifier's own rewards of the completions."""
    verifier = ExecutionVerifier(
        language="python", entry="function:f", limits=LIMITS, run_timeout=0.3, pool=pool
    )
    results = verifier.verify_batch(
        [row.completion for row in ROWS], suites=[row.tests for row in ROWS]
    )
    return [result.reward for result in results]


def run_framework(name: str, script: str, installer: str = "clients") -> Any:
    """Run a script with the rows and a reward; return its last line's JSON."""
    given = [
        {"prompt": row.prompt, "completion": row.completion, "tests": row.json} for row in ROWS
    ]
    return run_client(
        name, PRELUDE + script, json.dumps(given),
        library=True, installer=installer, most_s=280,
    )  # fmt: skip
