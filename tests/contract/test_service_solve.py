"""Solving and authoring over HTTP: runs of models outlive a killed worker, and end on request."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.contract.solve_shell import PRICES, PROBLEM, RIGHT, Models, answer_all
from tests.contract.test_jobs_killed import workers_of
from tests.contract.test_service_jobs import ASYNC, ended, follow, state, submit
from tests.http_server import Service, running_service
from tests.model_server import Exchange, ModelServer
from tests.needs import needs

pytestmark = [
    needs("openai"),
    pytest.mark.xdist_group("solve_service"),
]  # one worker starts the service
_SOLVE = "/solve?language=python&budget_s=0.1&max_iter=2"
_WAIT_S = 300
SPECIFICATION = {
    "title": "Sum",
    "description": "Return the sum of the numbers.",
    "parameters": [{"name": "nums", "type": "list[int]"}],
    "returns": "int",
    "constraints": ["1 <= len(nums) <= 100", "0 <= nums[i] <= 9"],
    "examples": [{"args": [[1, 2]], "expected": 3}],
}


@pytest.fixture(scope="module")
def models() -> Iterator[Models]:
    with ModelServer() as server:
        yield Models(server)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, models: Models) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("solve")
    environment = {
        "STEELYARD_CACHE__DIR": str(folder / "cache"),
        "STEELYARD_MODELS__RETRIES": "0",
        "STEELYARD_MODELS__PRICES": PRICES,
        "STEELYARD_MODELS__PLANNER": models.name,
        "STEELYARD_MODELS__CODER": models.name,
        "STEELYARD_MODELS__ANALYST": models.name,
        "STEELYARD_SERVICE__MAX_JOB_COST_USD": "1000",
    }
    with running_service(folder, "--workers", "1", environment=environment) as running:
        yield running


@pytest.fixture(autouse=True)
def fresh(models: Models) -> None:
    models.on_request = answer_all
    models.answered.clear()


def problem(task_id: str) -> dict[str, Any]:
    """A problem of its own, so that no reply is in the cache."""
    return {**PROBLEM, "task_id": task_id, "prompt": f"{PROBLEM['prompt']} ({task_id})"}


def spent_by_now(service: Service, name: str) -> float:
    """Return a counter of what the models of solve runs cost."""
    lines = service.get("/metrics").body.decode().splitlines()
    found = [line for line in lines if f"model_{name}" in line and 'kind="solve"' in line]
    return sum(float(line.split()[-1]) for line in found)


def test_solving_answers_with_the_result(service: Service) -> None:
    answer = service.post(_SOLVE, problem("direct"))
    assert answer.status == 200, answer.body
    assert answer.json["status"] == "success"
    assert answer.json["code"]["code_cpp"] == RIGHT
    assert answer.json["logs"] == ""
    run = service.get(answer.headers["location"]).json
    assert (run["kind"], run["state"], run["result"]) == ("solve", "done", answer.json)
    paths: list[str] = []
    cursor = ""
    while cursor is not None:
        page = service.get(f"/v1/runs/{run['id']}/files?limit=5&cursor={cursor}").json
        paths, cursor = [*paths, *(each["path"] for each in page["items"])], page["next"]
    assert paths == sorted(set(paths))
    program = service.get(f"/v1/runs/{run['id']}/files/direct/iter_1/code.py")
    assert (program.status, program.body.decode()) == (200, RIGHT)
    for path in ("nothing", "../jobs.sqlite3", "%2e%2e/%2e%2e/jobs.sqlite3", ".lock", "a%00b"):
        assert service.get(f"/v1/runs/{run['id']}/files/{path}").status == 404
    stages = [each["data"].get("stage") for each in follow(service, run["id"])]
    assert len(set(stages)) > 3
    assert "Read n, then n numbers" not in service.log
    spent = answer.json["spending"]
    until = time.monotonic() + _WAIT_S
    while spent_by_now(service, 'tokens_total{direction="out"') < spent["tokens_out"]:
        assert time.monotonic() < until
        time.sleep(0.2)
    assert spent_by_now(service, "cost_usd_total{") >= spent["cost_usd"]
    assert spent_by_now(service, "replies_total{") >= spent["calls"] > 0
    assert RIGHT.strip() not in service.log


def test_a_killed_worker_costs_no_reply_twice(service: Service, models: Models) -> None:
    asked, dead = threading.Event(), threading.Event()

    def leave_unanswered(number: int, _exchange: Exchange) -> None:
        if number == 2:
            asked.set()
            dead.wait(_WAIT_S)
            raise OSError("nobody is there to be answered")

    models.on_request = leave_unanswered
    run = service.post("/v1" + _SOLVE, problem("killed"), headers=ASYNC).json
    assert asked.wait(_WAIT_S)
    for pid in workers_of(service):
        os.kill(pid, signal.SIGKILL)
    models.on_request = answer_all
    dead.set()
    done = ended(service, run["id"])
    assert (done["state"], done["attempts"]) == ("done", 2)
    assert done["result"]["status"] == "success"
    assert models.paid_twice == 0


def test_a_client_that_waits_less_gets_the_run_and_may_cancel_it(
    service: Service, models: Models
) -> None:
    asked = threading.Event()

    def never(_number: int, exchange: Exchange) -> None:
        asked.set()
        exchange.wait_until_gone()
        raise OSError("the client is gone")

    models.on_request = never
    answer = service.post(_SOLVE, problem("impatient"), headers={"Prefer": "wait=1"})
    assert answer.status == 202
    assert asked.wait(_WAIT_S)
    run = answer.json["id"]
    state(service, run, "running")
    assert service.request("DELETE", f"/v1/runs/{run}").json["state"] == "cancelled"
    assert ended(service, submit(service).json["id"])["state"] == "done"  # the worker is free


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("coder=openai:other", "model-not-offered"),
        ("planner=script:/etc/passwd", "model-not-offered"),
        ("max_cost_usd=1001", "cost-limit-too-high"),
        ("max_tokens=10000001", "token-limit-too-high"),
        ("max_iter=0", "body-invalid"),
        ("logs=/tmp", "body-invalid"),
    ],
)
def test_what_the_service_does_not_offer(service: Service, query: str, code: str) -> None:
    answer = service.post(f"/solve?{query}", problem("refused"))
    assert (answer.status, answer.code) == (422, code)


@pytest.mark.parametrize(
    "change",
    [
        {"task_id": "../../etc"},
        {"prompt": ""},
        {"prompt": 1},
        {"constraints": {"runtime_limit": 10_000_000}},
        {"constraints": {"runtime_limit": 600_000}},
        {"constraints": {"memory_limit": 65_536}},
        {"input_generator": "x" * (2 << 20)},
        {"unknown": 1},
    ],
)
def test_invalid_problems_are_refused(service: Service, change: dict[str, Any]) -> None:
    assert service.post("/solve", {**PROBLEM, **change}).status == 422


@pytest.mark.exhaustive
def test_authoring_without_a_model(service: Service, models: Models) -> None:
    body = {
        "specification": SPECIFICATION,
        "solution": ["class Solution:\n    def solve(self, nums):\n        return sum(nums)\n"],
        "writer": "none",
        "solver": "none",
        "checker": "none",
        "cases": 10,
        "mutants": 0,
        "name": "sum-of-numbers",
    }
    assert service.post("/v1/author", {**body, "name": "../sum"}).code == "body-invalid"
    answer = service.post("/v1/author", body)
    assert answer.status == 200, answer.body
    assert "stored as sum-of-numbers, suite 1" in answer.json["notes"]
    stored = service.get("/v1/problems/sum-of-numbers").json
    assert stored["specification"]["title"] == "Sum"
    assert stored["problem"]["cases"] == len(answer.json["suite"]["cases"])
    files = f"{answer.headers['location']}/files"
    assert "results/suite.json" in {each["path"] for each in service.get(files).json["items"]}
    assert answer.json["suite"]["cases"]
    assert (answer.json["folder"], answer.json["logs"]) == ("", "")
    assert models.answered == []


NO_MODEL = {"request": "the sum of a list", "writer": "none"}


def test_authoring_needs_one_thing_to_author(service: Service) -> None:
    for body in (
        {},
        {"request": "a sum", "specification": SPECIFICATION},
        {"request": "?!"},
        NO_MODEL,
    ):
        answer = service.post("/v1/author", body, headers={"Prefer": "respond-async"})
        assert answer.status == 422
