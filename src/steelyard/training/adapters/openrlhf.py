"""OpenRLHF: a file for `--reward.remote_url`, or a remote reward server.

    # reward.py; start training with --reward.remote_url reward.py
    from steelyard.training import reward
    from steelyard.training.adapters.openrlhf import openrlhf_reward

    reward_func = openrlhf_reward(reward(entry="function:f"))

The column of labels (`--data.label_key`) holds the tests as JSON text. The server of
`steelyard.training.adapters.http` answers the same over HTTP, at `/get_reward`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from steelyard.errors import UsageError
from steelyard.judging import without_end_tokens
from steelyard.training._score_completions import Reward
from steelyard.training._turns import with_verdict
from steelyard.training.adapters._known_adapters import Answer

__all__ = ["openrlhf_reward"]


def openrlhf_reward(reward: Reward) -> Callable[..., dict[str, Any]]:
    """Return a reward function with OpenRLHF's keywords.

    A machine that fails raises, also with `on_error="none"`: OpenRLHF logs the exception, and the
    sample has no reward.

    Args:
        reward: Judges.
    """

    def reward_func(
        queries: Sequence[str], prompts: Sequence[str], labels: Sequence[Any], **_: Any
    ) -> dict[str, Any]:
        if not len(queries) == len(prompts) == len(labels):
            raise UsageError(
                f"{len(queries)} queries, {len(prompts)} prompts and {len(labels)} labels; "
                "give one each"
            )
        answers = [answer_of(*pair) for pair in zip(queries, prompts, strict=True)]
        scored = reward.score(answers, labels)
        rewards = [with_verdict(each).reward for each in scored]
        passed = [float(each.passed) for each in scored]
        return {"rewards": rewards, "scores": passed, "extra_logs": {"passed": passed}}

    return reward_func


def answer_of(query: str, prompt: str) -> str:
    """Return the answer in a query, which is the prompt and the answer with special tokens.

    Raises:
        UsageError: if one of them is not a text.
    """
    for name, text in (("query", query), ("prompt", prompt)):
        if not isinstance(text, str):
            raise UsageError(f"a {name} is {type(text).__name__}; give a text")
    begun = query.find(prompt)  # after the token that begins a text, if the tokenizer has one
    return without_end_tokens(query[begun + len(prompt) :] if begun >= 0 else query)


def _answering(reward: Reward) -> Answer:
    judge = openrlhf_reward(reward)

    def answer(body: Mapping[str, Any]) -> dict[str, Any]:
        columns = [body.get(name) for name in ("query", "prompts", "labels")]
        if not all(isinstance(column, list) for column in columns):
            raise UsageError("query, prompts and labels are needed; give a list for each")
        return judge(*columns)

    return answer


ENDPOINT = "/get_reward", _answering
