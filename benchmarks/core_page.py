"""The table of `core`'s tasks for docs/reference/core.md."""

from collections import Counter
from collections.abc import Iterable

from steelyard.schemas import Task

HEAD = """\
# The benchmark `core`

`core` is part of Steelyard: 50 tasks with original statements, licensed under Apache-2.0.

```python
from steelyard.datasets import open_benchmark

task = open_benchmark("core").get("weekday")
print(task.title, task.time_complexity, len(task.tests))
```

- Programs read standard input (Python or C++), or are called as `Solution().solve(...)` (Python).
- Each task has two or more right programs, and wrong, slow and (for most) hungry ones. All right
  programs of a task agree on every expected output.
- Large inputs are not stored. `sized_tests` has their size, their seed and the SHA-256 of their
  text. The task's `input_generator` makes them in a cell when the task is read.
- A right program uses less than 30 % of the time limit. A slow one exceeds four times the time
  limit, a hungry one twice the memory limit.
- Tests: written and large ones. Programs: right, wrong, slow, hungry.
- Mutants: those of the first right program that the tests with short inputs kill. For each
  survivor, more short inputs were made: none kills one.
- Measured growth: all 100 right programs were profiled on a busy machine. The fitted class
  is the claimed one for 96. The other 4 are C++ programs, whose fit lacks a factor of log n.

With one program for each task, `steelyard evaluate core --samples FILE` takes 34 s for right
programs (pass@1 is 1), 23 s for wrong ones (0) and 217 s for slow ones (0, all of them `TLE`), on a
busy machine with two cores.

To change a task, unpack it as text, edit it, and pack it again:

```text
python benchmarks/core_tasks.py unpack FOLDER ID
python benchmarks/core_tasks.py pack FOLDER/ID.txt
python benchmarks/core_tasks.py check ID
python benchmarks/core_tasks.py strength ID
python benchmarks/core_tasks.py classes ID
python benchmarks/core_tasks.py page > docs/reference/core.md
```

| task | entry | time | memory | largest n | limits | tests | programs | mutants |
|---|---|---|---|---|---|---|---|---|
"""
_ORDER = ("O(1)", "O(log n)", "O(n)", "O(n log n)", "O(n^2)", "O(n^3)", "O(2^n)")


def page_of(tasks: Iterable[Task]) -> str:
    """Return the page."""
    ordered = sorted(tasks, key=lambda task: (_ORDER.index(task.time_complexity), task.id))
    return HEAD + "\n".join(map(_row, ordered))


def _row(task: Task) -> str:
    labels = Counter(each.label for each in task.solutions)
    counts = ", ".join(str(labels[label]) for label in ("right", "wrong", "slow", "hungry"))
    entry = "stdio" if task.entry == "stdio" else "class"
    limits = f"{task.time_limit_ms:,} ms, {task.memory_limit_mib} MiB"
    tests = f"{len(task.tests)} + {len(task.sized_tests)}"
    strength = task.extra["strength"]
    assert isinstance(strength, dict)
    killed = f"{strength['killed']} of {strength['mutants']}"
    cells = (
        f"`{task.id}`",
        entry,
        task.time_complexity,
        task.memory_complexity,
        f"{task.input_bounds['n']:,}",
        limits,
        tests,
        counts,
        killed,
    )
    return f"| {' | '.join(cells)} |"
