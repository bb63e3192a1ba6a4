"""A run of 12,000 solve cycles, measured on a share of them, and what more machines would bring.

    python benchmarks/scale.py [--cycles N] [--verdicts N] [--engines local,ray] > scale.json

Models are scripted and the problem is light, so that what is left is Steelyard's own: judging,
profiling, artefacts and the engine. Each cycle has a program of its own, which is compiled anew.

- `cycles`: cycles a second at 1 and 2 workers, the efficiency of the second worker, and the price
  of the CPU time of 1,000 cycles at `--core-hour-usd`. The efficiency by CPU time is what two idle
  cores would give; other work on the machine hardly changes it.
- `verdicts`: the same light programs judged by the local engine and through Ray, by turns; the
  difference is the engine's overhead for each, as wall time and as CPU time. The target is 3 ms at
  most.
- `model`: on paper, for 100 and 1,000 workers. Each resource has a measured or a stated cost for
  one job, and so a number of workers that it can serve; the smallest number saturates first.
"""

import argparse
import hashlib
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from judge import machine
from pydantic import JsonValue

from steelyard.evaluation import EvaluationFolder
from steelyard.evaluation.engines import Engine, EngineName, open_engine
from steelyard.schemas import (
    Bounds,
    Constraints,
    EngineJob,
    EvaluatedSample,
    EvaluationHead,
    ProblemInput,
    Task,
    UnitTest,
    Verdict,
)

ALL_CYCLES = 12_000
WORKERS = (1, 2)
TARGET_MS = 3.0
ASSUMED = {
    "network_mib_per_s": 100.0,
    "model_calls_per_min": 4_000.0,
    "model_s_per_call": 5.0,
}
"""Of the paper model: 1 Gbit/s, a usual limit of a provider's account, a usual reply."""

PROGRAM = """#include <iostream>
int main() {
    long long n, value, sum = 0;
    std::cin >> n;
    while (n-- > 0 && std::cin >> value) sum += value;
    std::cout << sum << '\\n';
}
"""
BRUTE = "n = int(input())\nprint(sum(map(int, input().split())))\n"
GENERATOR = """import random


def generate(n, seed):
    draw = random.Random(seed * 1000003 + n)
    return f"{n}\\n" + " ".join(str(draw.randrange(1000)) for _ in range(n)) + "\\n"
"""
SAMPLES = (("3\n1 2 3\n", "6\n"), ("1\n5\n", "5\n"), ("2\n-1 1\n", "0\n"))
BOUNDS: Bounds = {"n": 20_000}
TASK = Task(
    id="sum",
    prompt="Print the sum of n numbers.",
    tests=tuple({"input": given, "expected": answer} for given, answer in SAMPLES),
)
BLOB = TASK.model_dump_json().encode()
DIGEST = hashlib.sha256(BLOB).hexdigest()
CALLS = Task(
    id="double",
    prompt="Double a number.",
    entry="function:double",
    tests=tuple({"args": [n], "expected": 2 * n} for n in range(10)),
)
CALLS_BLOB = CALLS.model_dump_json().encode()
CALLS_DIGEST = hashlib.sha256(CALLS_BLOB).hexdigest()
BLOBS = {DIGEST: BLOB, CALLS_DIGEST: CALLS_BLOB}


def cycle_jobs(count: int, folder: Path) -> Iterator[EngineJob]:
    """Yield solve cycles, each with a script and a program of its own below the folder."""
    for number in range(count):
        own = folder / str(number)
        own.mkdir(parents=True)
        replies = {
            "planner": [
                {
                    "problem_statement": TASK.prompt,
                    "algorithm": "Add them up as they are read.",
                    "input_bounds": BOUNDS,
                    "expected_complexity": "O(n)",
                }
            ],
            "coder": [{"code_cpp": f"// {own}\n{PROGRAM}", "compiler_flags": []}],
            "analyst": [],
            "reference": [{"code_python": BRUTE}],
            "attacker": [{"input_generator": None, "why": "All inputs cost the same."}],
        }
        (own / "replies.json").write_text(json.dumps(replies))
        script = f"scripted:{own / 'replies.json'}"
        problem = ProblemInput(
            task_id="sum",
            prompt=TASK.prompt,
            constraints=Constraints(runtime_limit=1_000, memory_limit=256),
            unit_tests=tuple(UnitTest(input=given, output=answer) for given, answer in SAMPLES),
            input_bounds=BOUNDS,
            input_generator=GENERATOR,
        )
        data: dict[str, JsonValue] = {
            "task": DIGEST,
            "problem": problem.model_dump(mode="json"),
            "options": {"planner": script, "coder": script, "analyst": script, "budget_s": 2.0},
            "logs": str(own / "logs"),
        }
        yield EngineJob(key=str(own), kind="solve", data=data, blobs=(DIGEST,))


def verdict_jobs(count: int, turn: str) -> Iterator[EngineJob]:
    """Yield light programs, each another one, so that no compiled one is found again."""
    for number in range(count):
        program = f"def double(n):\n    return n + n  # {turn} {number}\n"
        data: dict[str, JsonValue] = {"task": CALLS_DIGEST, "program": program}
        yield EngineJob(key=f"{turn} {number}", kind="judge", data=data, blobs=(CALLS_DIGEST,))


def measured(engine: Engine, jobs: Iterator[EngineJob]) -> dict[str, float]:
    """Run jobs; return what they took, and what the driver spent on each."""
    sent = received = count = 0
    job_s: list[float] = []

    def counted() -> Iterator[EngineJob]:
        nonlocal sent
        for job in jobs:
            sent += len(job.model_dump_json())
            yield job

    began, began_cpu, began_all = time.monotonic(), time.process_time(), cpu_s()
    for result in engine.run(counted(), BLOBS):
        if result.error is not None:
            sys.exit(f"{result.key}: {result.error.message}")
        count += 1
        received += len(result.model_dump_json())
        job_s.append(result.seconds)
    wall_s, driver_s = time.monotonic() - began, time.process_time() - began_cpu
    return {
        "jobs": count,
        "wall_s": wall_s,
        "jobs_per_s": count / wall_s,
        "job_s_median": statistics.median(job_s),
        "driver_cpu_ms": 1_000 * driver_s / count,
        "cpu_ms": 1_000 * (cpu_s() - began_all) / count,
        "kib_per_job": (sent + received) / count / 1_024,
    }


def cycles_of(name: EngineName, count: int, core_hour_usd: float) -> dict[str, Any]:
    rows: dict[str, Any] = {}
    for workers in WORKERS:
        with (
            tempfile.TemporaryDirectory(prefix="steelyard-scale-") as folder,
            open_engine(name, jobs=workers) as engine,
        ):
            list(engine.run(cycle_jobs(1, Path(folder, "warm")), BLOBS))
            rows[str(workers)] = measured(engine, cycle_jobs(count, Path(folder, "cycles")))
        print(name, workers, rows[str(workers)], file=sys.stderr)
    one, most = rows["1"]["jobs_per_s"], rows["2"]["jobs_per_s"]
    core_s = rows["1"]["cpu_ms"] / 1_000
    return {
        "workers": rows,
        "efficiency_at_2": most / (2 * one),
        "efficiency_at_2_by_cpu": rows["1"]["cpu_ms"] / rows["2"]["cpu_ms"],
        "usd_per_1000_cycles": 1_000 * core_s / 3_600 * core_hour_usd,
        "hours_for_all_at_2": ALL_CYCLES / most / 3_600,
    }


def cpu_s() -> float:
    """Return the CPU time of this process and of all below it: cells, programs, Ray.

    Other work on the machine changes wall times several times over, and this by a few per cent.
    """
    parents, used = {}, {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = file.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        pid = int(file.parent.name)
        parents[pid] = int(fields[1])
        used[pid] = sum(map(int, fields[11:15]))  # its own, and of the children that ended
    total, below = 0, {os.getpid()}
    while below:
        total += sum(used[pid] for pid in below)
        below = {pid for pid, parent in parents.items() if parent in below}
    return total / os.sysconf("SC_CLK_TCK")


def verdicts_of(names: list[EngineName], count: int, rounds: int) -> dict[str, Any]:
    """Judge by turns, each engine with its own cells, so that load disturbs both alike."""
    runs: dict[str, list[dict[str, float]]] = {name: [] for name in names}
    for turn in range(-1, rounds):
        for name in names:
            with open_engine(name, jobs=2) as engine:
                list(engine.run(verdict_jobs(50, f"{name} {turn} warm"), BLOBS))
                row = measured(engine, verdict_jobs(count, f"{name} {turn}"))
            if turn >= 0:
                runs[name].append(row)
    found: dict[str, Any] = {
        name: {figure: statistics.median(each[figure] for each in rows) for figure in rows[0]}
        for name, rows in runs.items()
    }
    if len(names) > 1:
        pairs = list(zip(runs["local"], runs["ray"], strict=True))
        more = [1_000 * (ray["wall_s"] - local["wall_s"]) / count for local, ray in pairs]
        found["ray_more_ms_per_task"] = statistics.median(more)
        found["ray_more_ms_per_task_by_round"] = more
        found["ray_more_cpu_ms_per_task"] = statistics.median(
            ray["cpu_ms"] - local["cpu_ms"] for local, ray in pairs
        )
        found["target_ms"] = TARGET_MS
    return found


def record_ms(count: int = 5_000) -> float:
    """Return what a sample's line in the record costs the driver, syncs of many lines included."""
    line = EvaluatedSample(key="0" * 64, task="sum", verdict=Verdict.AC, details="x" * 500)
    with tempfile.TemporaryDirectory(prefix="steelyard-scale-") as name:
        head = EvaluationHead(steelyard="0", benchmark="scale", origin="samples", source="")
        with EvaluationFolder(Path(name), head) as folder:
            began = time.monotonic()
            for number in range(count):
                folder.append(line, sync=number == count - 1)
            return 1_000 * (time.monotonic() - began) / count


def on_paper(row: dict[str, float], line_ms: float, *, model_calls: int) -> dict[str, Any]:
    """Return how many workers each resource can serve, and the rate of 100 and 1,000.

    Args:
        row: Figures of one job, at one worker.
        line_ms: Time of one line in the record.
        model_calls: Calls of models in one job, which take time and count against a limit.
    """
    job_s = row["wall_s"] / row["jobs"] + model_calls * ASSUMED["model_s_per_call"]
    per_job_s = {
        "driver": row["driver_cpu_ms"] / 1_000,
        "record": line_ms / 1_000,
        "network": row["kib_per_job"] / 1_024 / ASSUMED["network_mib_per_s"],
    }
    if model_calls:
        per_job_s["model limit"] = 60 * model_calls / ASSUMED["model_calls_per_min"]
    serves = {name: job_s / cost for name, cost in per_job_s.items()}
    first = min(serves, key=lambda name: serves[name])
    return {
        "job_s": job_s,
        "workers_that_it_serves": {name: round(each) for name, each in serves.items()},
        "saturates_first": first,
        "by_workers": {
            str(workers): {
                "jobs_per_s": min(workers, serves[first]) / job_s,
                "efficiency": min(1.0, serves[first] / workers),
                "hours_for_all": ALL_CYCLES * job_s / min(workers, serves[first]) / 3_600,
            }
            for workers in (100, 1_000)
        },
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--cycles", type=int, default=120)
    parser.add_argument("--verdicts", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--engines", default="local,ray")
    parser.add_argument("--core-hour-usd", type=float, default=0.04)
    given = parser.parse_args()
    names: list[EngineName] = given.engines.split(",")
    found: dict[str, Any] = {"machine": machine(), "assumed": ASSUMED}
    found["verdicts"] = verdicts_of(names, given.verdicts, given.rounds)
    print(json.dumps(found["verdicts"]), file=sys.stderr)
    found["cycles"] = {
        "all": ALL_CYCLES,
        "measured": given.cycles,
        "share": given.cycles / ALL_CYCLES,
        "core_hour_usd": given.core_hour_usd,
        **{name: cycles_of(name, given.cycles, given.core_hour_usd) for name in names},
    }
    line_ms = record_ms()
    one = found["cycles"][names[-1]]["workers"]["1"]
    light = found["verdicts"][names[-1]]
    found["model"] = {
        "engine": names[-1],
        "record_line_ms": line_ms,
        "cycles_with_scripted_models": on_paper(one, line_ms, model_calls=0),
        "cycles_with_real_models": on_paper(one, line_ms, model_calls=3),
        "verdicts": on_paper({**light, "wall_s": 2 * light["wall_s"]}, line_ms, model_calls=0),
    }
    json.dump(found, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
