"""Judgements over HTTP equal those of the library; a wrong request is a problem document."""

import json
from typing import Any

import pytest

from steelyard import Limits, judge
from tests.http_server import Answer, Service

ADD = "print(sum(map(int, input().split())))"
TESTS = [{"input": "1 2\n", "expected": "3\n"}, {"input": "4 5\n", "expected": "9\n"}]


def lines(answer: Answer) -> list[dict[str, Any]]:
    assert answer.status == 200, answer.body
    assert answer.headers["content-type"] == "application/x-ndjson"
    return [json.loads(line) for line in answer.body.splitlines()]


def post_lines(service: Service, *bodies: object, order: str = "done") -> list[dict[str, Any]]:
    content = b"\n".join(
        body if isinstance(body, bytes) else json.dumps(body).encode() for body in bodies
    )
    return lines(
        service.post(
            f"/v1/judge/batch?order={order}",
            content,
            headers={"Content-Type": "application/x-ndjson"},
        )
    )


@pytest.mark.parametrize(
    "program", [ADD, "print(3)", "print(1", "import time; time.sleep(9)", "raise SystemExit(4)", ""]
)
def test_a_judgement_equals_the_librarys(service: Service, program: str) -> None:
    limits = {"cpu_ms": 1_000, "wall_ms": 4_000}
    body = {"program": program, "tests": TESTS, "language": "python", "limits": limits}
    answer = service.post("/v1/judge", body)
    assert answer.status == 200, answer.body
    own = judge(program, TESTS, language="python", limits=Limits(**limits))
    theirs = answer.json
    assert [case["verdict"] for case in theirs["cases"]] == [case.verdict for case in own.cases]
    assert (theirs["reward"], theirs["passed"]) == (own.reward, own.passed)
    assert theirs["isolation"] == (own.isolation and own.isolation.model_dump(mode="json"))


def test_calls_take_tagged_values(service: Service) -> None:
    body = {
        "program": "def swap(p):\n    return (p[1], p[0])\n",
        "entry": "function:swap",
        "tests": [{"args": [{"$": "tuple", "v": [1, 2]}], "expected": {"$": "tuple", "v": [2, 1]}}],
    }
    assert service.post("/v1/judge", body).json["success"]


def test_a_checker_program_decides(service: Service) -> None:
    checker = {
        "language": "python",
        "convention": "icpc",
        "source": "import sys\nsys.exit(42 if sys.stdin.read().strip() == 'yes' else 43)",
    }
    body = {"program": "print('yes')", "language": "python", "tests": TESTS, "checker": checker}
    assert service.post("/v1/judge", body).json["success"]
    broken = {**body, "checker": {**checker, "language": "cpp"}}
    assert service.post("/v1/judge", broken).code == "usage-error"


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"language": "cobol"}, 422, "language-error"),
        ({"language": "c\0"}, 422, "language-error"),
        ({"language": 5}, 422, "body-invalid"),
        ({"unknown": 5}, 422, "body-invalid"),
        ({"tests": "tests.json"}, 422, "body-invalid"),
        ({"tests": []}, 422, "tests-error"),
        ({"tests": [{"input": "1"}]}, 422, "tests-error"),
        ({"tests": [{"input": "", "expected": ""}] * 10_001}, 422, "too-many-tests"),
        ({"tests": [{"input": "", "expected": "", "timeout": 999}]}, 422, "time-limit-too-high"),
        ({"entry": "function:"}, 422, "usage-error"),
        ({"policy": "math,;"}, 422, "usage-error"),
        ({"limits": {"cpu_ms": 600_000}}, 422, "time-limit-too-high"),
        ({"limits": {"memory_mib": 99_999}}, 422, "memory-limit-too-high"),
        ({"limits": {"output_mib": 9_999}}, 422, "output-limit-too-high"),
        ({"limits": {"cpu_ms": -1}}, 422, "body-invalid"),
        ({"program": "#" * (1_025 << 10)}, 422, "source-too-large"),
        ({"program": None}, 422, "body-invalid"),
        ({"seed": -1}, 422, "body-invalid"),
    ],
)
def test_a_wrong_request_is_a_problem(
    service: Service, change: dict[str, object], status: int, code: str
) -> None:
    body = {"program": ADD, "language": "python", "tests": TESTS, **change}
    answer = service.post("/v1/judge", body)
    assert (answer.status, answer.code) == (status, code), answer.body
    assert len(answer.body) < 20_000


def test_a_batch_answers_each_line(service: Service) -> None:
    good = {"program": ADD, "language": "python", "tests": TESTS}
    answers = post_lines(
        service,
        {**good, "id": "first"},
        b"{not json",
        {**good, "program": "print(1)"},
        {**good, "language": "cobol", "id": [1]},
        {"tests": []},
        order="input",
    )
    assert [each["index"] for each in answers] == [0, 1, 2, 3, 4]
    assert answers[0]["id"] == "first"
    assert answers[0]["result"]["passed"]
    assert answers[1]["problem"]["code"] == "body-not-json"
    assert answers[2]["result"]["pass_rate"] == 0
    assert (answers[3]["id"], answers[3]["problem"]["code"]) == ([1], "language-error")
    assert answers[4]["problem"]["code"] == "body-invalid"


def test_a_batch_answers_as_results_come(service: Service) -> None:
    slow = {
        "program": "import time; time.sleep(4); print(3)",
        "language": "python",
        "tests": TESTS[:1],
    }
    fast = {"program": ADD, "language": "python", "tests": TESTS}
    answers = post_lines(service, slow, *[fast] * 6)
    assert sorted(each["index"] for each in answers) == list(range(7))
    assert answers[0]["index"] != 0


@pytest.mark.parametrize("query", ["order=best", "ordr=input"])
def test_a_batch_with_a_wrong_query_is_refused(service: Service, query: str) -> None:
    kind = {"Content-Type": "application/x-ndjson"}
    answer = service.post(f"/v1/judge/batch?{query}", b"", headers=kind)
    assert (answer.status, answer.code) == (422, "body-invalid")


def test_a_batch_has_another_type(service: Service) -> None:
    assert service.post("/v1/judge/batch", {"program": ""}).code == "media-type"


def test_a_repeated_key_gets_the_first_answer(service: Service) -> None:
    body = {"program": ADD, "language": "python", "tests": TESTS}
    headers = {"Idempotency-Key": "one"}
    first = service.post("/v1/judge", body, headers=headers)
    again = service.post("/v1/judge", body, headers=headers)
    assert again.body == first.body  # with its times
    assert again.headers["idempotency-replayed"] == "true"
    other = service.post("/v1/judge", {**body, "program": "print(4)"}, headers=headers)
    assert (other.status, other.code) == (422, "key-reused")
    assert service.post("/v1/judge", body, headers={"Idempotency-Key": ""}).code == "key-malformed"


def test_a_repeated_batch_is_judged_once(service: Service) -> None:
    line = json.dumps({"program": ADD, "language": "python", "tests": TESTS}).encode() + b"\n"
    headers = {"Idempotency-Key": "batch", "Content-Type": "application/x-ndjson"}
    first = service.post("/v1/judge/batch", line * 3, headers=headers)
    assert [json.loads(each)["result"]["passed"] for each in first.body.splitlines()] == [True] * 3
    again = service.post("/v1/judge/batch", line * 3, headers=headers)
    assert again.body == first.body  # with its times
    for path, content in (("/v1/judge/batch", line), ("/v1/judge/batch?order=input", line * 3)):
        assert service.post(path, content, headers=headers).code == "key-reused"


def test_languages_and_isolation_have_etags(service: Service) -> None:
    for path in ("/v1/languages", "/v1/isolation"):
        answer = service.get(path)
        assert answer.status == 200, answer.body
        again = service.get(path, headers={"If-None-Match": answer.headers["etag"]})
        assert (again.status, again.body) == (304, b"")
    names = {each["language"] for each in service.get("/v1/languages").json["languages"]}
    assert {"python", "cpp"} <= names
