"""verifiers (v1), and through it prime-rl: a taskset whose reward is the judge's.

    # code_tasks.py, an installed module; prime-rl and verifiers find it by taskset.id "code-tasks"
    from steelyard.training import reward
    from steelyard.training.adapters.verifiers import verifiers_taskset

    __all__ = ["CodeTasks"]
    rows = [{"prompt": "Write f(x), twice x.", "tests": '[{"args": [2], "expected": 4}]'}]
    CodeTasks = verifiers_taskset(reward(entry="function:f"), rows)

Scoring runs in the process of verifiers; its runtimes see no tests. A failure of the machine is an
error of the trace and never a reward.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from steelyard.errors import InfrastructureError
from steelyard.training._reward import Reward
from steelyard.training.adapters._framework import framework

__all__ = ["verifiers_taskset"]


def verifiers_taskset(reward: Reward, rows: Iterable[Mapping[str, Any]]) -> type[Any]:
    """Return a class of tasksets, for a module's `__all__`.

    Args:
        reward: Judges.
        rows: A mapping for each task, with `prompt` (a text or messages), `tests`, and optionally
            `entry`, `id` and `name`. Kept, and read again by each taskset.

    Raises:
        UsageError: if verifiers is not installed.
    """
    vf = framework("verifiers.v1", "verifiers")
    kept = [dict(row) for row in rows]

    class CodeData(vf.TaskData):  # type: ignore[misc, name-defined]
        """A task's wire data."""

        tests: str
        entry: str | None = None

    class CodeTask(vf.Task[CodeData, vf.State, vf.TaskConfig]):  # type: ignore[misc, name-defined]
        """A task that the judge scores."""

        @vf.reward  # type: ignore[untyped-decorator]
        async def steelyard(self, trace: Any) -> float:
            """Return the reward of the last reply."""
            entries = None if self.data.entry is None else [self.data.entry]
            scored = await reward.ascore([trace.last_reply], [self.data.tests], entries=entries)
            if scored[0].reward is None:
                raise InfrastructureError(scored[0].reason)
            return scored[0].reward

    class CodeTaskset(vf.Taskset[CodeTask, vf.TasksetConfig]):  # type: ignore[misc, name-defined]
        """The tasks of the rows."""

        def load(self) -> Iterator[Any]:
            """Yield a task for each row."""
            for row in kept:
                yield CodeTask(
                    CodeData(**{**row, "tests": _text_of(row["tests"])}), self.config.task
                )

    return CodeTaskset


def _text_of(tests: object) -> str:
    return tests if isinstance(tests, str) else json.dumps(tests)
