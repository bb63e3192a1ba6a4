"""verifiers (v1), and through it prime-rl: a taskset whose reward is the judge's.

    # code_tasks.py, an installed module; prime-rl and verifiers find it by taskset.id "code-tasks"
    from steelyard.training import reward
    from steelyard.training.adapters.verifiers import verifiers_environment

    __all__ = ["CodeEnv", "CodeTasks"]
    rows = [{"prompt": "Write f(x), twice x.", "tests": '[{"args": [2], "expected": 4}]'}]
    CodeTasks, CodeEnv = verifiers_environment(reward(entry="function:f"), rows, turns=3)

`steelyard env export --for verifiers` writes such a package. Scoring runs in the process of
verifiers; its runtimes see no tests. A failure of the machine is an error of the trace and never a
reward.
"""

import json
from collections.abc import Iterator
from typing import Any, cast

from steelyard.training._score_completions import Reward
from steelyard.training._turns import Turns
from steelyard.training.adapters._known_adapters import (
    ONE_PACKAGE,
    PROJECT,
    Package,
    Rows,
    framework,
    rows_of,
)

__all__ = ["verifiers_environment", "verifiers_taskset"]

_OF_TASK_DATA = ("prompt", "id", "name")


def verifiers_environment(
    reward: Reward, rows: Rows, *, turns: int = 1, show_hidden: bool = False
) -> tuple[type[Any], type[Any]]:
    """Return a class of tasksets and one of environments, for a module's `__all__`.

    The agent chats without tools. After a reply that fails, it gets the first failing case and
    replies again; the reward is that of the last reply.

    Args:
        reward: Judges.
        rows: As for `verifiers_taskset`.
        turns: Replies of one conversation at most; `--env.turns` sets it for a run.
        show_hidden: Show the model failing cases that are not in the category `visible`, too.

    Raises:
        UsageError: if verifiers is not installed, or `turns` is below 1.
    """
    vf = framework("verifiers.v1", "verifiers")
    usual = Turns(reward, turns, show_hidden).most

    class CodeEnvConfig(vf.EnvConfig):  # type: ignore[misc, name-defined]
        """One seat, which chats without tools and needs no sandbox; its number of replies."""

        agent: vf.AgentConfig = vf.AgentConfig(  # type: ignore[name-defined]
            harness={"id": "null"}, runtime={"type": "subprocess"}
        )
        turns: int = usual

    class CodeEnv(vf.Env[CodeEnvConfig]):  # type: ignore[misc, name-defined]
        """A conversation about one task."""

        async def run(self, task: Any, agents: Any) -> None:
            """Let the agent reply until it passes, or its turns are over."""
            talk, turn = Turns(reward, self.config.turns, show_hidden), 1
            async with agents.agent.interaction(task) as interaction:
                segment = await interaction.turn()
                while not segment.terminated:
                    message = await talk.after(segment.last_reply, task.data.row, turn)
                    if message is None:
                        break
                    segment = await interaction.turn(message)
                    turn += 1

    return verifiers_taskset(reward, rows), CodeEnv


def verifiers_taskset(reward: Reward, rows: Rows) -> type[Any]:
    """Return a class of tasksets, for a module's `__all__`.

    Args:
        reward: Judges.
        rows: A mapping for each task, with `prompt` (a text or messages) and `tests`, and other
            fields of `Task`, as `steelyard datasets export` writes them; or a file of these. Kept,
            and read again by each taskset.

    Raises:
        UsageError: if verifiers is not installed, or the file cannot be read.
    """
    vf = framework("verifiers.v1", "verifiers")
    kept, judge = rows_of(rows), Turns(reward)

    class CodeData(vf.TaskData):  # type: ignore[misc, name-defined]
        """A task's wire data."""

        row: str

    class CodeTask(vf.Task[CodeData, vf.State, vf.TaskConfig]):  # type: ignore[misc, name-defined]
        """A task that the judge scores."""

        @vf.reward  # type: ignore[untyped-decorator]
        async def steelyard(self, trace: Any) -> float:
            """Return the reward of the last reply."""
            scored = await judge.ascore(trace.last_reply, self.data.row)
            return cast("float", scored.reward)

    class CodeTaskset(vf.Taskset[CodeTask, vf.TasksetConfig]):  # type: ignore[misc, name-defined]
        """The tasks of the rows."""

        def load(self) -> Iterator[Any]:
            """Yield a task for each row."""
            for row in kept:
                own = {name: value for name, value in row.items() if name in _OF_TASK_DATA}
                yield CodeTask(CodeData(**own, row=json.dumps(row)), self.config.task)

    return CodeTaskset


PACKAGE = Package(
    "verifiers",
    "$module/tasks.jsonl",
    {
        "pyproject.toml": PROJECT % "verifiers>=0.4" + ONE_PACKAGE,
        "$module/__init__.py": '''\
"""$about for verifiers and prime-rl, judged by Steelyard."""

from pathlib import Path

from steelyard.training import reward
from steelyard.training.adapters.verifiers import verifiers_environment

__all__ = ["CodeEnv", "CodeTasks"]

CodeTasks, CodeEnv = verifiers_environment(
    reward(), Path(__file__).with_name("tasks.jsonl"), $options
)
''',
    },
    ("pip install -e $folder", "vf-eval $name --model MODEL"),
    hides=("verifiers", "harbor", "lean", "textarena"),
)
