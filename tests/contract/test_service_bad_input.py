"""Answer whatever a connection sends with a problem, or close it, and serve the next one."""

import json
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.http_server import Service, running_service

BODY = {"program": "print(1)", "language": "python", "tests": [{"input": "", "expected": "1"}]}


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with low limits."""
    limits = {
        "MAX_BODY_MIB": "1",
        "HEADER_TIMEOUT_S": "1",
        "BODY_TIMEOUT_S": "1",
        "MAX_CONNECTIONS": "20",
        "MAX_REQUEST_S": "5",
        "MAX_BATCH": "3",
        "MAX_TIME_S": "3600",
    }
    environment = {f"STEELYARD_SERVICE__{name}": value for name, value in limits.items()}
    with running_service(tmp_path_factory.mktemp("strict"), environment=environment) as running:
        yield running
        assert "Traceback" not in running.log


def raw(service: Service, content: bytes, *, until_closed: bool = True) -> bytes:
    """Send bytes as they are, and return all that comes back."""
    parts = urlsplit(service.url)
    with socket.create_connection((parts.hostname, parts.port), timeout=60) as connection:
        try:
            connection.sendall(content)
            answer = b""
            while until_closed and (chunk := connection.recv(65_536)):
                answer += chunk
        except ConnectionError:
            pass
        return answer


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"", 422, "body-invalid"),
        (b"{", 400, "body-not-json"),
        (b'{"program": "\xff"}', 400, "body-not-json"),
        (b'{"program": "a\0"}', 400, "body-not-json"),
        (b'{"program": NaN}', 400, "body-not-json"),
        (b"[" * 100_000, 400, "body-too-deep"),
        (b'{"tests": ' + b"[" * 70 + b"]" * 70 + b"}", 400, "body-too-deep"),
        (b'{"program": "1", "program": "2"}', 400, "key-repeated"),
        (b'{"tests": [{"input": 1, "input": 2}]}', 400, "key-repeated"),
        (b"[]", 422, "body-invalid"),
        (b"1" * 10_000, 400, "body-not-json"),
        (b"[]," * 70 + b'"\\' * 250_000, 400, "body-not-json"),
        (b"{" + b",".join(b'"%d":1' % i for i in range(100_001)) + b"}", 400, "body-too-complex"),
        (b"null", 422, "body-invalid"),
        (b'"' + b"a" * (2 << 20) + b'"', 413, "body-too-large"),
    ],
    ids=lambda given: given[:20] if isinstance(given, bytes) else "",
)
def test_bodies_that_cannot_be_read(
    service: Service, strict: Service, body: bytes, status: int, code: str
) -> None:
    answer = strict.post("/v1/judge", body)
    assert (answer.status, answer.code) == (status, code), answer.body[:500]
    assert len(answer.body) < 20_000
    assert strict.get("/healthz").status == 200


def test_the_faults_of_a_long_list_are_not_all_collected(strict: Service) -> None:
    answer = strict.post("/v1/judge", {**BODY, "tests": [1] * 200_000})
    assert (answer.status, answer.code) == (422, "body-invalid")
    assert {each["at"].rpartition(".")[0] for each in answer.json["faults"]} == {"body.tests.0"}


def peers_of(address: str) -> set[str]:
    """Return the other ends of the established connections of a server, as the kernel has them."""
    rows = map(str.split, Path("/proc/net/tcp").read_text().splitlines()[1:])
    return {row[2] for row in rows if row[1] == address and row[3] == "01"}


def test_a_client_that_takes_no_response_is_cut_off(strict: Service) -> None:
    parts = urlsplit(strict.url)
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        connection.connect((parts.hostname, parts.port))
        connection.settimeout(1)
        with suppress(OSError):  # it takes no more requests than responses
            connection.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 200)
        client = f"0100007F:{connection.getsockname()[1]:04X}"
        end = time.monotonic() + 60
        while client in peers_of(f"0100007F:{parts.port:04X}"):
            assert time.monotonic() < end
            time.sleep(0.05)
    assert strict.get("/healthz").status == 200


def test_bodies_of_another_type(strict: Service) -> None:
    for kind in ("text/plain", "application/xml", "a", "application/x-www-form-urlencoded"):
        content = json.dumps(BODY).encode()
        answer = strict.post("/v1/judge", content, headers={"Content-Type": kind})
        assert (answer.status, answer.code) == (415, "media-type")
        answer = strict.post("/v1/profile", content, headers={"Content-Type": kind})
        assert (answer.status, answer.code) == (415, "media-type")


def test_halves_of_surrogate_pairs(strict: Service) -> None:
    body = {**BODY, "program": "print('\ud800')"}
    assert strict.post("/v1/judge", body).status == 200
    body = {**BODY, "tests": [{"input": "\ud800", "expected": "\ud800"}]}
    assert strict.post("/v1/judge", body).status in (200, 422)
    body = {**BODY, "language": "\ud800"}
    assert strict.post("/v1/judge", body).status == 422


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"GET /healthz HTTP/1.1\r\nHost: x\r\n" + b"A: b\r\n" * 200 + b"\r\n", b"431"),
        (b"GET /healthz HTTP/1.1\r\nHost: x\r\nA: " + b"b" * 100_000 + b"\r\n\r\n", b"431"),
        (b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", b"431"),
        (b"GET /healthz HTTP/1.1\r\nHost: x\r\nA: b", b"408"),
        (b"", b"408"),
        (b"nonsense\r\n\r\n", b"400"),
        (b"GET /healthz HTTP/1.1\r\nHost: x\0\r\n\r\n", b"400"),
        (
            (
                b"POST /v1/judge HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                b"Content-Length: 100\r\n\r\n{"
            ),
            b"408",
        ),
        (
            b"POST /v1/judge HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n",
            b"413",
        ),
        (b"POST /v1/judge HTTP/1.1\r\nHost: localhost\r\nContent-Encoding: gzip\r\n\r\n", b"415"),
        (b"GET /v1/languages HTTP/1.1\r\nHost: [::\r\nConnection: close\r\n\r\n", b"403"),
        (b"GET /v1/languages HTTP/1.1\r\nConnection: close\r\n\r\n", b"403"),
        (
            (
                b"GET /v1/languages HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n"
                b"Connection: close\r\n\r\n"
            ),
            b"403",
        ),
        (
            (
                b"GET /v1/languages HTTP/1.1\r\nHost: localhost\r\nOrigin: http://[::\r\n"
                b"Connection: close\r\n\r\n"
            ),
            b"403",
        ),
    ],
)
def test_heads_and_bodies_are_bounded(strict: Service, head: bytes, status: bytes) -> None:
    answer = raw(strict, head)
    assert answer.startswith(b"HTTP/1.1 " + status), answer[:300]
    assert strict.get("/healthz").status == 200


def test_too_many_connections_are_closed(strict: Service) -> None:
    parts = urlsplit(strict.url)
    held = [socket.create_connection((parts.hostname, parts.port)) for _ in range(60)]
    try:
        answers = []
        for each in held:
            each.settimeout(60)
            try:
                answers.append(each.recv(1_000)[9:12])
            except ConnectionError:
                answers.append(b"")
    finally:
        for each in held:
            each.close()
    assert set(answers) <= {b"408", b"503", b""}
    assert b"503" in answers
    while strict.get("/healthz").status != 200:
        pass


def test_a_client_that_is_gone_ends_its_work(strict: Service) -> None:
    endless = {**BODY, "program": "while True: pass", "limits": {"cpu_ms": 3_600_000}}
    content = json.dumps(endless).encode()
    head = b"POST /v1/judge HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    for _ in range(4):
        raw(
            strict,
            head + b"Content-Length: %d\r\n\r\n%s" % (len(content), content),
            until_closed=False,
        )
    health = strict.get("/healthz").json
    while health["working"] or health["waiting"]:
        health = strict.get("/healthz").json
    assert strict.post("/v1/judge", BODY).json["success"]


@pytest.mark.parametrize(
    "rest", [b"Content-Length: 1000\r\n\r\n{", b"Transfer-Encoding: chunked\r\n\r\nzz\r\n"]
)
def test_a_body_that_breaks_off_is_no_fault_of_the_service(strict: Service, rest: bytes) -> None:
    before = strict.log.count('"status": 499')
    head = b"POST /v1/judge HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    raw(strict, head + rest, until_closed=False)
    end = time.monotonic() + 60
    while strict.log.count('"status": 499') == before and time.monotonic() < end:
        time.sleep(0.05)
    assert strict.log.count('"status": 499') == before + 1
    assert "unexpected error" not in strict.log


def test_work_for_one_request_is_bounded(strict: Service) -> None:
    slow = {**BODY, "program": "import time; time.sleep(1); print(1)"}
    slow["tests"] = [{"input": str(number), "expected": "1"} for number in range(100)]
    answer = strict.post("/v1/judge", slow)
    assert (answer.status, answer.code) == (422, "request-too-long")


def test_a_batch_is_bounded(strict: Service) -> None:
    content = b"{}\n" * 4
    headers = {"Content-Type": "application/x-ndjson"}
    assert strict.post("/v1/judge/batch", content, headers=headers).code == "batch-too-large"


def test_path_tricks_lead_nowhere(strict: Service) -> None:
    for path in ("/../etc/passwd", "/%2e%2e/etc/passwd", "/v1/%00", "/%ff", "//", "/v1/judge/"):
        assert strict.get(path).status in (404, 405), path


def test_a_projects_paths_stay_inside(strict: Service) -> None:
    good = {"program": "def f(): return 1", "function": "a:f"}
    for path in ("../a.py", "/etc/a.py", "a\0.py", "b/../../a.py", "." * 2, "a" * 300 + "b"):
        answer = strict.post("/v1/compare", {**good, "files": {path: "def f(): return 1"}})
        assert (answer.status, answer.code) in {(422, "usage-error"), (422, "body-invalid")}, path
    both = {"a.py": "def f(): return 1", "a.py/b.py": ""}
    assert strict.post("/v1/compare", {**good, "files": both}).code == "usage-error"
