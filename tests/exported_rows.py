"""Rows as `datasets export` writes them, with completions whose rewards their tasks decide."""

import json
import tempfile
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from steelyard.datasets import open_benchmark, read_tasks, write_tasks
from steelyard.judging import judge_of, program_of
from steelyard.schemas import RowFault, Task
from tests.unit.datasets.known_rows import APPS_CALL

TOKENS = Task(
    id="tokens",
    prompt="Print the numbers 1 to 3.",
    match_mode="tokens",
    tests=({"input": "", "expected": "1 2 3\n"}, {"input": "x", "expected": "1  2 3"}),
)
COMPLETIONS = {
    "HumanEval/53": (
        "    return x + y\n",
        "Here:\n```python\ndef add(x: int, y: int):\n    return x + y\n```\n",
        "```python\nreturn x + y\n```",
        "total = x + y\n    return total\n",
        "    return x - y\n",
        "I cannot.",
    ),
    "2": (
        "def add(a, b):\n    return a + b\n",
        "def add(a, b):\n    return [a + b]\n",
        "class Solution:\n    def add(self, a, b):\n        return (a + b,)\n",
        "def add(a, b):\n    return 3\n",
    ),
    "tokens": ("print(1)\nprint(2, 3)\n", "print('1 2 3', end=' ')", "print('1 2,3')"),
}


class Exported(NamedTuple):
    """A row, one completion, and its reward."""

    row: dict[str, Any]
    completion: str
    reward: float


@cache
def exported_rows() -> tuple[Exported, ...]:
    """Return rows of a HumanEval continuation, a call of APPS and printed tokens, in both forms."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "rows.jsonl")
        file.write_text(json.dumps(APPS_CALL))
        faults: list[RowFault] = []
        tasks = [
            open_benchmark("humaneval").get("HumanEval/53"),
            *read_tasks(file, on_fault=faults.append),
            TOKENS,
        ]
        found = []
        for form in ("trainer", "steelyard"):
            write_tasks(tasks, file, format=form)  # type: ignore[arg-type]
            rows = [json.loads(line) for line in file.read_text().splitlines()]
            for task, row in zip(tasks, rows, strict=True):
                for text in COMPLETIONS[task.id]:
                    result = judge_of(task).judge(program_of(task, text).encode())
                    found.append(Exported(row, text, result.reward))
    assert not faults
    assert {each.reward for each in found} >= {0.0, 0.5, 1.0}
    return tuple(found)
