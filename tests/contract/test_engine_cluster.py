"""Jobs on a Ray cluster: equal results, nothing lost or given twice, and who may connect.

One process runs all of it on a cluster of two nodes, as starting one takes 10 s and more.
"""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

COUNT = 600
REPOSITORY = Path(__file__).parents[2]

pytestmark = [
    pytest.mark.exhaustive,
    pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed (group cluster)"),
    pytest.mark.xdist_group("engine_cluster"),
]


@pytest.fixture(scope="module")
def facts() -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "tests/contract/cluster_run.py", str(COUNT)],
        cwd=REPOSITORY,
        env={"PYTHONPATH": str(REPOSITORY)} | _environment(),
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def _environment() -> dict[str, str]:

    return {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}


def test_results_are_those_of_one_machine(facts: dict[str, Any]) -> None:
    assert len(facts["local"]["values"]) == COUNT
    assert facts["ray"]["values"] == facts["local"]["values"]


def test_all_nodes_work_and_show_their_isolation(facts: dict[str, Any]) -> None:
    nodes = facts["ray"]["nodes"]
    assert [each["workers"] for each in nodes] == [1, 1]
    assert set(facts["ray"]["by_node"]) == {each["name"] for each in nodes}
    assert all(each["isolation"]["level"] for each in nodes)


def test_a_lost_worker_and_a_lost_node_lose_no_result(facts: dict[str, Any]) -> None:
    """`by_key` has refused a key that came twice."""
    assert facts["losses"]["values"] == facts["local"]["values"]
    assert set(facts["losses"]["tries"]) <= {"1", "2", "3"}
    refused = [each["refused"] for each in facts["losses"]["nodes"] if not each["workers"]]
    assert len(refused) == 1


def test_an_evaluation_that_loses_a_node_is_the_one_of_one_machine(facts: dict[str, Any]) -> None:
    """Each sample is recorded once; `cluster_run.py` has checked that."""
    alone, lost = facts["evaluated alone"], facts["evaluated"]
    for name in ("verdicts", "strength", "metrics"):
        assert lost[name] == alone[name]
    assert all(mutants for _, mutants, _ in alone["strength"])
    assert len(lost["nodes"]) >= 2


def test_a_command_that_is_terminated_ends_in_order(facts: dict[str, Any]) -> None:
    assert facts["terminated"] == [143, ""]


def test_jobs_are_taken_shortly_before_their_turn(facts: dict[str, Any]) -> None:
    assert facts["endless"]["taken"] == facts["endless"]["taken_later"] < 2_500
    assert facts["endless"]["after"] == 10


def test_a_job_that_hangs_ends_and_disturbs_no_other(facts: dict[str, Any]) -> None:
    status, message = facts["hanging"]["error"]
    assert status == 3
    assert "longer than 1 s" in message
    assert (facts["hanging"]["tries"], facts["hanging"]["others"]) == (3, 10)


def test_a_weaker_node_takes_no_work(facts: dict[str, Any]) -> None:
    strong, weak = facts["full"]["nodes"]
    assert strong["isolation"]["level"] == "full"
    assert "sandbox.require=full is not met: this machine gives partial" in weak["refused"]
    assert set(facts["full"]["by_node"]) == {strong["name"]}


def test_without_the_token_nobody_connects(facts: dict[str, Any]) -> None:
    assert facts["no token"].startswith(
        "0: 2 the token of the cluster is missing; set RAY_AUTH_TOKEN"
    )
    assert facts["wrong token"].startswith("0: 3 Ray cannot connect to 127.0.0.1:")
    assert "token" in facts["wrong token"]


def test_a_cluster_of_ones_own_listens_on_loopback_alone(facts: dict[str, Any]) -> None:
    addresses = facts["listening"]
    assert addresses
    assert all("127.0.0.1" in each for each in addresses)
