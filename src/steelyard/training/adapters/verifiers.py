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

_OF_TASK_DATA = ("prompt", "id", "name")


def verifiers_taskset(reward: Reward, rows: Iterable[Mapping[str, Any]]) -> type[Any]:
    """Return a class of tasksets, for a module's `__all__`.

    Args:
        reward: Judges.
        rows: A mapping for each task, with `prompt` (a text or messages) and `tests`, and other
            fields of `Task`, as `steelyard datasets export` writes them. Kept, and read again by
            each taskset.

    Raises:
        UsageError: if verifiers is not installed.
    """
    vf = framework("verifiers.v1", "verifiers")
    kept = [dict(row) for row in rows]

    class CodeData(vf.TaskData):  # type: ignore[misc, name-defined]
        """A task's wire data."""

        row: str

    class CodeTask(vf.Task[CodeData, vf.State, vf.TaskConfig]):  # type: ignore[misc, name-defined]
        """A task that the judge scores."""

        @vf.reward  # type: ignore[untyped-decorator]
        async def steelyard(self, trace: Any) -> float:
            """Return the reward of the last reply."""
            scored = await reward.ascore([trace.last_reply], [self.data.row])
            if scored[0].reward is None:
                raise InfrastructureError(scored[0].reason)
            return scored[0].reward

    class CodeTaskset(vf.Taskset[CodeTask, vf.TasksetConfig]):  # type: ignore[misc, name-defined]
        """The tasks of the rows."""

        def load(self) -> Iterator[Any]:
            """Yield a task for each row."""
            for row in kept:
                own = {name: value for name, value in row.items() if name in _OF_TASK_DATA}
                yield CodeTask(CodeData(**own, row=json.dumps(row)), self.config.task)

    return CodeTaskset
