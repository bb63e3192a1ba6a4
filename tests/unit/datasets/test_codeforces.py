"""Problems of Codeforces, from pages that these tests write, on a server of the loopback."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from steelyard.datasets.codeforces import fetch_contest, read_pages
from steelyard.errors import DatasetError, InfrastructureError
from steelyard.schemas import RowFault

PAGE = """<!DOCTYPE html><html><head><link rel="canonical"
href="https://codeforces.com/contest/999/problem/{index}"></head>
<body><div class="problem-statement">
<div class="header"><div class="title">{index}. Sum &amp; more</div>
<div class="time-limit"><div class="property-title">time limit per test</div>1.5 seconds</div>
<div class="memory-limit"><div class="property-title">memory limit per test</div>256 megabytes</div>
<div class="input-file"><div class="property-title">input</div>{input}</div>
<div class="output-file"><div class="property-title">output</div>standard output</div></div>
<div><p>Add $$$a$$$ and   $$$b$$$ (1 &le; a &le; 10<sup>9</sup>).</p><ul><li>Fast.</li>
<li>Right.</li></ul><script>alert(1)</script></div>
<div class="input-specification"><div class="section-title">Input</div><p>Two numbers.</p></div>
<div class="output-specification"><div class="section-title">Output</div><p>The sum.</p></div>
<div class="sample-tests"><div class="section-title">Examples</div><div class="sample-test">
<div class="input"><div class="title">Input</div><pre>{first}</pre></div>
<div class="output"><div class="title">Output</div><pre>
3&nbsp;
</pre></div>
<div class="input"><div class="title">Input</div><pre>5<br>6<br /></pre></div>
<div class="output"><div class="title">Output</div><pre>11</pre></div></div></div>
<div class="note"><div class="section-title">Note</div><p>Easy.</p></div></div></body></html>"""
LINES = (
    '<div class="test-example-line test-example-line-even">1</div>'
    '<div class="test-example-line test-example-line-odd">2</div>'
)


def page(index: str = "A", given: str = "standard input", first: str = LINES) -> str:
    return PAGE.format(index=index, input=given, first=first)


def listing(*indexes: str) -> str:
    problems = [
        {"contestId": 999, "index": each, "rating": 800, "tags": ["math"]} for each in indexes
    ]
    contest = {"id": 999, "startTimeSeconds": 1_600_000_000}
    return json.dumps({"status": "OK", "result": {"contest": contest, "problems": problems}})


class Site:
    """Answers with the texts that it is given; 404 for every other path."""

    def __init__(self) -> None:
        self.pages: dict[str, str] = {}
        self.asked: list[str] = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.asked.append(self.path)
                text = site.pages.get(self.path.split("?")[0])
                self.send_response(200 if text is not None else 404)
                self.end_headers()
                self.wfile.write((text or "").encode())

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()

    def close(self) -> None:
        if self._thread.is_alive():
            self._server.shutdown()
            self._thread.join()
            self._server.server_close()


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setenv("STEELYARD_CACHE__DIR", str(tmp_path / "cache"))
    found = Site()
    yield found
    found.close()


def fetch(site: Site, **more: Any) -> tuple[list[Any], list[RowFault]]:
    faults: list[RowFault] = []
    tasks = fetch_contest(999, on_fault=faults.append, site=site.url, interval_s=0, **more)
    return list(tasks), faults


def test_statement_samples_and_limits_are_read(site: Site) -> None:
    site.pages = {"/api/contest.standings": listing("A"), "/contest/999/problem/A": page()}
    (task,), faults = fetch(site)
    assert faults == []
    assert (task.id, task.title, task.group, task.difficulty) == (
        "999/A",
        "Sum & more",
        "999",
        "800",
    )
    assert [(case["input"], case["expected"]) for case in task.tests] == [
        ("1\n2\n", "3\n"),
        ("5\n6\n", "11\n"),
    ]
    assert (task.time_limit_ms, task.memory_limit_mib) == (1500, 256)
    assert task.prompt == (
        "Add $a$ and $b$ (1 ≤ a ≤ 10^9).\n\n- Fast.\n- Right.\n\n## Input\n\nTwo numbers.\n\n"
        "## Output\n\nThe sum.\n\n## Note\n\nEasy."
    )
    assert str(task.published) == "2020-09-13"
    assert task.provenance.url == f"{site.url}/contest/999/problem/A"


def test_a_page_is_fetched_once(site: Site) -> None:
    site.pages = {"/api/contest.standings": listing("A"), "/contest/999/problem/A": page()}
    first, again = fetch(site), fetch(site)
    assert first == again
    assert len(site.asked) == 2
    fetch(site, refresh=True)
    assert len(site.asked) == 4


def test_a_missing_page_is_a_fault_and_the_rest_is_read(site: Site) -> None:
    site.pages = {
        "/api/contest.standings": listing("A", "B", "../../etc", "D"),
        "/contest/999/problem/A": page(),
        "/contest/999/problem/D": page("D", "sum.in"),
    }
    tasks, faults = fetch(site)
    assert [task.id for task in tasks] == ["999/A"]
    for fault, part in zip(faults, ("404", "index", "sum.in"), strict=True):
        assert part in fault.message


@pytest.mark.parametrize(
    "answer",
    ['{"status": "FAILED", "comment": "contestId: Contest with id 999 not found"}', "[]", "<html>"],
)
def test_an_answer_that_is_no_contest_is_an_error(site: Site, answer: str) -> None:
    site.pages = {"/api/contest.standings": answer}
    with pytest.raises(DatasetError, match="contest 999"):
        fetch(site)


def test_a_site_that_is_not_there_is_an_infrastructure_error(site: Site) -> None:
    site.close()
    with pytest.raises(InfrastructureError, match="saved pages"):
        fetch(site)


def test_saved_pages_need_no_network(tmp_path: Path) -> None:
    plain = page(first="1\n2 \n").replace('"en"', "")
    (tmp_path / "a.html").write_text(plain)
    (tmp_path / "b.html").write_text("<html><p>Just a moment...</p></html>")
    (tmp_path / "c.html").write_text(page("C", first="<b>" * 5_000 + "1" + "</b>" * 5_000))
    faults: list[RowFault] = []
    tasks = list(read_pages(tmp_path, on_fault=faults.append))
    assert tasks[0].id == "999/A"
    assert tasks[0].tests[0]["input"] == "1\n2\n"
    assert "not a problem page" in faults[0].message
    assert len(tasks) + len(faults) == 3
    with pytest.raises(DatasetError, match="no saved pages"):
        list(read_pages(tmp_path / "none", on_fault=faults.append))
