"""Choose the judged samples that a cycle learns from: pure functions."""

from collections import Counter
from collections.abc import Iterable, Sequence

from steelyard.schemas import TrainingSample
from steelyard.training.raft._config import RAFTConfig


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
