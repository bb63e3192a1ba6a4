"""A program gets the same verdict and reward on every path, bit for bit."""

import json
from pathlib import Path
from typing import Any

import pytest

from steelyard import ExecutionVerifier, judge
from steelyard.datasets import read_tasks, write_tasks
from steelyard.errors import TestsError, UsageError
from steelyard.sandbox import CellPool
from steelyard.schemas import RowFault, Task
from steelyard.training import reward
from tests.http_server import Service
from tests.one_judgement import (
    PATHS,
    Found,
    Material,
    by_library,
    by_service,
    completions_of,
    disagreements,
    result_in,
    verdict_of,
)
from tests.unit.datasets.known_rows import FORMS
from tests.warm_command import WarmCommand

NAMES = (
    "mbpp",
    "evalplus mbpp",
    "livecodebench call",
    "apps",
    "apps call",
    "codecontests",
    "halo-forge",
)
HUMANEVAL = {
    "task_id": "HumanEval/999",
    "entry_point": "mean",
    "prompt": 'import math\n\ndef mean(numbers):\n    """Mean."""\n',
    "canonical_solution": "    return math.fsum(numbers) / len(numbers)\n",
    "test": "def check(candidate):\n    assert candidate([1, 2]) == 1.5\n",
}


def _tasks(folder: Path) -> list[Task]:
    """A task of each form."""
    found: list[Task] = []
    for number, row in enumerate([HUMANEVAL, *(FORMS[name] for name in NAMES)]):
        file = folder / f"{number}.jsonl"
        file.write_text(json.dumps(row))
        faults: list[RowFault] = []
        tasks = read_tasks(file, on_fault=faults.append)
        found += [task.model_copy(update={"id": f"{number}-{task.id}"}) for task in tasks]
        assert faults == []
    return found


@pytest.fixture(scope="module")
def material(tmp_path_factory: pytest.TempPathFactory) -> Material:
    folder = tmp_path_factory.mktemp("rows")
    tasks = _tasks(folder)
    return Material(tasks, {task.id: completions_of(task) for task in tasks}, folder)


@pytest.fixture(scope="module")
def known(material: Material, pool: CellPool) -> Found:
    found = by_library(material, pool)
    verdicts = {verdict for verdict, _ in found.values()}
    assert {"AC", "WA", "RTE", "CE"} <= verdicts
    return found


@pytest.mark.parametrize("path", PATHS)
def test_a_path_judges_as_the_library_does(
    path: str, material: Material, known: Found, pool: CellPool
) -> None:
    assert disagreements(known, PATHS[path](material, pool), path) == []


def test_the_service_judges_as_the_library_does(
    material: Material, known: Found, service: Service
) -> None:
    assert disagreements(known, by_service(service.post, material), "service") == []


def test_the_command_judges_as_the_library_does(
    material: Material, known: Found, warm: WarmCommand, tmp_path: Path
) -> None:
    write_tasks(material.tasks, tmp_path / "tasks.jsonl")
    for task in material.tasks[:6]:
        number = len(material.completions[task.id]) - 1
        (tmp_path / "program.py").write_text(material.completions[task.id][number])
        name = f"{tmp_path / 'tasks.jsonl'}:{task.id}"
        done = warm.start("judge", "program.py", "--task", name, "--json", cwd=tmp_path).wait()
        judged = verdict_of(result_in(done.json()))
        assert (task.id, judged) == (task.id, known[task.id, number])


CPP = "#include <iostream>\nint main() { int n; std::cin >> n; std::cout << 2 * n; }\n"
DOUBLE = "def f(x): return 2 * x"
OWN = (
    (
        "a tuple in JSON",
        {"entry": "function:f", "tests": [{"args": [1], "expected": {"$": "tuple", "v": [1]}}]},
        "def f(x): return (x,)",
    ),
    ("the task's language", {"language": "cpp", "tests": [{"input": "2", "expected": "4"}]}, CPP),
    (
        "a setup with the tests",
        {"entry": "asserts:f", "tests": {"setup": "K = 4", "tests": ["assert f(2) == K"]}},
        DOUBLE,
    ),
    (
        "cases of our own in a form",
        {"form": "apps", "tests": [{"input": "", "expected": "1.0"}]},
        "print(1)",
    ),
    (
        "tests before other columns",
        {"entry": "function:f", "tests": [{"args": [2], "expected": 4}], "inputs": "of the model"},
        DOUBLE,
    ),
    (
        "a checker in a form",
        {
            "language": "python",
            "tests": {"inputs": ["2"], "outputs": ["4"]},
            "checker": {"source": "#include <cstdio>\nint main() { return 0; }"},
        },
        "print(5)",
    ),
)


@pytest.mark.parametrize(("row", "program"), [each[1:] for each in OWN], ids=[o[0] for o in OWN])
def test_a_row_in_memory_is_judged_as_its_json_text(
    row: dict[str, object], program: str, service: Service, pool: CellPool
) -> None:
    row = {"prompt": "", **row}
    for suite in (row, json.dumps(row)):
        scored = reward(pool=pool).score([program], [suite])
        assert [each.reward for each in scored] == [1.0], scored[0].reason
    assert judge(program, row, pool=pool).success
    answer = service.post("/v1/judge", {"program": program, "task": row})
    assert result_in(answer.json).success


def test_a_row_without_a_language_is_for_python_whatever_a_reply_is_written_in(
    service: Service, pool: CellPool
) -> None:
    row = {"prompt": "", "tests": [{"input": "2", "expected": "4"}]}
    program = f"```cpp\n{CPP}```"
    (scored,) = reward(pool=pool).score([program], [row])
    answer = service.post("/v1/judge", {"program": program, "task": row})
    found = {judge(program, row, pool=pool).reward, result_in(answer.json).reward, scored.reward}
    assert found == {0.0}


def test_a_call_that_contradicts_its_task_is_refused_on_every_path(
    service: Service, warm: WarmCommand, pool: CellPool, tmp_path: Path
) -> None:
    task = Task(id="t", prompt="", language="python", tests=({"input": "2", "expected": "4"},))
    write_tasks([task], tmp_path / "tasks.jsonl")
    [row] = (tmp_path / "tasks.jsonl").read_text().splitlines()
    (tmp_path / "double.py").write_text("print(4)")
    call = ("judge", "double.py", "--task", str(tmp_path / "tasks.jsonl"))
    for name, value, why in (
        ("language", "cpp", "the task is for python, got 'cpp'; leave it out"),
        ("match_mode", "tokens", "the task decides this; leave it out"),
        ("rel_tol", 0.1, "the task decides this; leave it out"),
        ("entry", "function:f", "the task decides this; leave it out"),
    ):
        option: dict[str, Any] = {name: value}
        for given in (task, json.loads(row)):
            with pytest.raises(UsageError, match=f"^{name}: {why}"):
                judge("print(4)", given, pool=pool, **option)
        answer = service.post("/v1/judge", {"program": "", "task": json.loads(row), **option})
        assert answer.json["detail"] == f"{name}: {why}"
        flag = f"--{name.replace('_', '-')}"
        done = warm.start(*call, flag, str(value), cwd=tmp_path).wait()
        assert (done.status, done.stderr) == (2, f"steelyard: {flag}: {why}\n")


def test_a_verifier_judges_completions_of_tasks(pool: CellPool) -> None:
    task = Task(
        id="f",
        prompt="def f(x):\n",
        completion="continuation",
        language="python",
        entry="function:f",
        tests=({"args": [2], "expected": 4},),
    )
    (result,) = ExecutionVerifier(pool=pool).verify_batch(["    return 2 * x"], suites=[task])
    assert result.success


@pytest.mark.parametrize(
    "field",
    [
        {"setup": "K = 2"},
        {"test_cases": []},
        {"sized_tests": [{"name": "a", "n": 5, "seed": 1, "digest": "0" * 64, "expected": "1"}]},
    ],
)
def test_a_row_that_cannot_be_obeyed_is_refused(field: dict[str, object], pool: CellPool) -> None:
    row = {"prompt": "", "entry": "function:f", "tests": [{"args": [2], "expected": 4}], **field}
    with pytest.raises(TestsError, match=next(iter(field))):
        reward(pool=pool).score([DOUBLE], [row])


def test_tests_alone_do_not_lose_the_options_of_a_row(pool: CellPool) -> None:
    row = {"match_mode": "tokens", "tests": [{"input": "", "expected": "1  2"}]}
    with pytest.raises(TestsError, match="match_mode"):
        ExecutionVerifier(language="python", pool=pool).verify("print(1, 2)", test_cases=row)


def test_the_command_judges_in_the_language_of_the_task(warm: WarmCommand, tmp_path: Path) -> None:
    task = Task(id="t", prompt="", language="cpp", tests=({"input": "2", "expected": "4"},))
    write_tasks([task], tmp_path / "tasks.jsonl")
    (tmp_path / "reply.md").write_text(f"```cpp\n{CPP}```\n")
    call = ("judge", "reply.md", "--task", str(tmp_path / "tasks.jsonl"))
    assert warm.start(*call, cwd=tmp_path).wait().status == 0
    done = warm.start(*call, "--language", "python", cwd=tmp_path).wait()
    assert done.status == 2
    assert "the task is for cpp" in done.stderr
