"""The tools for agents, called by the client of the package `mcp` over both transports."""

import asyncio
import dataclasses
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from steelyard.settings import Settings
from tests.contract.author_team import REQUEST, Team
from tests.contract.solve_shell import PRICES, RIGHT, Models
from tests.http_server import Service, a_token, running_service
from tests.model_server import Exchange, ModelServer
from tests.needs import needs

pytestmark = needs("mcp", "openai")

ADD = "print(sum(map(int, input().split())))"
TESTS = [{"input": "1 2\n", "expected": "3\n"}, {"input": "4 5\n", "expected": "9\n"}]
SLOW = {
    "program": "import time; time.sleep(int(input()))",
    "max_n": 10,
    "budget_s": 60,
    "generator": "def generate(n, seed):\n    return f'{n}\\n'\n",
}
TOOLS = {"judge", "profile", "compare", "strength", "extract_tests", "author", "solve"}
MODES = ["auto", "legacy"]


@pytest.fixture(scope="module")
def agents(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with tools and scripted models, and a token that it needs to judge."""
    folder: Path = tmp_path_factory.mktemp("agents")
    token = a_token(folder, "judge")
    with ModelServer() as server:
        models, team = Models(server), Team()

        def answer(exchange: Exchange) -> None:
            system = exchange.asked.body["messages"][0]["content"]
            (models if "small team" in system else team).answer(exchange)

        server.then(answer)
        environment = {
            "STEELYARD_CACHE__DIR": str(folder / "cache"),
            "STEELYARD_MODELS__PRICES": PRICES,
            "STEELYARD_MODELS__RETRIES": "0",
            "STEELYARD_SERVICE__MAX_JOB_COST_USD": "1000",
            "STEELYARD_MODELS__PLANNER": models.name,
            "STEELYARD_MODELS__CODER": models.name,
            "STEELYARD_MODELS__ANALYST": models.name,
        }
        options = ("--mcp", "--workers", "1")
        with running_service(folder, *options, environment=environment, token=token) as running:
            yield running
            assert "Traceback" not in running.log
            assert ADD not in running.log


@pytest.fixture(scope="module")
def authors(agents: Service) -> Service:
    """The same service, with a token to author and to see problems."""
    return dataclasses.replace(agents, token=a_token(agents.folder, "author", "judge"))


@asynccontextmanager
async def over_http(service: Service, *, mode: str = "auto") -> Any:
    import httpx2
    from mcp.client import Client
    from mcp.client.streamable_http import streamable_http_client

    headers = {"Authorization": f"Bearer {service.token}"}
    async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
        transport = streamable_http_client(f"{service.url}/mcp", http_client=http)
        async with Client(transport, mode=mode) as client:
            yield client


@asynccontextmanager
async def over_stdio(folder: Path, **environment: str) -> AsyncIterator[Any]:
    from mcp.client import Client
    from mcp.client.stdio import StdioServerParameters

    how = StdioServerParameters(
        command=sys.executable,
        args=["-m", "steelyard", "mcp", "--db", str(folder / "steelyard.sqlite3")],
        env={**os.environ, **environment},
    )
    async with Client(how, read_timeout_seconds=120) as client:
        yield client


async def called(client: Any, name: str, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(name, arguments)
    assert not result.is_error, result.content
    return dict(result.structured_content)


@pytest.mark.parametrize("mode", MODES)
async def test_tools_are_typed_and_described(agents: Service, mode: str) -> None:
    async with over_http(agents, mode=mode) as client:
        listed = (await client.list_tools()).tools
    assert {tool.name for tool in listed} == TOOLS
    for tool in listed:
        assert tool.output_schema["properties"], tool.name
        assert len(tool.description) > 100, tool.name


@pytest.mark.parametrize("mode", MODES)
async def test_judging_over_http(agents: Service, mode: str) -> None:
    async with over_http(agents, mode=mode) as client:
        right = await called(client, "judge", program=ADD, tests=TESTS)
        assert (right["passed"], right["cases_passed"], right["failures"]) == (True, 2, [])
        wrong = await called(client, "judge", program="print('x' * 5000)", tests=TESTS * 30)
        assert (wrong["passed"], wrong["cases"], len(wrong["failures"])) == (False, 60, 20)
        assert len(wrong["failures"][0]["stdout"]) < 1_100
        found = await called(client, "extract_tests", prompt="Square.\nInput: 5\nOutput: 25\n")
        assert found["tests"] == [{"name": "1", "input": "5\n", "expected": "25"}]


async def test_long_tools_report_progress(agents: Service) -> None:
    seen: list[tuple[float, str | None]] = []

    async def progress(number: float, total: float | None, message: str | None) -> None:
        seen.append((number, message))

    arguments = {
        "tests": [{"args": [2], "expected": 4}, {"args": [3], "expected": 9}],
        "solution": "def square(x):\n    return x * x\n",
        "entry": "function:square",
        "mutants": 5,
        "wrong": ["def square(x):\n    return x + x\n"],
    }
    async with over_http(agents) as client:
        result = await client.call_tool("strength", arguments, progress_callback=progress)
    assert not result.is_error, result.content
    answer = result.structured_content
    assert (answer["wrong_killed"], answer["cases"]) == ("1 of 1", 2)
    assert [number for number, _ in seen] == sorted({number for number, _ in seen})
    assert any(message for _, message in seen)


@pytest.mark.exhaustive
async def test_solving_by_models(authors: Service) -> None:
    tests = [{"input": "3\n1 2 3\n", "output": "6\n"}, {"input": "1\n7\n", "output": "7\n"}]
    seen: list[str] = []

    async def progress(_: float, __: float | None, message: str | None) -> None:
        seen.append(message or "")

    arguments = {
        "problem": {
            "task_id": "sum",
            "prompt": "Read n, then n numbers; print their sum.",
            "unit_tests": tests,
            "input_bounds": {"n": 1_000},
            "constraints": {"runtime_limit": 2_000, "memory_limit": 64},
        },
        "language": "python",
        "max_cost_usd": 500,
    }
    async with over_http(authors) as client:
        result = await client.call_tool("solve", arguments, progress_callback=progress)
        assert not result.is_error, result.content
        solved = result.structured_content
        assert (solved["passed"], solved["program"], solved["tests_passed"]) == (True, RIGHT, 2)
        assert "code" in seen, seen
        dear = await client.call_tool("solve", {**arguments, "max_cost_usd": 2_000})
        assert "cost-limit-too-high" in dear.content[0].text
        vague = await client.call_tool("author", {"request": "?!"})
        assert "usage-error" in vague.content[0].text


async def authored(client: Any) -> None:
    """Author a problem; the models answer as the example's script says."""
    seen: list[str] = []

    async def progress(_: float, __: float | None, message: str | None) -> None:
        seen.append(message or "")

    arguments = {
        "request": (REQUEST / "request.txt").read_text(),
        "cases": 8,
        "mutants": 4,
        "max_cost_usd": 900,
        "name": "parcel-lift",
    }
    result = await client.call_tool("author", arguments, progress_callback=progress)
    assert not result.is_error, result.content
    found = result.structured_content
    assert found["passed"], found
    assert found["cases"] >= 8
    assert "class Solution" in found["solution"]
    assert found["title"]
    assert found["statement"]
    assert found["cost_usd"] > 0
    assert "stored as parcel-lift, suite 1" in found["notes"]
    assert len(set(seen)) > 3, seen


@pytest.mark.exhaustive  # a browser authors the same problem in every run
async def test_authoring_by_models(authors: Service) -> None:
    async with over_http(authors) as client:
        await authored(client)
    assert authors.get("/v1/problems/parcel-lift").status == 200


@pytest.mark.exhaustive  # as above
async def test_authoring_by_models_over_standard_input(tmp_path: Path) -> None:
    with ModelServer() as server:
        server.then(Team().answer)
        name = f"openai:m@{server.openai}"
        async with over_stdio(
            tmp_path,
            STEELYARD_CACHE__DIR=str(tmp_path / "cache"),
            STEELYARD_MODELS__PRICES=PRICES,
            STEELYARD_MODELS__PLANNER=name,
            STEELYARD_MODELS__CODER=name,
            STEELYARD_MODELS__ANALYST=name,
            STEELYARD_SERVICE__MAX_JOB_COST_USD="1000",
        ) as client:
            await authored(client)


@pytest.mark.exhaustive
async def test_comparing_a_rewritten_function(agents: Service, file_view: None) -> None:
    original = "def total(n):\n    return sum(range(n + 1))\n"
    files = {
        "sums.py": original,
        "test_sums.py": "from sums import total\ndef test_total():\n"
        "    assert [total(n) for n in (0, 1, 10)] == [0, 1, 55]\n",
    }
    wrong = "def total(n):\n    return sum(range(n))\n"
    async with over_http(agents) as client:
        found = await called(
            client,
            "compare",
            program=wrong,
            function="sums:total",
            files=files,
            accept="not-slower",
        )
    assert (found["accepted"], found["behaviour"]) == (False, "different")
    assert found["differences"]


async def test_what_is_wrong_is_said_to_the_agent(agents: Service) -> None:
    async with over_http(agents) as client:
        for name, arguments, words in (
            ("judge", {"program": ADD, "tests": TESTS, "language": "cobol"}, "language-error"),
            ("judge", {"program": ADD}, "give tests, or set compile_only"),
            ("judge", {"program": ADD, "tests": 1}, "body-invalid: tests: Input should be"),
            ("judge", {"program": "x" * (2 << 20), "tests": TESTS}, "source-too-large"),
            (
                "judge",
                {"program": ADD, "tests": TESTS, "limits": {"cpu_ms": 10**7}},
                "time-limit-too-high",
            ),
            ("author", {"request": "sum of a list"}, "scope-missing"),
            ("solve", {"problem": {"task_id": "a", "prompt": "sum of a list"}}, "scope-missing"),
        ):
            result = await client.call_tool(name, arguments)
            assert result.is_error, name
            [text] = [each.text for each in result.content]
            assert words in text
            assert "\n" not in text


@pytest.mark.parametrize("mode", MODES)
async def test_a_cancelled_call_ends_its_run(agents: Service, mode: str) -> None:
    async with over_http(agents, mode=mode) as client:
        call = asyncio.create_task(client.call_tool("profile", SLOW))
        async with asyncio.timeout(60):
            while not (running := [each["id"] for each in states(agents, "running")]):
                await asyncio.sleep(0.1)
        call.cancel()
        await asyncio.wait({call})
        async with asyncio.timeout(60):
            while states(agents, "running"):
                await asyncio.sleep(0.1)
    assert running[0] in [each["id"] for each in states(agents, "cancelled")]


def states(service: Service, state: str) -> list[dict[str, Any]]:
    answer = service.get(f"/v1/runs?state={state}")
    assert answer.status == 200, answer.body
    return list(answer.json["items"])


async def test_without_a_token_there_are_no_tools(agents: Service) -> None:
    answer = agents.post("/mcp", {"jsonrpc": "2.0", "id": 1, "method": "ping"}, token="")
    assert (answer.status, answer.code) == (401, "token-missing")
    assert agents.post("/mcp", b"{").status in (400, 406)


def test_nothing_of_it_is_imported_with_the_service() -> None:
    code = "import steelyard, steelyard.service, sys; print('mcp' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


async def test_tools_over_standard_input(tmp_path: Path) -> None:
    async with over_stdio(tmp_path) as client:
        assert {tool.name for tool in (await client.list_tools()).tools} == TOOLS
        right = await called(client, "judge", program=ADD, tests=TESTS)
        assert right["passed"] is True
        result = await client.call_tool("judge", {"program": "1", "tests": [{"expected": 1}]})
        assert result.is_error
        await _cancelled_profile(client, tmp_path)
        seen: list[float] = []

        async def progress(number: float, _: float | None, __: str | None) -> None:
            seen.append(number)

        arguments = {
            "program": "n = len(input())\nsum(range(n))",
            "max_n": 2_000,
            "budget_s": 1,
            "generator": "def generate(n, seed):\n    return 'x' * n + '\\n'\n",
        }
        grown = await client.call_tool("profile", arguments, progress_callback=progress)
        assert len(grown.structured_content["input_sizes"]) > 2
        assert seen
        assert seen == sorted(set(seen))


async def _cancelled_profile(client: Any, folder: Path) -> None:
    """Call for a profile, and cancel the call; its run must end."""
    from steelyard.service.jobs import JobQueue

    settings = Settings(database_url=str(folder / "steelyard.sqlite3"))
    with JobQueue(settings) as jobs:
        call = asyncio.create_task(client.call_tool("profile", SLOW))
        async with asyncio.timeout(60):
            while not jobs.list(states=["running"]):
                await asyncio.sleep(0.1)
        call.cancel()
        await asyncio.wait({call})
        async with asyncio.timeout(60):
            while not jobs.list(states=["cancelled"]):
                await asyncio.sleep(0.1)
