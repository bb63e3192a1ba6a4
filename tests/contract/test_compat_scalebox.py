"""ScaleBox's `/common_evaluate_batch`, with the bodies of its own documentation."""

from typing import Any

import pytest

from tests.http_server import Service

ADD = "a, b = map(int, input().split())\nprint(a + b)"
PAIRS = {"input": ["1 2", "3 4"], "output": ["3", "7"]}


def evaluate(
    peers: Service, code: str, cases: dict[str, Any], *, language: str = "python", **extra: Any
) -> dict[str, Any]:
    config = {
        "language": language,
        "run_timeout": 5,
        "provided_data": {"test_cases": cases},
        "extra": extra,
    }
    body = {"completion": f"```{language}\n{code}\n```", "config": config}
    answer = peers.post("/common_evaluate_batch", body)
    assert answer.status == 200, answer.body
    result: dict[str, Any] = answer.json
    return result


def passed(result: dict[str, Any]) -> list[bool]:
    assert result["accepted"] is all(test["passed"] for test in result["tests"])
    return [test["passed"] for test in result["tests"]]


def test_outputs(peers: Service) -> None:
    cases = {"type": "stdin_stdout", **PAIRS, "fn_name": None}
    right = evaluate(peers, ADD, cases, run_all_cases=True)
    assert right["extracted_code"].strip() == ADD
    assert right["tests"][0] == {
        "passed": True,
        "exec_info": {
            "status": "Success",
            "message": "",
            "compile_result": None,
            "run_result": {
                **right["tests"][0]["exec_info"]["run_result"],
                "status": "Finished",
                "return_code": 0,
                "stdout": "3\n",
                "stderr": "",
            },
            "executor_pod_name": None,
            "files": {},
        },
        "test_info": {"input": {"stdin": "1 2"}, "output": {"stdout": "3"}},
    }
    assert passed(right) == [True, True]
    assert passed(evaluate(peers, "print(7)", cases, run_all_cases=True)) == [False, True]
    assert passed(evaluate(peers, "print(7)", cases)) == [False]
    cpp = "#include <iostream>\nint main() { int a, b; std::cin >> a >> b; std::cout << a + b; }"
    assert passed(evaluate(peers, cpp, cases, language="cpp")) == [True, True]
    assert passed(evaluate(peers, "int main() { return x; }", cases, language="cpp")) == [False]


def test_an_output_that_stops_early_is_wrong(peers: Service) -> None:
    cases = {"type": "stdin_stdout", "input": [""], "output": ["1\n2"]}
    assert passed(evaluate(peers, "print(1)", cases)) == [False]


def test_values_of_a_function(peers: Service) -> None:
    cases = {
        "type": "function_call",
        "input": [[1, 2], [3, 4]],
        "output": [[3], [7]],
        "fn_name": "add",
        "json_input": False,
    }
    assert passed(evaluate(peers, "def add(a, b):\n    return a + b", cases)) == [True, True]
    method = "class Solution:\n    def add(self, a, b):\n        return a + b"
    assert passed(evaluate(peers, method, cases)) == [True, True]
    assert passed(evaluate(peers, "def add(a, b):\n    return 3", cases, run_all_cases=True)) == [
        True,
        False,
    ]
    used = f"{method}\n```\nUsage:\n```python\nprint(Solution().add(1, 2))"
    assert passed(evaluate(peers, used, cases)) == [True, True]
    lines = cases | {"json_input": True, "input": ["1\n2", "3\n4"], "output": ["3", "7"]}
    assert passed(evaluate(peers, "def add(a, b):\n    return a + b", lines)) == [True, True]


@pytest.mark.parametrize(
    "code", ["import sys\nsys.exit(0)", "def add(a, b):\n    import os\n    os._exit(0)"]
)
def test_a_program_that_ends_before_it_is_checked_fails(peers: Service, code: str) -> None:
    calls = {"type": "function_call", "input": [[1, 2]], "output": [[3]], "fn_name": "add"}
    asserts = {
        "type": "assert",
        "test": "def check(f):\n    assert f(1, 2) == 3\n",
        "entry_point": "add",
    }
    assert passed(evaluate(peers, code, calls)) == [False]
    assert passed(evaluate(peers, code, asserts)) == [False]


def test_assertions(peers: Service) -> None:
    asserts = {
        "type": "assert",
        "test": "def check(f):\n    assert f(1, 2) == 3\n",
        "entry_point": "add",
    }
    assert passed(evaluate(peers, "def add(a, b):\n    return a + b", asserts)) == [True]
    used = "def add(a, b):\n    return a + b\n```\nUsage:\n```python\nadd(1, 2)"
    assert passed(evaluate(peers, used, asserts)) == [True]
    assert passed(evaluate(peers, "def add(a, b):\n    return a - b", asserts)) == [False]


def test_a_special_judge(peers: Service) -> None:
    judge = """import sys
wanted = int(open("stdin.txt").read())
sys.exit(0 if sum(map(int, open("answer.txt").read().split())) == wanted else 1)
"""
    cases = {"type": "stdin_stdout", "input": ["3", "7"], "output": ["1 2", "3 4"]}
    how = {"special_judge_program": judge, "special_judge_language": "python"}
    split = "c = int(input())\nprint(c - 1, 1)"
    assert passed(evaluate(peers, split, cases, run_all_cases=True, **how)) == [True, True]
    assert passed(evaluate(peers, "print(1, 1)", cases, run_all_cases=True, **how)) == [
        False,
        False,
    ]
    assert passed(evaluate(peers, split, cases, run_all_cases=True)) == [False, False]


def test_a_special_judge_that_fails_is_no_verdict(peers: Service) -> None:
    body = {
        "completion": "print(5)",
        "config": {
            "language": "python",
            "provided_data": {"test_cases": {"input": [""], "output": ["6"]}},
            "extra": {"special_judge_program": "raise ValueError"},
        },
    }
    answer = peers.post("/common_evaluate_batch", body)
    assert answer.status == 500, answer.body
    assert "special judge" in answer.json["detail"]


@pytest.mark.parametrize(
    ("cases", "language", "words"),
    [
        ({"input": [], "output": []}, "python", "no test cases"),
        ({"input": ["1"], "output": []}, "python", "1 inputs"),
        ({"input": [1], "output": [1]}, "python", "a text"),
        ({"input": [[1]], "output": [[1]], "fn_name": "f"}, "cpp", "Python alone"),
        ({"input": [[1]], "output": [1], "fn_name": "f"}, "python", "[value]"),
        ({"input": [[1]], "output": [[1]], "fn_name": "a b"}, "python", "fn_name"),
        ({"type": "assert", "tests": "int main() {}"}, "cpp", "Python"),
        ({"type": "other", "input": ["1"], "output": ["1"]}, "python", "unknown type"),
    ],
)
def test_wrong_requests(peers: Service, cases: object, language: str, words: str) -> None:
    config = {"language": language, "provided_data": {"test_cases": cases}}
    answer = peers.post("/common_evaluate_batch", {"completion": "1", "config": config})
    assert answer.status == 400, answer.body
    assert words in answer.json["detail"]
    assert peers.post("/common_evaluate_batch", {"completion": "", "config": {}}).status == 400
