"""A job of thirty lines is in every door: library, command, route, run, tool, form and page."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.http_server import Service, address_of
from tests.needs import needs

ROOM = '''\
"""Count words: a job of its own."""
from typing import Annotated

from steelyard.job import Job, JobRequest
from steelyard.options import Flag, Options
from steelyard.reports import Headline
from steelyard.schemas import Event, Report


class CountRequest(JobRequest):
    text: Annotated[str | bytes, Flag("FILE", takes=str, is_source=True)]
    """Text whose words are counted."""


class CountOptions(Options):
    longer_than: int = 0
    """Number of letters that a word must exceed."""
    leave_out: list[int] = []
    """Lengths of words that do not count."""


class CountReport(Report):
    words: int

    @property
    def passed(self) -> bool:
        """True if there are words."""
        return self.words > 0

    def _summary(self) -> str:
        return f"{self.words} words"


async def run(request, options, _folder):
    """Count the words of a text."""
    options.emit(Event(job="count", stage="counting"))
    words = [each for each in request.text.split()
             if len(each) > options.longer_than and len(each) not in options.leave_out]
    return CountReport(words=len(words), seconds=0.25)


JOB = Job("count", CountRequest, CountOptions, CountReport, run,
          view=lambda report: [Headline("COUNTED", str(report))], outcome=str)
'''
REGISTRY = 'from steelyard.jobs import JOBS\n\nJOBS["count"] = "counting:JOB"\n'


@pytest.fixture(scope="module")
def registered(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of processes whose registry has one more line."""
    folder = tmp_path_factory.mktemp("room")
    (folder / "counting.py").write_text(ROOM)
    (folder / "sitecustomize.py").write_text(REGISTRY)
    (folder / "text.txt").write_text("to be or not to be, that is the question")
    return {**os.environ, "PYTHONPATH": str(folder), "FOLDER": str(folder)}


@pytest.fixture(scope="module")
def counting(
    tmp_path_factory: pytest.TempPathFactory, registered: dict[str, str]
) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("service")
    environment = registered | {
        "STEELYARD_DATABASE_URL": str(folder / "steelyard.sqlite3"),
        "STEELYARD_SERVICE__WORKERS": "1",
    }
    command = [sys.executable, "-m", "steelyard", "serve", "--port", "0", "--json", "--mcp"]
    with (
        (folder / "log.jsonl").open("ab") as log,
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=log) as process,
    ):
        yield Service(address_of(process, folder), process, folder)
        process.terminate()


def test_the_library_and_the_command_have_a_new_job(registered: dict[str, str]) -> None:
    code = (
        "import asyncio, steelyard\n"
        "print(steelyard.count('to be or not', longer_than=2).words)\n"
        "print(asyncio.run(steelyard.acount('to be')).words)"
    )
    assert _run(registered, "-c", code).stdout.split() == ["1", "2"]
    file = f"{registered['FOLDER']}/text.txt"
    done = _run(registered, "-m", "steelyard", "count", file, "--longer-than", "3", "--json")
    assert (done.returncode, json.loads(done.stdout)["words"]) == (0, 2)
    less = [*("--leave-out", "2"), *("--leave-out", "3")]
    done = _run(registered, "-m", "steelyard", "count", file, "--json", *less)
    assert json.loads(done.stdout)["words"] == 2
    assert "COUNTED" in _run(registered, "-m", "steelyard", "count", file).stdout
    shown = _run(registered, "-m", "steelyard", "count", "--help").stdout
    assert "Count the words of a text." in shown
    assert "--longer-than N" in shown
    wrong = _run(registered, "-m", "steelyard", "count", file, "--longer-than", "x")
    assert (wrong.returncode, "got 'x'" in wrong.stderr) == (2, True)
    assert "count" in _run(registered, "-m", "steelyard", "--help").stdout


def test_the_service_and_its_runs_have_a_new_job(counting: Service) -> None:
    body = {"text": "to be or not", "longer_than": 2}
    assert counting.post("/v1/count", body).json["words"] == 1
    assert counting.post("/v1/count", {"text": 1}).status == 422
    assert "/v1/count" in counting.get("/openapi.json").json["paths"]
    later = counting.post("/v1/count", body, headers={"Prefer": "respond-async"})
    assert later.status == 202
    run = _ended(counting, later.json["id"])
    assert (run["state"], run["outcome"], run["result"]["words"]) == ("done", "1 words", 1)
    assert (run["subject"], run["seconds"]) == ("count", 0.25)


def test_a_person_starts_a_new_job_with_its_form(counting: Service) -> None:
    for list_of_forms in ("/", "/pages/runs"):
        listed = counting.get(list_of_forms).body.decode()
        assert '<a href="/pages/new/count">Count the words of a text</a>' in listed
    page = counting.get("/pages/new/count").body.decode()
    assert "Text whose words are counted." in page
    [csrf] = re.findall(r'name="csrf" value="([^"]+)"', page)
    form = urlencode({"csrf": csrf, "text": "<b>to</b> be"}).encode()
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    sent = counting.post("/pages/new/count", form, headers=headers)
    assert sent.status == 303, sent.body
    where = sent.headers["location"]
    _ended(counting, where.rpartition("/")[2])
    assert "2 words" in counting.get(where).body.decode()
    empty = urlencode({"csrf": csrf}).encode()
    assert counting.post("/pages/new/count", empty, headers=headers).status == 422


@needs("mcp")
async def test_agents_have_a_new_job_as_a_tool(counting: Service) -> None:
    from mcp.client import Client
    from mcp.client.streamable_http import streamable_http_client

    async with Client(streamable_http_client(f"{counting.url}/mcp")) as client:
        [tool] = [each for each in (await client.list_tools()).tools if each.name == "count"]
        assert {"text", "longer_than"} <= tool.input_schema["properties"].keys()
        done = await client.call_tool("count", {"text": "to be"})
    assert done.structured_content["report"]["words"] == 2


def _run(environment: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words], env=environment, capture_output=True, text=True, check=False
    )


def _ended(service: Service, run_id: str) -> Any:
    while (run := service.get(f"/v1/runs/{run_id}").json)["state"] in ("queued", "running"):
        time.sleep(0.1)
    return run
