"""The pages over plain HTTP: forms, outcomes, unknown addresses; the cookie serves pages alone."""

import re
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlencode

import pytest

from steelyard.service import new_token
from steelyard.storage import open_database, store_token
from tests import gap_problem as gap
from tests.http_server import Answer, Service, running_service

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
CSRF = re.compile(r'name="csrf" value="([0-9a-f]{64})"')
BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
EXAMPLE: dict[str, str | list[str]] = {
    "program": "a, b = map(int, input().split())\r\nprint(a + b)\r\n",
    "language": "python",
    "input": ["1 2\r\n", "20\r\n22\r\n", ""],
    "expected": ["3\r\n", "42\r\n", ""],
}
"""What a browser sends for the example of the first page, with a row that is left empty."""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with tokens and the gap problem; its requests send no header with a token."""
    folder = tmp_path_factory.mktemp("pages")
    with open_database(folder / "steelyard.sqlite3") as database:
        gap.store(database)
        with database.change() as change:
            token, stored = new_token("ann", ("judge", "admin"), now=datetime.now(UTC))
            store_token(change, stored)
            bob, stored = new_token("bob", ("judge",), now=datetime.now(UTC))
            store_token(change, stored)
            (folder / "bob").write_text(bob)
    with running_service(folder) as service:
        yield Service(service.url, service.process, folder, f"{token}")


def send(
    service: Service, path: str, fields: Mapping[str, str | list[str]], cookie: str = ""
) -> Answer:
    headers = {**FORM, **({"Cookie": f"steelyard_session={cookie}"} if cookie else {})}
    content = urlencode(fields, doseq=True).encode()
    return service.post(path, content, headers=headers, token="")


def show(service: Service, path: str, cookie: str = "") -> Answer:
    headers = BROWSER | ({"Cookie": f"steelyard_session={cookie}"} if cookie else {})
    return service.get(path, headers=headers, token="")


def csrf(answer: Answer) -> str:
    found = CSRF.search(answer.body.decode())
    assert found, answer.body
    return found[1]


def test_signing_in_gives_a_cookie_for_pages_alone(pages: Service) -> None:
    asked = show(pages, "/pages/problems")
    assert (asked.status, asked.headers["location"]) == (303, "/pages/sign-in?back=/pages/problems")
    form = csrf(show(pages, "/pages/sign-in"))
    wrong = send(pages, "/pages/sign-in", {"csrf": form, "token": "steelyard_x_y"})
    assert (wrong.status, "set-cookie" in wrong.headers) == (401, False)
    signed = send(
        pages,
        "/pages/sign-in",
        {"csrf": form, "token": pages.token, "back": "//evil.example/"},
    )
    assert (signed.status, signed.headers["location"]) == (303, "/")
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
        "/pages/sign-in",
        "/pages/sign-out",
        "/pages/problems/gap/submissions",
        "/pages/problems/gap/challenge",
        "/pages/challenges/0000/decision",
        "/pages/service/tokens",
        "/pages/service/tokens/000000000000/revoke",
    ],
)
def test_a_form_of_another_page_is_refused(pages: Service, path: str) -> None:
    fields = {
        "program": "1",
        "input": "[[1]]",
        "reason": "x",
        "accept": "yes",
        "name": "x",
        "days": "1",
        "scope": "admin",
    }
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
    path = submitted(pages, fields, pages.token)
    shown = show(pages, path, pages.token)
    assert shown.status == 200
    assert b"<title>gap: passes all 4 tests" in shown.body
    listed = show(pages, "/pages/submissions", pages.token).body.decode()
    assert f'<a href="{path}">gap</a></td><td><span class="verdict good">passes all 4' in listed


def submitted(service: Service, fields: Mapping[str, str], cookie: str) -> str:
    """Submit a program, and return the path of its page once it is judged."""
    answer = send(service, "/pages/problems/gap/submissions", fields, cookie)
    assert answer.status == 303, answer.body
    path = answer.headers["location"]
    for _ in range(600):
        if path.startswith("/pages/submissions/"):
            break
        answer = show(service, path, cookie)
        path = answer.headers.get("location", path)
        time.sleep(0.1)
    return path


def test_a_hidden_test_stays_hidden_from_those_who_may_not_read_suites(pages: Service) -> None:
    bob = (pages.folder / "bob").read_text()
    program = "class Solution:\n    def solve(self, nums):\n        return -len(nums)\n"
    form = csrf(show(pages, "/pages/problems/gap", bob))
    path = submitted(pages, {"csrf": form, "program": program, "language": "python"}, bob)
    own, all_of_it = (show(pages, path, token).body for token in (bob, pages.token))
    for body in (own, all_of_it):
        assert b'<h1><a href="/pages/problems/gap">gap</a>: <span class="verdict bad">' in body
        assert b"First failure: test example 1" in body
        assert b"solve([3, 9, 5])" in body  # the statement shows it
    assert own.count(b"The input of this test is hidden") == 3
    assert all_of_it.count(b"is hidden") == 0
    for text in (b"solve([9, 1, 4])", b"expected 5, got -3"):
        assert (text in own, text in all_of_it) == (False, True), text


@pytest.mark.xdist_group("jobs")
def test_the_first_page_judges_its_example_and_lists_the_outcome(working: Service) -> None:
    first = show(working, "/", working.token)
    assert b"This is an example: it passes the first test and fails the second" in first.body
    answer = send(working, "/pages/new/judge", {**EXAMPLE, "csrf": csrf(first)}, working.token)
    assert answer.status == 303, answer.body
    path = answer.headers["location"]
    for _ in range(600):
        run = working.get(f"/v1{path.removeprefix('/pages')}").json
        if run["state"] == "done":
            break
        time.sleep(0.1)
    subject = "a, b = map(int, input().split())"
    assert (run["subject"], run["outcome"], run["passed"]) == (subject, "fails 1 of 2 tests", False)
    body = show(working, path, working.token).body.decode()
    assert f"<title>{subject}: fails 1 of 2 tests" in body
    assert re.search(r"<h1>.*: <span class=\"verdict bad\">fails 1 of 2 tests", body)
    for title, text in (("Input", "20\n22"), ("Expected", "42"), ("Standard error", "Traceback")):
        assert re.search(rf"<dt>{title}</dt><dd><pre [^>]*>{text}", body), title
    assert "ValueError: not enough values" in body
    assert body.lower().count("first failure") == 1
    assert "0.00 ms</p>" not in body
    for listing in ("/", "/pages/runs"):
        row = (
            f'<a href="{path}">{subject}</a></td><td class="wrap"><span class="verdict bad">fails 1'
        )
        assert row in show(working, listing, working.token).body.decode()


def test_files_take_the_place_of_what_is_typed(pages: Service) -> None:
    form = csrf(show(pages, "/pages/new/judge", pages.token))
    fields = (
        ('"csrf"', form),
        ('"program"', "print(1)"),
        ('"input"', "1"),
        ('"expected"', "1"),
        ('"program_file"; filename="a/sum.cpp"', "int main() {}"),
        ('"tests_file"; filename="1.in"', "1 2"),
        ('"tests_file"; filename="1.out"', "3"),
    )
    content = "".join(
        f"--edge\r\nContent-Disposition: form-data; name={name}\r\n\r\n{text}\r\n"
        for name, text in fields
    )
    headers = {
        "Content-Type": "multipart/form-data; boundary=edge",
        "Cookie": f"steelyard_session={pages.token}",
    }
    sent = f"{content}--edge--\r\n".encode()
    answer = pages.post("/pages/new/judge", sent, headers=headers, token="")
    assert answer.status == 303, answer.body
    body = show(pages, answer.headers["location"], pages.token).body
    assert b"<title>int main() {}: queued" in body  # the service has no worker
    broken = sent.replace(b'"1.out"', b'"2.json"')
    answer = pages.post("/pages/new/judge", broken, headers=headers, token="")
    assert (answer.status, b"choose one file of tests" in answer.body) == (422, True)


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"program": " "}, b"write a program, or choose a file"),
        ({"input": "", "expected": ""}, b"give an input with its expected output"),
        ({"program": "#" * (1_025 << 10)}, b"a program may have 1,024 KiB"),
        ({"more": "1"}, b"Input of test 4"),
    ],
)
def test_the_form_keeps_what_was_typed(
    pages: Service, changes: dict[str, str], fault: bytes
) -> None:
    form = csrf(show(pages, "/pages/new/judge", pages.token))
    fields = {**EXAMPLE, "csrf": form, **changes}
    answer = send(pages, "/pages/new/judge", fields, pages.token)
    assert answer.status == (200 if "more" in changes else 422)
    assert fault in answer.body
    kept = b"print(a + b)" if "program" not in changes else b"20\n22"
    assert kept in answer.body


@pytest.mark.parametrize(
    "path",
    [
        "/nowhere",
        "/pages/nowhere",
        "/pages/runs/xyz",
        f"/pages/runs/{'0' * 32}",
        "/pages/problems/none",
        "/pages/submissions/0000",
        "/pages/assets/none.js",
        "/v1/nothing",
    ],
)
def test_an_unknown_address_is_a_page_for_browsers_alone(pages: Service, path: str) -> None:
    answer = show(pages, path, pages.token)
    assert answer.status == 404
    assert answer.headers["content-type"].startswith("text/html")
    assert b'Continue with the <a href="/">first page</a>' in answer.body
    if path in ("/nowhere", "/v1/nothing", "/pages/assets/none.js"):
        assert pages.get(path).code == "not-found"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("challenges", b"No challenge yet. Open one of the"),
        ("challenges?state=open", b"Show all challenges"),
        ("runs?kind=strength", b"Show all runs"),
        ("problems?search=nothing", b"show all problems"),
        ("submissions?problem=none", b"Choose one of the"),
        ("evaluations", b"judge a batch"),
    ],
)
def test_an_empty_list_names_the_next_step(pages: Service, path: str, text: bytes) -> None:
    body = show(pages, f"/pages/{path}", pages.token).body
    assert text in body
    assert b"<table" not in body


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


def test_the_first_token_has_all_rights_and_signs_its_maker_in(tmp_path: Path) -> None:
    with running_service(tmp_path) as service:
        asked = show(service, "/pages/service")
        assert b"The first token ends that: it has all rights" in asked.body
        fields = {"csrf": csrf(asked), "name": "ann", "days": "3"}
        made = send(service, "/pages/service/tokens", fields)
        assert (made.status, b"all rights: judge, author, admin" in made.body) == (200, True)
        cookie = made.headers["set-cookie"]
        token = re.search("steelyard_session=([^;]+);", cookie)
        assert token, cookie
        while show(service, "/pages/service").status != 303:  # known within a second
            time.sleep(0.1)
        assert show(service, "/pages/service", token[1]).status == 200
        # Its own page goes on with the new session.
        second = {"csrf": csrf(made), "name": "bob", "days": "3"}
        none = send(service, "/pages/service/tokens", second, token[1])
        assert (none.status, b"choose a scope" in none.body) == (422, True)
        more = send(service, "/pages/service/tokens", {**second, "scope": "judge"}, token[1])
        assert (more.status, b"all rights" in more.body) == (200, False)


def test_the_last_administrator_is_not_revoked_by_one_click(tmp_path: Path) -> None:
    tokens = []
    with open_database(tmp_path / "steelyard.sqlite3") as database, database.change() as change:
        for name, scope in (("ann", "admin"), ("ann", "admin"), ("bob", "judge")):
            text, stored = new_token(name, (scope,), now=datetime.now(UTC))
            store_token(change, stored)
            tokens.append((text, stored.id))
    (first, first_id), (second, second_id), (_, bob) = tokens
    with running_service(tmp_path) as service:

        def revoke(token: str, token_id: str, **more: str) -> Answer:
            form = csrf(show(service, "/pages/service", token))
            path = f"/pages/service/tokens/{token_id}/revoke"
            return send(service, path, {"csrf": form, **more}, token)

        assert revoke(first, bob).status == 303
        assert revoke(second, first_id).status == 303  # another administrator is left
        refused = revoke(second, second_id)
        assert (refused.status, b"last one with the scope admin" in refused.body) == (409, True)
        assert show(service, "/pages/service", second).status == 200
        assert b'name="last" value="true"' in refused.body
        assert revoke(second, second_id, last="true").status == 303
        while show(service, "/pages/service", second).status != 303:
            time.sleep(0.1)


def test_an_owner_gets_another_token_on_the_page(pages: Service) -> None:
    form = csrf(show(pages, "/pages/service", pages.token))
    fields = {"csrf": form, "name": "ann", "days": "3", "scope": "judge"}
    owner = pages.token.split("_")[1]
    made = send(pages, "/pages/service/tokens", {**fields, "owner": owner}, pages.token)
    found = re.search(rb"<code>(steelyard_([0-9a-f]{12})_[\w-]+)</code>", made.body)
    assert found
    assert f"<td><code>{found[2].decode()}</code></td><td><code>{owner}</code></td>" in (
        made.body.decode()
    )
    none = send(pages, "/pages/service/tokens", {**fields, "owner": "0" * 12}, pages.token)
    assert (none.status, b"has the owner" in none.body) == (422, True)


def test_files_are_kept_by_browsers(pages: Service) -> None:
    page = show(pages, "/pages/sign-in").body.decode()
    found = re.search(r'href="(/pages/assets/style\.css\?v=\w+)"', page)
    assert found
    answer = show(pages, found[1])
    assert answer.headers["content-type"] == "text/css; charset=utf-8"
    assert "immutable" in answer.headers["cache-control"]
    assert show(pages, "/pages/assets/..%2f_app.py").status == 404
    assert show(pages, "/pages/assets/none.js").status == 404
