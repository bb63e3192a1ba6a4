"""SkyRL-gym: an environment of one turn.

    # my_env.py, imported where skyrl_gym runs
    from skyrl_gym.envs import register
    from steelyard.training import reward
    from steelyard.training.adapters.skyrl import skyrl_env

    CodeEnv = skyrl_env(reward(entry="function:f"))
    register(id="steelyard", entry_point=CodeEnv)

Each row of the data set has its tests in `reward_spec.ground_truth`, as JSON text.
"""

from collections.abc import Mapping
from typing import Any

from steelyard.errors import UsageError
from steelyard.training._score_completions import Reward
from steelyard.training._turns import Turns
from steelyard.training.adapters._known_adapters import framework

__all__ = ["SkyRLEnv", "skyrl_env"]

Conversation = list[dict[str, str]]


class SkyRLEnv:
    """An episode of one answer, with the methods of skyrl_gym's `BaseTextEnv`.

    Args:
        env_config: The environment's section of the configuration; not used.
        extras: The row: `{"reward_spec": {"ground_truth": tests}, ...}`.

    Raises:
        UsageError: if the row has no tests.
    """

    reward: Reward
    """Judges; `skyrl_env` sets it."""
    max_turns = 1

    def __init__(self, env_config: Any = None, extras: Mapping[str, Any] | None = None) -> None:  # noqa: ARG002 - the names are skyrl_gym's
        spec = (extras or {}).get("reward_spec")
        if not isinstance(spec, Mapping) or "ground_truth" not in spec:
            raise UsageError("the row has no reward_spec.ground_truth; put its tests there")
        self._tests = spec["ground_truth"]
        self.turns = 0
        self._metrics: dict[str, float] = {}

    def init(self, prompt: Conversation) -> tuple[Conversation, dict[str, Any]]:
        """Return the first prompt, and nothing more to know."""
        return prompt, {}

    def step(self, action: str) -> dict[str, Any]:
        """Judge an answer; the episode is done then.

        Raises:
            InfrastructureError: if there is no verdict.
        """
        self.turns += 1
        scored = Turns(self.reward).score(action, self._tests)
        self._metrics = {"passed": float(scored.passed)}
        metadata = {"reason": scored.reason, **self._metrics}
        return {"observations": [], "reward": scored.reward, "done": True, "metadata": metadata}

    def close(self) -> None:
        """End the episode; the cells serve the next one."""

    def get_metrics(self) -> dict[str, float]:
        """Return the figures of the episode."""
        return self._metrics

    @staticmethod
    def aggregate_metrics(metrics: list[dict[str, float]]) -> dict[str, float]:
        """Return the means of the episodes' figures."""
        names = {name for each in metrics for name in each}
        held = {name: [each[name] for each in metrics if name in each] for name in sorted(names)}
        return {name: sum(values) / len(values) for name, values in held.items()}


def skyrl_env(reward: Reward) -> type[Any]:
    """Return the class of environments that a reward judges, for `skyrl_gym.register`.

    Raises:
        UsageError: if SkyRL-gym is not installed.
    """
    base = framework("skyrl_gym.envs.base_text_env", "skyrl-gym").BaseTextEnv
    return type("SteelyardEnv", (SkyRLEnv, base), {"reward": reward})
