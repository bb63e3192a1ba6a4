"""OpenEnv: an environment with reset, step and reward, for its HTTP and WebSocket server.

    # app.py; start it with: uvicorn app:app
    from openenv.core.env_server import create_app
    from steelyard.training import reward
    from steelyard.training.adapters.openenv import openenv_environment

    rows = [{"prompt": "Write f(x), twice x.", "tests": '[{"args": [2], "expected": 4}]'}]
    environment, action, observation = openenv_environment(reward(entry="function:f"), rows)
    app = create_app(environment, action, observation, env_name="steelyard")

An episode is one prompt and one completion. `reset(index=3)` chooses a row, `reset(seed=3)` draws
one.
"""

import random
from collections.abc import Iterable, Mapping
from typing import Any

from steelyard.errors import InfrastructureError, UsageError
from steelyard.training._reward import Reward
from steelyard.training.adapters._framework import framework

__all__ = ["openenv_environment"]


def openenv_environment(
    reward: Reward, rows: Iterable[Mapping[str, Any]]
) -> tuple[type[Any], type[Any], type[Any]]:
    """Return the classes of environments, actions and observations, for `create_app`.

    Args:
        reward: Judges.
        rows: A mapping for each task, with `prompt` and `tests`, and other fields of `Task`, as
            `steelyard datasets export` writes them.

    Raises:
        UsageError: if OpenEnv is not installed, or there is no row.
    """
    server = framework("openenv.core.env_server", "openenv")
    kept = [dict(row) for row in rows]
    if not kept:
        raise UsageError("there are no rows; give one for each task")

    class CodeAction(server.Action):  # type: ignore[misc, name-defined]
        """A completion."""

        completion: str

    class CodeObservation(server.Observation):  # type: ignore[misc, name-defined]
        """The prompt after a reset; the reason for the reward after a step."""

        prompt: str = ""
        reason: str = ""

    class CodeEnvironment(server.Environment):  # type: ignore[misc, name-defined]
        """One prompt, one completion, one reward."""

        SUPPORTS_CONCURRENT_SESSIONS = True

        def __init__(self) -> None:
            super().__init__()
            self._row: Mapping[str, Any] | None = None
            self._state = server.State()

        def reset(
            self,
            seed: int | None = None,
            episode_id: str | None = None,
            index: int | None = None,
            **_: Any,
        ) -> Any:
            """Begin an episode, and show its prompt.

            Raises:
                IndexError: if there is no such row.
            """
            row = random.Random(seed).randrange(len(kept)) if index is None else index  # noqa: S311
            if not 0 <= row < len(kept):
                raise IndexError(f"index must be below {len(kept)}, got {row}")
            self._row = kept[row]
            self._state = server.State(episode_id=episode_id, step_count=0)
            return CodeObservation(prompt=self._row["prompt"])

        def step(self, action: Any, timeout_s: float | None = None, **_: Any) -> Any:  # noqa: ARG002
            """Judge the completion; the episode is done then.

            Raises:
                UsageError: before the first reset.
                InfrastructureError: if there is no verdict.
            """
            if self._row is None:
                raise UsageError("the episode has not begun; call reset first")
            scored = reward.score([action.completion], [self._row])[0]
            if scored.reward is None:
                raise InfrastructureError(scored.reason)
            self._state.step_count += 1
            return CodeObservation(
                prompt=self._row["prompt"], reason=scored.reason, done=True, reward=scored.reward
            )

        @property
        def state(self) -> Any:
            """The episode's id and its number of steps."""
            return self._state

    return CodeEnvironment, CodeAction, CodeObservation
