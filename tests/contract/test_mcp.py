"""The tools for agents, called by the client of the package `mcp` over both transports."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from steelyard.service import new_token
from steelyard.storage import open_database, store_token
from tests.http_server import Service, running_service

mcp = pytest.importorskip("mcp")

ADD = "print(sum(map(int, input().split())))"
TESTS = [{"input": "1 2\n", "expected": "3\n"}, {"input": "4 5\n", "expected": "9\n"}]
TOOLS = {"judge", "profile", "compare", "strength", "extract_tests", "author", "solve"}
MODES = ["auto", "legacy"]


@pytest.fixture(scope="module")
def agents(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with tools, and a token that it needs."""
    folder: Path = tmp_path_factory.mktemp("agents")
    token, stored = new_token("agent", ("judge",), now=datetime.now(UTC))
    with open_database(folder / "steelyard.sqlite3") as database, database.change() as change:
        store_token(change, stored)
    with running_service(folder, "--mcp", "--workers", "1") as running:
        yield Service(running.url, running.process, running.folder, token)
        assert "Traceback" not in running.log
        assert ADD not in running.log


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
async def over_stdio(folder: Path) -> AsyncIterator[Any]:
    from mcp.client import Client
    from mcp.client.stdio import StdioServerParameters

    how = StdioServerParameters(
        command=sys.executable,
        args=["-m", "steelyard", "mcp", "--db", str(folder / "steelyard.sqlite3")],
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
        "solution": "def square(x):\n    return x * x\n", "entry": "function:square", "mutants": 5,
        "wrong": ["def square(x):\n    return x + x\n"],
    }  # fmt: skip
    async with over_http(agents) as client:
        result = await client.call_tool("strength", arguments, progress_callback=progress)
    assert not result.is_error, result.content
    answer = result.structured_content
    assert (answer["wrong_killed"], answer["cases"]) == ("1 of 1", 2)
    assert [number for number, _ in seen] == sorted({number for number, _ in seen})
    assert any(message for _, message in seen)


async def test_what_is_wrong_is_said_to_the_agent(agents: Service) -> None:
    async with over_http(agents) as client:
        for name, arguments, words in (
            ("judge", {"program": ADD, "tests": TESTS, "language": "cobol"}, "language-error"),
            ("judge", {"program": ADD}, "tests"),
            ("judge", {"program": "x" * (2 << 20), "tests": TESTS}, "source-too-large"),
            ("judge", {"program": ADD, "tests": TESTS, "time_limit_ms": 10**9}, "60000"),
            ("author", {"request": "sum of a list"}, "scope-missing"),
            ("solve", {"prompt": "sum of a list"}, "scope-missing"),
        ):
            result = await client.call_tool(name, arguments)
            assert result.is_error, name
            assert words in result.content[0].text, result.content[0].text


@pytest.mark.parametrize("mode", MODES)
async def test_a_cancelled_call_ends_its_run(agents: Service, mode: str) -> None:
    slow = {
        "program": "import time; time.sleep(int(input()))", "max_n": 10, "budget_s": 60,
        "generator": "def generate(n, seed):\n    return f'{n}\\n'\n",
    }  # fmt: skip
    async with over_http(agents, mode=mode) as client:
        call = asyncio.create_task(client.call_tool("profile", slow))
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
        grown = await called(
            client, "profile", program="n = len(input())\nsum(range(n))", max_n=2_000,
            generator="def generate(n, seed):\n    return 'x' * n + '\\n'\n", budget_s=1,
        )  # fmt: skip
        assert len(grown["input_sizes"]) > 2
