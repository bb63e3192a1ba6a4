"""Tokens of a service's callers, as the clients of other judges can send them."""

import base64
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from steelyard.service import new_token
from steelyard.settings import PEERS
from steelyard.storage import open_database, store_token
from tests.http_server import Service, running_service
from tests.peer_clients import run_client

BODY = {"code": "print(1)", "language": "python"}


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with a token, and room for one request at a time."""
    folder: Path = tmp_path_factory.mktemp("guarded")
    token, stored = new_token("client", ("judge",), now=datetime.now(UTC), concurrency=1)
    with open_database(folder / "steelyard.sqlite3") as database, database.change() as change:
        store_token(change, stored)
    with running_service(folder, "--compat", ",".join(PEERS)) as running:
        yield Service(running.url, running.process, running.folder, token)


def test_a_token_may_come_in_several_ways(guarded: Service) -> None:
    token = guarded.token
    for name, value in (
        ("Authorization", f"Bearer {token}"),
        ("Authorization", token),
        ("Authorization", "Basic " + base64.b64encode(f"{token}:".encode()).decode()),
        ("Authorization", "Basic " + base64.b64encode(f"me:{token}".encode()).decode()),
        ("X-Auth-Token", token),
    ):
        answer = guarded.post("/run_code", BODY, headers={name: value}, token="")
        assert answer.status == 200, (name, value)


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Basic ?"},
        {"Authorization": "Bearer"},
        {"X-Auth-Token": "x"},
        {"Authorization": "Basic " + base64.b64encode(b"steelyard").decode()},
    ],
)
def test_without_a_token_nothing_is_run(guarded: Service, headers: dict[str, str]) -> None:
    answer = guarded.post("/run_code", BODY, headers=headers, token="")
    assert answer.status == 401
    assert list(answer.json) == ["detail"]


def test_a_client_without_headers_takes_the_token_in_its_url(guarded: Service) -> None:
    script = """
import json, sys
from sandbox_fusion import RunCodeRequest, run_code
url = sys.argv[1].replace("//", f"//me:{sys.argv[2]}@")
done = run_code(RunCodeRequest(code="print(1)", language="python"), endpoint=url, max_attempts=1)
print(json.dumps(done.run_result.stdout))
"""
    assert run_client("sandbox-fusion", script, guarded.url, guarded.token) == "1\n"


def test_another_sites_page_reaches_no_peer(peers: Service) -> None:
    headers = {"Origin": "http://evil.example", "Content-Type": "text/plain"}
    answer = peers.post("/run_code", BODY, headers=headers)
    assert answer.status == 403


def test_pages_and_peers_share_a_service(peers: Service) -> None:
    for path in ("problems", "submissions", "runs"):
        page = peers.get(f"/pages/{path}")
        assert (page.status, "<html" in page.body.decode()) == (200, True)
    assert peers.get("/submissions/none").json == {"error": "there is no such submission"}
    assert peers.get("/v1/submissions").json == {"items": [], "next": None}
