"""The service over real connections: state, errors, headers."""

from pathlib import Path

import pytest

from tests.http_server import Service, running_service


def test_a_healthy_service_says_what_it_is(service: Service) -> None:
    answer = service.get("/healthz")
    assert answer.status == 200, answer.body
    health = answer.json
    assert health["status"] == "ok"
    assert health["schema_version"] == "1.0.0"
    assert health["cells"] >= 1
    assert health["isolation"]["level"] in {"full", "partial", "none"}


def test_every_response_has_an_id_and_security_headers(service: Service) -> None:
    for path in ("/healthz", "/nothing"):
        headers = service.get(path, headers={"X-Request-Id": "mine-1"}).headers
        assert headers["x-request-id"] == "mine-1"
        assert headers["x-content-type-options"] == "nosniff"
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "access-control-allow-origin" not in headers


def test_an_error_is_a_problem_document(service: Service) -> None:
    answer = service.get("/nothing")
    assert (answer.status, answer.code) == (404, "not-found")
    assert answer.json["request_id"] == answer.headers["x-request-id"]
    assert service.post("/healthz", {}).code == "method-not-allowed"


@pytest.mark.parametrize(
    "path",
    ["/healthz", "/v1/problems", "/v1/languages", "/openapi.json", "/pages/problems", "/nothing"],
)
def test_head_answers_as_get_without_a_body(service: Service, path: str) -> None:
    changing = {"date", "x-request-id", "content-length", "content-security-policy"}
    got, head = service.get(path), service.request("HEAD", path)
    assert (head.status, head.body) == (got.status, b"")
    assert head.headers.keys() == got.headers.keys()
    for name in head.headers.keys() - changing:
        assert head.headers[name] == got.headers[name]


def test_a_connection_serves_on_after_head(service: Service) -> None:
    connection = service.connect()
    for method in ("HEAD", "GET", "HEAD", "GET"):
        connection.request(method, "/v1/isolation")
        response = connection.getresponse()
        assert response.status == 200
        assert bool(response.read()) is (method == "GET")
    connection.close()


@pytest.mark.parametrize(
    ("method", "path", "offered"),
    [
        ("POST", "/healthz", "GET, HEAD"),
        ("PUT", "/v1/problems", "GET, HEAD, POST"),
        ("GET", "/v1/judge", "POST"),
        ("HEAD", "/v1/judge", "POST"),
    ],
)
def test_a_method_that_is_not_offered(
    service: Service, method: str, path: str, offered: str
) -> None:
    answer = service.request(method, path)
    assert (answer.status, answer.headers["allow"]) == (405, offered)


def test_a_service_whose_database_is_gone_serves_nobody_until_it_is_back(tmp_path: Path) -> None:
    """It cannot know then if there are tokens."""
    judgement = {"program": "print(1)", "tests": [{"input": "", "expected": "1"}]}
    with running_service(tmp_path) as running:
        assert running.get("/healthz").status == 200
        running.database.rename(tmp_path / "elsewhere")
        health = running.get("/healthz")
        assert (health.status, health.json["status"]) == (503, "failing")
        assert "there is no database" in running.log
        refused = running.post("/v1/judge", judgement | {"language": "python"})
        assert (refused.status, refused.code) == (503, "database-error")
        assert str(tmp_path) not in f"{health.body!r} {refused.body!r}"
        (tmp_path / "elsewhere").rename(running.database)
        assert running.get("/healthz").status == 200
