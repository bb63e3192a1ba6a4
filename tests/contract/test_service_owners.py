"""Two callers of one name: on every route and page, neither reaches what is the other's.

An account with two tokens is one caller. By rights, nobody reads hidden tests with the scope judge.
A route that names something needs its value in `Kept.filled`: the walk fails for one that has none.
"""

import http.client
import json
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
from starlette.routing import Route

from steelyard.schemas import (
    AuthoredCase,
    AuthoredSuite,
    CompactInput,
    OutputEvidence,
    Parameter,
    Scope,
    SpecExample,
    Specification,
    StoredSolution,
)
from steelyard.service import new_token
from steelyard.service._app import routers
from steelyard.settings import PEERS, ServiceSettings
from steelyard.storage import open_database, store_token
from tests.http_server import Answer, Service, running_service
from tests.needs import needs
from tests.stored_problems import an_input

pytestmark = [pytest.mark.xdist_group("owners"), needs("mcp")]

SPEC = Specification(
    title="Shout",
    description="Return the text in upper case.",
    parameters=(Parameter(name="text", type="str"),),
    returns="str",
    constraints=("1 <= len(text) <= 100",),
    examples=(SpecExample(args=("shown",), expected="SHOWN"),),
)
RIGHT = "class Solution:\n    def solve(self, text):\n        return text.upper()\n"
WRONG = RIGHT.replace("text.upper()", "'x' if 'z' in text else text.upper()")
QUOTES = """# mine-of-ann
import sys
class Solution:
    def solve(self, text):
        print(text)
        print(text, file=sys.stderr)
        if text.endswith("2"):
            raise ValueError(text)
        return text
"""
"""A program that shows whatever it is given, in every way that a program has."""
HIDDEN = ("secret-in", "SECRET-IN")
"""Parts of the hidden tests' inputs and outputs."""
ANSWER = "CHALLENGED-Z"
"""The right output for a challenged input, which becomes a hidden test."""
MINE = "mine-of-ann"
"""A part of every text that the first caller sends."""
CSRF = re.compile(r'name="csrf" value="([0-9a-f]{64})"')


def a_case(name: str, text: str, **changes: object) -> AuthoredCase:
    fields = {
        "name": name,
        "category": "basic",
        "origin": "by hand",
        "input": an_input(text),
        "expected": text.upper(),
        "has_expected": True,
        "evidence": OutputEvidence(),
    }
    return AuthoredCase.model_validate(fields | changes)


@dataclass(frozen=True)
class Kept:
    """What the first caller keeps, by the names that routes have for it."""

    run: str
    waiting: str
    submission: str
    challenge: str
    batch: str
    live: str
    judge0: str
    file: str
    suite: str

    def filled(self, path: str) -> str:
        """Return the path of a route with the ids of what the first caller keeps."""
        values = {
            "{run_id}": self.run,
            "{number}": "1",
            "{kind}": "judge",
            "{path:path}": "x",
            "{file_id}": self.file,
            "{token}": self.judge0,
            "{token_id}": "0" * 12,
            "{live_id}": self.live if "/live/" in path else self.batch,
            "{digest}": self.suite
            if "/suites/" in path
            else self.challenge
            if "/challenges/" in path
            else self.submission,
            "{name}": "style.css" if "/assets/" in path else "shout",
        }
        for name in re.findall(r"\{[^}]+\}", path):
            path = path.replace(name, values[name])
        if path.startswith("/submissions/batch"):
            path += f"?tokens={self.judge0}"
        return path

    @property
    def ids(self) -> tuple[str, ...]:
        """Whatever a list shows of it."""
        digests = (self.submission[:12], self.challenge[:12])
        return (self.run, self.waiting, *digests, self.batch, self.live, self.judge0, self.file)


@dataclass
class Shared:
    """A service with callers of one name."""

    service: Service
    tokens: dict[str, str]
    kept: Kept = field(init=False)
    sent: dict[str, bytes] = field(default_factory=dict)
    """The answers to what the first caller sent."""

    def ask(self, who: str, method: str, path: str, body: object = None, **headers: str) -> Answer:
        """Send a request as a caller; only the beginning of a stream that does not end is read."""
        token = self.tokens[who]
        page = path == "/" or path.startswith("/pages")
        given = {"Cookie": f"steelyard_session={token}"} if page else {}
        given |= {"Authorization": f"Bearer {token}"} if not page else {}
        if isinstance(body, dict) and page:
            form = {**body, "csrf": self.csrf(who)}
            given["Content-Type"] = "application/x-www-form-urlencoded"
            body = urlencode(form).encode()
        return self.service.request(method, path, body, headers={**given, **headers}, token="")

    def csrf(self, who: str) -> str:
        """Return what the forms of a caller's pages send."""
        found = CSRF.search(self.ask(who, "GET", "/pages/new/batch").body.decode())
        assert found
        return found[1]

    def status(self, who: str, path: str) -> int:
        """Return the status of a path alone: some streams do not end."""
        parts = urlsplit(self.service.url)
        connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=60)
        try:
            token = self.tokens[who]
            cookie = {"Cookie": f"steelyard_session={token}"}
            bearer = {"Authorization": f"Bearer {token}"}
            connection.request("GET", path, headers=cookie if path.startswith("/p") else bearer)
            return connection.getresponse().status
        finally:
            connection.close()


def _stored(folder: Path) -> dict[str, str]:
    tokens: dict[str, str] = {}
    callers: tuple[tuple[str, str, Scope], ...] = (
        ("ann", "", "judge"),
        ("again", "ann", "judge"),
        ("other", "", "judge"),
        ("author", "", "author"),
        ("admin", "", "admin"),
    )
    with open_database(folder / "steelyard.sqlite3") as database, database.change() as change:
        suite = AuthoredSuite(
            spec_digest=SPEC.digest,
            cases=(
                a_case("example", "shown"),
                a_case("one", "secret-in-1"),
                a_case("two", "secret-in-2"),
                a_case("long", "", input=_expression("secret-in-", 3), expected="SECRET-IN-" * 3),
            ),
        )
        solutions = (
            StoredSolution(problem="shout", role="optimised", source=WRONG),
            StoredSolution(problem="shout", role="brute-force", source=RIGHT),
        )
        change.store_problem("shout", SPEC, suite, solutions)
        owners: dict[str, str] = {}
        for who, like, scope in callers:
            text, stored = new_token(
                "unnamed", (scope,), now=datetime.now(UTC), owner=owners.get(like, "")
            )
            store_token(change, stored)
            tokens[who], owners[who] = text, stored.owner
    assert owners["again"] == owners["ann"] != owners["other"]
    return tokens


def _expression(text: str, times: int) -> CompactInput:
    return an_input(text * times, expression=f"['{text}' * {times}]")


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shared]:
    """A service on which the first caller keeps something of every kind."""
    folder = tmp_path_factory.mktemp("owners")
    tokens = _stored(folder)
    options = ("--compat", ",".join(PEERS), "--mcp")
    with running_service(folder, *options) as service:
        shared = Shared(service, tokens)
        shared.kept = _keep(shared)
        yield shared
        assert "Traceback" not in service.log


def _keep(shared: Shared) -> Kept:
    def sent(path: str, body: object, status: int = 201, **headers: str) -> Answer:
        answer = shared.ask("ann", "POST", path, body, **headers)
        assert answer.status == status, (path, answer.body)
        shared.sent[path] = answer.body
        return answer

    request = {
        "program": f"print(1)  # {MINE}",
        "language": "python",
        "tests": [{"input": "", "expected": "1"}],
    }
    runs = [sent("/v1/judge", request, 202, Prefer="respond-async").json["id"] for _ in range(2)]
    assert shared.ask("ann", "DELETE", f"/v1/runs/{runs[0]}").status == 200
    submission = sent("/v1/submissions", {"problem": "shout", "program": QUOTES}).json
    challenge = {"problem": "shout", "input": ["challenged-z"], "reason": f"{MINE}: a z"}
    made = sent("/v1/challenges", challenge).json
    for known in ({}, {"output": "SECRET-IN-1"}):  # the suite has it
        body = {"problem": "shout", "input": ["secret-in-1"], "reason": "guessed", **known}
        refused = shared.ask("ann", "POST", "/v1/challenges", body)
        assert refused.json["state"] == "rejected"
        assert "the suite has" not in refused.body.decode()
    decision = f"/v1/challenges/{made['challenge']}/decision"
    decided = shared.ask("author", "POST", decision, {"accept": True, "output": ANSWER})
    assert decided.json["state"] == "accepted", decided.body
    suite = shared.ask("admin", "GET", "/v1/problems/shout").json["suite"]["suite"]
    lines = json.dumps({"id": MINE, **request})
    batch = sent("/pages/new/batch", {"lines": lines}, 303).headers["location"]
    live = shared.ask("ann", "POST", "/pages/problems/shout/submissions", {"program": WAITS})
    assert live.headers["location"].startswith("/pages/live/"), live.headers
    judge0 = sent("/submissions", {"source_code": f"print('{MINE}')", "language_id": 71}).json
    form = (
        f'--edge\r\nContent-Disposition: form-data; name="file"; filename="{MINE}"\r\n\r\n'
        f"{MINE}\r\n--edge--\r\n"
    )
    type_ = {"Content-Type": "multipart/form-data; boundary=edge"}
    file = sent("/file", form.encode(), 200, **type_).json
    return Kept(
        run=runs[0],
        waiting=runs[1],
        submission=submission["submission"],
        challenge=made["challenge"],
        batch=batch.rpartition("/")[2],
        live=live.headers["location"].rpartition("/")[2],
        judge0=judge0["token"],
        file=file,
        suite=suite,
    )


WAITS = f"import time  # {MINE}\ntime.sleep(1.5)\n{RIGHT}"
"""A program that is judged for longer than a form waits."""


def routes(method: str) -> list[str]:
    """Return the paths of all routes with a method, those of all peers among them."""
    found = [route for each in routers(ServiceSettings(compat=PEERS)) for route in each.routes]
    return sorted(
        route.path
        for route in found
        if isinstance(route, Route) and method in (route.methods or ())
    )


OWN = {
    "/v1/runs/{run_id}",
    "/v1/runs/{run_id}/events",
    "/v1/runs/{run_id}/files",
    "/v1/submissions/{digest}",
    "/v1/challenges/{digest}",
    "/submissions/{token}",
    "/file/{file_id}",
    "/pages/runs/{run_id}",
    "/pages/submissions/{digest}",
    "/pages/challenges/{digest}",
    "/pages/batches/{live_id}",
    "/pages/batches/{live_id}/{number}",
    "/pages/batches/{live_id}/answers",
    "/pages/batches/{live_id}/events",
    "/pages/live/{live_id}/events",
}
"""The routes at which the first caller gets what it keeps."""
NAMES_ONE_OF_MINE = re.compile(r"\{(run_id|live_id|token|file_id)\}|(submissions|challenges)/\{")


def test_every_route_that_names_something_of_a_callers_is_known() -> None:
    named = {path for path in routes("GET") if NAMES_ONE_OF_MINE.search(path)}
    further = {
        "/pages/live/{live_id}",
        "/pages/runs/{run_id}/live",
        "/pages/runs/{run_id}/steps",
        "/v1/runs/{run_id}/files/{path:path}",
    }
    assert named == OWN | further


@pytest.mark.parametrize("who", ["ann", "again"])
def test_all_tokens_of_an_account_reach_what_is_its_own(shared: Shared, who: str) -> None:
    found = {path: shared.status(who, shared.kept.filled(path)) for path in sorted(OWN)}
    assert found == dict.fromkeys(sorted(OWN), 200)
    lists = ("/v1/runs", "/v1/submissions", "/v1/challenges", "/file", "/pages/runs", "/")
    kept = shared.kept
    for path in lists:
        body = shared.ask(who, "GET", path).body.decode()
        assert any(each in body for each in kept.ids), path
    program = shared.ask(who, "GET", f"/v1/submissions/{kept.submission}").json["program"]
    assert program == QUOTES


def test_another_caller_of_the_same_name_sees_nothing_of_it(shared: Shared) -> None:
    for path in routes("GET"):
        filled = shared.kept.filled(path)
        answer = shared.ask("other", "GET", filled)
        if NAMES_ONE_OF_MINE.search(path):
            assert answer.status == 404, (path, answer.status, answer.body)
        elif path == "/submissions/batch":
            assert answer.json == {"submissions": [None]}
        else:
            assert answer.status in (200, 303, 403, 404), (path, answer.status, answer.body)
        text = answer.body.decode("utf-8", "replace")
        asked = filled.rpartition("/")[2]
        shown = [each for each in (MINE, *shared.kept.ids) if each in text and each not in asked]
        assert not shown, (path, text)
    by_name = shared.ask("other", "GET", "/v1/submissions?by=unnamed").json
    assert by_name["items"] == []


def test_another_caller_of_the_same_name_changes_nothing_of_it(shared: Shared) -> None:
    kept = shared.kept
    forms = [path for path in routes("POST") if "{" in path and path.startswith("/pages")]
    tried = {}
    for path in forms:
        if "/problems/" in path or "{token_id}" in path:
            continue
        answer = shared.ask("other", "POST", kept.filled(path), {"accept": "yes"})
        tried[path] = answer.status
    assert tried == {
        "/pages/batches/{live_id}/cancel": 404,
        "/pages/challenges/{digest}/decision": 403,
        "/pages/runs/{run_id}/cancel": 404,
        "/pages/new/{kind}": 422,
    }
    assert shared.ask("other", "DELETE", f"/v1/runs/{kept.waiting}").status == 404
    assert shared.ask("ann", "GET", f"/v1/runs/{kept.waiting}").json["state"] == "queued"
    assert shared.ask("other", "DELETE", f"/file/{kept.file}").status == 404
    assert shared.ask("ann", "GET", f"/file/{kept.file}").status == 200
    assert set(routes("DELETE")) == {
        "/v1/runs/{run_id}",
        "/file/{file_id}",
        "/submissions/{token}",
        "/api/v2/packages",
    }


def test_an_idempotency_key_is_an_accounts(shared: Shared) -> None:
    body = {"problem": "shout", "program": f"{RIGHT}# {MINE}"}
    made = {
        who: shared.ask(who, "POST", "/v1/submissions", body, **{"Idempotency-Key": "k"}).json
        for who in ("ann", "again", "other")
    }
    assert made["ann"]["submission"] == made["again"]["submission"] != made["other"]["submission"]


def test_a_session_of_an_agent_is_an_accounts(shared: Shared) -> None:
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "x", "version": "1"},
        },
    }
    accept = {"Accept": "application/json, text/event-stream"}
    begun = shared.ask("ann", "POST", "/mcp", json.dumps(hello).encode(), **accept)
    assert begun.status == 200, begun.body
    accept["Mcp-Session-Id"] = begun.headers["mcp-session-id"]
    asked = json.dumps({"jsonrpc": "2.0", "id": 2, "method": "ping"}).encode()
    found = {
        who: shared.ask(who, "POST", "/mcp", asked, **accept).status
        for who in ("ann", "again", "other")
    }
    assert found == {"ann": 200, "again": 200, "other": 404}


def test_an_administrator_sees_all_but_what_clients_of_peers_leave(shared: Shared) -> None:
    found = {path: shared.status("admin", shared.kept.filled(path)) for path in sorted(OWN)}
    peers = {"/submissions/{token}": 404, "/file/{file_id}": 404}
    assert found == dict.fromkeys(sorted(OWN), 200) | peers


@pytest.mark.parametrize("who", ["ann", "other"])
def test_the_scope_judge_reads_no_hidden_test(shared: Shared, who: str) -> None:
    for path in routes("GET"):
        text = shared.ask(who, "GET", shared.kept.filled(path)).body.decode("utf-8", "replace")
        assert not [each for each in (*HIDDEN, ANSWER) if each in text], (path, text)
    for path, body in shared.sent.items():
        assert not [each for each in (*HIDDEN, ANSWER) if each.encode() in body], (path, body)


def test_of_a_hidden_test_the_verdict_is_shown(shared: Shared) -> None:
    path = f"/v1/submissions/{shared.kept.submission}"
    own, whole = (shared.ask(who, "GET", path).json["result"] for who in ("ann", "admin"))
    bare = {
        "message": "",
        "difference": None,
        "stdout": "",
        "stderr": "",
        "points": None,
        "exit_code": None,
        "signal": None,
    }
    shown = {"example"}
    for mine, full in zip(own["cases"], whole["cases"], strict=True):
        hidden = {} if full["name"] in shown else bare
        assert mine == full | hidden
    assert "SHOWN" in own["cases"][0]["message"]
    assert all(HIDDEN[0] in json.dumps(case) for case in whole["cases"][1:3])
    assert own["details"] == whole["details"]  # the first failure is the example
    assert (own["reward"], own["success"]) == (whole["reward"], whole["success"])


def test_the_first_failure_is_not_quoted_if_it_is_hidden(shared: Shared) -> None:
    source = RIGHT.replace("return", "if 'secret' in text: raise ValueError(text)\n        return")
    body = {"problem": "shout", "program": source}
    made = {who: shared.ask(who, "POST", "/v1/submissions", body).json for who in ("ann", "admin")}
    assert made["ann"]["result"]["details"].endswith("first: one RTE, a hidden test")
    assert "ValueError: secret-in-1" in made["admin"]["result"]["details"]


def test_who_reads_tests_reads_them_in_the_same_places(shared: Shared) -> None:
    kept = shared.kept
    detail = f"/v1/challenges/{kept.challenge}"
    seen: dict[str, Any] = {
        who: shared.ask(who, "GET", detail) for who in ("ann", "author", "admin")
    }
    assert [ANSWER in each.body.decode() for each in seen.values()] == [False, True, True]
    assert seen["ann"].json["input"]["args"] == ["challenged-z"]
    assert [each["state"] for each in seen["ann"].json["steps"]][-1] == "accepted"
    assert seen["ann"].json["truths"] == []
    suites = "/v1/suites?problem=shout"
    reasons = {
        who: [each.get("reason", "") for each in shared.ask(who, "GET", suites).json["items"]]
        for who in ("other", "admin")
    }
    assert MINE in reasons["admin"][-1]
    assert reasons["other"][-1] == ""


def test_no_other_ones_record_is_told_from_one_that_is_not_stored(shared: Shared) -> None:
    for path, whole in (
        ("submissions", shared.kept.submission),
        ("challenges", shared.kept.challenge),
    ):
        absent = "0" * 64
        found = [shared.ask("other", "GET", f"/v1/{path}/{each}") for each in (whole, absent)]
        details = [each.json["detail"].replace(whole, "X").replace(absent, "X") for each in found]
        assert details[0] == details[1]


def test_what_is_followed_ends_as_the_callers_own(shared: Shared) -> None:
    path = f"/pages/live/{shared.kept.live}"
    until = time.monotonic() + 120
    while (answer := shared.ask("again", "GET", path)).status == 200:
        assert time.monotonic() < until
        time.sleep(0.2)
    assert answer.headers["location"].startswith("/pages/submissions/")
    assert shared.ask("other", "GET", answer.headers["location"]).status == 404


def test_pages_of_a_list_hold_all_that_is_an_accounts_once(shared: Shared) -> None:
    for path in ("submissions", "challenges"):
        whole = shared.ask("ann", "GET", f"/v1/{path}?limit=200").json["items"]
        found, cursor = [], ""
        while cursor is not None:
            answer = shared.ask("again", "GET", f"/v1/{path}?limit=1&cursor={cursor}").json
            found += answer["items"]
            cursor = answer["next"]
        assert [each["digest"] for each in found] == [each["digest"] for each in whole]
        assert len(found) >= 1
