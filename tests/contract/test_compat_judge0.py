"""Judge0's own client, run unmodified, and what its other endpoints answer."""

import base64
import io
import json
import socket
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.http_server import Service, without_cells
from tests.peer_clients import run_client

PYTHON, CPP = 71, 54


def judged(peers: Service, code: str, *, query: str = "", **more: Any) -> dict[str, Any]:
    body = {"source_code": code, "language_id": PYTHON, **more}
    answer = peers.post(f"/submissions?wait=true{query}", body)
    assert answer.status == 201, answer.body
    result: dict[str, Any] = answer.json
    return result


def test_the_client_judges(peers: Service) -> None:
    script = """
import json, sys
import judge0
from judge0.clients import Client
client = Client(sys.argv[1])
cases = [judge0.TestCase("2 3", "5"), judge0.TestCase("4 5", "8")]
add = "print(sum(map(int, input().split())))"
python = judge0.PYTHON
one, two = judge0.run(client=client, source_code=add, language=python, test_cases=cases)
cpp = judge0.run(
    client=client, source_code="int main() { return x; }", language=judge0.CPP)
late = judge0.run(
    client=client, source_code="while True: pass", language=python, cpu_time_limit=0.3)
args = judge0.run(
    client=client, source_code="import sys; print(sys.argv[1:])", language=python,
    command_line_arguments="a 'b c'")
print(json.dumps([
    str(one.status), one.stdout, str(two.status), str(cpp.status), "x" in cpp.compile_output,
    str(late.status), args.stdout, client.version, len(str(one.token)), one.time < 5,
    one.created_at < one.finished_at]))
"""
    assert run_client("judge0", script, peers.url) == [
        "Accepted",
        "5\n",
        "Wrong Answer",
        "Compilation Error",
        True,
        "Time Limit Exceeded",
        "['a', 'b c']\n",
        "1.13.1",
        36,
        True,
        True,
    ]


def test_waiting_and_polling(peers: Service) -> None:
    done = judged(peers, "print(input())", stdin="ab", expected_output="ab\n\n")
    assert done["status"] == {"id": 3, "description": "Accepted"}
    assert list(done) == [
        "stdout",
        "time",
        "memory",
        "stderr",
        "token",
        "compile_output",
        "message",
        "status",
    ]
    assert (done["stdout"], done["stderr"], float(done["time"]) < 5) == ("ab\n", None, True)
    answer = peers.post("/submissions", {"source_code": "print(2)", "language_id": PYTHON})
    assert (answer.status, list(answer.json)) == (201, ["token"])
    token, until = answer.json["token"], time.monotonic() + 60
    while True:
        shown = peers.get(f"/submissions/{token}?base64_encoded=true&fields=status_id,stdout").json
        if shown["status_id"] > 2:
            break
        assert time.monotonic() < until
        time.sleep(0.02)
    assert shown == {"status_id": 3, "stdout": base64.b64encode(b"2\n").decode() + "\n"}
    both = peers.get(f"/submissions/batch?tokens={token},other&fields=status_id").json
    assert both == {"submissions": [{"status_id": 3}, None]}


@pytest.mark.parametrize(
    ("code", "more", "status", "message"),
    [
        ("raise SystemExit(3)", {}, 11, "Exited with error status 3"),
        ("print(1", {}, 11, "Exited with error status 1"),
        ("import os; os.kill(os.getpid(), 11)", {}, 7, "Caught fatal signal 11"),
        ("import os; os.abort()", {}, 10, "Caught fatal signal 6"),
        ("x = [0] * 10**9", {}, 12, "Memory limit exceeded"),
        ("print('x' * 3_000_000)", {}, 8, "Caught fatal signal 25"),
        (
            "import time; time.sleep(9)",
            {"wall_time_limit": 0.3},
            5,
            "Time limit exceeded (wall clock)",
        ),
        ("print(1)", {"expected_output": "2"}, 4, None),
        ("print(1)", {"expected_output": "1", "number_of_runs": 3}, 3, None),
    ],
)
def test_statuses(
    peers: Service, code: str, more: dict[str, Any], status: int, message: str | None
) -> None:
    done = judged(peers, code, **more)
    assert (done["status"]["id"], done["message"]) == (status, message)


def test_options_of_the_compiler(peers: Service) -> None:
    code = '#include <cstdio>\nint main() { std::printf("%d", ONE); }'
    done = judged(peers, code, language_id=CPP, compiler_options="-DONE=1")
    assert (done["stdout"], done["status"]["id"]) == ("1", 3)
    wrong = judged(peers, code, language_id=CPP, compiler_options="-fno-such-thing")
    assert wrong["status"]["id"] == 6


def packed(**files: str) -> str:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return base64.b64encode(content.getvalue()).decode()


def test_additional_files(peers: Service) -> None:
    code = "import part, pathlib; print(part.ONE, pathlib.Path('data/two').read_text())"
    files = packed(**{"part.py": "ONE = 1", "data/two": "two"})
    done = judged(peers, code, additional_files=files)
    assert (done["stdout"], done["status"]["id"]) == ("1 two\n", 3)
    for wrong, words in (
        (base64.b64encode(b"nothing").decode(), "not a zip file"),
        (packed(**{"../part.py": ""}), "not inside"),
        (packed(big="x" * (17 << 20)), "16 MiB"),
        (packed(**{str(number): "" for number in range(201)}), "200 files"),
        (packed(**{"a": "", "a/b": ""}), "another file"),
    ):
        done = judged(peers, code, additional_files=wrong)
        assert done["status"]["id"] == 6
        assert words in done["compile_output"]


def test_a_batch(peers: Service) -> None:
    good = {"source_code": "print(1)", "language_id": PYTHON}
    answer = peers.post("/submissions/batch", {"submissions": [good, {"language_id": 1}]})
    assert answer.status == 201
    assert list(answer.json[0]) == ["token"]
    assert answer.json[1] == {
        "source_code": ["can't be blank"],
        "language_id": ["language with id 1 doesn't exist"],
    }
    none = peers.post("/submissions/batch", {"submissions": [{}]})
    assert none.status == 422
    many = peers.post("/submissions/batch", {"submissions": [good] * 21})
    assert (many.status, "20" in many.json["error"]) == (400, True)
    assert peers.post("/submissions/batch", {}).status == 400


@pytest.mark.parametrize(
    ("body", "faults"),
    [
        ({}, {"source_code", "language_id"}),
        ([], {"source_code", "language_id"}),
        ({"source_code": "1", "language_id": PYTHON, "cpu_time_limit": 1e9}, {"cpu_time_limit"}),
        ({"source_code": "1", "language_id": PYTHON, "memory_limit": -1}, {"memory_limit"}),
        ({"source_code": "1", "language_id": PYTHON, "memory_limit": "x"}, {"memory_limit"}),
        ({"source_code": "1", "language_id": PYTHON, "enable_network": True}, {"enable_network"}),
        (
            {"source_code": "1", "language_id": PYTHON, "callback_url": "http://127.0.0.1/"},
            {"callback_url"},
        ),
        (
            {"source_code": "1", "language_id": PYTHON, "additional_files": "?"},
            {"additional_files"},
        ),
        (
            {"source_code": "1", "language_id": PYTHON, "compiler_options": "-O"},
            {"compiler_options"},
        ),
        (
            {"source_code": 1, "language_id": PYTHON, "command_line_arguments": "'"},
            {"source_code", "command_line_arguments"},
        ),
    ],
)
def test_faults_of_fields(peers: Service, body: object, faults: set[str]) -> None:
    answer = peers.post("/submissions", body)
    assert answer.status == 422, answer.body
    assert answer.json.keys() == faults
    assert all(isinstance(words, list) for words in answer.json.values())


def test_other_faults(peers: Service) -> None:
    body = {"source_code": "?", "language_id": PYTHON}
    coded = peers.post("/submissions?base64_encoded=true", body)
    assert (coded.status, list(coded.json)) == (422, ["source_code"])
    binary = {"source_code": "import sys; sys.stdout.buffer.write(b'\\xff')", "language_id": PYTHON}
    answer = peers.post("/submissions?wait=true", binary)
    assert (answer.status, set(answer.json)) == (201, {"error", "token"})
    again = peers.get(f"/submissions/{answer.json['token']}?base64_encoded=true&fields=stdout")
    assert again.json == {"stdout": "/w==\n"}
    assert peers.get("/submissions/none").status == 404
    assert peers.get("/submissions/none?fields=a").status == 404
    assert peers.post("/submissions?fields=a", body).json == {"error": "invalid fields: [a]"}
    assert peers.post("/submissions", b"{").status == 400
    assert peers.request("DELETE", "/submissions/none").json == {"error": "delete not allowed"}
    assert peers.get("/languages/1").status == 404
    assert peers.get(f"/languages/{CPP}").json["source_file"] == "main.cpp"
    assert {each["id"] for each in peers.get("/languages/all").json} >= {PYTHON, CPP}
    assert peers.get("/statuses").json[2] == {"id": 3, "description": "Accepted"}
    assert len(peers.get("/config_info").json) == 39


def test_a_lost_cell_is_an_internal_error(peers: Service) -> None:
    body = {"source_code": "import time; time.sleep(9)", "language_id": PYTHON}
    with ThreadPoolExecutor() as threads:
        answer = without_cells(peers, threads.submit(peers.post, "/submissions?wait=true", body))
    assert answer.status == 201
    assert answer.json["status"] == {"id": 13, "description": "Internal Error"}
    assert answer.json["stdout"] is None


def test_a_client_that_waits_and_is_gone_ends_its_program(peers: Service) -> None:
    body = {
        "source_code": "import time; time.sleep(55)",
        "language_id": PYTHON,
        "wall_time_limit": 59,
    }
    parts, content = urlsplit(peers.url), json.dumps(body).encode()
    head = (
        "POST /submissions?wait=true HTTP/1.1\r\nHost: localhost\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
    )
    with socket.create_connection((parts.hostname, parts.port)) as connection:
        connection.sendall(head.encode() + content)
        while not peers.get("/healthz").json["working"]:
            time.sleep(0.02)
    until = time.monotonic() + 50
    while peers.get("/healthz").json["working"]:
        assert time.monotonic() < until
        time.sleep(0.02)
