"""A program gets the same verdict and reward on every path, bit for bit."""

import json
from pathlib import Path

import pytest

from steelyard.datasets import read_tasks, write_tasks
from steelyard.sandbox import CellPool
from steelyard.schemas import RowFault, Task
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
    "mbpp", "evalplus mbpp", "livecodebench call", "apps", "apps call", "codecontests",
    "halo-forge",
)  # fmt: skip
HUMANEVAL = {
    "task_id": "HumanEval/999", "entry_point": "mean",
    "prompt": "import math\n\ndef mean(numbers):\n    \"\"\"Mean.\"\"\"\n",
    "canonical_solution": "    return math.fsum(numbers) / len(numbers)\n",
    "test": "def check(candidate):\n    assert candidate([1, 2]) == 1.5\n",
}  # fmt: skip


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
