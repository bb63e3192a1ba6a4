"""Choose the prompts that a cycle samples, and the judged samples that it learns from.

All are pure functions.
"""

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from pydantic import TypeAdapter, ValidationError

from steelyard.errors import UsageError
from steelyard.schemas import TrainingSample
from steelyard.training.raft._config import RAFTConfig
from steelyard.training.raft._prompts import TrainingPrompt


def keep_samples(
    samples: Sequence[TrainingSample], config: RAFTConfig, cycle: int
) -> tuple[TrainingSample, ...]:
    """Return the samples that a cycle learns from, by the rule of the options."""
    if config.keep == "passing":
        return keep_passing(samples, config.keep_per_prompt)
    return keep_threshold(samples, config.threshold_of(cycle), config.keep_top_percent)


def most_kept(config: RAFTConfig, prompts: int) -> int:
    """Return the largest number of samples that a cycle with so many prompts keeps."""
    if config.keep == "passing":
        return prompts * min(config.keep_per_prompt, config.samples_per_prompt)
    return max(1, int(prompts * config.samples_per_prompt * config.keep_top_percent))


def keep_passing(samples: Iterable[TrainingSample], per_prompt: int) -> tuple[TrainingSample, ...]:
    """Return distinct samples that pass every test, a bounded number of each prompt.

    Samples that differ in white space alone are one. Those with the highest reward stay. Most
    policies reward all passing programs alike; then those that were sampled first stay, so that no
    length or style is preferred. A sample that the limit on tokens cut off teaches the model not to
    end, and is left out.
    """
    kept: list[TrainingSample] = []
    number: Counter[str] = Counter()
    seen: set[tuple[str, str]] = set()
    for each in sorted(samples, key=lambda each: -(each.reward or 0.0)):
        key = each.prompt, " ".join(each.completion.split())
        if not each.passed or not each.ended or key in seen or number[each.prompt] == per_prompt:
            continue
        seen.add(key)
        number[each.prompt] += 1
        kept.append(each)
    return tuple(kept)


def keep_threshold(
    samples: Sequence[TrainingSample], threshold: float, top: float
) -> tuple[TrainingSample, ...]:
    """Return the samples with at least a reward, and of these the best share.

    With the reward ladder a threshold of 0.5 keeps programs that compile and are wrong.

    Args:
        samples: All samples of a cycle.
        threshold: The least reward.
        top: Share of them to keep, the best first; ties stay in their order.
    """
    enough = [each for each in samples if each.reward is not None and each.reward >= threshold]
    best = sorted(enough, key=lambda each: -(each.reward or 0.0))
    return tuple(best[: max(1, int(len(best) * top))] if best else ())


class PromptStats(NamedTuple):
    """Counts of a prompt's samples so far."""

    passed: int = 0
    samples: int = 0

    @property
    def pass_rate(self) -> float:
        """The share that passed, as if one more sample had passed and one had failed."""
        return (self.passed + 1) / (self.samples + 2)


_STATS = TypeAdapter(dict[str, PromptStats])


def choose_prompts(
    prompts: Sequence[TrainingPrompt],
    config: RAFTConfig,
    cycle: int,
    stats: Mapping[str, PromptStats],
) -> tuple[TrainingPrompt, ...]:
    """Return the prompts of a cycle, in their own order.

    `difficulty` divides the prompts from easy to hard, a part for each cycle. `progressive` begins
    with the easiest and adds harder ones. `adaptive` and `historical` take the prompts whose pass
    rate is closest to one half, which teach most: those that always or never pass add nothing.

    Args:
        prompts: All prompts to train on.
        config: Names the curriculum and its shares.
        cycle: The cycle, from 1.
        stats: Of each prompt's earlier samples; for `historical`, those of earlier runs too.
    """
    if config.curriculum == "none" or (config.curriculum == "adaptive" and cycle == 1):
        return tuple(prompts)
    if config.curriculum in ("adaptive", "historical"):
        known = stats.get
        ranked = sorted(
            prompts, key=lambda each: abs(known(each.id, PromptStats()).pass_rate - 0.5)
        )
        chosen = ranked[: math.ceil(config.curriculum_share * len(prompts))]
    else:
        ranked = sorted(prompts, key=lambda each: each.difficulty)
        if config.curriculum == "difficulty":
            part = (min(cycle, config.num_cycles) - 1) / config.num_cycles
            first = int(part * len(ranked))
            size = math.ceil(len(ranked) / config.num_cycles)
            chosen = ranked[first : first + size]
        else:
            share = config.curriculum_start + config.curriculum_increment * (cycle - 1)
            chosen = ranked[: math.ceil(min(share, 1.0) * len(ranked))]
    taken = {each.id for each in chosen}
    return tuple(each for each in prompts if each.id in taken)


def prompts_by_cycle(prompts: Sequence[TrainingPrompt], config: RAFTConfig) -> dict[int, int]:
    """Return how many prompts each cycle has, whatever their samples will show."""
    return {
        cycle: len(choose_prompts(prompts, config, cycle, {}))
        for cycle in range(1, config.num_cycles + 1)
    }


def read_stats(file: Path) -> dict[str, PromptStats]:
    """Return the statistics that an earlier run wrote.

    Raises:
        UsageError: if the file cannot be read.
    """
    try:
        return _STATS.validate_json(file.read_bytes())
    except (OSError, ValidationError) as error:
        raise UsageError(
            f"{file} cannot be read; give prompt_stats.json of an earlier run"
        ) from error


def stats_json(stats: Mapping[str, PromptStats]) -> str:
    """Return statistics as the text of `prompt_stats.json`."""
    return json.dumps({name: list(each) for name, each in sorted(stats.items())}, indent=1)
