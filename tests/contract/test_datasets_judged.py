"""A task of every format is decided as its data set decides: right programs pass, others fail."""

import json
from pathlib import Path

import pytest

from steelyard import Limits, VerifyResult, judge_of
from steelyard.datasets import open_benchmark, read_tasks
from steelyard.judging import RunningOptions, program_of
from steelyard.sandbox import CellPool
from steelyard.schemas import RowFault, Task
from tests.unit.datasets.known_rows import ADDS, FORMS, SUBTRACTS

ADD = "def add(a, b):\n    return a + b\n"
SHIFT = (
    "class Solution:\n    def shift(self, items: List[int], by: int) -> List[int]:\n"
    "        return tuple(item + by for item in items)\n"
)
SHARED = "def similar_elements(a, b):\n    return tuple(set(a) & set(b))\n"
MEAN = "    return sum(numbers) / len(numbers)\n"
ROOT = "def root(a):\n    return a ** 0.5\n"
PROGRAMS = {
    "mbpp": (ADD, ADD.replace("+", "-")),
    "mbpp sanitised": (ROOT, ROOT.replace("0.5", "0.4")),
    "evalplus table of mbpp": (ROOT, ROOT.replace("0.5", "0.4")),
    "evalplus": (MEAN, MEAN.replace("len(numbers)", "3")),
    "evalplus mbpp": (SHARED, SHARED.replace("&", "|")),
    "livecodebench call": (SHIFT, SHIFT.replace("+", "-")),
    "apps call": (ADD, ADD.replace("+", "-")),
    "halo-forge": (ADD, ADD.replace("+", "-")),
    "halo-forge tier": (
        '#include <cstdio>\nint main() { puts("Hello"); }', "int main() {}",
    ),
}  # fmt: skip


def judged(task: Task, program: str, pool: CellPool) -> VerifyResult:
    options = RunningOptions(pool=pool, limits=Limits(cpu_ms=5_000))
    language = "cpp" if program.startswith(("#", "int")) else "python"
    judge = judge_of(task, options, language=language)
    return judge.judge(program_of(task, program).encode())


@pytest.mark.parametrize("name", FORMS)
def test_a_right_program_passes_and_a_wrong_one_does_not(
    name: str, tmp_path: Path, pool: CellPool
) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(json.dumps(FORMS[name]))
    faults: list[RowFault] = []
    (task,) = read_tasks(file, on_fault=faults.append)
    right, wrong = PROGRAMS.get(name, (ADDS, SUBTRACTS))
    assert judged(task, right, pool).success
    assert not judged(task, wrong, pool).success
    assert faults == []


MATCHES = "import re\ndef check_str(text):\n    return re.search('^[aeiou]', text)\n"
CALLS = [["annie"], ["dawood"], [""]]
NOT_NONE = {
    "evalplus": {
        "task_id": "Mbpp/737", "prompt": '"""Does it begin with a vowel?"""\n', "contract": "",
        "canonical_solution": MATCHES, "entry_point": "check_str", "base_input": CALLS,
        "plus_input": [["Ok"]], "atol": 0,
    },
    "table": {
        "task_id": 737, "prompt": "Does it begin with a vowel?", "code": MATCHES,
        "test_imports": [], "test_list": ["assert check_str('annie')"],
        "test": "def assertion(out, exp, atol):\n    if isinstance(out, bool):\n"
        "        exact_match = out == exp\n    else:\n"
        f"        exact_match = exp == (out is not None)\n\n\ninputs = {CALLS}\n"
        "results = [True, False, False]\n"
        "for inp, exp in zip(inputs, results):\n    assertion(check_str(*inp), exp, 0)\n",
    },
}  # fmt: skip


@pytest.mark.parametrize("form", NOT_NONE)
def test_a_match_or_its_truth_answers_if_a_text_matches(
    form: str, tmp_path: Path, pool: CellPool
) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(json.dumps(NOT_NONE[form]))
    faults: list[RowFault] = []
    (task,) = read_tasks(file, on_fault=faults.append)
    assert faults == []
    body = "def check_str(text):\n    return "
    for answer in ("text[:1] in tuple('aeiou')", "text[:1] in tuple('aeiou') or None"):
        assert judged(task, body + answer, pool).success, answer
    assert judged(task, MATCHES, pool).success
    for answer in ("None", "True", "bool(text)", "text[:1] in tuple('dA')", "text or None"):
        assert not judged(task, body + answer, pool).success, answer


def test_humaneval_is_in_its_package(pool: CellPool) -> None:
    benchmark = open_benchmark("humaneval")
    tasks = list(benchmark.tasks())
    assert len(tasks) == 164
    assert (benchmark.name, benchmark.license) == ("humaneval", "MIT")
    assert benchmark.get("HumanEval/53").solutions[0].source.startswith(tasks[53].prompt)
    assert judged(tasks[53], "    return x + y\n", pool).success
    assert not judged(tasks[53], "    return x - y\n", pool).success
