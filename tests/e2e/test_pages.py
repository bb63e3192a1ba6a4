"""The pages in a real browser: submit, watch, challenge, sign in; no script of a user runs."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from steelyard.evaluation import EvaluationFolder
from steelyard.schemas import (
    RECORD_VERSION,
    CaseResult,
    EvaluatedSample,
    EvaluatedTask,
    EvaluationHead,
    StrengthReport,
    Survivor,
    Verdict,
)
from steelyard.service import new_token
from steelyard.storage import open_database, store_token
from tests import browser as browsers
from tests import gap_problem as gap
from tests.browser import SIZES, Tab
from tests.http_server import Service, running_service

pytestmark = [
    pytest.mark.skipif(bool(browsers.missing()), reason=browsers.missing()),
    pytest.mark.xdist_group("browser"),
]
SCRIPT = "</textarea></code>'\"><img src=x onerror=alert(1)><script>alert(2)</script>{{ 7*7 }}"
SLOW = gap.OPTIMISED.replace("nums = sorted", "import time; time.sleep(0.4); nums = sorted")
NUMBER_CONTROLS = """(() => {
  const all = document.querySelectorAll(
    "a[href], button, input, select, textarea, summary, [tabindex='0']"
  );
  const shown = [...all].filter(each => each.type !== "hidden" && each.checkVisibility());
  shown.forEach((each, number) => { each.dataset.number = number; });
  return shown.length;
})()"""
FOCUSED = """(() => {
  const own = document.activeElement;
  return [own.dataset.number ?? null, getComputedStyle(own).outlineStyle];
})()"""
STATE = """[
    location.pathname, document.querySelector("#live .figures")?.textContent, window.moved
]"""
Open = Callable[..., Tab]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with browsers.chromium() as started:
        yield started


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with the gap problem, and with one whose every text is a script."""
    folder = tmp_path_factory.mktemp("pages")
    hostile = gap.SPEC.model_copy(
        update={"title": SCRIPT, "description": SCRIPT, "tags": (SCRIPT[:50],)}
    )
    with open_database(folder / "steelyard.sqlite3") as database:
        gap.store(database, cases=[gap.case(f"case {n}", n, 5, -n) for n in range(12)])
        with database.change() as change:
            suite = gap.suite(
                gap.case(SCRIPT, 1, 9, origin=SCRIPT),
                spec_digest=hostile.digest,
            )
            own = gap.solution(gap.OPTIMISED, problem="hostile", origin=SCRIPT)
            change.store_problem("hostile", hostile, suite, [own], reason=SCRIPT)
            survivor = Survivor(name=SCRIPT, kind="mutant", diff=SCRIPT, killing_input=(SCRIPT,))
            report = StrengthReport(cases=1, survivors=(survivor,), missed_bounds=(SCRIPT,))
            digest = change.suite_versions("hostile")[0].suite
            change.add_strength(digest, own.digest, SCRIPT, report)
    write_evaluation(folder / "evaluations" / "first")
    write_evaluation(folder / "evaluations" / "second", passes=0)
    damaged = folder / "evaluations" / "damaged" / "run.json"
    damaged.parent.mkdir()
    damaged.write_text(json.dumps({"record_version": RECORD_VERSION, "benchmark": SCRIPT}))
    environment = {"STEELYARD_SERVICE__EVALUATIONS": str(folder / "evaluations")}
    with running_service(folder, environment=environment) as service:
        yield service


def write_evaluation(path: Path, *, passes: int = 1) -> None:
    """Write an evaluation of two tasks, in which every text is a script.

    Args:
        path: Its folder.
        passes: Samples of three that pass on one task; all pass on the other.
    """
    head = EvaluationHead(steelyard="0", benchmark=SCRIPT, origin="model", source=SCRIPT)
    digest = "0" * 64
    with EvaluationFolder(path, head) as folder:
        for name in (SCRIPT, "easy"):
            folder.append(
                EvaluatedTask(
                    task=name,
                    digest=digest,
                    suite=digest,
                    cases=2,
                    difficulty=SCRIPT,
                    time_limit_ms=100,
                    memory_limit_mib=64,
                    statement=SCRIPT,
                )
            )
            for number in range(3):
                verdict = Verdict.WA if name == SCRIPT and number >= passes else Verdict.AC
                failure = CaseResult(
                    name=SCRIPT, verdict=verdict, message=SCRIPT, stdout=SCRIPT, stderr=SCRIPT
                )
                sample = EvaluatedSample(
                    key=digest,
                    task=name,
                    sample=number,
                    verdict=verdict,
                    details=SCRIPT,
                    failure=failure if verdict is Verdict.WA else None,
                    language=SCRIPT,
                    failing_input=SCRIPT if verdict is Verdict.WA else "",
                )
                file = folder.keep_program(sample, f"# {SCRIPT}\n", "py")
                folder.append(sample.model_copy(update={"program": file}))


@pytest.fixture
def tab(browser: Any, pages: Service) -> Iterator[Open]:
    """Opens pages; at the end none of them may have reported a fault."""
    opened: list[Tab] = []

    def open_tab(**options: Any) -> Tab:
        opened.append(Tab(browser, pages.url, **options))
        return opened[-1]

    yield open_tab
    faults = [fault for each in opened for fault in each.faults]
    for each in opened:
        each.context.close()
    assert faults == []


def write(page: Any, program: str) -> None:
    """Replace the program in the editor."""
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.locator(".cm-content").evaluate(browsers.PASTE, program)


def submit(page: Any, program: str) -> None:
    write(page, program)
    page.get_by_role("button", name="Submit").click()
    page.wait_for_url("**/pages/submissions/*")


def test_wrong_and_right_code_is_submitted_from_the_editor(tab: Open) -> None:
    page = tab().open("/pages/problems?search=gap")
    page.get_by_role("link", name="Widest gap").click()
    submit(page, gap.OPTIMISED.replace("default=0", "default=0) + (1"))
    assert page.inner_text("h1") == "gap: fails 12 of 12 tests"
    assert page.title() == "gap: fails 12 of 12 tests · Steelyard"
    assert "First failure: test case 0" in page.inner_text("main")
    assert page.locator(".texts").first.locator("pre").all_inner_texts() == [
        "solve([0, 5, 0])",
        "5",
    ]
    page.go_back()
    submit(page, gap.OPTIMISED)
    assert page.locator("h1 .verdict").inner_text() == "passes all 12 tests"
    assert "12 of 12" in page.inner_text("main")
    assert gap.OPTIMISED.strip() in page.inner_text("main").replace("\u00a0", " ")


def test_cases_come_in_live_and_nothing_moves(tab: Open) -> None:
    page = tab().open("/pages/problems/gap")
    write(page, SLOW)
    page.get_by_role("button", name="Submit").click()
    page.wait_for_url("**/pages/live/*")
    page.evaluate(browsers.WATCH_MOVES)
    seen = set()
    for _ in range(600):
        path, count, moved = page.evaluate(STATE)
        if "/pages/live/" not in path:
            break
        seen.add(count)
        assert not moved
        page.wait_for_timeout(100)
    page.wait_for_url("**/pages/submissions/*")
    assert len(seen - {None, "0", "12"}) >= 2, seen
    assert page.locator("h1 .verdict").inner_text() == "passes all 12 tests"


def test_pages_work_without_scripts(tab: Open) -> None:
    page = tab(java_script_enabled=False).open("/pages/problems/gap")
    page.fill("textarea[name=program]", SLOW)
    page.get_by_role("button", name="Submit").click()
    page.wait_for_url("**/pages/submissions/*")
    assert page.locator("h1 .verdict").inner_text() == "passes all 12 tests"


def test_a_batch_is_judged_line_by_line(tab: Open) -> None:
    own = tab()
    page = own.open("/pages/new/batch")
    asked = {"language": "python", "tests": [{"input": "", "expected": "1"}]}
    slow = "import time; time.sleep(0.4); print(1)"
    lines = [{"id": SCRIPT, "program": "print(2)", **asked}]
    lines += [{"program": slow, "id": number, **asked} for number in range(8)]
    text = "\n".join([*map(json.dumps, lines), "no JSON"])
    page.get_by_label("Lines of JSON").fill(text)
    page.get_by_role("button", name="Judge").click()
    page.wait_for_url("**/pages/batches/*")
    page.evaluate(browsers.WATCH_MOVES)
    assert own.violations() == []
    page.get_by_text("judged 10").wait_for()
    assert "passed 8 failed 1 refused 1" in " ".join(page.inner_text(".tally").split())
    assert not page.evaluate("window.moved")
    assert page.locator("main img, main script").count() == 0
    page.get_by_role("link", name=SCRIPT).click()
    assert page.inner_text("h1") == f"{SCRIPT}: fails 1 of 1 test"
    assert "expected '1', got '2'" in page.inner_text("main")
    assert own.violations() == []
    with page.expect_download() as download:
        page.go_back()
        page.get_by_role("link", name="Download as JSONL").click()
    answers = [json.loads(line) for line in download.value.path().read_text().splitlines()]
    assert [each["index"] for each in answers] == list(range(10))
    assert answers[9]["problem"]["code"] == "body-not-json"


def test_an_evaluation_is_read_from_its_list_to_a_program(tab: Open) -> None:
    own = tab(viewport={"width": 360, "height": 900}, color_scheme="dark")
    page = own.open("/pages/evaluations")
    assert own.violations() == []
    page.get_by_role("link", name="first").click()
    assert "4 of 6 samples pass" in page.inner_text(".headline")
    assert own.violations() == []
    page.get_by_label("Tasks", exact=True).select_option("mixed")
    page.get_by_role("button", name="Show").click()
    page.get_by_role("link", name=SCRIPT).click()
    assert page.locator("summary .strong").all_inner_texts() == ["AC", "WA", "WA"]
    assert page.get_by_text("Statement").count() == 1
    assert page.get_by_role("heading", name="Input of the failing case").count() == 2
    assert f"# {SCRIPT}" in page.inner_text("main")
    assert page.locator("main img, main script").count() == 0
    assert own.violations() == []


def test_two_evaluations_are_compared_by_the_keyboard(tab: Open) -> None:
    own = tab(viewport={"width": 360, "height": 900}, color_scheme="light")
    page = own.open("/pages/evaluations/first")
    page.get_by_label("Another evaluation").focus()
    page.keyboard.type("second")
    page.keyboard.press("Enter")
    page.wait_for_url("**/pages/evaluations/first/compare?second=second")
    assert page.inner_text(".headline") == "The second evaluation is not shown to be worse"
    row = page.locator("tbody tr").first.inner_text().split()
    assert row[:4] == ["pass@1", "0.667", "0.500", "-0.167"]
    assert "Lost by the second: 1" in page.inner_text("main")
    assert page.locator("main img, main script").count() == 0
    assert own.violations() == []
    page.get_by_role("link", name="in the second").click()
    assert page.locator("summary .strong").all_inner_texts() == ["WA", "WA", "WA"]


def test_an_evaluation_is_named_and_never_a_path(pages: Service) -> None:
    for name in ("..%2f..", "%2e%2e", "first%2f..%2ffirst", "none", "first%00"):
        assert pages.get(f"/pages/evaluations/{name}").status == 404
        assert pages.get(f"/pages/evaluations/{name}/task?task=easy").status == 404
        assert pages.get(f"/pages/evaluations/{name}/compare?second=first").status == 404
        assert pages.get(f"/pages/evaluations/first/compare?second={name}").status == 404
    assert pages.get("/pages/evaluations/first/task?task=none").status == 404
    uncompared = pages.get("/pages/evaluations/first/compare?second=damaged")
    assert uncompared.status == 422
    assert str(pages.folder).encode() not in uncompared.body
    damaged = pages.get("/pages/evaluations/damaged")
    assert damaged.status == 422
    assert str(pages.folder).encode() not in damaged.body
    assert b"is not an artefact of this version" in pages.get("/pages/evaluations").body


def test_a_challenge_is_made_by_its_form(tab: Open) -> None:
    own = tab()
    page = own.open("/pages/problems/gap/challenge")
    page.get_by_label("Arguments of the call").fill("[[5000]]")
    page.get_by_label("Fault that the input shows").fill("too large")
    page.get_by_role("button", name="Challenge").click()
    assert "the input breaks all(-1000" in page.get_by_role("alert").inner_text()
    own.faults.clear()  # the browser reports the status 422
    page.get_by_label("Arguments of the call").fill("[[-7, 7, 100]]")
    page.get_by_label("Right output, if you know it").fill("93")
    page.get_by_role("button", name="Challenge").click()
    page.wait_for_url("**/pages/challenges/*")
    assert page.locator("h1 .verdict").inner_text() in ("accepted", "rejected", "quarantined")


def paths(service: Service) -> list[str]:
    """Return a page of each kind, with hostile texts wherever somebody else writes."""
    body = {"problem": "hostile", "program": f"raise ValueError({SCRIPT!r})\n# {SCRIPT}"}
    program = (
        "class Solution:\n    def solve(self, nums):\n"
        f"        print({SCRIPT!r})\n        raise ValueError({SCRIPT!r})\n"
    )
    digests = [
        service.post("/v1/submissions", {**body, "program": each}).json["submission"]
        for each in (program, SCRIPT)
    ]
    made = service.post(
        "/v1/challenges",
        {"problem": "hostile", "input": [[1, 3]], "output": 2, "reason": SCRIPT},
    ).json["challenge"]
    suite = service.get("/v1/suites?problem=hostile").json["items"][0]["suite"]
    return [
        "/",
        "/nowhere",
        "/pages/problems",
        "/pages/problems/hostile",
        "/pages/problems/hostile/challenge",
        f"/pages/suites/{suite}",
        "/pages/submissions",
        "/pages/challenges",
        "/pages/service",
        *(f"/pages/submissions/{digest}" for digest in digests),
        "/pages/sign-in",
        *([f"/pages/challenges/{made}"] if made else []),
        "/pages/problems/none",
        "/pages/problems?search=%3Cscript%3Ealert(1)%3C/script%3E&tag=%22%3E%3Cscript%3E",
        "/pages/sign-in?back=javascript:alert(1)&fault=%3Cscript%3E",
    ]


def test_hostile_texts_stay_texts_and_axe_finds_nothing(tab: Open, pages: Service) -> None:
    found = paths(pages)
    for (width, scheme), some in zip(SIZES, (found[::2], found[1::2]), strict=True):
        own = tab(viewport={"width": width, "height": 900}, color_scheme=scheme)
        for path in some:
            page = own.open(path)
            assert own.violations() == [], (path, width)
            assert page.locator("main img, main script").count() == 0
            if path.endswith(("/none", "/nowhere")):
                own.faults.clear()  # the browser reports the status 404


def test_the_keyboard_reaches_everything(tab: Open) -> None:
    page = tab().open("/pages/problems/gap")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.locator(".cm-content").focus()
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Submit"


@pytest.mark.parametrize(
    "path",
    [
        "new/batch",
        "new/author",
        "evaluations/first",
        "evaluations/first/compare?second=second",
    ],
)
def test_tab_reaches_every_control_and_shows_where_it_is(path: str, tab: Open) -> None:
    page = tab(viewport={"width": 360, "height": 900}).open(f"/pages/{path}")
    left: int = page.evaluate(NUMBER_CONTROLS)
    reached = set()
    for _ in range(left + 1):
        page.keyboard.press("Tab")
        number, style = page.evaluate(FOCUSED)
        if number is not None:
            reached.add(number)
            assert style != "none", page.evaluate("document.activeElement.outerHTML")
    assert reached == {str(number) for number in range(left)}


def test_an_expired_token_leads_to_the_form(browser: Any, tmp_path: Path) -> None:
    now = datetime.now(UTC)
    tokens = {}
    with open_database(tmp_path / "steelyard.sqlite3") as database:
        gap.store(database)
        with database.change() as change:
            for name, days in (("old", -1), ("new", 30)):
                tokens[name], stored = new_token(
                    name, ("judge",), now=now - timedelta(days=2), lifetime=timedelta(days=2 + days)
                )
                store_token(change, stored)
    with running_service(tmp_path) as service:
        own = Tab(browser, service.url)
        page = own.open("/pages/problems/gap")
        assert "/pages/sign-in?back=/pages/problems/gap" in page.url
        for name in ("old", "new"):
            page.get_by_label("Token").fill(tokens[name])
            page.get_by_role("button", name="Sign in").click()
            if name == "old":
                page.get_by_text("The token has expired").wait_for()
        page.wait_for_url("**/pages/problems/gap")
        assert page.evaluate("document.cookie") == ""
        (cookie,) = own.context.cookies()
        assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Strict")
        page.goto(f"{service.url}/pages/service")
        assert "scope-missing" in page.inner_text("main")
        page.get_by_role("button", name="Sign out").click()
        page.wait_for_url("**/pages/sign-in")
        assert own.context.cookies() == []
        own.context.close()
