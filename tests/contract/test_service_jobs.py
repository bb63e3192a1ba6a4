"""Long work over HTTP as jobs: accepted, followed, listed, cancelled, refused."""

import json
import signal
import time
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from steelyard.errors import DatabaseError
from steelyard.service.jobs import JobQueue
from steelyard.settings import Settings
from tests.http_server import Answer, Service, a_token, running_service

pytestmark = pytest.mark.xdist_group("jobs")  # one worker starts the service
_WAIT_S = 120
JUDGEMENT = {
    "program": "print(sum(map(int, input().split())))",
    "language": "python",
    "tests": [{"input": "1 2", "expected": "3"}],
}
ENDLESS = {
    "program": "while True: pass",
    "language": "python",
    "tests": [{"input": "", "expected": "", "timeout": 1}] * 500,
}
HUGE = urlsafe_b64encode(json.dumps(["9" * 40, "a"]).encode()).decode()
"""A cursor with a time that no database holds."""
ASYNC = {"Prefer": "respond-async"}


@pytest.fixture(scope="module")
def idle(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service without a worker, and with little room."""
    settings = {"STEELYARD_SERVICE__MAX_JOBS_PER_TOKEN": "3"}
    with running_service(tmp_path_factory.mktemp("idle"), environment=settings) as service:
        yield service


def ended(service: Service, run_id: str, **how: Any) -> dict[str, Any]:
    """Wait until a run has ended."""
    return state(service, run_id, "done", "failed", "cancelled", **how)


def state(service: Service, run_id: str, *wanted: str, **how: Any) -> dict[str, Any]:
    """Wait until a run is in one of these states."""
    until = time.monotonic() + _WAIT_S
    while True:
        run = service.get(f"/v1/runs/{run_id}", **how).json
        if run["state"] in wanted:
            return dict(run)
        assert time.monotonic() < until, run
        time.sleep(0.1)


def submit(service: Service, body: object = JUDGEMENT, **headers: str) -> Answer:
    return service.post("/v1/judge", body, headers={**ASYNC, **headers})


def test_a_judgement_becomes_a_run_with_the_same_result(working: Service) -> None:
    answer = submit(working)
    assert answer.status == 202, answer.body
    assert answer.headers["preference-applied"] == "respond-async"
    run = answer.json
    assert answer.headers["location"] == f"/v1/runs/{run['id']}"
    assert (run["kind"], run["state"]) == ("judge", "queued")
    result = ended(working, run["id"])["result"]
    direct = working.post("/v1/judge", JUDGEMENT).json
    assert result["reward"] == direct["reward"] == 1.0
    assert result["cases"][0]["verdict"] == "AC"


def test_what_is_wrong_with_a_job_is_its_problem(working: Service) -> None:
    run = submit(working, {"program": "", "language": "cobol"}).json
    problem = ended(working, run["id"])["problem"]
    assert (problem["code"], problem["status"]) == ("language-error", 422)


def test_with_a_key_the_database_of_jobs_holds_no_text_in_clear(working: Service) -> None:
    body = {**JUDGEMENT, "program": f"{JUDGEMENT['program']}\n# pomegranate"}
    wrong = {**body, "program": "raise ValueError('pomegranate')"}
    unknown = {**body, "language": "pomegranate"}
    runs = [ended(working, submit(working, each).json["id"]) for each in (body, wrong, unknown)]
    assert runs[0]["result"]["passed"]
    assert "pomegranate" in runs[1]["result"]["cases"][0]["stderr"]
    assert "pomegranate" in runs[2]["problem"]["detail"]
    cases = [each["data"].get("case") for each in follow(working, runs[0]["id"])]
    assert "AC" in {case["verdict"] for case in cases if case}
    files = [file for file in working.folder.rglob("jobs.sqlite3*") if file.stat().st_size]
    assert files
    assert not [file for file in files if b"pomegranate" in file.read_bytes()]
    with (
        JobQueue(Settings(database_url=str(working.database))) as without_the_key,
        pytest.raises(DatabaseError, match="set CACHE_ENCRYPT_KEY to that key"),
    ):
        without_the_key.get(runs[0]["id"])


def test_what_can_be_refused_at_once_is_no_job(working: Service) -> None:
    assert submit(working, {"program": "", "limits": {"cpu_ms": 10_000_000}}).status == 422


def test_the_same_key_gives_the_same_run(working: Service) -> None:
    key = {"Idempotency-Key": "one"}
    first, second = submit(working, **key), submit(working, **key)
    assert first.json["id"] == second.json["id"]
    other = submit(working, {**JUDGEMENT, "program": "print(3)"}, **key)
    assert other.code == "key-reused"
    assert submit(working, **{"Idempotency-Key": "two"}).json["id"] != first.json["id"]


def test_runs_are_listed_page_by_page(working: Service) -> None:
    ids = [submit(working).json["id"] for _ in range(5)]
    found: list[str] = []
    cursor = ""
    while len(found) < 100:
        page = working.get(f"/v1/runs?limit=2&kind=judge&cursor={cursor}").json
        assert len(page["items"]) <= 2
        found += [each["id"] for each in page["items"]]
        cursor = page["next"]
        if cursor is None:
            break
    assert set(ids) <= set(found)
    assert len(set(found)) == len(found)
    for each in found:
        ended(working, each)
    assert working.get("/v1/runs?state=queued").json["items"] == []
    assert working.get("/v1/runs?kind=solve").json == {"items": [], "next": None}
    assert "result" not in working.get("/v1/runs").json["items"][0]


@pytest.mark.parametrize(
    "query", ["limit=0", "limit=x", "cursor=x", f"cursor={HUGE}", "kind=none", "colour=red"]
)
def test_a_wrong_question_about_runs_is_refused(working: Service, query: str) -> None:
    assert working.get(f"/v1/runs?{query}").status == 422


@pytest.mark.parametrize("run_id", ["0" * 32, "x", "..%2f..%2fetc"])
def test_a_run_that_does_not_exist(working: Service, run_id: str) -> None:
    assert working.get(f"/v1/runs/{run_id}").status in (404, 422)
    assert working.request("DELETE", f"/v1/runs/{run_id}").status in (404, 422)


def test_events_are_followed_and_resumed(working: Service) -> None:
    body = {
        "program": "n = int(input())\nprint(sum(i for i in range(n)))\n",
        "generator": "def generate(n, seed):\n    return f'{n}\\n'\n",
        "language": "python",
        "max_n": 20_000,
        "budget_s": 1,
    }
    run = working.post("/v1/profile", body, headers=ASYNC).json
    events = follow(working, run["id"])
    assert events[-1] == {"event": "end", "id": "end", "data": {"state": "done"}}
    assert len(events) > 3
    assert {each["event"] for each in events[:-1]} == {"progress"}
    assert all(each["data"]["job"] == "profile" for each in events[:-1])
    again = follow(working, run["id"], events[1]["id"])
    assert again == events[2:]
    last = working.get(f"/v1/runs/{run['id']}/events", headers={"Last-Event-ID": "end"})
    assert last.status == 204
    wrong = working.get(f"/v1/runs/{run['id']}/events", headers={"Last-Event-ID": "x"})
    assert wrong.code == "event-id-invalid"


def follow(service: Service, run_id: str, after: str = "") -> list[dict[str, Any]]:
    headers = {"Last-Event-ID": after} if after else {}
    answer = service.get(f"/v1/runs/{run_id}/events", headers=headers)
    assert answer.headers["content-type"].startswith("text/event-stream")
    events = []
    for block in answer.body.decode().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if line[:1] != ":")
        if fields:
            events.append({**fields, "data": json.loads(fields["data"])})
    return events


@pytest.mark.parametrize("text", ["\0", "\ud800", "'; DROP TABLE workflow_status; --"])
def test_any_text_can_be_a_job(working: Service, text: str) -> None:
    run = submit(working, {**JUDGEMENT, "program": f"print(3) # {text}"}).json
    assert ended(working, run["id"])["state"] == "done"


def test_an_ended_run_has_an_etag(working: Service) -> None:
    run = submit(working).json
    ended(working, run["id"])
    path = f"/v1/runs/{run['id']}"
    tag = working.get(path).headers["etag"]
    assert working.get(path, headers={"If-None-Match": tag}).status == 304


def test_gauges_count_jobs(working: Service) -> None:
    assert b'steelyard_jobs{state="queued"}' in working.get("/metrics").body
    assert working.get("/healthz").json["workers"] == 1


def test_cancelling_ends_the_processes(working: Service) -> None:
    run = submit(working, ENDLESS).json
    state(working, run["id"], "running")
    waiting = submit(working).json
    cancelled = working.request("DELETE", f"/v1/runs/{run['id']}")
    assert (cancelled.status, cancelled.json["state"]) == (200, "cancelled")
    # The only worker is free again: the program's own 500 s are longer than this waits.
    assert ended(working, waiting["id"])["state"] == "done"
    run = working.get(f"/v1/runs/{run['id']}").json
    assert run["state"] == "cancelled"
    assert "result" not in run


def test_a_run_that_waits_can_be_cancelled(idle: Service) -> None:
    run = submit(idle).json
    assert idle.request("DELETE", f"/v1/runs/{run['id']}").json["state"] == "cancelled"
    assert idle.get("/v1/runs?state=cancelled").json["items"][0]["id"] == run["id"]


def test_the_head_of_a_stream_ends_at_once(idle: Service) -> None:
    run = submit(idle).json["id"]
    with closing(idle.connect()) as connection:
        for _ in range(2):
            connection.request("HEAD", f"/v1/runs/{run}/events")
            with connection.getresponse() as response:
                assert response.status == 200
                assert response.getheader("content-type", "").startswith("text/event-stream")
        connection.request("DELETE", f"/v1/runs/{run}")
        assert connection.getresponse().status == 200
    assert "unexpected" not in idle.log


@pytest.mark.exhaustive
def test_open_streams_do_not_hold_up_the_end(tmp_path: Path) -> None:
    with running_service(tmp_path) as service:  # without a worker
        path = f"/v1/runs/{submit(service).json['id']}/events"
        with closing(service.connect()) as gone:
            gone.request("GET", path)
            gone.getresponse().close()
        with closing(service.connect()) as following:
            following.request("GET", path)
            with following.getresponse() as response:
                service.process.send_signal(signal.SIGTERM)
                assert response.read() == b""  # whole: a stream that is cut raises
        assert service.process.wait(60) == 0
        assert "unexpected" not in service.log


def test_the_queue_is_bounded(idle: Service) -> None:
    accepted = [submit(idle) for _ in range(3)]
    assert [each.status for each in accepted] == [202] * 3
    refused = submit(idle)
    assert (refused.status, refused.code) == (429, "queue-full")
    assert int(refused.headers["retry-after"]) > 0


def test_only_the_owner_and_an_admin_see_a_run(working: Service) -> None:
    first, second = a_token(working.folder), a_token(working.folder)
    run = working.post(
        "/v1/judge", JUDGEMENT, headers={"Prefer": "respond-async"}, token=first
    ).json
    path = f"/v1/runs/{run['id']}"
    assert working.get(path, token=first).status == 200
    assert working.get(path).status == 200
    for method, at in (("GET", path), ("GET", f"{path}/events"), ("DELETE", path)):
        refused = working.request(method, at, token=second)
        assert (refused.status, refused.code) == (404, "run-not-found")
    assert working.get("/v1/runs", token=second).json["items"] == []
    assert [each["id"] for each in working.get("/v1/runs", token=first).json["items"]] == [
        run["id"]
    ]
    assert run["id"] in {each["id"] for each in working.get("/v1/runs").json["items"]}
    assert ended(working, run["id"])["state"] == "done"


def test_the_same_key_of_two_tokens_is_two_runs(working: Service) -> None:
    headers = {"Prefer": "respond-async", "Idempotency-Key": "shared"}
    tokens = a_token(working.folder), a_token(working.folder)
    runs = [
        working.post("/v1/judge", JUDGEMENT, headers=headers, token=each).json["id"]
        for each in tokens
    ]
    assert runs[0] != runs[1]


def test_solving_needs_the_scope_author(working: Service) -> None:
    token = a_token(working.folder)
    for path in ("/solve", "/v1/solve", "/v1/author"):
        assert working.post(path, {"request": "a sum"}, token=token).status in (403, 422)
    body = {"task_id": "sum", "prompt": "Add two numbers."}
    assert working.post("/solve", body, token=token).code == "scope-missing"


def test_a_token_with_many_runs_does_not_hold_up_one_with_few(working: Service) -> None:
    many, few = a_token(working.folder), a_token(working.folder)
    headers = {"Prefer": "respond-async"}
    first = [
        working.post("/v1/judge", JUDGEMENT, headers=headers, token=many).json["id"]
        for _ in range(40)
    ]
    second = [
        working.post("/v1/judge", JUDGEMENT, headers=headers, token=few).json["id"]
        for _ in range(3)
    ]
    for each in second:
        assert ended(working, each)["state"] == "done"
    ended_by_then = working.get("/v1/runs?limit=200&state=done", token=many).json["items"]
    assert len(ended_by_then) < len(first) / 2
    for each in first:
        assert working.request("DELETE", f"/v1/runs/{each}").status == 200
