"""OpenEnv: an environment with reset, step and reward, for its HTTP and WebSocket server.

    # app.py; start it with: uvicorn app:app
    from openenv.core.env_server import create_app
    from steelyard.training import reward
    from steelyard.training.adapters.openenv import openenv_environment

    rows = [{"prompt": "Write f(x), twice x.", "tests": '[{"args": [2], "expected": 4}]'}]
    environment, action, observation = openenv_environment(reward(entry="function:f"), rows)
    app = create_app(environment, action, observation, env_name="steelyard")

`reset(index=3)` chooses a row, `reset(seed=3)` draws one. An episode ends with a completion that
passes, or after `turns` completions; before that, `feedback` of the observation is the next message
for the model. The last step has the reward, and the others have none.
`steelyard env export --for openenv` writes a package with such a server.
"""

import random
from collections.abc import Mapping
from typing import Any

from steelyard.errors import UsageError
from steelyard.training._score_completions import Reward
from steelyard.training._turns import Turns
from steelyard.training.adapters._known_adapters import PROJECT, Package, Rows, framework, rows_of

__all__ = ["openenv_environment"]


def openenv_environment(
    reward: Reward, rows: Rows, *, turns: int = 1, show_hidden: bool = False
) -> tuple[type[Any], type[Any], type[Any]]:
    """Return the classes of environments, actions and observations, for `create_app`.

    Args:
        reward: Judges.
        rows: A mapping for each task, with `prompt` and `tests`, and other fields of `Task`, as
            `steelyard datasets export` writes them; or a file of these.
        turns: Completions of one episode at most.
        show_hidden: Show the model failing cases that are not in the category `visible`, too.

    Raises:
        UsageError: if OpenEnv is not installed, there is no row, or `turns` is below 1.
    """
    server = framework("openenv.core.env_server", "openenv")
    kept, talk = rows_of(rows), Turns(reward, turns, show_hidden)

    class CodeAction(server.Action):  # type: ignore[misc, name-defined]
        """A completion."""

        completion: str

    class CodeObservation(server.Observation):  # type: ignore[misc, name-defined]
        """The prompt; after a step, the next message for the model, or the reason of the reward."""

        prompt: str = ""
        feedback: str = ""
        reason: str = ""

    class CodeEnvironment(server.Environment):  # type: ignore[misc, name-defined]
        """One prompt, up to `turns` completions, one reward."""

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
            """Judge a completion.

            Raises:
                UsageError: if no episode is open.
                InfrastructureError: if there is no verdict.
            """
            if self._row is None:
                raise UsageError("no episode is open; call reset first")
            row = self._row
            scored = talk.score(action.completion, row)
            self._state.step_count += 1
            message = talk.answer(scored, row, self._state.step_count)
            if message is not None:
                return CodeObservation(prompt=row["prompt"], feedback=message)
            self._row = None
            return CodeObservation(
                prompt=row["prompt"], reason=scored.reason, done=True, reward=scored.reward
            )

        @property
        def state(self) -> Any:
            """The episode's id and its number of steps."""
            return self._state

    return CodeEnvironment, CodeAction, CodeObservation


PACKAGE = Package(
    "openenv",
    "server/tasks.jsonl",
    {
        "pyproject.toml": PROJECT % "openenv>=0.10"
        + """
[tool.setuptools]
packages = ["$module", "$module.server"]
package-dir = { "$module" = ".", "$module.server" = "server" }

[project.scripts]
server = "$module.server.app:main"
""",
        "openenv.yaml": """\
spec_version: 1
name: "$module"
version: "1"
type: space
runtime: fastapi
app: server.app:app
port: 8000
validation:
  reward:
    range: [0.0, 1.0]
    oracle_tolerance: 0.0
    floor_margin: 0.1
  resources:
    cpu: 2.0
    memory_mb: 4096
    disk_mb: 1024
    episode_timeout_s: 600.0
  capabilities:
    verifier:
      kind: reward_channel
  types:
    tags: [coding]
""",
        "__init__.py": '"""$about for OpenEnv, judged by Steelyard."""\n',
        "server/__init__.py": '"""The server of the environment."""\n',
        "server/app.py": '''\
"""Serve $about for OpenEnv, judged by Steelyard."""

import argparse
from pathlib import Path

import uvicorn
from openenv.core.env_server import create_app

from steelyard.training import reward
from steelyard.training.adapters.openenv import openenv_environment

app = create_app(
    *openenv_environment(reward(), Path(__file__).with_name("tasks.jsonl"), $options),
    env_name="$module",
    max_concurrent_envs=64,
)


def main() -> None:
    """Serve until it is stopped."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    uvicorn.run(app, **vars(parser.parse_args()))


if __name__ == "__main__":
    main()
''',
    },
    ("cd $folder && python -m server.app --port 8000",),
    hides=("openenv", "server"),
)
