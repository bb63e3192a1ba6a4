"""Rows of known data sets, built from the fields that their publishers document."""

import base64
import html
import json
import pickle
import zlib
from typing import Any

SUM_TESTS = {"input": ["1 2\n", "5 6\n"], "output": ["3\n", "11\n"]}
SUM_PAIRS = [{"input": "1 2\n", "output": "3\n"}, {"input": "5 6\n", "output": "11\n"}]
ADDS = "a, b = map(int, input().split())\nprint(a + b)\n"
SUBTRACTS = ADDS.replace("+", "-")


def packed(text: object) -> str:
    """As LiveCodeBench packs its private tests."""
    return base64.b64encode(zlib.compress(pickle.dumps(text))).decode()


def _livecodebench(kind: str, cases: list[dict[str, str]], **more: object) -> dict[str, Any]:
    cases = [{**case, "testtype": kind} for case in cases]
    return {
        "question_title": "Sum",
        "question_content": "Add two numbers.",
        "platform": "atcoder",
        "question_id": "abc999_a",
        "contest_id": "abc999",
        "contest_date": "2024-05-04T00:00:00",
        "starter_code": "",
        "difficulty": "easy",
        "public_test_cases": json.dumps(cases[:1]),
        "private_test_cases": packed(json.dumps(cases[1:])),
        "metadata": "{}",
        **more,
    }


MBPP: dict[str, Any] = {
    "task_id": 11,
    "text": "Write a function to add two numbers.",
    "code": "def add(a, b):\n    return a + b",
    "test_list": ["assert add(1, 2) == 3"],
    "test_setup_code": "",
    "challenge_test_list": ["assert add(-1, 1) == 0"],
}
MBPP_SANITIZED: dict[str, Any] = {
    "source_file": "Benchmark.ipynb",
    "task_id": 12,
    "prompt": "Write a function for a root.",
    "code": "import math\ndef root(a):\n    return math.sqrt(a)",
    "test_imports": ["import math"],
    "test_list": ["assert math.isclose(root(2), 1.41421356237)"],
}
MBPP_PLUS: dict[str, Any] = {
    **MBPP_SANITIZED,
    "task_id": 13,
    "test": "from math import inf\n\ndef assertion(out, exp, atol):\n"
    "    assert abs(out - exp) <= atol\n\ninputs = [[4], [9]]\nresults = [2, 3]\n"
    "for inp, exp in zip(inputs, results):\n"
    "    assertion(root(*inp), exp, 1e-6)\n",
}
EVALPLUS: dict[str, Any] = {
    "task_id": "HumanEval/999",
    "prompt": 'def mean(numbers):\n    """Mean."""\n',
    "contract": "    assert numbers",
    "canonical_solution": "    return sum(numbers) / len(numbers)\n",
    "entry_point": "mean",
    "base_input": [[[1.0, 2.0]]],
    "plus_input": [[[float(n), 0.1]] for n in range(150)],
    "atol": 1e-6,
}
EVALPLUS_MBPP: dict[str, Any] = {
    "task_id": "Mbpp/2",
    "prompt": '"""\nFind shared elements.\n"""\n',
    "contract": "",
    "canonical_solution": "def similar_elements(a, b):\n    assert isinstance(a, tuple)\n"
    "    return tuple(set(a) & set(b))\n",
    "entry_point": "similar_elements",
    "base_input": [[[3, 4, 5, 6], [5, 7, 4, 10]]],
    "plus_input": [[[], []]],
    "atol": 0,
}
LIVECODEBENCH = _livecodebench("stdin", SUM_PAIRS)
LIVECODEBENCH_CALL = _livecodebench(
    "functional",
    [{"input": "[1, 2]\n3", "output": "[4, 5]"}, {"input": "[]\n3", "output": "[]"}],
    question_id="3000",
    starter_code="class Solution:\n    def shift(self, items: List[int], by: int) -> List[int]:\n",
    metadata='{"func_name": "shift"}',
)
APPS: dict[str, Any] = {
    "problem_id": 1,
    "question": "Add two numbers.",
    "solutions": json.dumps([ADDS]),
    "input_output": json.dumps({"inputs": SUM_TESTS["input"], "outputs": SUM_TESTS["output"]}),
    "difficulty": "introductory",
    "url": "https://example.org/1",
    "starter_code": "",
}
APPS_CALL: dict[str, Any] = {
    **APPS,
    "problem_id": 2,
    "starter_code": "def add(a, b):\n\t",
    "solutions": json.dumps(["def add(a, b):\n    return a + b\n"]),
    "input_output": json.dumps(
        {"fn_name": "add", "inputs": [[1, 2], [3, 4]], "outputs": [[3], [7]]}
    ),
}
TACO: dict[str, Any] = {
    "question": "Add them.",
    "solutions": json.dumps([ADDS]),
    "starter_code": "",
    "input_output": APPS["input_output"],
    "difficulty": "EASY",
    "raw_tags": "['Maths']",
    "name": "Sum",
    "source": "codechef",
    "tags": "['Mathematics', \"Kadane's\"]",
    "skill_types": "['Greedy algorithms']",
    "url": "https://example.org/2",
    "Expected Auxiliary Space": "O(1)",
    "time_limit": "2.5 seconds",
    "date": "2021-03-04",
    "picture_num": "0",
    "memory_limit": "256.0 megabytes",
    "Expected Time Complexity": "O(1)",
}
CODECONTESTS: dict[str, Any] = {
    "name": "999_A. Sum",
    "description": "Add two numbers.",
    "public_tests": SUM_TESTS,
    "private_tests": {"input": [], "output": []},
    "generated_tests": {"input": ["7 7\n"], "output": ["14\n"]},
    "source": 2,
    "difficulty": 7,
    "solutions": {"language": [3], "solution": [ADDS]},
    "incorrect_solutions": {"language": [3], "solution": [SUBTRACTS]},
    "cf_contest_id": 999,
    "cf_index": "A",
    "cf_points": 0.0,
    "cf_rating": 800,
    "cf_tags": ["math"],
    "is_description_translated": False,
    "untranslated_description": "",
    "time_limit": {"seconds": 1, "nanos": 500_000_000},
    "memory_limit_bytes": 256_000_000,
    "input_file": "",
    "output_file": "",
}
CODECONTESTS_PLUS: dict[str, Any] = {
    "source": "Codeforces",
    "id": "999_A",
    "title": "Sum",
    "description": "Add two numbers.",
    "time_limit": 2000,
    "memory_limit": 256,
    "validator": "int main() {}",
    "generator": "int main() {}",
    "generator_cmd": "./gen 1",
    "checker": "",
    "correct_submissions": [{"code": ADDS, "language": "py3"}],
    "incorrect_submissions": [{"code": SUBTRACTS, "language": "py3"}],
    "test_cases": SUM_PAIRS,
}
CODECONTESTS_O: dict[str, Any] = {
    "name": "999_A. Sum",
    "description": "Add two numbers.",
    "corner_cases": [
        {"input": {"stdin": case["input"]}, "output": {"stdout": case["output"]}}
        for case in SUM_PAIRS
    ],
    "commands": ["./gen 1"],
    "generator": "int main() {}",
    "checker": "",
    "input_constraints_summary": "two numbers",
    "results": [],
}
CODEFORCES: dict[str, Any] = {
    "id": "999/A",
    "aliases": None,
    "contest_id": "999",
    "contest_name": "Round 999",
    "contest_type": "CF",
    "contest_start": 1_600_000_000,
    "contest_start_year": 2020,
    "index": "A",
    "time_limit": 1.0,
    "memory_limit": 256.0,
    "title": "Sum",
    "description": "Add two numbers.",
    "input_format": "Two numbers.",
    "output_format": "The sum.",
    "interaction_format": None,
    "note": None,
    "examples": SUM_PAIRS[:1],
    "editorial": None,
    "rating": 800,
    "tags": ["math"],
    "testset_size": 2,
    "official_tests": SUM_PAIRS,
    "official_tests_complete": True,
    "input_mode": "stdio",
    "generated_checker": "import sys\ninput_path, answer, output = sys.argv[1:4]\n"
    "same = open(answer).read().split() == open(output).read().split()\nprint(1 if same else 0)\n",
    "executable": True,
    "generated_tests": 0,
}
_BIGO_TESTS = {"public_tests": SUM_PAIRS[:1], "private_tests": SUM_PAIRS[1:], "generated_tests": []}
BIGOBENCH: dict[str, Any] = {
    "problem_id": "17",
    "problem_name": "999_A. Sum",
    "description": {
        "text": "Add two numbers.",
        "is_description_translated": False,
        "untranslated_text": "",
    },
    "correct_solution_list": [{"solution_id": "17_1", "solution_code": ADDS}],
    "data_source": "CODEFORCES",
    "source_specific_limits": {
        "time_limit": {"seconds": 2, "nanos": 0},
        "memory_limit_bytes": 256_000_000,
    },
    "codeforces_specific_metadata": {
        "cf_contest_id": 999,
        "cf_index": "A",
        "cf_points": 0.0,
        "cf_rating": 800,
        "cf_tags": ["math"],
        "difficulty": "A",
    },
    "tests": _BIGO_TESTS,
    "human_accuracy_rate": 0.9,
    "dataclass": {"dataclass_code": "class Input: ...", "number_inputs": 2},
}
BIGOBENCH_TIME: dict[str, Any] = {
    "problem_name": "999_A. Sum",
    "problem_id": "17",
    "solution_id": "17_1",
    "description": "Add two numbers.",
    "solution_code": ADDS,
    "dataclass_code": "class Input: ...",
    "inputs_example": "{}",
    "time_complexity_inferred": "o(n)",
    "time_curve_coefficient": 0.1,
    "tests": _BIGO_TESTS,
    "problem_time_curve_coefficient_list": [0.1],
}
BIGOBENCH_STATEMENT = (
    "Add two numbers, a < b.\nInput\nTwo numbers.\nOutput\nThe sum.\nExamples\nInput\n1 2\n"
    "Output\n3\nInput\n5 6\nOutput\n11\nNote\nEach number fits."
)
BIGOBENCH_PAGE: dict[str, Any] = {
    # The elements that BigO(Bench)'s explorer (docs/demo.html of its repository) fills in.
    "page": "<html><body><h2><pre id=problemName>Problem: 999_A. Sum</pre></h2>"
    f'<pre id="problemDescription">{html.escape(BIGOBENCH_STATEMENT)}</pre>'
    '<pre id="complexity">Solution Complexity Class: O(n)</pre>'
    f'<code class="python"><pre id="humanSolution">{html.escape(ADDS)}</pre></code>'
    '<pre id="explanationQuery"><span>queried for <strong>prediction</strong> of the '
    "<strong>time</strong> complexity of the human solution</span></pre></body></html>",
}
HALO_FORGE: dict[str, Any] = {
    "task_id": 477,
    "prompt": "Write a function to add two numbers.",
    "tests": "def test_solution():\n    assert add(1, 2) == 3",
    "entry_point": "add",
}
HALO_FORGE_TIER: dict[str, Any] = {
    "id": "win_1_0000",
    "tier": 1,
    "prompt": "Write a C++ program that greets.",
    "solution": '#include <cstdio>\nint main() { puts("Hello, world"); }',
    "test_cases": [{"type": "output_contains", "value": "Hello"}],
    "category": "console",
    "difficulty": "beginner",
    "tags": ["puts"],
    "verification_strategy": "stdout_contains",
    "timeout_seconds": 30,
    "requires_admin": False,
}
SWIFTSOLVE: dict[str, Any] = {
    "task_id": "CF999A",
    "prompt": "Add two numbers.",
    "constraints": {"runtime_limit": 2000, "memory_limit": 512},
    "unit_tests": SUM_PAIRS,
}
SWIFTSOLVE_FILE: dict[str, Any] = {
    "task_id": "BIGOBENCH_001",
    "title": "Sum",
    "source": "bigobench",
    "difficulty": "easy",
    "description": "Add two numbers.",
    "input_format": "Two numbers.",
    "output_format": "The sum.",
    "input_bounds": {"n": 100000},
    "time_limit_ms": 2000,
    "memory_limit_mb": 512,
    "expected_complexity": "O(n)",
    "expected_approach": "single pass",
    "test_cases": [{**case, "explanation": "Test case"} for case in SUM_PAIRS],
    "source_url": None,
    "source_rating": None,
    "tags": ["on"],
}

LEETCODE_DATASET: dict[str, Any] = {
    "task_id": "longer-list",
    "question_id": 3000,
    "difficulty": "Easy",
    "tags": ["Linked List"],
    "problem_description": "Add two to each item.",
    "estimated_date": "2024-08-04",
    "prompt": "from typing import *\n\nclass ListNode:\n    def __init__(self, val=0, next=None):\n"
    "        self.val = val\n        self.next = next\n\ndef list_node(values):\n    head = None\n"
    "    for value in reversed(values):\n        head = ListNode(value, head)\n    return head\n\n"
    "def is_same_list(p1, p2):\n    if p1 is None and p2 is None:\n        return True\n"
    "    if not p1 or not p2:\n        return False\n"
    "    return p1.val == p2.val and is_same_list(p1.next, p2.next)\n",
    "starter_code": "class Solution:\n    def more(self, head):\n",
    "query": "Add two to each item.",
    "completion": "class Solution:\n    def more(self, head: Optional[ListNode]):\n"
    "        node = head\n        while node:\n            node.val += 2\n"
    "            node = node.next\n        return head\n",
    "entry_point": "Solution().more",
    "response": "",
    "input_output": [],
    "test": "def check(candidate):\n"
    "    assert is_same_list(candidate(head = list_node([1, 2])), list_node([3, 4]))\n"
    "    assert is_same_list(candidate(head = list_node([])), list_node([]))\n",
}
KODCODE: dict[str, Any] = {
    "style": "instruct",
    "subset": "Prefill",
    "question_id": "Prefill_1_I",
    "question": "Add two numbers.",
    "solution": "def add(a, b):\n    return a + b\n",
    "test_code": "from solution import add\n\ndef test_small():\n    assert add(1, 2) == 3\n\n"
    "def test_negative():\n    assert add(-1, 2) == 1\n",
    "gpt_difficulty": "easy",
    "r1_solution": "def add(a, b):\n    return a - b\n",
    "r1_correctness": "False",
    "metadata": {},
}
ACECODE: dict[str, Any] = {
    "id": "oss_1",
    "source": "oss",
    "question": "Add two numbers.",
    "test_cases": ["assert add(1, 2) == 3", "assert add(1, 0) == 1"],
    "inferences": [
        {"completion": "def add(a, b):\n    return a + b\n", "pass_rate": 1.0},
        {"completion": "def add(a, b):\n    return a - b\n", "pass_rate": 0.5},
    ],
}
BIGCODEBENCH: dict[str, Any] = {
    "task_id": "BigCodeBench/9999",
    "entry_point": "task_func",
    "libs": "['math']",
    "complete_prompt": 'import math\n\ndef task_func(a):\n    """Return the root."""\n',
    "code_prompt": "import math\ndef task_func(a):",
    "instruct_prompt": "Return the root.",
    "canonical_solution": "    return math.sqrt(a)\n",
    "doc_struct": "{}",
    "test": "import unittest\nclass TestCases(unittest.TestCase):\n    def test_case_1(self):\n"
    "        self.assertAlmostEqual(task_func(2), math.sqrt(2))\n",
}
CRUXEVAL: dict[str, Any] = {
    "id": "sample_0",
    "code": "def f(a, b):\n    return [a, (b,)]",
    "input": "1, 'x'",
    "output": "[1, ('x',)]",
}
MULTIPL_E: dict[str, Any] = {
    "name": "HumanEval_53_add",
    "language": "cpp",
    "doctests": "transform",
    "original": "",
    "prompt": "#include<assert.h>\n#include<bits/stdc++.h>\n// Add two numbers.\n"
    "long add(long x, long y) {\n",
    "prompt_terminology": "reworded",
    "stop_tokens": ["\n}"],
    "tests": "}\nint main() {\n    auto candidate = add;\n    assert(candidate((0), (1)) == (1));\n"
    "    assert(candidate((2), (3)) == (5));\n}\n",
}
MULTIPL_E_JS: dict[str, Any] = {
    **MULTIPL_E,
    "language": "js",
    "prompt": "//Add two numbers.\nfunction add(x, y){\n",
    "stop_tokens": ["\nfunction ", "\n/*", "\n//", "\nconsole.log"],
    "tests": "const assert = require('node:assert');\n\nfunction test() {\n  let candidate = add;\n"
    "  assert.deepEqual(candidate(0, 1),1);\n  assert.deepEqual(candidate(2, 3),5);\n}\n\ntest();",
}
OPEN_R1: dict[str, Any] = {
    "source": "apps",
    "task_type": "verifiable_code",
    "problem_id": "vcp_1",
    "prompt": "Add two numbers.",
    "gold_standard_solution": f"```python\n{ADDS}```",
    "verification_info": str(
        {
            "language": "python",
            "test_cases": [{**case, "type": "stdin_stdout", "fn_name": None} for case in SUM_PAIRS],
        }
    ),
    "metadata": "{}",
}
VERL: dict[str, Any] = {
    "data_source": "taco",
    "ability": "code",
    "prompt": [{"role": "system", "content": "Think."}, {"role": "user", "content": "Add them."}],
    "reward_model": {"style": "rule", "ground_truth": APPS["input_output"]},
    "extra_info": {"index": 0, "split": "train"},
}
DEEPCODER: dict[str, Any] = {"problem": "Add two numbers.", "tests": json.dumps(SUM_PAIRS)}
DEEPCODER_CALL: dict[str, Any] = {
    "problem": "Shift them.",
    "tests": [
        {
            "input": "[1, 2]\n3",
            "output": "[4, 5]",
            "testtype": "functional",
            "metadata": {"func_name": "shift"},
        },
    ],
    "starter_code": "class Solution:\n    def shift(self, items: List[int], by: int):\n",
}
DEEPCODER_LEETCODE: dict[str, Any] = {
    "problem": "Count the letters.",
    "solutions": "class Solution:\n    def letters(self, text: str) -> List[int]:\n"
    "        return sorted(Counter(text).values())\n",
    "tests": {
        "functional": "def check(candidate):\n"
        "    assert candidate(text = 'aab') == [1, 2]\n\n"
        "\ncheck(Solution().letters)"
    },
}
NEMO_GYM: dict[str, Any] = {
    "responses_create_params": {"input": [{"role": "user", "content": "Add two numbers."}]},
    "verifier_metadata": {"unit_tests": {"inputs": ["1 2"], "outputs": ["3"]}},
    "hash_id": "c692",
    "dataset": "taco",
    "source": "codeforces",
}
SANDBOXFUSION: dict[str, Any] = {
    "id": 0,
    "content": "Add two numbers.",
    "labels": '{"difficulty": "EASY", "name": "sum"}',
    "test": json.dumps(CODECONTESTS_O["corner_cases"]),
}

FORMS = {
    "mbpp": MBPP,
    "mbpp sanitised": MBPP_SANITIZED,
    "evalplus table of mbpp": MBPP_PLUS,
    "evalplus": EVALPLUS,
    "evalplus mbpp": EVALPLUS_MBPP,
    "livecodebench": LIVECODEBENCH,
    "livecodebench call": LIVECODEBENCH_CALL,
    "apps": APPS,
    "apps call": APPS_CALL,
    "taco": TACO,
    "codecontests": CODECONTESTS,
    "codecontests-plus": CODECONTESTS_PLUS,
    "codecontests-o": CODECONTESTS_O,
    "codeforces": CODEFORCES,
    "bigobench": BIGOBENCH,
    "bigobench time": BIGOBENCH_TIME,
    "halo-forge tier": HALO_FORGE_TIER,
    "halo-forge": HALO_FORGE,
    "swiftsolve": SWIFTSOLVE,
    "swiftsolve file": SWIFTSOLVE_FILE,
    "bigobench page": BIGOBENCH_PAGE,
    "leetcode-dataset": LEETCODE_DATASET,
    "kodcode": KODCODE,
    "acecode": ACECODE,
    "bigcodebench": BIGCODEBENCH,
    "cruxeval-o": CRUXEVAL,
    "multipl-e": MULTIPL_E,
    "multipl-e js": MULTIPL_E_JS,
    "open-r1": OPEN_R1,
    "verl": VERL,
    "deepcoder": DEEPCODER,
    "deepcoder call": DEEPCODER_CALL,
    "deepcoder leetcode": DEEPCODER_LEETCODE,
    "nemo-gym": NEMO_GYM,
    "sandboxfusion": SANDBOXFUSION,
}
