"""TRL: a reward function for `GRPOTrainer` and `RLOOTrainer`.

    from datasets import Dataset
    from trl import GRPOTrainer
    from steelyard.training import reward
    from steelyard.training.adapters.trl import trl_reward

    rows = [{"prompt": "Write f(x), twice x.", "tests": '[{"args": [2], "expected": 4}]'}]
    code = reward(entry="function:f", on_error="none")
    trainer = GRPOTrainer(
        "Qwen/Qwen2.5-Coder-0.5B", reward_funcs=trl_reward(code),
        train_dataset=Dataset.from_list(rows),
    )
    trainer.train()

Rows are those of `steelyard datasets export`, whose columns decide how each is judged; or have
`tests` alone. Write tests as JSON text: a column of lists of objects gets every key in every row.
A row without a verdict has no reward in TRL (`None`, which it turns into NaN and warns of).
"""

from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from steelyard.errors import UsageError
from steelyard.judging import ROW_FIELDS
from steelyard.training._score_completions import Completion, Reward, Scored
from steelyard.training._signals import gaming_signals

__all__ = ["trl_async_reward", "trl_reward"]

Rewards = list[float | None]


def trl_reward(
    reward: Reward, *, tests: str | None = "tests", entry: str | None = None
) -> Callable[..., Rewards]:
    """Return a reward function that judges a whole batch at once.

    It logs the share of completions that pass, the signals of gaming, and each verdict's reason.

    Args:
        reward: Judges.
        tests: The column of tests; None for tests of the reward's own.
        entry: The column of entries, such as `function:NAME`; None for the reward's own.

    Returns:
        A function of TRL's keywords. It raises a `UsageError` if a column is missing.
    """

    def steelyard(
        prompts: Sequence[object], completions: Sequence[Completion], **given: Any
    ) -> Rewards:
        scored = reward.score(completions, **_columns(given, prompts, tests, entry))
        return _logged(prompts, completions, scored, given)

    return steelyard


def trl_async_reward(
    reward: Reward, *, tests: str | None = "tests", entry: str | None = None
) -> Callable[..., Coroutine[Any, Any, Rewards]]:
    """Return the same as a coroutine function, which TRL runs next to other async rewards.

    Args:
        reward: Judges.
        tests: As for `trl_reward`.
        entry: As for `trl_reward`.
    """

    async def steelyard(
        prompts: Sequence[object], completions: Sequence[Completion], **given: Any
    ) -> Rewards:
        scored = await reward.ascore(completions, **_columns(given, prompts, tests, entry))
        return _logged(prompts, completions, scored, given)

    return steelyard


def _columns(
    given: dict[str, Any], prompts: Sequence[object], tests: str | None, entry: str | None
) -> dict[str, Any]:
    """Return the arguments of `score` among those of TRL: a row for each completion."""
    suites = _column(given, tests)
    names = [name for name in given if name in ROW_FIELDS]
    if suites is not None and names:
        texts = [prompt if isinstance(prompt, str) else None for prompt in prompts]
        columns = {**{name: given[name] for name in names}, "prompt": texts, "tests": suites}
        rows = zip(*columns.values(), strict=True)
        suites = [dict(zip(columns, row, strict=True)) for row in rows]
    return {
        "suites": suites,
        "entries": _column(given, entry),
        "step": getattr(given.get("trainer_state"), "global_step", None),
    }


def _column(given: dict[str, Any], name: str | None) -> Any:
    if name is None:
        return None
    if name not in given:
        raise UsageError(
            f"the data set has no column {name!r}; name its column, or None for the reward's own"
        )
    return given[name]


def _logged(
    prompts: Sequence[object],
    completions: Sequence[Completion],
    scored: Sequence[Scored],
    given: dict[str, Any],
) -> Rewards:
    log_metric, log_extra = given.get("log_metric"), given.get("log_extra")
    if log_metric is not None:
        passed = [each.passed for each in scored]
        log_metric("steelyard/passed", sum(passed) / max(len(passed), 1))
        signals = gaming_signals(completions, scored, [str(prompt) for prompt in prompts])
        for name, value in signals.to_metrics().items():
            log_metric(f"steelyard/{name}", value)
    if log_extra is not None:
        log_extra("verdict", [each.reason for each in scored])
    return [each.reward for each in scored]
