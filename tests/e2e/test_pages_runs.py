"""Runs in a real browser: growth, a comparison, solving and authoring, followed to their ends."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests import browser as browsers
from tests.browser import SIZES, Tab
from tests.contract.author_team import REQUEST, Team
from tests.contract.solve_shell import PRICES, PROBLEM, RIGHT, Models, answer_all
from tests.http_server import Service, running_service
from tests.model_server import Exchange, ModelServer
from tests.needs import needs

pytestmark = [
    needs("openai"),
    pytest.mark.skipif(bool(browsers.missing()), reason=browsers.missing()),
    pytest.mark.xdist_group("browser"),
]
SCRIPT = "<img src=x onerror=alert(1)>"
SAMPLE = "\n\nInput:\n```\n1\n7\n```\nOutput:\n```\n7\n```\n"
SORTS = f"# {SCRIPT}\nprint(sum(sorted(int(x) for x in open(0))))"
SLOW = f"import time\ntime.sleep(20)\n# {SCRIPT}"
SPECIFICATION = {
    "title": SCRIPT,
    "description": SCRIPT,
    "parameters": [{"name": "nums", "type": "list[int]"}],
    "returns": "int",
    "constraints": ["1 <= len(nums) <= 100", "0 <= nums[i] <= 9"],
    "examples": [{"args": [[1, 2]], "expected": 3}],
}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service whose models answer over HTTP on this machine."""
    folder = tmp_path_factory.mktemp("runs")
    with ModelServer() as server:
        models = Models(server)
        models.on_request = answer_all
        models.first_program = f"# {SCRIPT}\nprint(6)\n"
        team = Team()

        def answer(exchange: Exchange) -> None:
            system = exchange.asked.body["messages"][0]["content"]
            (models if "small team" in system else team).answer(exchange)

        server.then(answer)
        environment = {
            "STEELYARD_CACHE__DIR": str(folder / "cache"),
            "STEELYARD_MODELS__RETRIES": "0",
            "STEELYARD_MODELS__PRICES": PRICES,
            "STEELYARD_MODELS__PLANNER": models.name,
            "STEELYARD_MODELS__CODER": models.name,
            "STEELYARD_MODELS__ANALYST": models.name,
            "STEELYARD_SERVICE__MAX_JOB_COST_USD": "1000",
        }
        with running_service(folder, "--workers", "1", environment=environment) as running:
            yield running


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with browsers.chromium() as started:
        yield started


@pytest.fixture(
    params=[
        pytest.param(SIZES[0], id="narrow", marks=pytest.mark.exhaustive),
        pytest.param(SIZES[1], id="wide"),
    ]
)
def own(browser: Any, pages: Service, request: pytest.FixtureRequest) -> Iterator[Tab]:
    width, scheme = request.param
    tab = Tab(browser, pages.url, viewport={"width": width, "height": 900}, color_scheme=scheme)
    yield tab
    tab.context.close()
    assert tab.faults == []


def paste(page: Any, field: str, text: str) -> None:
    editor = page.locator(f"#{field} + .editor .cm-content")
    editor.click()
    page.keyboard.press("Control+a")
    editor.evaluate(browsers.PASTE, text)


def test_growth_is_measured_and_drawn(own: Tab) -> None:
    page = own.open("/pages/runs")
    page.get_by_role("link", name="Measure growth").click()
    paste(page, "program", SORTS)
    page.get_by_label("Largest size").fill("20000")
    page.get_by_role("button", name="Measure").click()
    page.locator("main svg").first.wait_for(timeout=60_000)
    assert "Time O(" in page.inner_text("main")
    assert own.violations() == []


def test_a_solve_run_is_followed(own: Tab, pages: Service) -> None:
    page = own.open("/pages/new/solve")
    width = page.viewport_size["width"]  # another problem, so that no reply is in the cache
    page.get_by_label("Problem").fill(f"{PROBLEM['prompt']} {SCRIPT} {width}{SAMPLE}")
    page.get_by_label("Language of the program").select_option("python")
    page.get_by_label("Iterations at most").fill("2")
    page.get_by_role("button", name="Solve").click()
    page.wait_for_url("**/pages/runs/*")
    page.evaluate(browsers.WATCH_MOVES)
    for _ in range(600):
        live, moved = page.evaluate("[!!document.querySelector('.steady'), window.moved]")
        if not live:
            break
        assert not moved
        page.wait_for_timeout(100)
    page.get_by_role("heading", name="not solved").first.wait_for(timeout=60_000)
    assert ": not solved, nothing shows that the program is right" in page.title()
    assert RIGHT.strip().splitlines()[0] in page.inner_text("main")
    assert page.locator(".steps li").count() > 3
    assert "print(6)" in page.inner_text("#turn-0")
    removed = page.locator(".diff .removed td:last-child").all_inner_texts()
    assert removed == [f"# {SCRIPT}", "print(6)"]
    added = page.locator(".diff .added td:last-child").all_inner_texts()
    assert RIGHT.splitlines()[0] in added[0]
    assert own.violations() == []
    assert page.locator("main img").count() == 0


def test_a_problem_is_authored_from_the_form_and_followed(own: Tab) -> None:
    page = own.open("/pages/new/author")
    page.get_by_label("Request").fill((REQUEST / "request.txt").read_text())
    page.get_by_label("Cases at most").fill("8")
    page.get_by_label("Mutants at most").fill("4")
    name = f"parcel-lift-{page.viewport_size['width']}"
    page.get_by_label("Name under which to store").fill(name)
    page.get_by_role("button", name="Author").click()
    page.wait_for_url("**/pages/runs/*")
    page.evaluate("window.same = true")
    page.locator(".steps li").nth(3).wait_for(timeout=120_000)
    assert page.evaluate("window.same")  # the steps came in, and the page was not loaded again
    page.get_by_role("heading", name=f"{name}: authored").wait_for(timeout=120_000)
    assert "class Solution" in page.inner_text("main")
    assert page.locator(".steps li").count() > 5
    assert f"stored as {name}, suite 1" in page.inner_text("main")
    assert own.open(f"/pages/problems/{name}").locator(".editor").count() == 1
    assert own.violations() == []


def test_a_run_is_cancelled(own: Tab) -> None:
    page = own.open("/pages/new/profile")
    paste(page, "program", SLOW)
    page.get_by_role("button", name="Measure").click()
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("heading", name="time.sleep(20): stopped").wait_for()
    assert own.violations() == []
    own.open("/pages/runs?kind=profile")
    page.get_by_role("link", name="stopped").click()
    page.wait_for_url("**/pages/runs?state=cancelled&kind=profile")
    assert set(page.locator("td:nth-child(2)").all_inner_texts()) == {"stopped"}
    assert own.violations() == []


def test_authoring_and_comparing_have_pages(own: Tab, pages: Service) -> None:
    asynchronous = {"Prefer": "respond-async"}
    body = {
        "specification": SPECIFICATION,
        "cases": 8,
        "mutants": 0,
        "writer": "none",
        "solver": "none",
        "checker": "none",
        "solution": ["class Solution:\n    def solve(self, nums):\n        return sum(nums)\n"],
    }
    authored = pages.post("/v1/author", body, headers=asynchronous)
    assert authored.status == 202, authored.body
    page = own.open("/pages/new/compare")
    page.get_by_label("Name of the function").fill("total")
    paste(page, "original", "def total(n):\n    return sum(range(n + 1))\n")
    paste(page, "program", f"def total(n):\n    return {SCRIPT!r}\n")
    page.get_by_role("button", name="Compare").click()
    page.get_by_role("heading", name="total: rejected, ").wait_for(timeout=120_000)
    assert own.violations() == []
    for _ in range(600):
        page = own.open(f"/pages/runs/{authored.json['id']}")
        if not page.inner_text("h1").endswith(("queued", "running")):
            break
        page.wait_for_timeout(200)
    assert SCRIPT in page.inner_text("main")
    assert page.locator("main img").count() == 0
    assert own.violations() == []
