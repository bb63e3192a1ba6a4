"""Tokens: scopes, ends, rates; nobody else is served, and no secret is kept."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from steelyard.service import new_token
from steelyard.storage import open_database, store_token
from tests.http_server import Service, running_service

BODY = {"program": "print(1)", "language": "python", "tests": [{"input": "", "expected": "1"}]}


def tokens(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    database = str(folder / "steelyard.sqlite3")
    return subprocess.run(
        [sys.executable, "-m", "steelyard", "tokens", *arguments, "--db", database],
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def a_token(folder: Path, *arguments: str) -> str:
    done = tokens(folder, "create", "ann", *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with a token, reachable from other machines."""
    folder = tmp_path_factory.mktemp("guarded")
    token = a_token(folder, "--scope", "judge,admin", "--expires", "30d")
    with running_service(folder, "--host", "0.0.0.0", token=token) as running:
        yield running


def test_a_token_is_needed_even_on_loopback(guarded: Service) -> None:
    assert guarded.post("/v1/judge", BODY).status == 200
    missing = guarded.post("/v1/judge", BODY, token="")
    assert (missing.status, missing.code) == (401, "token-missing")
    assert missing.headers["www-authenticate"] == "Bearer"
    assert guarded.get("/healthz", token="").status == 200


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


def test_a_token_of_another_scope_is_refused(guarded: Service) -> None:
    token = a_token(guarded.folder, "--scope", "author")
    answer = guarded.post("/v1/judge", BODY, token=token)
    assert (answer.status, answer.code) == (403, "scope-missing")
    assert guarded.get("/metrics", token=token).code == "scope-missing"
    assert b"steelyard_requests_total" in guarded.get("/metrics").body


def test_an_expired_token_is_refused(guarded: Service) -> None:
    past = datetime.now(UTC) - timedelta(days=2)
    token, stored = new_token("late", ("judge",), now=past, lifetime=timedelta(days=1))
    with open_database(guarded.database) as database, database.change() as change:
        store_token(change, stored)
    assert guarded.post("/v1/judge", BODY, token=token).code == "token-expired"


def test_a_revoked_token_is_refused(guarded: Service) -> None:
    token = a_token(guarded.folder)
    assert guarded.post("/v1/judge", BODY, token=token).status == 200
    assert tokens(guarded.folder, "revoke", token.split("_")[1]).returncode == 0
    while guarded.post("/v1/judge", BODY, token=token).status == 200:
        time.sleep(0.1)
    assert guarded.post("/v1/judge", BODY, token=token).code == "token-revoked"


def test_a_tokens_rate_is_limited(guarded: Service) -> None:
    token = a_token(guarded.folder, "--requests-per-minute", "3")
    answers = [guarded.get("/v1/isolation", token=token) for _ in range(4)]
    assert [each.status for each in answers] == [200, 200, 200, 429]
    assert answers[-1].code == "rate-exceeded"
    assert 1 <= int(answers[-1].headers["retry-after"]) <= 21
    assert guarded.get("/v1/isolation").status == 200  # another token's rate is its own


def test_no_secret_is_stored_or_logged(guarded: Service) -> None:
    secret = guarded.token.split("_", 2)[2]
    guarded.post("/v1/judge", {**BODY, "program": "print('SECRET-SOURCE')"})
    files = [each for each in guarded.folder.rglob("*sqlite3*") if each.is_file()]
    assert any(each.name == "jobs.sqlite3" for each in files)
    stored = b"".join(each.read_bytes() for each in files)
    assert secret.encode() not in stored
    assert secret not in guarded.log
    assert "SECRET-SOURCE" not in guarded.log
    listed = tokens(guarded.folder, "list", "--json").stdout
    assert secret not in listed
    assert "valid" in {each["state"] for each in json.loads(listed)["tokens"]}
    assert "secret_sha256" not in listed


def test_other_machines_need_a_token(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "steelyard", "serve", "--host", "0.0.0.0", "--port", "0",
         "--db", str(tmp_path / "none.sqlite3")],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "steelyard tokens create" in done.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    "arguments",
    [
        ("create", "--scope", "root"), ("create", "--expires", "soon"), ("create", "a\nb"),
        ("revoke", "000000000000"), ("create", "--requests-per-minute", "0"),
    ],
)  # fmt: skip
def test_wrong_calls_are_usage_errors(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    assert tokens(tmp_path, *arguments).returncode == 2


def test_pages_of_other_sites_are_refused_without_tokens(service: Service) -> None:
    for headers in ({"Origin": "https://evil.example"}, {"Host": "evil.example"}):
        answer = service.post("/v1/judge", BODY, headers=headers)
        assert (answer.status, answer.code) == (403, "foreign-origin")
