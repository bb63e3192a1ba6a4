"""Count the figures of a cycle from its samples."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import fmean

from steelyard.evaluation.metrics import mean_interval, pass_at_k
from steelyard.judging import as_entry
from steelyard.schemas import HeldOut, Signals, TrainingCycle, TrainingSample
from steelyard.training._signals import Observed, Traits, program_bytes, signals_of
from steelyard.training.raft._config import RAFTConfig
from steelyard.training.raft._curriculum import PromptStats
from steelyard.training.raft._health import rewards_of
from steelyard.training.raft._prompts import TrainingPrompt


def figures_of(
    cycle: int,
    judged: Sequence[TrainingSample],
    kept: Sequence[TrainingSample],
    config: RAFTConfig,
    judging_s: float = 0.0,
) -> TrainingCycle:
    """Return what a cycle's samples show."""
    scored = [each for each in judged if each.reward is not None]
    passed = [each for each in scored if each.passed]
    rewards = [each.reward for each in scored if each.reward is not None]
    return TrainingCycle(
        cycle=cycle,
        prompts=len({each.prompt for each in judged}),
        samples=len(judged),
        distinct=len({(each.prompt, each.completion) for each in judged}),
        cut_off=sum(not each.ended for each in judged),
        passed=len(passed),
        rewards=rewards_of(judged, judging_s),
        pass_rate=len(passed) / len(scored) if scored else None,
        mean_reward=sum(rewards) / len(rewards) if rewards else None,
        solved=len({each.prompt for each in passed}),
        kept=len(kept),
        kept_wrong=sum(not each.passed for each in kept),
        kept_prompts=len({each.prompt for each in kept}),
        temperature=config.temperature_of(cycle),
        learning_rate=config.learning_rate_of(cycle),
        tokens=sum(each.tokens for each in judged),
    )


def held_out_of(judged: Sequence[TrainingSample], config: RAFTConfig) -> HeldOut | None:
    """Return the figures of held-out samples; None without any that was judged."""
    groups: dict[str, list[bool]] = defaultdict(list)
    for each in judged:
        if each.reward is not None:
            groups[each.prompt].append(each.passed)
    if not groups:
        return None
    at_k: dict[int, float] = {}
    for k in sorted({1, *(each for each in (2, 4, 8, 10, 100) if each <= config.held_out_samples)}):
        each_task = [pass_at_k(len(own), sum(own), k) for own in groups.values()]
        known = [value for value in each_task if value is not None]
        if known:
            at_k[k] = fmean(known)
    rates = [fmean(own) for own in groups.values()]
    return HeldOut(
        prompts=len(groups),
        samples=config.held_out_samples,
        pass_at_1=at_k[1],
        interval=mean_interval(rates, list(groups), seed=config.fixed_seed()) or (at_k[1], at_k[1]),
        pass_at_k=at_k,
        unjudged=sum(each.reward is None for each in judged),
    )


def signals_in(judged: Sequence[TrainingSample], prompts: Mapping[str, TrainingPrompt]) -> Signals:
    """Return the signals of gaming in a cycle's samples."""
    batch = []
    for each in judged:
        prompt = prompts[each.prompt]
        program = program_bytes(
            prompt.program_of(prompt.prefix + each.completion), as_entry(prompt.row.task.entry)
        )
        traits = Traits(**{name: getattr(each, name) for name in Traits._fields})
        batch.append(Observed(each.prompt, program, len(each.completion), each.reward, traits))
    return signals_of(batch)


def stats_after(
    stats: Mapping[str, PromptStats], judged: Sequence[TrainingSample]
) -> dict[str, PromptStats]:
    """Return the statistics of prompts with these samples added."""
    after = dict(stats)
    for each in judged:
        if each.reward is not None:
            had = after.get(each.prompt, PromptStats())
            after[each.prompt] = PromptStats(had.passed + each.passed, had.samples + 1)
    return after


def too_little(figures: TrainingCycle, judged: Sequence[TrainingSample], config: RAFTConfig) -> str:
    """Return why a cycle cannot be learned from, with what to change, in one line."""
    cut, unjudged = figures.cut_off, figures.rewards.unjudged
    empty = figures.rewards.without_code
    best = max((each.reward or 0.0 for each in judged), default=0.0)
    head = (
        f"cycle {figures.cycle} keeps {figures.kept} of {len(judged):,} samples, and "
        f"min_samples_per_cycle is {config.min_samples_per_cycle}"
    )
    facts = f"best reward {best:.2f}, {cut:,} cut off, {empty:,} without code"
    if unjudged * 2 > len(judged):
        return f"{head}: {unjudged:,} have no verdict; see their reason in judged.jsonl"
    if cut * 2 > len(judged):
        return f"{head} ({facts}); raise max_new_tokens"
    if empty * 2 > len(judged):
        return f"{head} ({facts}); change extraction, or the prompts"
    return (
        f"{head} ({facts}); check the tests by a program that is known to be right, raise "
        "samples_per_prompt, begin with easier prompts (curriculum: progressive), or take a model "
        "that solves some"
    )
