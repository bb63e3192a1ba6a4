"""inspect_ai: the judge as a scorer.

    from inspect_ai import Task, eval
    from inspect_ai.dataset import Sample
    from inspect_ai.solver import generate
    from steelyard.training import reward
    from steelyard.training.adapters.inspect_ai import inspect_scorer

    sample = Sample(input="Write f(x), twice x.", target='[{"args": [2], "expected": 4}]')
    scorer = inspect_scorer(reward(entry="function:f"))
    eval(Task(dataset=[sample], solver=generate(), scorer=scorer), model="openai/gpt-6.1-sol")

The target holds the tests as JSON text; or the sample's metadata is a row with `tests`, as
`steelyard datasets export` writes it.
`steelyard.training.adapters.inspect_sandbox` makes our cells inspect_ai's sandbox.
"""

from typing import Any

from steelyard.training._reward import Reward
from steelyard.training.adapters._framework import framework

__all__ = ["inspect_scorer"]


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
        async def score(state: Any, target: Any) -> Any:
            metadata = state.metadata or {}
            row = metadata if "tests" in metadata else target.text
            answer = state.output.completion
            scored = (await reward.ascore([answer], [row]))[0]
            if scored.reward is None:
                return inspect.Score.unscored(reason=scored.reason)
            passed = scored.result is not None and scored.result.passed
            return inspect.Score(
                value=scored.reward, answer=answer, explanation=scored.reason,
                metadata={"passed": passed},
            )  # fmt: skip

        return score

    return steelyard()
