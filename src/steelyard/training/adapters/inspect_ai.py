"""inspect_ai: the judge as a scorer, and as a solver that sends failing cases back to the model.

    from inspect_ai import Task, eval
    from inspect_ai.dataset import Sample
    from inspect_ai.solver import generate
    from steelyard.training import reward
    from steelyard.training.adapters.inspect_ai import inspect_scorer

    sample = Sample(input="Write f(x), twice x.", target='[{"args": [2], "expected": 4}]')
    scorer = inspect_scorer(reward(entry="function:f"))
    eval(Task(dataset=[sample], solver=generate(), scorer=scorer), model="openai/gpt-6.1-sol")

The target holds the tests as JSON text; or the sample's metadata is a row with `tests`, as
`steelyard datasets export` writes it. `inspect_task(code, rows, turns=3)` is a whole task, and
`steelyard env export --for inspect` writes a package with one.
`steelyard.training.adapters.inspect_sandbox` makes our cells inspect_ai's sandbox.
"""

from typing import Any

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

__all__ = ["inspect_scorer", "inspect_solver", "inspect_task"]


def inspect_task(reward: Reward, rows: Rows, *, turns: int = 1, show_hidden: bool = False) -> Any:
    """Return a task of inspect_ai with a sample for each row.

    Args:
        reward: Judges.
        rows: A mapping for each task, with `prompt` and `tests`, and other fields of `Task`, as
            `steelyard datasets export` writes them; or a file of these.
        turns: Replies to one sample at most.
        show_hidden: Show the model failing cases that are not in the category `visible`, too.

    Raises:
        UsageError: if inspect_ai is not installed, there is no row, or `turns` is below 1.
    """
    solver = inspect_solver(reward, turns=turns, show_hidden=show_hidden)
    inspect = framework("inspect_ai", "inspect-ai")
    sample = framework("inspect_ai.dataset", "inspect-ai").Sample
    samples = [
        sample(input=row["prompt"], id=row.get("task_id"), metadata=row) for row in rows_of(rows)
    ]
    return inspect.Task(dataset=samples, solver=solver, scorer=inspect_scorer(reward))


def inspect_solver(reward: Reward, *, turns: int = 1, show_hidden: bool = False) -> Any:
    """Return a solver: after a reply that fails, the model gets the first failing case.

    Args:
        reward: Judges.
        turns: As for `inspect_task`.
        show_hidden: As for `inspect_task`.

    Raises:
        UsageError: if inspect_ai is not installed, or `turns` is below 1.
    """
    solver = framework("inspect_ai.solver", "inspect-ai").solver
    user = framework("inspect_ai.model", "inspect-ai").ChatMessageUser
    talk = Turns(reward, turns, show_hidden)

    @solver(name="steelyard")  # type: ignore[untyped-decorator]
    def steelyard() -> Any:
        async def solve(state: Any, generate: Any) -> Any:
            for turn in range(1, talk.most + 1):
                state = await generate(state)
                message = await talk.after(state.output.completion, _row_of(state), turn)
                if message is None or state.completed:
                    break
                state.messages.append(user(content=message))
            return state

        return solve

    return steelyard()


def _row_of(state: Any) -> Any:
    """Return a sample's row, or else its tests."""
    metadata = state.metadata or {}
    return metadata if "tests" in metadata else state.target.text


def inspect_scorer(reward: Reward) -> Any:
    """Return a scorer, whose value is the reward and whose explanation is the verdict.

    A sample without a verdict is unscored if `on_error` is `none`; else it is an error.

    Args:
        reward: Judges.

    Raises:
        UsageError: if inspect_ai is not installed.
    """
    inspect = framework("inspect_ai.scorer", "inspect-ai")

    @inspect.scorer(metrics=[inspect.mean(), inspect.stderr()], name="steelyard")  # type: ignore[untyped-decorator]
    def steelyard() -> Any:
        async def score(state: Any, target: Any) -> Any:  # noqa: ARG001 - the state has it too
            answer = state.output.completion
            scored = (await reward.ascore([answer], [_row_of(state)]))[0]
            if scored.reward is None:
                return inspect.Score.unscored(reason=scored.reason)
            return inspect.Score(
                value=scored.reward,
                answer=answer,
                explanation=scored.reason,
                metadata={"passed": scored.passed},
            )

        return score

    return steelyard()


PACKAGE = Package(
    "inspect",
    "$module/tasks.jsonl",
    {
        "pyproject.toml": PROJECT % "inspect-ai>=0.3.200"
        + ONE_PACKAGE
        + """
[project.entry-points.inspect_ai]
$module = "$module"
""",
        "$module/__init__.py": '''\
"""$about for inspect_ai, judged by Steelyard."""

from pathlib import Path

from inspect_ai import Task, task

from steelyard.training import reward
from steelyard.training.adapters.inspect_ai import inspect_task


@task(name="$module")
def environment(turns: int = $turns) -> Task:
    """Give the model up to `turns` replies to each task."""
    rows = Path(__file__).with_name("tasks.jsonl")
    return inspect_task(reward(), rows, turns=turns, show_hidden=$show_hidden)
''',
    },
    ("pip install -e $folder", "inspect eval $module/$module --model MODEL"),
    hides=("inspect_ai",),
)
