"""A run of any job that is killed at any instant loses nothing, and pays for nothing twice.

A request is made again only if it was under way when the process was killed: its reply was not in
its file yet.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.contract.killed_runs import JOBS
from tests.needs import needs
from tests.warm_command import WarmCommand


@pytest.mark.parametrize("step", [4, pytest.param(0, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize(
    "job",
    [pytest.param(job, marks=needs("openai") if job == "evaluate" else ()) for job in JOBS],
)
def test_a_run_that_is_killed_at_any_instant_loses_nothing(
    job: str, step: int, tmp_path: Path, warm: WarmCommand
) -> None:
    command = [sys.executable, "-m", "tests.contract.killed_runs", job, str(tmp_path), str(step)]
    environment = {"XDG_DATA_HOME": str(tmp_path / "data"), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=1_800,
        check=False,
        cwd=Path(__file__).parents[2],
        env=environment,
    )
    assert done.returncode == 0, done.stderr[-3_000:]
    found = json.loads(done.stdout)
    assert found["killed"] >= 3
    assert found["differences"] == []
    assert found["again"] == []
    assert found["paid"][1] == found["paid"][0]
    assert found["left"] == []
    if job in ("evaluate", "raft"):
        return  # their steps are not decisions, which a replay would repeat
    end = next((tmp_path / "broken").rglob("result.json"))
    room = job.split(maxsplit=1)[0]
    replayed = warm.run(room, "replay", end.parent, cwd=tmp_path)
    assert replayed.status == 0, replayed.stdout
    assert "the same decisions as in the run" in replayed.stdout
    end.unlink()
    again = warm.run(room, "replay", end.parent, cwd=tmp_path)
    assert again.status == 2
    assert "was interrupted; resume it with --resume" in again.stderr
    shown = warm.run(room, "show", end.parent, cwd=tmp_path)
    assert shown.status == 0
    assert f"steelyard {job} --resume" in shown.stdout
