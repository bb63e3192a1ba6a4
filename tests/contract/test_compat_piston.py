"""Piston's clients `aiopyston` and `piston_rspy`, run unmodified against `/api/v2`."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.http_server import Service, without_cells
from tests.peer_clients import run_client

HELLO = {"language": "python", "version": "*", "files": [{"content": "print(input()[::-1])"}]}


def execute(peers: Service, **body: Any) -> dict[str, Any]:
    answer = peers.post("/api/v2/execute", {**HELLO, **body})
    assert answer.status == 200, answer.body
    result: dict[str, Any] = answer.json
    return result


def test_aiopyston(peers: Service) -> None:
    script = """
import asyncio, json, sys
from pyston import File, PystonClient
from pyston.exceptions import ExecutionError
async def main():
    client = PystonClient(base_url=sys.argv[1] + "/api/v2/")
    names = sorted(await client.languages())
    done = await client.execute(
        "py", [File("import sys; print(input()[::-1], sys.argv[1:])")], stdin="abc", args=["x"])
    try:
        await client.execute("cobol", [File("1")])
    except ExecutionError as error:
        refused = str(error)
    failed = await client.execute("c++", [File("int main() { return x; }")])
    await client.close_session()
    print(json.dumps([names, done.run_stage.output, done.success, refused,
                      failed.compile_stage.code, failed.run_stage.code]))
asyncio.run(main())
"""
    names, output, success, refused, *codes = run_client("aiopyston", script, peers.url)
    assert {"python", "c++"} <= set(names)
    assert (output, success) == ("cba ['x']\n", True)
    assert refused == "cobol-* runtime is unknown"
    assert codes == [1, 1]


def test_piston_rspy(peers: Service) -> None:
    script = """
import asyncio, json, os, sys
import piston_rspy
async def main():
    client = piston_rspy.Client.with_url(sys.argv[1] + "/api/v2/piston")
    runtime = next(each for each in await client.fetch_runtimes() if each.language == "python")
    executor = (piston_rspy.Executor().set_language("python").set_version(runtime.version)
        .add_file(piston_rspy.File(name="main.py", content="import other; print(other.ONE)"))
        .add_file(piston_rspy.File(name="other.py", content="ONE = 1")))
    done = await client.execute(executor)
    print(json.dumps([done.is_ok(), done.run.stdout, done.run.code, done.compile]), flush=True)
    os._exit(0)  # threads of this client may end the interpreter with a fatal error
asyncio.run(main())
"""
    assert run_client("piston_rspy", script, peers.url) == [True, "1\n", 0, None]


def test_stages_have_the_peers_fields(peers: Service) -> None:
    done = execute(peers, stdin="ab")
    assert list(done) == ["language", "version", "run"]
    assert done["run"] | {"memory": 0, "cpu_time": 0, "wall_time": 0} == {
        "stdout": "ba\n",
        "stderr": "",
        "output": "ba\n",
        "code": 0,
        "signal": None,
        "memory": 0,
        "message": None,
        "status": None,
        "cpu_time": 0,
        "wall_time": 0,
    }

    def ended(code: str, **more: Any) -> tuple[Any, ...]:
        run = execute(peers, files=[{"content": code}], **more)["run"]
        return run["code"], run["signal"], run["status"]

    assert ended("raise SystemExit(3)") == (3, None, "RE")
    assert ended("import os; os.abort()") == (None, "SIGABRT", "SG")
    assert ended("while True: pass", run_timeout=300) == (None, "SIGKILL", "TO")
    assert ended("x = [0] * 10**9", run_memory_limit=50_000_000) == (None, "SIGKILL", "SG")
    assert ended("print(1") == (1, None, "RE")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"language": ""}, "language is required as a string"),
        ({"version": 3}, "version is required as a string"),
        ({"files": {}}, "files is required as an array"),
        ({"files": [{"name": "a"}]}, "files[0].content is required as a string"),
        ({"files": []}, "files must include at least one utf8 encoded file"),
        (
            {"files": [{"content": "eA==", "encoding": "base64"}]},
            "files must include at least one utf8 encoded file",
        ),
        ({"version": "2.7"}, "python-2.7 runtime is unknown"),
        ({"run_timeout": 1e9}, "run_timeout cannot exceed the configured limit of 60000"),
        ({"run_timeout": -1}, "run_timeout must be non-negative"),
        ({"run_memory_limit": "1"}, "If specified, run_memory_limit must be a number"),
    ],
)
def test_wrong_requests_answer_in_the_peers_words(
    peers: Service, body: dict[str, Any], message: str
) -> None:
    answer = peers.post("/api/v2/execute", {**HELLO, **body})
    assert (answer.status, answer.json) == (400, {"message": message})


def test_other_bodies(peers: Service) -> None:
    text = peers.post("/api/v2/execute", HELLO, headers={"Content-Type": "text/plain"})
    assert (text.status, text.json) == (
        415,
        {"message": "requests must be of type application/json"},
    )
    assert peers.post("/api/v2/execute", b"{").status == 400
    assert peers.post("/api/v2/execute", []).status == 400
    assert peers.post("/api/v2/packages", {}).status == 501
    assert all(each["installed"] for each in peers.get("/api/v2/packages").json)


def test_a_lost_cell_is_the_servers_error(peers: Service) -> None:
    body = {**HELLO, "files": [{"content": "import time; time.sleep(9)"}], "run_timeout": 20_000}
    with ThreadPoolExecutor() as threads:
        answer = without_cells(peers, threads.submit(peers.post, "/api/v2/execute", body))
    assert (answer.status, list(answer.json)) == (500, ["message"])
