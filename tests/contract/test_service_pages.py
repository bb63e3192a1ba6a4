"""The pages over plain HTTP: forms need their own page, and the cookie serves pages alone."""

import re
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from urllib.parse import urlencode

import pytest

from steelyard.service import new_token
from steelyard.storage import open_database, store_token
from tests import gap_problem as gap
from tests.http_server import Answer, Service, running_service

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
CSRF = re.compile(r'name="csrf" value="([0-9a-f]{64})"')


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with tokens and the gap problem; its requests send no header with a token."""
    folder = tmp_path_factory.mktemp("pages")
    with open_database(folder / "steelyard.sqlite3") as database:
        gap.store(database)
        with database.change() as change:
            token, stored = new_token("ann", ("judge", "admin"), now=datetime.now(UTC))
            store_token(change, stored)
    with running_service(folder) as service:
        yield Service(service.url, service.process, folder, f"{token}")


def send(service: Service, path: str, fields: dict[str, str], cookie: str = "") -> Answer:
    headers = {**FORM, **({"Cookie": f"steelyard_session={cookie}"} if cookie else {})}
    return service.post(path, urlencode(fields).encode(), headers=headers, token="")


def show(service: Service, path: str, cookie: str = "") -> Answer:
    headers = {"Cookie": f"steelyard_session={cookie}"} if cookie else {}
    return service.get(path, headers=headers, token="")


def csrf(answer: Answer) -> str:
    found = CSRF.search(answer.body.decode())
    assert found, answer.body
    return found[1]


def test_signing_in_gives_a_cookie_for_pages_alone(pages: Service) -> None:
    asked = show(pages, "/pages/problems")
    assert (asked.status, asked.headers["location"]) == (
        303, "/pages/sign-in?back=/pages/problems"
    )  # fmt: skip
    form = csrf(show(pages, "/pages/sign-in"))
    wrong = send(pages, "/pages/sign-in", {"csrf": form, "token": "steelyard_x_y"})
    assert (wrong.status, "set-cookie" in wrong.headers) == (401, False)
    signed = send(
        pages, "/pages/sign-in",
        {"csrf": form, "token": pages.token, "back": "//evil.example/"},
    )  # fmt: skip
    assert (signed.status, signed.headers["location"]) == (303, "/pages/problems")
    cookie = signed.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert show(pages, "/pages/problems", pages.token).status == 200
    assert show(pages, "/v1/problems", pages.token).status == 401


def test_another_site_signs_nobody_in(pages: Service) -> None:
    form = csrf(show(pages, "/pages/sign-in"))  # anybody can read it
    content = urlencode({"csrf": form, "token": pages.token}).encode()
    for site, status in (("cross-site", 403), ("same-site", 403), ("same-origin", 303)):
        headers = {**FORM, "Sec-Fetch-Site": site, "Origin": "https://steelyard.example"}
        answer = pages.post("/pages/sign-in", content, headers=headers, token="")
        assert answer.status == status, site
    assert "; secure" in answer.headers["set-cookie"].lower()  # a proxy in front of it speaks TLS


@pytest.mark.parametrize(
    "path",
    [
        "/pages/sign-in", "/pages/sign-out", "/pages/problems/gap/submissions",
        "/pages/problems/gap/challenge", "/pages/challenges/0000/decision",
        "/pages/service/tokens", "/pages/service/tokens/000000000000/revoke",
    ],
)  # fmt: skip
def test_a_form_of_another_page_is_refused(pages: Service, path: str) -> None:
    fields = {"program": "1", "input": "[[1]]", "reason": "x", "accept": "yes", "name": "x",
              "days": "1", "scope": "admin"}  # fmt: skip
    other = csrf(show(pages, "/pages/sign-in"))
    for given in ({}, {"csrf": "0" * 64}, {"csrf": "é"}, {"csrf": other}):
        answer = send(pages, path, {**fields, **given}, pages.token)
        assert answer.status == 403, (given, answer.body)
        assert b"form-foreign" in answer.body


def test_pages_run_no_script_but_their_own(pages: Service) -> None:
    answer = show(pages, "/pages/problems/gap", pages.token)
    policy = answer.headers["content-security-policy"]
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert not re.search(rb"<script(?![^>]* src=)|\son\w+=|style=", answer.body)
    assert answer.headers["x-frame-options"] == "DENY"


def test_a_submission_ends_on_its_own_page(pages: Service) -> None:
    form = csrf(show(pages, "/pages/problems/gap", pages.token))
    fields = {"csrf": form, "program": gap.OPTIMISED.replace("\n", "\r\n"), "language": "python"}
    answer = send(pages, "/pages/problems/gap/submissions", fields, pages.token)
    assert answer.status == 303, answer.body
    path = answer.headers["location"]
    for _ in range(600):
        if path.startswith("/pages/submissions/"):
            break
        answer = show(pages, path, pages.token)
        path = answer.headers.get("location", path)
        time.sleep(0.1)
    shown = show(pages, path, pages.token)
    assert shown.status == 200
    assert b"4 of 4" in shown.body


@pytest.mark.parametrize(
    ("path", "fields", "status", "code"),
    [
        ("problems/none/submissions", {"program": "1"}, 404, b"not-stored"),
        ("problems/gap/submissions", {"program": "1", "language": "cobol"}, 422, b"language-error"),
        ("problems/gap/submissions", {"program": "#" * (1_025 << 10)}, 422, b"source-too-large"),
        ("problems/gap/challenge", {"input": "[1", "reason": "x"}, 422, b'role="alert"'),
        ("problems/gap/challenge", {"input": "[[1]]", "reason": ""}, 422, b"write 1 to 2,000"),
        ("problems/gap/challenge", {"input": "[[1]]", "output": "{", "reason": "x"}, 422, b"JSON"),
        ("challenges/0000/decision", {"accept": "yes", "output": "5"}, 422, b"usage-error"),
        ("challenges/0000/decision", {"accept": "maybe"}, 422, b"body-invalid"),
        ("service/tokens", {"name": "\0", "days": "1", "scope": "judge"}, 422, b"body-invalid"),
        ("service/tokens", {"name": "x", "days": "0", "scope": "judge"}, 422, b"body-invalid"),
        ("service/tokens", {"name": "x", "days": "1", "scope": "root"}, 422, b"body-invalid"),
    ],
)
def test_a_wrong_form_is_a_page_that_says_so(
    pages: Service, path: str, fields: dict[str, str], status: int, code: bytes
) -> None:
    form = csrf(show(pages, "/pages/problems/gap", pages.token))
    answer = send(pages, f"/pages/{path}", {**fields, "csrf": form}, pages.token)
    if answer.status == 303:  # it is under way
        path = answer.headers["location"]
        for _ in range(600):
            answer = show(pages, path, pages.token)
            if answer.status != 200:
                break
            time.sleep(0.1)
    assert answer.status == status, answer.body
    assert answer.headers["content-type"].startswith("text/html")
    assert code in answer.body


def test_a_batch_in_the_text_area_may_be_long(pages: Service) -> None:
    form = csrf(show(pages, "/pages/new/batch", pages.token))
    parts = {"csrf": form, "lines": "x" * (2 << 20)}
    content = "".join(
        f'--edge\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{text}\r\n'
        for name, text in parts.items()
    )
    headers = {
        "Content-Type": "multipart/form-data; boundary=edge",
        "Cookie": f"steelyard_session={pages.token}",
    }
    sent = f"{content}--edge--\r\n".encode()
    answer = pages.post("/pages/new/batch", sent, headers=headers, token="")
    assert answer.status == 303, answer.body[:2_000]


def test_an_admin_makes_and_revokes_a_token(pages: Service) -> None:
    form = csrf(show(pages, "/pages/service", pages.token))
    fields = {"csrf": form, "name": "bob", "days": "3", "scope": "judge"}
    made = send(pages, "/pages/service/tokens", fields, pages.token)
    found = re.search(rb"<code>(steelyard_([0-9a-f]{12})_[\w-]+)</code>", made.body)
    assert found, made.body
    token, token_id = found[1].decode(), found[2].decode()
    assert show(pages, "/pages/problems", token).status == 200
    assert show(pages, "/pages/service", token).status == 403
    gone = send(pages, f"/pages/service/tokens/{token_id}/revoke", {"csrf": form}, pages.token)
    assert gone.status == 303
    for _ in range(100):
        answer = show(pages, "/pages/problems", token)
        if answer.status == 303:
            break
        time.sleep(0.1)
    assert answer.headers["location"].endswith("fault=token-revoked")


def test_files_are_kept_by_browsers(pages: Service) -> None:
    page = show(pages, "/pages/sign-in").body.decode()
    found = re.search(r'href="(/pages/assets/style\.css\?v=\w+)"', page)
    assert found
    answer = show(pages, found[1])
    assert answer.headers["content-type"] == "text/css; charset=utf-8"
    assert "immutable" in answer.headers["cache-control"]
    assert show(pages, "/pages/assets/..%2f_app.py").status == 404
    assert show(pages, "/pages/assets/none.js").status == 404
