"""verl: `compute_score` for one sample, and for the batch reward manager.

    reward:
      custom_reward_function:
        path: pkg://steelyard.training.adapters.verl
        name: compute_score            # or compute_score_batch with reward_manager: batch
        reward_kwargs: {language: python, entry: "function:f", reward: binary}

`reward_kwargs` are the options of `steelyard.training.reward`. `ground_truth` holds the tests:
cases, or `{"inputs": [...], "outputs": [...], "fn_name": "f"}`, as JSON text or as an object.

A machine that fails raises, which ends the run. verl has no reward "unknown", and its manager
`rate_limited` turns every exception into 0. There, set `on_error: none`: the score is then NaN with
`no_verdict: 1`, and never a reward of 0 for a disk that is full.
"""

import functools
import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from steelyard.training._score_completions import Reward, RewardOptions, Scored

__all__ = ["compute_score", "compute_score_batch"]

_OF_VERL = ("reward_router_address", "reward_model_tokenizer")
"""Keywords that verl adds to those of the configuration."""


def compute_score(
    data_source: str,  # noqa: ARG001 - the name is verl's
    solution_str: str,
    ground_truth: Any,
    extra_info: dict[str, Any] | None = None,  # noqa: ARG001 - the name is verl's
    **reward_kwargs: Any,
) -> dict[str, Any]:
    """Return the score of one completion, with keys that verl logs.

    Args:
        data_source: The data set's name; not used.
        solution_str: The completion.
        ground_truth: Its tests.
        extra_info: Not used.
        reward_kwargs: Options of `steelyard.training.reward`.

    Raises:
        UsageError: for wrong options, and for tests that cannot be read.
        InfrastructureError: if the machine failed, unless `on_error` is `none`.
    """
    return _score(_reward_of(reward_kwargs).score([solution_str], [ground_truth])[0])


def compute_score_batch(
    data_sources: Sequence[str],  # noqa: ARG001 - the name is verl's
    solution_strs: Sequence[str],
    ground_truths: Sequence[Any],
    extra_infos: Sequence[dict[str, Any] | None],  # noqa: ARG001 - the name is verl's
    **reward_kwargs: Any,
) -> list[dict[str, Any]]:
    """Return the scores of a batch, judged at once on all cells; else as `compute_score`."""
    scored = _reward_of(reward_kwargs).score(list(solution_strs), list(ground_truths))
    return [_score(each) for each in scored]


def _score(scored: Scored) -> dict[str, Any]:
    result = scored.result
    return {
        "score": math.nan if scored.reward is None else scored.reward,
        "passed": float(scored.passed),
        "pass_rate": result.pass_rate if result is not None else math.nan,
        "no_verdict": float(scored.reward is None),
    }


def _reward_of(options: dict[str, Any]) -> Reward:
    # Sections and lists of verl's configuration become what JSON holds.
    own = {name: value for name, value in options.items() if name not in _OF_VERL}
    return _kept(
        json.dumps(
            own,
            sort_keys=True,
            default=lambda held: dict(held) if isinstance(held, Mapping) else list(held),
        )
    )


@functools.lru_cache(maxsize=16)
def _kept(options: str) -> Reward:
    """Return the reward for options, one for all calls of this process."""
    return Reward(RewardOptions.of(**json.loads(options)))
