"""A task of every format is decided as its data set decides: right programs pass, others fail."""

import json
from pathlib import Path
from typing import Any

import pytest

from steelyard import Limits, VerifyResult, judge_of
from steelyard.datasets import open_benchmark, read_tasks
from steelyard.judging import RunningOptions, program_of
from steelyard.sandbox import CellPool
from steelyard.schemas import RowFault, Task
from tests.unit.datasets.known_rows import (
    ADDS,
    CRUXEVAL,
    FORMS,
    MULTIPL_E,
    SUBTRACTS,
    SUM_PAIRS,
)

ADD = "def add(a, b):\n    return a + b\n"
SHIFT = (
    "class Solution:\n    def shift(self, items: List[int], by: int) -> List[int]:\n"
    "        return tuple(item + by for item in items)\n"
)
SHARED = "def similar_elements(a, b):\n    return tuple(set(a) & set(b))\n"
MEAN = "    return sum(numbers) / len(numbers)\n"
ROOT = "def root(a):\n    return a ** 0.5\n"
NODES = (
    "class Solution:\n    def more(self, head):\n        first = head\n        while head:\n"
    "            head.val += 2\n            head = head.next\n        return first\n"
)
LETTERS = (
    "class Solution:\n    def letters(self, text: str) -> List[int]:\n"
    "        return sorted(Counter(text).values())\n"
)
WHOLE_CPP = "```cpp\n#include <vector>\nlong add(long x, long y) {\n    return x + y;\n}\n```"
PROGRAMS = {
    "leetcode-dataset": (NODES, NODES.replace("2", "3")),
    "kodcode": (ADD, ADD.replace("+", "-")),
    "acecode": (ADD, ADD.replace("+", "-")),
    "bigcodebench": ("    return a ** 0.5\n", "    return a\n"),
    "cruxeval-o": ("[1, ('x',)]", "[1, ('y',)]"),
    "multipl-e": ("    return x + y;\n", "    exit(0);\n"),
    "multipl-e js": ("  return x + y;\n}\n", "  process.exit(0);\n}\n"),
    "deepcoder call": (SHIFT, SHIFT.replace("+", "-")),
    "deepcoder leetcode": (LETTERS, LETTERS.replace("sorted", "list")),
    "mbpp": (ADD, ADD.replace("+", "-")),
    "mbpp sanitised": (ROOT, ROOT.replace("0.5", "0.4")),
    "evalplus table of mbpp": (ROOT, ROOT.replace("0.5", "0.4")),
    "evalplus": (MEAN, MEAN.replace("len(numbers)", "3")),
    "evalplus mbpp": (SHARED, SHARED.replace("&", "|")),
    "livecodebench call": (SHIFT, SHIFT.replace("+", "-")),
    "apps call": (ADD, ADD.replace("+", "-")),
    "halo-forge": (ADD, ADD.replace("+", "-")),
    "halo-forge tier": (
        '#include <cstdio>\nint main() { puts("Hello"); }',
        "int main() {}",
    ),
}


def judged(task: Task, program: str, pool: CellPool) -> VerifyResult:
    options = RunningOptions(pool=pool, limits=Limits(cpu_ms=5_000))
    language = "cpp" if program.startswith(("#", "int")) else "python"
    judge = judge_of(task, options, language=task.language or language)
    return judge.judge(program_of(task, program).encode())


def tasks_of(folder: Path, *rows: object, **how: Any) -> list[Task]:
    file = folder / "rows.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    faults: list[RowFault] = []
    tasks = list(read_tasks(file, on_fault=faults.append, **how))
    assert faults == []
    return tasks


@pytest.mark.parametrize("name", FORMS)
def test_a_right_program_passes_and_a_wrong_one_does_not(
    name: str, tmp_path: Path, pool: CellPool
) -> None:
    (task,) = tasks_of(tmp_path, FORMS[name])
    right, wrong = PROGRAMS.get(name, (ADDS, SUBTRACTS))
    passed = judged(task, right, pool)
    assert passed.success
    assert any("could read" in note for note in passed.notes) is (task.form == "multipl-e")
    assert not judged(task, wrong, pool).success


def test_a_reply_with_a_whole_function_is_put_before_the_tests_of_its_language(
    tmp_path: Path, pool: CellPool
) -> None:
    (task,) = tasks_of(tmp_path, MULTIPL_E)
    cheats = (
        "    return x - y;\n}\n#define NDEBUG\n#undef assert\n#define assert(x)\nvoid more() {\n"
    )
    assert judged(task, WHOLE_CPP, pool).success
    assert judged(task, "    return x + y;\n}\nlong more() {\n    return 1;\n}\n", pool).success
    for wrong in (WHOLE_CPP.replace("+", "-"), cheats, "", "    std::exit(0);\n"):
        assert not judged(task, wrong, pool).success, wrong


@pytest.mark.parametrize("name", FORMS)
def test_the_solutions_of_a_row_are_what_their_labels_say(
    name: str, tmp_path: Path, pool: CellPool
) -> None:
    (task,) = tasks_of(tmp_path, FORMS[name])
    for solution in task.solutions:
        judge = judge_of(task, RunningOptions(pool=pool), language=solution.language)
        result = judge.judge(solution.source.encode())
        assert result.success is (solution.label == "right"), solution


def test_the_other_question_of_cruxeval_asks_for_arguments(tmp_path: Path, pool: CellPool) -> None:
    (task,) = tasks_of(tmp_path, CRUXEVAL, format="cruxeval-i")
    assert judged(task, "[ANSWER]f(1, b='x') == [1, ('x',)][/ANSWER]", pool).success
    assert not judged(task, "2, 'x'", pool).success
    judge = judge_of(task, RunningOptions(pool=pool))
    assert judge.judge(task.solutions[0].source.encode()).success


def test_a_mapping_of_columns_reads_rows_of_no_known_format(tmp_path: Path, pool: CellPool) -> None:
    row = {"ask": "Add two numbers.", "meta": json.dumps({"io": SUM_PAIRS}), "gold": ADDS}
    columns = "prompt=ask,tests=meta.io,solutions=gold"
    (task,) = tasks_of(tmp_path, row, columns=columns, form="apps")
    assert judged(task, task.solutions[0].source, pool).success
    assert not judged(task, SUBTRACTS, pool).success


MATCHES = "import re\ndef check_str(text):\n    return re.search('^[aeiou]', text)\n"
CALLS = [["annie"], ["dawood"], [""]]
NOT_NONE = {
    "evalplus": {
        "task_id": "Mbpp/737",
        "prompt": '"""Does it begin with a vowel?"""\n',
        "contract": "",
        "canonical_solution": MATCHES,
        "entry_point": "check_str",
        "base_input": CALLS,
        "plus_input": [["Ok"]],
        "atol": 0,
    },
    "table": {
        "task_id": 737,
        "prompt": "Does it begin with a vowel?",
        "code": MATCHES,
        "test_imports": [],
        "test_list": ["assert check_str('annie')"],
        "test": "def assertion(out, exp, atol):\n    if isinstance(out, bool):\n"
        "        exact_match = out == exp\n    else:\n"
        f"        exact_match = exp == (out is not None)\n\n\ninputs = {CALLS}\n"
        "results = [True, False, False]\n"
        "for inp, exp in zip(inputs, results):\n    assertion(check_str(*inp), exp, 0)\n",
    },
}


@pytest.mark.parametrize("form", NOT_NONE)
def test_a_match_or_its_truth_answers_if_a_text_matches(
    form: str, tmp_path: Path, pool: CellPool
) -> None:
    (task,) = tasks_of(tmp_path, NOT_NONE[form])
    body = "def check_str(text):\n    return "
    for answer in ("text[:1] in tuple('aeiou')", "text[:1] in tuple('aeiou') or None"):
        assert judged(task, body + answer, pool).success, answer
    assert judged(task, MATCHES, pool).success
    for answer in ("None", "True", "bool(text)", "text[:1] in tuple('dA')", "text or None"):
        assert not judged(task, body + answer, pool).success, answer


def test_a_head_without_a_docstring_can_be_continued(tmp_path: Path, pool: CellPool) -> None:
    row = {
        "task_id": "a",
        "prompt": "def double(x):\n    # twice\n",
        "entry_point": "double",
        "canonical_solution": "    return 2 * x\n",
        "test": "def check(candidate):\n    assert candidate(2) == 4\n",
    }
    file = tmp_path / "rows.jsonl"
    file.write_text(json.dumps(row))
    (task,) = read_tasks(file, on_fault=print)
    judge = judge_of(task, RunningOptions(pool=pool))
    for text, passes in (("    return 2 * x\n", True), ("    return x\n", False)):
        assert judge.judge(program_of(task, text).encode()).success is passes


def test_humaneval_is_in_its_package(pool: CellPool) -> None:
    benchmark = open_benchmark("humaneval")
    tasks = list(benchmark.tasks())
    assert len(tasks) == 164
    assert benchmark.name == "humaneval"
    assert tasks[0].provenance.license == "MIT"
    assert benchmark.get("HumanEval/53").solutions[0].source.startswith(tasks[53].prompt)
    assert judged(tasks[53], "    return x + y\n", pool).success
    assert not judged(tasks[53], "    return x - y\n", pool).success


def test_a_zero_of_evalplus_is_one_whatever_its_reference_finds(
    tmp_path: Path, pool: CellPool
) -> None:
    """Near the reference's zero, a steep polynomial is not near 0."""
    row = {
        "task_id": "HumanEval/32",
        "prompt": "def find_zero(xs):\n",
        "entry_point": "find_zero",
        "canonical_solution": "    return (-xs[0] / xs[-1]) ** (1 / (len(xs) - 1))\n",
        "base_input": [[[-4, 0, 1]]],
        "plus_input": [[[-4e6, 0, 1e6]]],
        "atol": 1e-6,
    }
    (task,) = tasks_of(tmp_path, row)
    for zero, passes in (("2.0", True), ("-2.0", True), ("2 + 5e-7", False), ("None", False)):
        program = f"def find_zero(xs):\n    return {zero}\n"
        assert judged(task, program, pool).success is passes, zero
