"""A small benchmark with samples of every verdict, for the tests of evaluations."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

TASKS = ("double", "triple", "square", "negate")
OPERATION = {"double": "2 * n", "triple": "3 * n", "square": "n * n", "negate": "-n"}


def task(name: str, **more: Any) -> dict[str, Any]:
    """A task whose function is called with a number."""
    cases = [{"args": [n], "expected": eval(OPERATION[name], {"n": n})} for n in range(4)]
    return {
        "schema_version": "1.0.0",
        "id": name,
        "prompt": f"def {name}(n):\n    '''Return {OPERATION[name]}.'''\n",
        "entry": f"function:{name}",
        "completion": "continuation",
        "tests": cases,
        "time_limit_ms": 300,
        "group": "linear" if name in ("double", "triple") else "",
        "time_complexity": "O(1)",
        "solutions": [{"source": right(name)}],
        "published": f"2026-0{1 + TASKS.index(name)}-15",
        **more,
    }


def right(name: str) -> str:
    return f"def {name}(n):\n    return {OPERATION[name]}\n"


def completion(name: str) -> str:
    return f"    return {OPERATION[name]}\n"


def write_lines(file: Path, rows: Iterable[Mapping[str, Any] | str]) -> Path:
    """Write JSONL; a text is a line as it stands."""
    lines = (row if isinstance(row, str) else json.dumps(row) for row in rows)
    file.write_text("".join(f"{line}\n" for line in lines))
    return file


def write_benchmark(folder: Path, **more: Any) -> Path:
    return write_lines(folder / "tasks.jsonl", [task(name, **more) for name in TASKS])


def samples() -> list[dict[str, Any]]:
    """Two samples of each task: `square` none right, `negate` one, the others both."""
    return [
        {"task_id": "double", "completion": completion("double")},
        {"task_id": "double", "solution": right("double")},
        {"task_id": "triple", "completion": [completion("triple"), completion("triple")]},
        {"task_id": "square", "completion": "    return 2 * n\n"},
        {"task_id": "square", "completion": "    while True: pass\n"},
        {"task_id": "negate", "completion": "    return -n\n"},
        {"task_id": "negate", "completion": "    return n +\n"},
    ]
