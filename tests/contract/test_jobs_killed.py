"""Workers and services that are killed: no accepted job is lost, and none has two results."""

import os
import random
import signal
import time
from pathlib import Path

from tests.contract.test_service_jobs import JUDGEMENT, ended, state, submit
from tests.http_server import Service, running_service

SLOW = {
    "program": "import time\ntime.sleep(2)\nprint(input())",
    "language": "python",
    "tests": [{"input": "1", "expected": "1"}],
}


def workers_of(service: Service) -> list[int]:
    """The processes of a service's workers."""
    parent = service.process.pid
    children = Path(f"/proc/{parent}/task").glob("*/children")
    found = [int(pid) for file in children for pid in file.read_text().split()]
    return [pid for pid in found if b"steelyard.service.jobs" in _command(pid)]


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def test_another_worker_takes_over(tmp_path: Path) -> None:
    with running_service(tmp_path, "--workers", "1") as service:
        run = submit(service, SLOW).json
        state(service, run["id"], "running")
        for pid in workers_of(service):
            os.kill(pid, signal.SIGKILL)
        done = ended(service, run["id"])
        assert (done["state"], done["attempts"]) == ("done", 2)
        assert done["result"]["reward"] == 1.0


def test_jobs_outlive_the_service(tmp_path: Path) -> None:
    with running_service(tmp_path, "--workers", "1") as service:
        runs = [submit(service, each).json["id"] for each in (SLOW, JUDGEMENT)]
        state(service, runs[0], "running")
        (worker,) = workers_of(service)
        service.process.kill()
        service.process.wait()
    with running_service(tmp_path, "--workers", "1") as service:
        assert all(ended(service, each)["state"] == "done" for each in runs)
        assert not _command(worker), "a worker ends with the service that began it"


def test_workers_killed_at_random(tmp_path: Path) -> None:
    chance = random.Random(17)
    with running_service(tmp_path, "--workers", "2") as service:
        runs = [submit(service).json["id"] for _ in range(40)]
        for _ in range(3):
            time.sleep(chance.uniform(0.5, 3))
            victims = workers_of(service)
            if victims:
                os.kill(chance.choice(victims), signal.SIGKILL)
        ends = [ended(service, each) for each in runs]
        assert {each["state"] for each in ends} == {"done"}
        assert len({each["id"] for each in ends}) == len(runs)
