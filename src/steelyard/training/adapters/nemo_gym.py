"""NeMo-Gym: the answer of a resources server to `POST /verify`.

    from fastapi import FastAPI
    from steelyard.training import reward
    from steelyard.training.adapters.nemo_gym import nemo_gym_verify

    app, verify = FastAPI(), nemo_gym_verify(reward())

    @app.post("/verify")
    def endpoint(body: dict) -> dict:
        return verify(body)

`steelyard.training.adapters.http` serves the same without FastAPI. The tests are in
`verifier_metadata.unit_tests`, as in the environment `code_gen`.
"""

from collections.abc import Callable, Mapping
from typing import Any

from steelyard.errors import InfrastructureError, UsageError
from steelyard.training._reward import Reward

__all__ = ["nemo_gym_verify"]


def nemo_gym_verify(reward: Reward) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """Return the function that answers one request: its body with a `reward`.

    It raises a `UsageError` for a body without a response or tests, and an `InfrastructureError`
    if there is no verdict.

    Args:
        reward: Judges.
    """

    def verify(body: Mapping[str, Any]) -> dict[str, Any]:
        metadata = body.get("verifier_metadata")
        tests = metadata.get("unit_tests") if isinstance(metadata, Mapping) else None
        if tests is None:
            raise UsageError("the body has no verifier_metadata.unit_tests; add the tests")
        scored = reward.score([_text_of(body.get("response"))], [tests])[0]
        if scored.reward is None:
            raise InfrastructureError(scored.reason)
        return {**body, "reward": scored.reward, "reason": scored.reason}

    return verify


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
