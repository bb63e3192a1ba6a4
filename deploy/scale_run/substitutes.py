"""The substitutes of `--dry-run`: a folder for the bucket, processes for pods."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import yaml
from sequence import Plan, RunError

__all__ = ["Substitutes", "write_sample_input"]

_KUBERNETES = Path(__file__).parents[1] / "kubernetes"
_WORKERS, _TRIES = 2, 3
_CPUS, _GIB = 2, 4
"""Requests of a pod, as in evaluation/job.yaml."""
_TASKS = {"double": "2 * n", "square": "n * n", "negate": "-n", "next": "n + 1"}


def write_sample_input(folder: Path, cycles: int) -> None:
    """Write four small tasks, and samples for them: two of three are right."""
    folder.mkdir(parents=True)
    with (folder / "tasks.jsonl").open("w") as file:
        for name, text in _TASKS.items():
            answers = {"double": 6, "square": 9, "negate": -3, "next": 4}
            task = {
                "schema_version": "1.0.0",
                "id": name,
                "prompt": f"Return {text}.",
                "entry": f"function:{name}",
                "tests": [{"args": [3], "expected": answers[name]}],
            }
            file.write(f"{json.dumps(task)}\n")
    with (folder / "samples.jsonl").open("w") as file:
        for number in range(cycles):
            name = list(_TASKS)[number % len(_TASKS)]
            text = "0" if number // len(_TASKS) % 3 == 0 else _TASKS[name]
            program = f"def {name}(n):\n    return {text}  # sample {number}\n"
            file.write(f"{json.dumps({'task_id': name, 'program': program})}\n")


class Substitutes:
    """Runs shards as the pods of evaluation/job.yaml do, in two processes of this machine."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._bucket = plan.out / "bucket" / plan.name
        self._pods = plan.out / "pods"
        self._pod_seconds: list[float] = []

    def check(self) -> None:
        """Find nothing wrong: this machine has all that is needed."""

    def apply(self) -> None:
        """Make the folders, and upload the inputs."""
        self._pods.mkdir(parents=True)
        shutil.copytree(self._plan.inputs, self._bucket / "input")

    def gate(self) -> None:
        """Run the Job `gate` of the profile `default`."""
        component = yaml.safe_load(
            (_KUBERNETES / "components/default/kustomization.yaml").read_text()
        )
        required = component["configMapGenerator"][0]["literals"][0].partition("=")[2]
        shutil.copy(_KUBERNETES / "common/gate.py", self._pods)
        (self._pods / "required.json").write_text(required)
        done = subprocess.run(
            [sys.executable, self._pods / "gate.py"],
            env=_environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            raise RunError(f"the gate failed: {done.stderr.strip()}")

    def judge(self) -> None:
        """Run each shard with the command of the Job, as often as the Job would."""
        job = yaml.safe_load((_KUBERNETES / "evaluation/job.yaml").read_text())
        (script,) = job["spec"]["template"]["spec"]["containers"][0]["args"]
        with ThreadPoolExecutor(_WORKERS) as workers:
            ended = workers.map(partial(self._shard, script), range(self._plan.shards))
            faults = [fault for fault in ended if fault]
        if faults:
            raise RunError("; ".join(faults))

    def _shard(self, script: str, index: int) -> str:
        """Run one shard; return why it failed, or nothing."""
        for _ in range(_TRIES + 1):
            with self._pod(index) as data:
                own = {
                    "JOB_COMPLETION_INDEX": str(index),
                    "SHARDS": str(self._plan.shards),
                    "ARGUMENTS": self._plan.arguments.replace("/data/", f"{data}/"),
                }
                done = subprocess.run(
                    ["sh", "-c", script.replace("/data/", f"{data}/")],
                    env={**_environment(), **own},
                    capture_output=True,
                    text=True,
                    check=False,
                )
            if done.returncode == 0:
                return ""
            if done.returncode in (1, 2):
                break
        return f"shard {index + 1} ended with status {done.returncode}: {done.stderr.strip()}"

    @contextmanager
    def _pod(self, index: int) -> Iterator[Path]:
        """Give a pod's folder, filled from the bucket; copy the shard back, and count the time."""
        began = time.monotonic()
        data = self._pods / str(index)
        shutil.copytree(self._bucket / "input", data / "input", dirs_exist_ok=True)
        kept = self._bucket / f"part-{index}"
        if kept.exists():
            shutil.copytree(kept, data / kept.name, dirs_exist_ok=True)
        try:
            yield data
        finally:
            if (data / kept.name).exists():
                shutil.copytree(data / kept.name, kept, dirs_exist_ok=True)
            shutil.rmtree(data)
            self._pod_seconds.append(time.monotonic() - began)

    def stop(self) -> None:
        """Do nothing: the processes have ended when `judge` returns or raises."""

    def collect(self) -> list[Path]:
        """Copy the shards' folders from the bucket."""
        folder = self._plan.out / "parts"
        shutil.copytree(self._bucket, folder)
        return sorted(folder.glob("part-*"))

    def machine_usd(self) -> float:
        """Return the price of the processes' time, as if they were pods."""
        hour_usd = _CPUS * self._plan.cpu_hour_usd + _GIB * self._plan.gib_hour_usd
        return sum(self._pod_seconds) / 3_600 * hour_usd

    def destroy(self) -> None:
        """Remove bucket and pods."""
        for folder in (self._bucket.parent, self._pods):
            shutil.rmtree(folder, ignore_errors=True)


def _environment() -> dict[str, str]:
    return {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
