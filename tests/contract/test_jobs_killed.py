"""Workers and services that are killed: no accepted job is lost, and none has two results."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.contract.test_service_jobs import JUDGEMENT, ended, state, submit
from tests.database_server import missing
from tests.http_server import Service, running_service
from tests.processes import children

pytestmark = pytest.mark.exhaustive  # test_service_solve.py has one kill for each run of the tests
PROOF = Path(__file__).parents[2] / "benchmarks" / "service_jobs.py"
SLOW = {
    "program": "import time\ntime.sleep(2)\nprint(input())",
    "language": "python",
    "tests": [{"input": "1", "expected": "1"}],
}


def workers_of(service: Service) -> list[int]:
    """The processes of a service's workers."""
    found = children(service.process.pid)
    return [pid for pid in found if b"steelyard.service.jobs" in _command(pid)]


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def _wait_until_gone(worker: int) -> None:
    """Wait for a worker whose service has ended: it finishes the job under way first."""
    until = time.monotonic() + 60
    while _command(worker):
        assert time.monotonic() < until, "a worker ends with the service that began it"
        time.sleep(0.1)


ENDLESS = {
    "program": "while True: pass",
    "language": "python",
    "tests": [{"input": "", "expected": "", "timeout": 50}] * 5,
}


def test_a_cancelled_job_leaves_its_worker_to_the_next_one(tmp_path: Path) -> None:
    with running_service(tmp_path, "--workers", "1") as service:
        run, waiting = submit(service, ENDLESS).json, submit(service).json
        state(service, run["id"], "running")
        (worker,) = workers_of(service)
        assert service.request("DELETE", f"/v1/runs/{run['id']}").json["state"] == "cancelled"
        assert ended(service, waiting["id"])["state"] == "done"
        assert workers_of(service) == [worker], "its programs are killed, so the job has stopped"


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
        _wait_until_gone(worker)


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_all_die_at_random(database: str) -> None:
    if database == "postgres" and missing():
        pytest.skip(missing())
    given = ["--postgres"] if database == "postgres" else []
    done = subprocess.run(
        [sys.executable, str(PROOF), "--jobs", "80", *given],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    found = json.loads(done.stdout or "{}")
    assert done.returncode == 0, (found, done.stderr[-2_000:])
    assert found["workers_killed"] > 0
    assert found["service_killed"]
    assert found["database_restarted"] == (database == "postgres")


def test_a_worker_of_its_own_runs_the_jobs_of_a_service(tmp_path: Path) -> None:
    with running_service(tmp_path) as service:  # without a worker
        run = submit(service).json
        worker = subprocess.Popen(
            [sys.executable, "-m", "steelyard", "worker", "--db", str(service.database)],
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            assert ended(service, run["id"])["state"] == "done"
            worker.send_signal(signal.SIGTERM)
            _, log = worker.communicate(timeout=60)
        finally:
            worker.kill()
        assert worker.returncode == 0, log
        assert "worker ends" in log
        assert JUDGEMENT["program"] not in log


def test_a_service_that_ends_finishes_the_job_under_way(tmp_path: Path) -> None:
    with running_service(tmp_path, "--workers", "1") as service:
        run = submit(service, SLOW).json
        state(service, run["id"], "running")
    with running_service(tmp_path) as service:  # without a worker
        done = service.get(f"/v1/runs/{run['id']}").json
        assert (done["state"], done["attempts"]) == ("done", 1)


def test_a_job_whose_workers_always_die_fails(tmp_path: Path) -> None:
    settings = {"STEELYARD_SERVICE__MAX_JOB_ATTEMPTS": "1"}
    with running_service(tmp_path, "--workers", "1", environment=settings) as service:
        run = submit(service, {**SLOW, "program": "import time\ntime.sleep(4)"}).json
        for attempt in (1, 2):
            until = time.monotonic() + 120
            while service.get(f"/v1/runs/{run['id']}").json["attempts"] < attempt:
                assert time.monotonic() < until
                time.sleep(0.1)
            for pid in workers_of(service):
                os.kill(pid, signal.SIGKILL)
        failed = ended(service, run["id"])
        assert (failed["state"], failed["problem"]["code"]) == ("failed", "job-died")
