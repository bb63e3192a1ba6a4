"""Tokens: scopes, ends, rates; nobody else is served, and no secret is kept."""

import json
import socket
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from steelyard.service import new_token
from steelyard.storage import open_database, store_token
from tests.http_server import Service, a_token, running_service
from tests.warm_command import Done, WarmCommand

BODY = {"program": "print(1)", "language": "python", "tests": [{"input": "", "expected": "1"}]}


pytestmark = pytest.mark.xdist_group("service")
Tokens = Callable[..., Done]


@pytest.fixture
def tokens(warm: WarmCommand, guarded: Service) -> Tokens:
    """`steelyard tokens` on the database of the service."""

    def run(*arguments: str) -> Done:
        return command(warm, guarded.folder, *arguments)

    return run


def command(warm: WarmCommand, folder: Path, *arguments: str) -> Done:
    return warm.run("tokens", *arguments, "--db", str(folder / "steelyard.sqlite3"), cwd=folder)


def created(done: Done) -> str:
    assert done.status == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory, warm: WarmCommand) -> Iterator[Service]:
    """A service with a token, reachable from other machines."""
    folder = tmp_path_factory.mktemp("guarded")
    scope = ("--scope", "judge,admin", "--expires", "30d")
    token = created(command(warm, folder, "create", "ann", *scope))
    with running_service(folder, "--host", "0.0.0.0", token=token) as running:
        yield running


def test_a_token_is_needed_even_on_loopback(guarded: Service) -> None:
    assert guarded.post("/v1/judge", BODY).status == 200
    missing = guarded.post("/v1/judge", BODY, token="")
    assert (missing.status, missing.code) == (401, "token-missing")
    assert missing.headers["www-authenticate"] == "Bearer"
    assert guarded.get("/healthz", token="").status == 200


@pytest.mark.parametrize(
    ("path", "status"),
    [
        (b"/v1/judge", b"401"),
        (b"/v1/profile", b"401"),
        (b"/v1/judge/batch", b"401"),
        (b"/solve", b"401"),
        (b"/pages/problems/gap/submissions", b"303"),
    ],
)
def test_no_body_is_read_for_a_stranger(guarded: Service, path: bytes, status: bytes) -> None:
    parts = urlsplit(guarded.url)
    with socket.create_connection(("127.0.0.1", parts.port or 0), timeout=20) as connection:
        connection.sendall(
            b"POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            b"Content-Length: 1000000\r\n\r\n{" % path
        )  # the rest never comes
        assert connection.recv(1_000).startswith(b"HTTP/1.1 " + status)


def test_a_strangers_form_is_small(guarded: Service) -> None:
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    form = b"token=" + b"x" * 20_000
    answer = guarded.post("/pages/sign-in", form, headers=headers, token="")
    assert answer.status == 413


@pytest.mark.parametrize(
    ("header", "code"),
    [
        ("Bearer", "token-invalid"),
        ("Bearer nonsense", "token-invalid"),
        ("Bearer steelyard_000000000000_x", "token-invalid"),
        ("Basic YTpi", "token-invalid"),
        ("Bearer " + "x" * 5_000, "token-invalid"),
        ("Bearer steelyard_%s_x", "token-invalid"),
    ],
)
def test_other_tokens_are_refused(guarded: Service, header: str, code: str) -> None:
    header = header % guarded.token.split("_")[1] if "%s" in header else header
    answer = guarded.post("/v1/judge", BODY, headers={"Authorization": header}, token="")
    assert (answer.status, answer.code) == (401, code)


def test_a_token_of_another_scope_is_refused(guarded: Service, tokens: Tokens) -> None:
    token = created(tokens("create", "of an author", "--scope", "author"))
    answer = guarded.post("/v1/judge", BODY, token=token)
    assert (answer.status, answer.code) == (403, "scope-missing")
    assert guarded.get("/metrics", token=token).code == "scope-missing"
    assert b"steelyard_requests_total" in guarded.get("/metrics").body


def test_an_owner_may_have_several_tokens(guarded: Service, tokens: Tokens) -> None:
    first = created(tokens("create", "cat")).split("_")[1]
    made = json.loads(tokens("create", "--owner", first, "--json").stdout)
    assert (made["owner"], made["name"]) == (first, "cat")
    other = json.loads(tokens("create", "cat", "--json").stdout)
    assert other["owner"] == other["id"]
    wrong = tokens("create", "--owner", "000000000000")
    assert (wrong.status, "no token has the owner" in wrong.said[-1]) == (2, True)
    assert tokens("revoke", first).status == 0
    assert guarded.post("/v1/judge", BODY, token=made["token"]).status == 200


def test_an_expired_token_is_refused(guarded: Service) -> None:
    past = datetime.now(UTC) - timedelta(days=2)
    token, stored = new_token("late", ("judge",), now=past, lifetime=timedelta(days=1))
    with open_database(guarded.database) as database, database.change() as change:
        store_token(change, stored)
    assert guarded.post("/v1/judge", BODY, token=token).code == "token-expired"


def test_a_revoked_token_is_refused(guarded: Service, tokens: Tokens) -> None:
    token = created(tokens("create", "bob"))
    assert guarded.post("/v1/judge", BODY, token=token).status == 200
    assert tokens("revoke", token.split("_")[1]).status == 0
    while guarded.post("/v1/judge", BODY, token=token).status == 200:
        time.sleep(0.1)
    assert guarded.post("/v1/judge", BODY, token=token).code == "token-revoked"


def test_a_tokens_rate_is_limited(guarded: Service, tokens: Tokens) -> None:
    token = created(tokens("create", "slow", "--requests-per-minute", "3"))
    answers = [guarded.get("/v1/isolation", token=token) for _ in range(4)]
    assert [each.status for each in answers] == [200, 200, 200, 429]
    assert answers[-1].code == "rate-exceeded"
    assert 1 <= int(answers[-1].headers["retry-after"]) <= 21
    assert guarded.get("/v1/isolation").status == 200  # another token's rate is its own


def test_no_secret_is_stored_or_logged(guarded: Service, tokens: Tokens) -> None:
    secret = guarded.token.split("_", 2)[2]
    guarded.post("/v1/judge", {**BODY, "program": "print('SECRET-SOURCE')"})
    files = [each for each in guarded.folder.rglob("*sqlite3*") if each.is_file()]
    assert any(each.name == "jobs.sqlite3" for each in files)
    stored = b"".join(each.read_bytes() for each in files)
    assert secret.encode() not in stored
    assert secret not in guarded.log
    assert "SECRET-SOURCE" not in guarded.log
    listed = tokens("list", "--json").stdout
    assert secret not in listed
    assert "valid" in {each["state"] for each in json.loads(listed)["tokens"]}
    assert "secret_sha256" not in listed


def test_other_machines_need_a_token(tmp_path: Path, warm: WarmCommand) -> None:
    database = str(tmp_path / "none.sqlite3")
    done = warm.run("serve", "--host", "0.0.0.0", "--port", "0", "--db", database, cwd=tmp_path)
    assert done.status == 2
    assert "steelyard tokens create" in done.said[-1]


@pytest.mark.parametrize(
    "arguments",
    [
        ("create", "--scope", "root"),
        ("create", "--expires", "soon"),
        ("create", "a\nb"),
        ("create", "--requests-per-minute", "0"),
    ],
)
def test_wrong_calls_are_usage_errors(
    tmp_path: Path, warm: WarmCommand, arguments: tuple[str, ...]
) -> None:
    assert command(warm, tmp_path, *arguments).status == 2


@pytest.mark.parametrize("arguments", [("list",), ("revoke", "000000000000")])
def test_a_database_that_is_not_there_is_named_and_not_made(
    tmp_path: Path, warm: WarmCommand, arguments: tuple[str, ...]
) -> None:
    done = command(warm, tmp_path, *arguments)
    assert done.status == 3
    assert "there is no database" in done.said[-1]
    assert not list(tmp_path.glob("*.sqlite3"))


def test_a_token_that_is_not_there_is_not_revoked(tmp_path: Path, warm: WarmCommand) -> None:
    assert command(warm, tmp_path, "create").status == 0
    assert command(warm, tmp_path, "revoke", "000000000000").status == 2


@pytest.mark.parametrize(
    "header",
    [
        "X-Forwarded-For",
        "Forwarded",
        "Via",
        "X-Real-IP",
        "x-forwarded-proto",
        "True-Client-IP",
        "CF-Connecting-IP",
        "X-Envoy-External-Address",
        "X-Original-URI",
        "Proxy-Connection",
        "X-ProxyUser-Ip",
        "Fastly-Client-IP",
        "X-Amzn-Trace-Id",
        "CDN-Loop",
    ],
)
def test_what_a_proxy_passes_on_needs_a_token(service: Service, header: str) -> None:
    for path in ("/v1/isolation", "/v1/runs", "/v1/submissions"):
        assert service.get(path).status == 200
        answer = service.get(path, headers={header: "127.0.0.1"})
        assert (answer.status, answer.code) == (401, "token-missing"), path
        assert "steelyard tokens create" in answer.json["detail"]
    page = service.get("/pages/service", headers={header: ""})
    assert (page.status, page.headers["location"][:14]) == (303, "/pages/sign-in")


def test_a_request_of_http_1_0_is_that_of_a_proxy(service: Service) -> None:
    parts = urlsplit(service.url)
    for version, status in ((b"1.1", b"200"), (b"1.0", b"401")):
        with socket.create_connection(("127.0.0.1", parts.port or 0), timeout=20) as connection:
            connection.sendall(
                b"GET /v1/isolation HTTP/%s\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                % version
            )
            assert connection.recv(20).split()[1] == status


def test_ordinary_headers_of_clients_are_those_of_this_machine(service: Service) -> None:
    names = (
        "User-Agent",
        "Accept-Encoding",
        "X-Request-Id",
        "Prefer",
        "X-Requested-With",
        "DNT",
        "Sec-Fetch-Site",
        "Traceparent",
        "X-Auth-Token-Kind",
        "Cache-Control",
        "Priority",
    )
    assert service.get("/v1/isolation", headers=dict.fromkeys(names, "x")).status == 200


def test_without_a_token_it_tells_whom_it_trusts(tmp_path: Path) -> None:
    with running_service(tmp_path) as service:
        while "this machine alone" not in service.log:
            time.sleep(0.1)
        assert "without a token this machine alone is trusted" in service.log
    a_token(tmp_path)
    (tmp_path / "log.jsonl").unlink()
    with running_service(tmp_path) as service:
        assert service.get("/healthz").status == 200
        assert "trusted" not in service.log


def test_pages_of_other_sites_are_refused_without_tokens(service: Service) -> None:
    for headers in ({"Origin": "https://evil.example"}, {"Host": "evil.example"}):
        answer = service.post("/v1/judge", BODY, headers=headers)
        assert (answer.status, answer.code) == (403, "foreign-origin")
