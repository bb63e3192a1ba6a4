"""Stored problems over HTTP: they are listed, submitted to and challenged as in the library."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from steelyard.families import as_compact
from steelyard.schemas import (
    AuthoredCase,
    AuthoredSuite,
    Parameter,
    SpecExample,
    StrengthReport,
    Survivor,
)
from steelyard.service import new_token
from steelyard.storage import Database, open_database, store_token
from tests import gap_problem as gap
from tests.http_server import Answer, Service, running_service

GAP: dict[str, Any] = {
    "name": gap.NAME,
    "specification": {**gap.SPEC.model_dump(mode="json"), "tags": ["Sorting", "a b"]},
    "suite": {
        "cases": [
            {"input": [[3, 9, 5]], "expected": 4, "name": "first"},
            {"input": "[[5] * 1000]", "expected": 0, "category": "stress"},
            {"input": [[9, 1, 4]]},
        ]
    },
    "solutions": [
        {"role": "optimised", "source": gap.NEGATIVES_FORGOTTEN},
        {"role": "brute-force", "source": gap.BRUTE_FORCE},
    ],
}
COUNT = 25


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service that keeps problems `p00` to `p24`, and the gap problem by its form."""
    folder = tmp_path_factory.mktemp("records")
    with open_database(folder / "steelyard.sqlite3") as database:
        _store_many(database)
    with running_service(folder) as service:
        answer = service.post("/v1/problems", GAP)
        assert answer.status == 201, answer.body
        assert answer.headers["location"] == "/v1/problems/gap"
        yield service


def _store_many(database: Database) -> None:
    with database.change() as change:
        for number in range(COUNT):
            tags = ("graph", f"mod {number % 3}")
            spec = gap.SPEC.model_copy(update={"title": f"Straße {number}", "tags": tags})
            change.store_problem(f"p{number:02}", spec)


def names(answer: Answer) -> list[str]:
    assert answer.status == 200, answer.body
    return [each["name"] for each in answer.json["items"]]


def test_pages_hold_every_problem_once(records: Service) -> None:
    found, cursor = [], ""
    while cursor is not None:
        answer = records.get(f"/v1/problems?limit=7&cursor={cursor}")
        found += names(answer)
        cursor = answer.json["next"]
    assert found == ["gap", *(f"p{number:02}" for number in range(COUNT))]
    whole = records.get(f"/v1/problems?limit={COUNT + 1}").json
    assert whole["next"] is None
    assert whole["items"][0] == {
        "name": "gap",
        "title": "Widest gap",
        "tags": ["Sorting", "a b"],
        "spec_version": 1,
        "suite_version": 1,
        "cases": 3,
        "mutants": None,
    }


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("search=WIDEST", ["gap"]),
        ("search=widest%20sort", ["gap"]),
        ("search=STRASSE%2024", ["p24"]),
        ("search=P2", ["p20", "p21", "p22", "p23", "p24"]),
        ("search=%25", []),
        ("search=_", []),
        ("search=nothing", []),
        ("search=p2%20strasse", []),  # one in the name, one in the title
        ("tag=A%20b", ["gap"]),
        ("tag=widest%20gap", []),
        ("tag=graph&tag=mod%201&limit=2", ["p01", "p04"]),
        ("tag=grap", []),
        ("tag=%22%2C%22", []),
    ],
)
def test_problems_are_found_by_words_and_tags(
    records: Service, query: str, found: list[str]
) -> None:
    assert names(records.get(f"/v1/problems?{query}")) == found


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("limit=0", "body-invalid"),
        ("limit=201", "body-invalid"),
        ("limit=x", "body-invalid"),
        ("page=2", "body-invalid"),
        ("search=%00", "body-invalid"),
        ("cursor=%00", "cursor-invalid"),
        ("cursor=x", "cursor-invalid"),
        ("cursor=WzFd", "cursor-invalid"),  # [1]
        ("cursor=WyJcdTAwMDAiXQ==", "cursor-invalid"),  # ["\u0000"]
        ("cursor=WyJcdWQ4MDAiXQ==", "cursor-invalid"),  # ["\ud800"]
        ("cursor=eyJhIjoxfQ==", "cursor-invalid"),  # {"a":1}
        ("cursor=" + "x" * 2_000, "body-invalid"),
    ],
)
def test_a_wrong_query_is_a_problem(records: Service, query: str, code: str) -> None:
    answer = records.get(f"/v1/problems?{query}")
    assert (answer.status, answer.code) == (422, code), answer.body


def test_a_problem_has_versions_that_never_change(records: Service) -> None:
    answer = records.get("/v1/problems/gap")
    assert answer.json["specification"]["title"] == "Widest gap"
    assert {each["role"] for each in answer.json["solutions"]} == {"optimised", "brute-force"}
    assert "source" not in answer.json["solutions"][0]
    tag = {"If-None-Match": answer.headers["etag"]}
    assert records.get("/v1/problems/gap", headers=tag).status == 304
    (version,) = records.get("/v1/problems/gap/versions").json["items"]
    assert version["number"] == 1
    first = records.get("/v1/problems/gap/versions/1")
    assert first.json["specification"]["tags"] == ["Sorting", "a b"]
    assert "immutable" in first.headers["cache-control"]
    (suite,) = records.get("/v1/suites?problem=gap").json["items"]
    assert suite["suite"] == answer.json["suite"]["suite"]
    shown = records.get(f"/v1/suites/{suite['suite']}")
    assert shown.headers["etag"] == f'"{suite["suite"]}"'
    assert [case["has_expected"] for case in shown.json["suite"]["cases"]] == [True, True, False]
    assert [case["name"] for case in shown.json["suite"]["cases"]] == ["first", "case 2", "case 3"]
    assert records.get(f"/v1/suites/{suite['suite']}/strength").json == {"items": []}


@pytest.mark.parametrize(
    "path",
    [
        "/v1/problems/none",
        "/v1/problems/none/versions",
        "/v1/problems/gap/versions/2",
        "/v1/suites/" + "0" * 64,
        f"/v1/suites/{'0' * 64}/strength",
        "/v1/submissions/0000",
        "/v1/challenges/0000",
    ],
)
def test_what_is_not_stored_is_not_found(records: Service, path: str) -> None:
    answer = records.get(path)
    assert (answer.status, answer.code) == (404, "not-stored")


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"name": "../x"}, "body-invalid"),
        ({"suite": {"cases": [{"input": [[]]}]}}, "usage-error"),
        ({"suite": {"cases": [{"input": [[1]], "expected": "1"}]}}, "usage-error"),
        ({"suite": {"cases": [{"input": "[[0] * 10**9]"}]}}, "specification-error"),
        ({"suite": {"cases": [{"input": "open('/etc/passwd')"}]}}, "specification-error"),
        ({"suite": {"cases": [], "spec_digest": "0" * 64}}, "usage-error"),
        ({"suite": {"cases": [{"input": [[1]]}] * 10_001}}, "too-many-tests"),
        ({"solutions": [{"source": "#" * (1_025 << 10)}]}, "source-too-large"),
        ({"solutions": [{"role": "submission", "source": ""}]}, "body-invalid"),
        ({"specification": {**GAP["specification"], "returns": "Node"}}, "specification-error"),
    ],
)
def test_a_wrong_problem_is_not_stored(
    records: Service, change: dict[str, object], code: str
) -> None:
    answer = records.post("/v1/problems", {**GAP, "name": "wrong", **change})
    assert (answer.status, answer.code) == (422, code), answer.body
    assert names(records.get("/v1/problems?search=wrong")) == []


def test_a_submission_is_judged_once_and_kept(records: Service) -> None:
    body = {"problem": "gap", "program": gap.OPTIMISED}
    key = {"Idempotency-Key": "first"}
    made = records.post("/v1/submissions", body, headers=key)
    assert made.status == 201, made.body
    assert made.json["passed"]
    assert records.post("/v1/submissions", body, headers=key).body == made.body
    wrong = records.post("/v1/submissions", {**body, "program": "class Solution: pass"})
    assert not wrong.json["passed"]
    again = records.post("/v1/submissions", body)
    assert "did not run" in again.json["notes"][0]
    listed = records.get("/v1/submissions?problem=gap&limit=2").json
    assert [each["digest"] for each in listed["items"]] == [
        again.json["submission"],
        wrong.json["submission"],
    ]
    assert [(each["passed"], each["tests"]) for each in listed["items"]] == [(True, 2), (False, 2)]
    last = records.get(f"/v1/submissions?problem=gap&cursor={listed['next']}").json
    assert [each["digest"] for each in last["items"]] == [made.json["submission"]]
    shown = records.get(made.headers["location"]).json
    assert (shown["program"], shown["submission"]["by"]) == (gap.OPTIMISED, "local")
    assert [case["verdict"] for case in shown["result"]["cases"]] == ["AC", "AC"]
    assert records.get("/v1/submissions?by=nobody").json["items"] == []


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"problem": "none"}, 404, "not-stored"),
        ({"problem": "p00"}, 422, "usage-error"),
        ({"language": "cobol"}, 422, "language-error"),
        ({"program": "#" * (1_025 << 10)}, 422, "source-too-large"),
        ({"by": "somebody else"}, 422, "body-invalid"),
    ],
)
def test_a_wrong_submission_is_not_stored(
    records: Service, change: dict[str, object], status: int, code: str
) -> None:
    before = len(records.get("/v1/submissions").json["items"])
    answer = records.post("/v1/submissions", {"problem": "gap", "program": "1", **change})
    assert (answer.status, answer.code) == (status, code), answer.body
    assert len(records.get("/v1/submissions").json["items"]) == before


def test_a_challenge_repairs_the_problem(records: Service) -> None:
    problem = {**GAP, "name": "repaired"}
    assert records.post("/v1/problems", problem).status == 201
    body = {"problem": "repaired", "input": [[-3, 3, 4]], "reason": "negative numbers"}
    invalid = records.post("/v1/challenges", {**body, "input": [[5_000]]})
    assert (invalid.status, invalid.json["state"]) == (200, "rejected")
    made = records.post("/v1/challenges", body)
    assert made.status == 201, made.body
    shown = records.get(made.headers["location"]).json
    assert shown["input"]["args"] == [[-3, 3, 4]]
    assert (shown["state"], shown["challenge"]["by"]) == (made.json["state"], "local")
    path = f"{made.headers['location']}/decision"
    decided = records.post(path, {"accept": True, "output": 6, "reason": "by hand"})
    assert decided.status == 200, decided.body
    assert decided.json["state"] == "accepted"
    assert records.get("/v1/problems/repaired").json["problem"]["suite_version"] > 1
    again = records.post(path, {"accept": False})
    assert (again.status, again.code) == (422, "usage-error")
    listed = records.get("/v1/challenges?problem=repaired&state=accepted").json
    assert [each["digest"] for each in listed["items"]] == [made.json["challenge"]]
    assert records.get("/v1/challenges?problem=repaired&state=open").json["items"] == []
    assert records.post("/v1/challenges", {**body, "problem": "none"}).code == "not-stored"
    wrong = records.post("/v1/challenges", {**body, "input": "[1"})
    assert (wrong.status, wrong.code) == (422, "specification-error")


def test_scopes_and_owners_decide_what_is_seen(tmp_path: Path) -> None:
    tokens = {}
    with open_database(tmp_path / "steelyard.sqlite3") as database:
        gap.store(database)
        with database.change() as change:
            for name, scope in (("ann", "judge"), ("bob", "judge"), ("eve", "admin")):
                tokens[name], stored = new_token(name, (scope,), now=datetime.now(UTC))
                store_token(change, stored)
            suite = change.suite_versions(gap.NAME)[0].suite
    with running_service(tmp_path) as service:
        body = {"problem": gap.NAME, "program": gap.OPTIMISED}
        made = service.post("/v1/submissions", body, token=tokens["ann"])
        assert made.status == 201, made.body
        seen = {
            name: len(service.get("/v1/submissions?by=ann", token=token).json["items"])
            for name, token in tokens.items()
        }
        assert seen == {"ann": 1, "bob": 0, "eve": 1}
        path = made.headers["location"]
        found = {name: service.get(path, token=token).status for name, token in tokens.items()}
        assert found == {"ann": 200, "bob": 404, "eve": 200}
        hidden = service.get(f"/v1/suites/{suite}", token=tokens["ann"])
        assert (hidden.status, hidden.code) == (403, "scope-missing")
        assert service.get(f"/v1/suites/{suite}", token=tokens["eve"]).status == 200
        assert service.post("/v1/problems", GAP, token=tokens["ann"]).code == "scope-missing"
        decision = "/v1/challenges/0000/decision"
        assert service.post(decision, {"accept": False}, token=tokens["ann"]).status == 403


def test_half_of_a_character_is_shown_as_its_escape(tmp_path: Path) -> None:
    half = "\ud800"
    spec = gap.SPEC.model_copy(
        update={
            "parameters": (Parameter(name="nums", type="str"),),
            "constraints": (),
            "examples": (SpecExample(args=(half,), expected=1),),
        }
    )
    case = AuthoredCase(name="a", category="basic", origin="-", input=as_compact([half]))
    suite = AuthoredSuite(spec_digest=spec.digest, cases=(case,))
    solution = gap.solution("class Solution:\n    def solve(self, nums):\n        return 1\n")
    survivor = Survivor(name="m", kind="mutant", killing_input=(half,))
    with open_database(tmp_path / "steelyard.sqlite3") as database, database.change() as change:
        change.store_problem(gap.NAME, spec, suite, [solution])
        stored = change.suite_versions(gap.NAME)[0]
        report = StrengthReport(cases=1, survivors=(survivor,))
        change.add_strength(stored.suite, solution.digest, "1", report)
    with running_service(tmp_path) as service:
        suite_path = f"/v1/suites/{stored.suite}"
        for path in (f"/v1/problems/{gap.NAME}", suite_path, f"{suite_path}/strength"):
            answer = service.get(path)
            assert answer.status == 200, path
            assert rb"\ud800" in answer.body, path
