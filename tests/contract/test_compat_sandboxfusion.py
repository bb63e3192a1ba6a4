"""SandboxFusion's own client, and verl's, run unmodified against `/run_code` and `/submit`."""

import base64
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.http_server import Service, without_cells
from tests.peer_clients import run_client

ECHO = "print(input()[::-1])"
CPP = "#include <iostream>\nint main() { int a, b; std::cin >> a >> b; std::cout << a + b; }"


def run(peers: Service, **body: Any) -> dict[str, Any]:
    answer = peers.post("/run_code", {"language": "python", **body})
    assert answer.status == 200, answer.body
    result: dict[str, Any] = answer.json
    return result


def test_the_client_runs_programs(peers: Service) -> None:
    script = """
import json, sys
from sandbox_fusion import RunCodeRequest, RunStatus, run_code, summary_run_code_result
from sandbox_fusion import SummaryMapping, set_endpoint
set_endpoint(sys.argv[1])
names = SummaryMapping(
    Success="good", Failed="bad", CompileFailed="not compiled", RunFailed="crashed",
    RunTimeout="late")
def run(code, language="python", **more):
    request = RunCodeRequest(code=code, language=language, **more)
    done = run_code(request, max_attempts=1, client_timeout=60)
    return [summary_run_code_result(done, names), done.run_result and done.run_result.stdout]
print(json.dumps([
    run("print(input()[::-1])", stdin="abc"),
    run("raise SystemExit(3)"),
    run("print(1"),
    run("while True: pass", run_timeout=0.3),
    run(sys.argv[2], "cpp", stdin="20 22"),
    run("int main() { return x; }", "cpp"),
]))
"""
    assert run_client("sandbox-fusion", script, peers.url, CPP) == [
        ["good", "cba\n"],
        ["crashed", ""],
        ["crashed", ""],
        ["late", ""],
        ["good", "42"],
        ["not compiled", None],
    ]


def test_the_client_brings_files_and_fetches_them(peers: Service) -> None:
    script = """
import base64, json, sys
from sandbox_fusion import RunCodeRequest, run_code
def coded(text): return base64.b64encode(text.encode()).decode()
code = "import helper; open('out.txt', 'w').write(helper.double(open('data/in.txt').read()))"
done = run_code(RunCodeRequest(
    code=code, language="python", fetch_files=["out.txt", "absent.txt"],
    files={"helper.py": coded("def double(x): return 2 * x"), "data/in.txt": coded("ab")}),
    endpoint=sys.argv[1], max_attempts=1)
head = run_code(RunCodeRequest(
    code='#include "one.h"\\n#include <cstdio>\\nint main() { std::printf("%d", ONE); }',
    language="cpp", files={"one.h": coded("#define ONE 1")}), endpoint=sys.argv[1], max_attempts=1)
print(json.dumps([done.status, base64.b64decode(done.files["out.txt"]).decode(),
                  list(done.files), head.run_result.stdout]))
"""
    expected = ["Success", "abab", ["out.txt"], "1"]
    assert run_client("sandbox-fusion", script, peers.url) == expected


def test_the_client_submits_replies(peers: Service) -> None:
    script = """
import json, sys
from sandbox_fusion import SubmitRequest, TestConfig, submit
cases = {"test": [{"input": {"stdin": "1"}, "output": {"stdout": "YES\\n2.000001"}},
                  {"input": {"stdin": "2"}, "output": {"stdout": "YES\\n2.0"}}]}
def accepted(code):
    config = TestConfig(dataset_type="CommonOJDataset", language="python", provided_data=cases)
    request = SubmitRequest(
        dataset="mine", id=7, completion=f"Sure:\\n```python\\n{code}\\n```\\n", config=config)
    done = submit(request, endpoint=sys.argv[1], max_attempts=1)
    return [done.id, done.accepted, [test.passed for test in done.tests], done.extracted_code]
print(json.dumps([accepted("print('yes\\\\n2.0')"), accepted("print('yes')")]))
"""
    right, wrong = run_client("sandbox-fusion", script, peers.url)
    assert right == [7, True, [True, True], "print('yes\\n2.0')\n"]
    assert wrong[:3] == [7, False, [False]]


VERL = """
import importlib.util, json, logging, pathlib, sys
logging.disable()
folder = pathlib.Path(importlib.util.find_spec("verl").submodule_search_locations[0])
folder = folder / "utils" / "reward_score" / "sandbox_fusion"
spec = importlib.util.spec_from_file_location(
    "sandbox_fusion", folder / "__init__.py", submodule_search_locations=[str(folder)])
reward = sys.modules["sandbox_fusion"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(reward)
def scored(code, tests):
    score, found = reward.compute_score(
        sys.argv[1] + "/run_code", None, 256, f"```python\\n{code}\\n```", json.dumps(tests),
        timeout=1)
    return [score, [each["status"] for each in found]]
"""


def test_verls_reward_path(peers: Service) -> None:
    script = f"""{VERL}
tests = {{"inputs": ["ab", "cd"], "outputs": ["ba", "dc\\n"]}}
calls = {{"inputs": ["[1, 2]\\n3"], "outputs": ["[1, 2, 3]"], "fn_name": "add"}}
asserts = {{"assert_case": ["assert add([1], 2) == [1, 2]"]}}
add = "def add(xs, x): return [*xs, x]"
print(json.dumps([
    scored("print(input()[::-1])", tests),
    scored("print(input())", tests),
    scored("print('ba' if input() == 'ab' else 1 // 0)", tests),
    scored("while True: pass", tests),
    scored("x = [0] * 10**9", tests),
    scored(add, calls),
    scored(add, asserts),
    scored(add.replace("[*xs, x]", "xs"), asserts),
]))
"""
    assert run_client("verl", script, peers.url) == [
        [1.0, ["success", "success"]],
        [0.0, ["wrong_answer", "wrong_answer"]],
        [0.5, ["success", "runtime_error"]],
        [0.0, ["timeout", "timeout"]],
        [0.0, ["runtime_error", "runtime_error"]],
        [1.0, ["success"]],
        [1.0, ["success"]],
        [0.0, ["runtime_error"]],
    ]


def test_results_have_the_peers_fields(peers: Service) -> None:
    done = run(peers, code="int main() { return 3; }", language="cpp")
    assert list(done) == [
        "status",
        "message",
        "compile_result",
        "run_result",
        "executor_pod_name",
        "files",
    ]
    assert (done["status"], done["compile_result"]["return_code"]) == ("Failed", 0)
    assert (done["run_result"]["status"], done["run_result"]["return_code"]) == ("Finished", 3)
    crashed = run(peers, code="import os; os.abort()")
    assert crashed["run_result"]["return_code"] == -6
    assert crashed["compile_result"] is None
    late = run(
        peers,
        code="#include <a>\n" * 2 + "#include __FILE__",
        language="cpp",
        compile_timeout=0.001,
    )
    assert late["compile_result"] | {"execution_time": 0, "stderr": ""} == {
        "status": "TimeLimitExceeded",
        "execution_time": 0,
        "return_code": None,
        "stdout": "",
        "stderr": "",
    }
    assert late["run_result"] is None
    binary = run(peers, code="import sys; sys.stdout.buffer.write(b'\\xff')")
    assert binary["run_result"]["stdout"].startswith("[DecodeError] ")


@pytest.mark.parametrize(
    ("path", "body", "status", "words"),
    [
        ("/run_code", b"{", 422, "json"),
        ("/run_code", {"language": "python"}, 422, "code"),
        ("/run_code", {"code": "1", "language": "cobol"}, 400, "not offered; use one of c, cpp"),
        ("/run_code", {"code": "1", "language": "python", "run_timeout": 1e9}, 400, "60 s"),
        ("/run_code", {"code": "1", "language": "python", "files": {"../a": ""}}, 400, "inside"),
        ("/run_code", {"code": "1", "language": "python", "files": {"a": "?"}}, 400, "base64"),
        (
            "/run_code",
            {"code": "1", "language": "python", "fetch_files": ["/etc/passwd"]},
            400,
            "inside",
        ),
        ("/run_jupyter", {"cells": ["1"]}, 501, "not offered"),
        (
            "/submit",
            {"dataset": "mbpp", "id": 1, "completion": "", "config": {}},
            400,
            "no eval class found for dataset mbpp",
        ),
        (
            "/submit",
            {
                "completion": "",
                "config": {"dataset_type": "CommonOJDataset", "provided_data": {"test": []}},
            },
            400,
            "no test",
        ),
        (
            "/submit",
            {
                "completion": "",
                "config": {"dataset_type": "CommonOJDataset", "custom_extract_logic": "x"},
            },
            400,
            "not offered",
        ),
    ],
)
def test_wrong_requests_answer_as_the_peer(
    peers: Service, path: str, body: object, status: int, words: str
) -> None:
    answer = peers.post(path, body)
    assert answer.status == status, answer.body
    assert list(answer.json) == ["detail"]
    assert words in str(answer.json["detail"])


def test_files_that_contradict_each_other(peers: Service) -> None:
    empty = base64.b64encode(b"").decode()
    for files in ({"a": empty, "a/b": empty}, {"main.py": empty}, {"main.py/x": empty}):
        answer = peers.post("/run_code", {"code": "1", "language": "python", "files": files})
        assert answer.status == 400, answer.body


def test_a_program_finds_no_other_file_of_the_machine(peers: Service) -> None:
    code = (
        "import os; print(os.path.exists('/etc/passwd'), os.path.exists(os.environ['HOME'] + '/a'))"
    )
    assert run(peers, code=code)["run_result"]["stdout"] == "False False\n"
    code = f"import os; print(os.path.exists({__file__!r}), os.path.exists('steelyard.sqlite3'))"
    assert run(peers, code=code)["run_result"]["stdout"] == "False False\n"


def test_tests_by_assertions_are_out_of_the_programs_reach(peers: Service) -> None:
    tests = {
        "test": "def check(candidate):\n    assert candidate(2) == 4\n",
        "entry_point": "square",
    }

    def accepted(code: str) -> bool:
        config = {"dataset_type": "HumanEvalDataset", "provided_data": tests}
        answer = peers.post("/submit", {"completion": code, "config": config})
        assert answer.status == 200, answer.body
        return bool(answer.json["accepted"])

    assert accepted("def square(x): return x * x")
    assert accepted("```\ndef square(x): return x * x\n```\n```python\nprint(square(2))\n```")
    assert not accepted("def square(x): return x")
    assert not accepted("def square(x):\n    raise SystemExit(0)")
    assert not accepted("raise SystemExit(0)")


def test_a_lost_cell_is_a_sandbox_error(peers: Service) -> None:
    code = "import time; time.sleep(9)"
    case = {"input": {"stdin": ""}, "output": {"stdout": ""}}
    config = {"dataset_type": "CommonOJDataset", "provided_data": {"test": [case]}}
    with ThreadPoolExecutor() as threads:
        ran = threads.submit(peers.post, "/run_code", {"code": code, "language": "python"})
        answer = without_cells(peers, ran)
        assert (answer.status, answer.json["status"]) == (200, "SandboxError")
        judged = threads.submit(peers.post, "/submit", {"completion": code, "config": config})
        answer = without_cells(peers, judged)
        assert (answer.status, list(answer.json)) == (500, ["detail"])
    assert run(peers, code="print(1)")["status"] == "Success"
