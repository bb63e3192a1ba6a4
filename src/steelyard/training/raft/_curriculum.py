"""Choose the prompts that a cycle samples: pure functions over what is known of each prompt."""

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from pydantic import TypeAdapter

from steelyard.training.raft._config import RAFTConfig
from steelyard.training.raft._folder import read_file
from steelyard.training.raft._prompts import TrainingPrompt


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
    return read_file(file, _STATS, "give prompt_stats.json of an earlier run")


def stats_json(stats: Mapping[str, PromptStats]) -> str:
    """Return statistics as the text of `prompt_stats.json`."""
    return json.dumps({name: list(each) for name, each in sorted(stats.items())}, indent=1)
