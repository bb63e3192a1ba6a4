"""NeMo-Gym: a resources server, and the answer of any server to `POST /verify`.

    from fastapi import FastAPI
    from steelyard.training import reward
    from steelyard.training.adapters.nemo_gym import nemo_gym_verify

    app, verify = FastAPI(), nemo_gym_verify(reward())

    @app.post("/verify")
    def endpoint(body: dict) -> dict:
        return verify(body)

`steelyard.training.adapters.http` serves the same without FastAPI. The tests are in
`verifier_metadata.unit_tests`, as in the environment `code_gen`. `steelyard env export --for
nemo-gym` writes a resources server of the class that `nemo_gym_server` returns.
"""

import asyncio
from collections.abc import Mapping
from typing import Any

from steelyard.errors import UsageError
from steelyard.training._score_completions import Reward
from steelyard.training._turns import Turns
from steelyard.training.adapters._known_adapters import Answer, Package, framework

__all__ = ["nemo_gym_server", "nemo_gym_verify"]


def nemo_gym_server(reward: Reward, *, turns: int = 1, show_hidden: bool = False) -> type[Any]:
    """Return the class of a resources server; call its `run_webserver`.

    `gymnasium_agent` talks to `/reset` and `/step`: after a reply that fails, the observation is
    the first failing case, and the last step has the reward. `simple_agent` asks `/verify` once.

    Args:
        reward: Judges.
        turns: Replies of one conversation at most.
        show_hidden: Show the model failing cases that are not in the category `visible`, too.

    Raises:
        UsageError: if NeMo-Gym is not installed, or `turns` is below 1.
    """
    base = framework("resources_servers.gymnasium", "nemo-gym").GymnasiumServer
    verify, talk = nemo_gym_verify(reward), Turns(reward, turns, show_hidden)

    class CodeServer(base):  # type: ignore[misc, valid-type]
        """Judges replies."""

        ray_enabled = False

        def setup_webserver(self) -> Any:
            """Add the two endpoints that `simple_agent` needs."""
            app = super().setup_webserver()
            app.post("/seed_session")(self.seed_session)
            app.post("/verify")(verify)
            return app

        async def step(
            self, action: Any, metadata: Mapping[str, Any], session_id: str | None = None
        ) -> tuple[str | None, float, bool, bool, dict[str, Any]]:
            """Judge a reply, and return an observation, reward, terminated, truncated and facts."""
            turn = self.session_state[session_id] = self.session_state.get(session_id, 0) + 1
            tests, reply = _tests_of(metadata), _text_of(action.model_dump())
            scored = await talk.ascore(reply, tests)
            message = await asyncio.to_thread(talk.answer, scored, tests, turn)
            if message is not None:
                return message, 0.0, False, False, {}
            return None, float(scored.reward or 0), True, False, {"reason": scored.reason}

        async def reset(
            self, metadata: Mapping[str, Any], session_id: str | None = None
        ) -> tuple[str | None, dict[str, Any]]:
            """Begin a conversation; the row holds its prompt."""
            _tests_of(metadata)
            self.session_state[session_id] = 0
            return None, {}

    return CodeServer


def nemo_gym_verify(reward: Reward) -> Answer:
    """Return the function that answers one request: its body with a `reward`.

    It raises a `UsageError` for a body without a response or tests, and an `InfrastructureError`
    if there is no verdict.

    Args:
        reward: Judges.
    """
    judge = Turns(reward)

    def verify(body: Mapping[str, Any]) -> dict[str, Any]:
        tests = _tests_of(body)
        scored = judge.score(_text_of(body.get("response")), tests)
        return {**body, "reward": scored.reward, "reason": scored.reason}

    return verify


def _tests_of(body: Mapping[str, Any]) -> Any:
    metadata = body.get("verifier_metadata")
    tests = metadata.get("unit_tests") if isinstance(metadata, Mapping) else None
    if tests is None:
        raise UsageError("the body has no verifier_metadata.unit_tests; add the tests")
    return tests


def _text_of(response: object) -> str:
    """Return the assistant's text in a response of OpenAI's Responses API."""
    items = response.get("output") if isinstance(response, Mapping) else None
    if not isinstance(items, list):
        raise UsageError("the body has no response.output; add the model's response")
    messages = [
        item.get("content")
        for item in items
        if isinstance(item, Mapping) and item.get("type", "message") == "message"
    ]
    parts = [
        part.get("text")
        for content in messages
        if isinstance(content, list)
        for part in content
        if isinstance(part, Mapping) and part.get("type") == "output_text"
    ]
    return "".join(part for part in parts if isinstance(part, str))


def _row_of(row: Mapping[str, Any], module: str) -> dict[str, Any]:
    """Return a row as NeMo-Gym reads it; the tests are where `nemo_gym_verify` looks for them."""
    return {
        "responses_create_params": {"input": [{"role": "user", "content": row["prompt"]}]},
        "verifier_metadata": {"unit_tests": row},
        "agent_ref": {"type": "responses_api_agents", "name": f"{module}_agent"},
    }


PACKAGE = Package(
    "nemo-gym",
    "resources_servers/$module/data/tasks.jsonl",
    {
        "resources_servers/$module/requirements.txt": "steelyard>=$version\n",
        "resources_servers/$module/app.py": '''\
"""Judge replies to $about for NeMo-Gym, by Steelyard."""

from steelyard.training import reward
from steelyard.training.adapters.nemo_gym import nemo_gym_server

CodeServer = nemo_gym_server(reward(), $options)

if __name__ == "__main__":
    CodeServer.run_webserver()
''',
        "resources_servers/$module/configs/$module.yaml": """\
"$module":
  resources_servers:
    "$module":
      entrypoint: app.py
      domain: coding
      description: $about, judged by Steelyard
      value: Improve programming
      verified: false
${module}_agent:
  responses_api_agents:
    gymnasium_agent:
      entrypoint: app.py
      resources_server:
        type: resources_servers
        name: "$module"
      model_server:
        type: responses_api_models
        name: policy_model
      max_steps: $turns
      datasets:
      - name: tasks
        type: train
        jsonl_fpath: resources_servers/$module/data/tasks.jsonl
        license: TBD
${module}_environment_server:
  environment_servers:
    legacy_agent:
      entrypoint: app.py
      agent_server:
        type: responses_api_agents
        name: "${module}_agent"
""",
    },
    ("gym env start --search-dir $folder --resources-server $module --model-type MODEL",),
    hides=("nemo_gym", "resources_servers"),
    row_of=_row_of,
)


ENDPOINT = "/verify", nemo_gym_verify
