"""Workers that are killed at random, what they log, and what is deleted in time."""

import json
import os
import random
import signal
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.contract.test_jobs_killed import workers_of
from tests.contract.test_service_jobs import ended, submit
from tests.http_server import Service

pytestmark = pytest.mark.xdist_group("jobs")
JOBS = 60
KILLS = (15, 40)
"""A worker is killed when so many jobs have ended."""


def judgement(number: int) -> dict[str, object]:
    """A judgement that only its own result fits."""
    return {
        "program": f"print(int(input()) + {number})",
        "language": "python",
        "tests": [{"input": "1", "expected": str(number + 1), "name": f"job {number}"}],
    }


def test_accepted_equals_finished_though_workers_die(working: Service) -> None:
    chance = random.Random(17)
    old = submit(working).json["id"]
    ended(working, old)
    runs = _made_old(working, old)
    accepted = [submit(working, judgement(number)).json["id"] for number in range(JOBS)]
    for number in KILLS:
        ended(working, accepted[number])
        time.sleep(chance.random() / 10)
        _kill_a_worker(working)
    for number, run_id in enumerate(accepted):
        run = ended(working, run_id)
        assert (run["state"], run["result"]["cases"][0]["name"]) == ("done", f"job {number}")
    listed = _listed(working)
    assert len(listed) == len(set(listed))
    assert set(accepted) <= set(listed)
    assert old not in listed
    assert not any(runs.iterdir())


def test_the_log_file_has_what_workers_log(working: Service) -> None:
    run = submit(working).json["id"]
    ended(working, run)
    lines = (working.folder / "service.log").read_text("utf-8").splitlines()
    events = [json.loads(line) for line in lines]
    (own,) = (each for each in events if each["event"] == "job ended" and each["job"] == run)
    assert (own["kind"], own["end"]) == ("judge", "done")
    assert "request" in {each["event"] for each in events}


def _made_old(service: Service, run_id: str) -> Path:
    """Make a run an old one, and leave a folder of a run that is gone.

    A worker deletes both when it begins.

    Returns:
        The folder of runs.
    """
    jobs = service.database.with_name(f"{service.database.name}.jobs")
    (jobs / "runs" / "of-a-run-that-is-gone").mkdir(parents=True)
    with closing(sqlite3.connect(jobs / "jobs.sqlite3", timeout=60)) as rows, rows:
        rows.execute(
            "UPDATE workflow_status SET completed_at = 1 WHERE workflow_uuid = ?", [run_id]
        )
    return jobs / "runs"


def _kill_a_worker(service: Service) -> None:
    for pid in workers_of(service):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _listed(service: Service) -> list[str]:
    """Return the ids of all runs."""
    found: list[dict[str, Any]] = []
    cursor = ""
    while cursor is not None:
        page = service.get(f"/v1/runs?limit=200&cursor={cursor}").json
        found, cursor = [*found, *page["items"]], page["next"]
    return [each["id"] for each in found]
