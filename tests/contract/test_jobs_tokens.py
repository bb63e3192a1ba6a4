"""Runs of several tokens: each sees its own, and one with many does not hold up one with few."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from steelyard.schemas import Scope
from steelyard.service import new_token
from steelyard.storage import open_database, store_token
from tests.contract.test_service_jobs import JUDGEMENT, ended
from tests.http_server import Service, running_service

pytestmark = pytest.mark.xdist_group("jobs_tokens")  # one worker starts the service


def a_token(folder: Path, *scopes: Scope) -> str:
    """Create a token in the database of a service."""
    token, stored = new_token("test", scopes or ("judge",), now=datetime.now(UTC))
    with open_database(folder / "steelyard.sqlite3") as database, database.change() as change:
        store_token(change, stored)
    return token


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("owners")
    token = a_token(folder, "admin")
    with running_service(folder, "--workers", "1", token=token) as running:
        yield running


def test_only_the_owner_and_an_admin_see_a_run(service: Service) -> None:
    first, second = a_token(service.folder), a_token(service.folder)
    run = service.post(
        "/v1/judge", JUDGEMENT, headers={"Prefer": "respond-async"}, token=first
    ).json
    path = f"/v1/runs/{run['id']}"
    assert service.get(path, token=first).status == 200
    assert service.get(path).status == 200
    for method, at in (("GET", path), ("GET", f"{path}/events"), ("DELETE", path)):
        refused = service.request(method, at, token=second)
        assert (refused.status, refused.code) == (404, "run-not-found")
    assert service.get("/v1/runs", token=second).json["items"] == []
    assert [each["id"] for each in service.get("/v1/runs", token=first).json["items"]] == [
        run["id"]
    ]
    assert run["id"] in {each["id"] for each in service.get("/v1/runs").json["items"]}
    assert ended(service, run["id"])["state"] == "done"


def test_the_same_key_of_two_tokens_is_two_runs(service: Service) -> None:
    headers = {"Prefer": "respond-async", "Idempotency-Key": "shared"}
    tokens = a_token(service.folder), a_token(service.folder)
    runs = [
        service.post("/v1/judge", JUDGEMENT, headers=headers, token=each).json["id"]
        for each in tokens
    ]
    assert runs[0] != runs[1]


def test_solving_needs_the_scope_author(service: Service) -> None:
    token = a_token(service.folder)
    for path in ("/solve", "/v1/solve", "/v1/author"):
        assert service.post(path, {"request": "a sum"}, token=token).status in (403, 422)
    body = {"task_id": "sum", "prompt": "Add two numbers."}
    assert service.post("/solve", body, token=token).code == "scope-missing"


def test_a_token_with_many_runs_does_not_hold_up_one_with_few(service: Service) -> None:
    many, few = a_token(service.folder), a_token(service.folder)
    headers = {"Prefer": "respond-async"}
    first = [
        service.post("/v1/judge", JUDGEMENT, headers=headers, token=many).json["id"]
        for _ in range(40)
    ]
    second = [
        service.post("/v1/judge", JUDGEMENT, headers=headers, token=few).json["id"]
        for _ in range(3)
    ]
    for each in second:
        assert ended(service, each)["state"] == "done"
    ended_by_then = service.get("/v1/runs?limit=200&state=done", token=many).json["items"]
    assert len(ended_by_then) < len(first) / 2
    for each in first:
        assert service.request("DELETE", f"/v1/runs/{each}").status == 200
