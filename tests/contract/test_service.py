"""The service over real connections: state, errors, headers."""

from tests.http_server import Service


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
