"""Run adapters inside the real packages, with the completions that all adapters are compared on."""

import json
from typing import Any

from steelyard import ExecutionVerifier, Limits
from steelyard.sandbox import CellPool
from tests.exported_rows import Exported, exported_rows
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


def rows_for_trainers() -> list[Exported]:
    """Return exported rows that name their entry: the reward's own is that of `ROWS`."""
    return [each for each in exported_rows() if "schema_version" not in each.row]


def known_rewards(pool: CellPool) -> list[float]:
    """Return the verifier's own rewards of the completions, and those of exported rows."""
    verifier = ExecutionVerifier(
        language="python", entry="function:f", limits=LIMITS, run_timeout=0.3, pool=pool
    )
    results = verifier.verify_batch(
        [row.completion for row in ROWS], suites=[row.tests for row in ROWS]
    )
    return [result.reward for result in results] + [each.reward for each in rows_for_trainers()]


def run_framework(name: str, script: str, installer: str = "clients") -> Any:
    """Run a script with the rows and a reward; return its last line's JSON.

    Each row has `prompt`, `reply`, `tests` as JSON text, and the same as a `row` of a data set.
    """
    given = [
        {
            "prompt": row.prompt,
            "reply": row.completion,
            "tests": row.json,
            "row": {"prompt": row.prompt, "tests": row.json},
        }
        for row in ROWS
    ] + [
        {
            "prompt": each.row["prompt"],
            "reply": each.completion,
            "tests": json.dumps(each.row),
            "row": each.row,
        }
        for each in rows_for_trainers()
    ]
    return run_client(
        name,
        PRELUDE + script,
        json.dumps(given),
        library=True,
        installer=installer,
        most_s=280,
    )
