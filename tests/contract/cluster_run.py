"""Run jobs on a Ray cluster of two nodes of this machine, and print the facts as JSON.

A process of its own: Ray starts threads, changes the environment, and warns.
"""

import json
import os
import re
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

TOKEN = secrets.token_hex(32)
os.environ.update(
    RAY_AUTH_MODE="token",
    RAY_AUTH_TOKEN=TOKEN,
    RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER="0",
    RAY_USAGE_STATS_ENABLED="0",
)
os.environ.pop("RAY_ADDRESS", None)

from ray.cluster_utils import Cluster  # noqa: E402

from steelyard import evaluate  # noqa: E402
from steelyard.errors import SteelyardError  # noqa: E402
from steelyard.evaluation import read_record  # noqa: E402
from steelyard.evaluation.engines import Engine, open_engine  # noqa: E402
from steelyard.schemas import EngineJob, EngineResult, Event  # noqa: E402
from tests.engine_jobs import BLOBS, PROGRAMS, by_key, job, jobs  # noqa: E402
from tests.evaluation_tasks import TASKS, task, write_lines  # noqa: E402

STORE_BYTES = 100 << 20
CLIENT = """
import sys
from steelyard.errors import SteelyardError
from steelyard.evaluation.engines import open_engine
try:
    with open_engine("ray", address=sys.argv[1]) as engine:
        print("connected", engine.nodes)
except SteelyardError as error:
    print(error.exit_status, error)
"""


def add_node(cluster: Any, **more: Any) -> Any:
    return cluster.add_node(
        num_cpus=1, include_dashboard=False, object_store_memory=STORE_BYTES, **more
    )


def facts_of(engine: Engine, results: list[EngineResult]) -> dict[str, Any]:
    return {
        "values": by_key(results),
        "by_node": dict(Counter(each.node for each in results)),
        "tries": dict(Counter(each.tries for each in results)),
        "nodes": [each.model_dump(mode="json") for each in engine.nodes],
    }


def endless(address: str) -> dict[str, int]:
    """Leave an endless run after 10 results; return the jobs that were taken, and a later run."""
    taken = 0

    def made() -> Iterator[EngineJob]:
        nonlocal taken
        while True:
            taken += 1
            yield job(f"endless {taken}", PROGRAMS["right"])

    with open_engine("ray", address=address) as engine:
        results = engine.run(made(), BLOBS)
        for _ in range(10):
            next(results)
        at_rest = taken
        time.sleep(1)
        results.close()
        after = by_key(list(engine.run(jobs(10), BLOBS)))
    return {"taken": at_rest, "taken_later": taken, "after": len(after)}


def with_losses(cluster: Any, second: Any, count: int) -> dict[str, Any]:
    """Kill a worker after 50 results, and a node after 150."""
    results = []
    with open_engine("ray", address=cluster.address) as engine:
        for result in engine.run(jobs(count), BLOBS):
            results.append(result)
            if len(results) == 50:
                kill_a_worker()
            if len(results) == 150:
                cluster.remove_node(second, allow_graceful=False)
        return facts_of(engine, results)


def kill_a_worker() -> None:
    """Kill one actor of this process's cluster, as the machine's memory limit would."""
    listed = subprocess.run(
        ["ps", "-eo", "pid,args"], capture_output=True, text=True, check=True
    ).stdout
    for line in listed.splitlines():
        pid, _, args = line.strip().partition(" ")
        if args.startswith("ray::RayNode") and TOKEN in environment(pid):
            os.kill(int(pid), signal.SIGKILL)
            return
    raise AssertionError("no actor was found")


def environment(pid: str) -> str:
    try:
        with open(f"/proc/{pid}/environ") as file:
            return file.read()
    except OSError:
        return ""


def hanging(address: str) -> dict[str, Any]:
    """Run one job that takes longer than jobs may, among others."""
    slow = job("slow", "import time\ndef double(n):\n    time.sleep(2)\n    return 2 * n\n")
    with open_engine("ray", address=address, job_timeout_s=1) as engine:
        results = {each.key: each for each in engine.run([slow, *jobs(10)], BLOBS)}
    lost = results.pop("slow")
    assert lost.error is not None
    return {
        "error": [lost.error.exit_status, lost.error.message],
        "tries": lost.tries,
        "others": len(by_key(list(results.values()))),
    }


def evaluation(folder: Path, after: Callable[[int], None] = lambda _: None, **more: Any) -> Any:
    """Evaluate samples with the strength of the tests; `after` receives the number recorded."""
    benchmark = write_lines(folder / "tasks.jsonl", [task(name) for name in TASKS])
    rows = [
        {"task_id": name, "program": f"{PROGRAMS[kind].replace('double', name)}# {number}\n"}
        for number in range(20)
        for name in TASKS
        for kind in ("right", "wrong", "broken")
    ]

    def on_event(event: Event) -> None:
        done = re.match(r"([\d,]+) of [\d,]+ samples", event.stage)
        after(int(done[1].replace(",", "")) if done else 0)

    report = evaluate(
        benchmark,
        samples=write_lines(folder / "samples.jsonl", rows),
        mutants=4,
        jobs=1,
        out=folder / "out",
        plots=False,
        k=(1, 10),
        on_event=on_event,
        **more,
    )
    scores = report.scores
    lines = list(read_record(folder / "out"))
    places = [(each.task, each.sample) for each in lines if each.kind == "sample"]
    assert len(places) == len(set(places)) == len(rows)
    judged = [each for each in lines if each.kind == "sample"]
    return {
        "verdicts": sorted([each.task, each.sample, each.verdict, each.reward] for each in judged),
        "strength": sorted([each.task, each.mutants, each.mutants_killed] for each in scores),
        "metrics": {each.label: each.value for each in report.metrics},
        "nodes": sorted({each.node for each in judged}),
        "notes": report.notes,
    }


def with_a_node_killed(cluster: Any, node: Any, folder: Path) -> Any:
    """Evaluate, and kill a node once 40 samples are recorded."""
    killed = threading.Event()

    def kill(recorded: int) -> None:
        if recorded >= 40 and not killed.is_set():
            killed.set()
            cluster.remove_node(node, allow_graceful=False)

    done = evaluation(folder, kill, engine="ray", cluster=cluster.address)
    assert killed.is_set()
    return done


def terminated(folder: Path) -> list[Any]:
    """End the command on a cluster of its own with SIGTERM; return its status and its errors."""
    record = folder / "out" / "record.jsonl"
    command = [
        sys.executable,
        "-m",
        "steelyard",
        "evaluate",
        folder / "tasks.jsonl",
        "--samples",
        folder / "samples.jsonl",
        "--engine",
        "ray",
        "--out",
        record.parent,
    ]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        end = time.monotonic() + 100
        while time.monotonic() < end and process.poll() is None:
            if record.exists() and record.read_bytes().count(b"\n") > 5:
                break
            time.sleep(0.02)
        process.terminate()
        _, errors = process.communicate(timeout=60)
    return [process.returncode, errors]


def required(address: str, level: str) -> dict[str, Any]:
    with open_engine("ray", address=address, require=level) as engine:
        return facts_of(engine, list(engine.run(jobs(40), BLOBS)))


def client(address: str, **environment: str) -> str:
    kept = {name: each for name, each in os.environ.items() if not name.startswith("RAY_")}
    done = subprocess.run(
        [sys.executable, "-c", CLIENT, address],
        env={**kept, "HOME": "/nonexistent", **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return f"{done.returncode}: {done.stdout}{done.stderr if done.returncode else ''}"


def listening() -> list[str]:
    """Return the addresses at which the one-machine engine listens."""
    with open_engine("ray", jobs=1) as engine:
        list(engine.run(jobs(5), BLOBS))
        ports = subprocess.run(["ss", "-Hltnp"], capture_output=True, text=True, check=True).stdout
    names = ("ray", "gcs_server", f"pid={os.getpid()},")
    return sorted(
        {
            line.split()[3].rpartition(":")[0]
            for line in ports.splitlines()
            if any(name in line for name in names)
        }
    )


def main(folder: Path) -> dict[str, Any]:
    count = int(sys.argv[1])
    facts: dict[str, Any] = {"listening": listening()}
    with open_engine("local", jobs=2) as engine:
        facts["local"] = facts_of(engine, list(engine.run(jobs(count), BLOBS)))
    cluster = Cluster(
        initialize_head=True,
        head_node_args={
            "num_cpus": 0,
            "include_dashboard": False,
            "object_store_memory": STORE_BYTES,
        },
    )
    try:
        add_node(cluster)
        second = add_node(cluster)
        cluster.wait_for_nodes()
        with open_engine("ray", address=cluster.address) as engine:
            facts["ray"] = facts_of(engine, list(engine.run(jobs(count), BLOBS)))
        facts["endless"] = endless(cluster.address)
        facts["no token"] = client(cluster.address)
        facts["wrong token"] = client(cluster.address, RAY_AUTH_TOKEN="cd" * 32)
        facts["hanging"] = hanging(cluster.address)
        facts["losses"] = with_losses(cluster, second, count)
        third = add_node(cluster)
        cluster.wait_for_nodes()
        for name in ("alone", "killed"):
            (folder / name).mkdir()
        write_lines(folder / "tasks.jsonl", [task("double")])
        rows = (
            {"task_id": "double", "program": f"{PROGRAMS['right']}# {n}\n"} for n in range(3_000)
        )
        write_lines(folder / "samples.jsonl", rows)
        facts["terminated"] = terminated(folder)
        facts["evaluated alone"] = evaluation(folder / "alone")
        facts["evaluated"] = with_a_node_killed(cluster, third, folder / "killed")
        add_node(cluster, env_vars={"STEELYARD_SANDBOX__ACCOUNTING": "none"})
        cluster.wait_for_nodes()
        facts["full"] = required(cluster.address, "full")
    finally:
        cluster.shutdown()
    return facts


if __name__ == "__main__":
    try:
        with tempfile.TemporaryDirectory() as scratch:
            sys.stdout.write(f"{json.dumps(main(Path(scratch)))}\n")
    except SteelyardError as error:
        sys.exit(f"{type(error).__name__}: {error}")
