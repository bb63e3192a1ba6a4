"""Count the figures of a cycle from its samples, and report the health of rewards.

Health is references that fail, flaky rows, replies without code, and equal groups:

1. `check_references` judges the right solutions that rows hold.
2. `rewards_of` counts the figures of a model's judged samples.
3. `reward_report` does both for rows and completions of any trainer; a run does so for its own.

A row is flaky if one program gets two verdicts from it.
"""

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean

from steelyard._arguments import checks_arguments
from steelyard._printable import printable
from steelyard.errors import UsageError
from steelyard.evaluation.metrics import mean_interval, pass_at_k
from steelyard.judging import ExecutionVerifier, LoadedTask, as_entry
from steelyard.sandbox import shared_pool
from steelyard.schemas import (
    HeldOut,
    RewardReport,
    Signals,
    TrainingCycle,
    TrainingSample,
    Verdict,
    VerifyResult,
)
from steelyard.training._score_completions import IN_FLIGHT, Completion, Extraction, text_of
from steelyard.training._signals import ObservedCompletion, Traits, program_bytes, signals_of
from steelyard.training.raft._collecting import judge_samples
from steelyard.training.raft._config import RAFTConfig
from steelyard.training.raft._prompts import PromptSource, TrainingPrompt, prompt_of, rows_of
from steelyard.training.raft._selection import PromptStats


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
        batch.append(
            ObservedCompletion(each.prompt, program, len(each.completion), each.reward, traits)
        )
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


@checks_arguments
def reward_report(
    rows: PromptSource,
    completions: Sequence[Completion | Sequence[Completion]] = (),
    *,
    verifier: ExecutionVerifier | None = None,
    extraction: Extraction = "reply",
) -> RewardReport:
    """Judge rows' right solutions and a model's completions twice, and report what is unhealthy.

    Args:
        rows: Tasks or rows, in every form that `steelyard train` reads, or a file of them. Rows
            with the same prompt and tests are one group.
        completions: For each row, one completion of a model or a list of them. Without any, only
            the rows' own solutions are judged.
        verifier: Judges, and has the tests of rows that hold none; None judges Python.
        extraction: Rule that takes the program out of a completion; see `reward`.

    Raises:
        UsageError: for a row or a completion that cannot be read, or lists of different lengths.
        InfrastructureError: if the machine failed.
    """
    begun = time.monotonic()
    judge = verifier or ExecutionVerifier(
        language="python", max_workers=IN_FLIGHT * shared_pool().size
    )
    prompts: dict[str, TrainingPrompt] = {}
    groups: dict[tuple[str, str, str], str] = {}
    asked: list[str] = []
    for row in rows_of(rows):
        text = f"{row.fields.get('prompt') or row.file}"  # may be a conversation, or left out
        prompt = prompt_of(replace(row, fields={**row.fields, "prompt": text}), judge)
        key = prompt.text, prompt.row.task.entry, prompt.row.suite.digest
        if key not in groups:
            name = f"{prompt.id} (row {row.number})" if prompt.id in prompts else prompt.id
            prompts[name] = replace(prompt, id=name)
        asked.append(groups.setdefault(key, name))
    if completions and len(completions) != len(asked):
        raise UsageError(f"{len(asked)} rows but completions of {len(completions)}; give one each")
    samples = [
        TrainingSample(prompt=name, sample=number, completion=text.decode())
        for name, own in zip(asked, completions, strict=False)
        for number, each in enumerate(_several(own))
        for text in [text_of(each).encode("utf-8", "replace")]  # no halves of characters
    ]
    references = check_references(tuple(prompts.values()), judge)
    _, figures = judged_twice(samples, prompts, judge, extraction, 0)
    whole = RewardReport.joined((references, figures))
    return whole.model_copy(update={"seconds": time.monotonic() - begun})


def _several(own: Completion | Sequence[Completion]) -> Sequence[Completion]:
    """Return the completions of a row; one may be a conversation, which is a list too."""
    alone = isinstance(own, str) or (own and isinstance(own[0], Mapping))
    return [own] if alone else own  # type: ignore[list-item, return-value]


def check_references(
    prompts: Sequence[TrainingPrompt], verifier: ExecutionVerifier
) -> RewardReport:
    """Judge the first right solution of each language that a row has, twice."""
    begun = time.monotonic()
    references = [
        (prompt, solution)
        for prompt in prompts
        for solution in {
            each.language: each
            for each in reversed(prompt.row.task.solutions)
            if each.label == "right"
        }.values()
    ]

    def judged() -> list[tuple[tuple[Verdict, ...], str]]:
        results = verifier.iter_batch(
            [solution.source for _, solution in references],
            suites=[
                LoadedTask(
                    prompt.row.task.model_copy(update={"language": solution.language}),
                    prompt.row.suite,
                )
                for prompt, solution in references
            ],
            on_error="result",
        )
        return [
            (tuple(case.verdict for case in each.cases), each.details)
            if isinstance(each, VerifyResult)
            else ((), each.message)  # the machine, the tests, or a language that is not installed
            for each in results
        ]

    passed: dict[str, bool] = {}
    flaky, notes = [], dict[bool, str]()
    names = [prompt.id for prompt, _ in references]
    for name, (first, why), (second, _) in zip(names, judged(), judged(), strict=True):
        if first and second:
            passed[name] = passed.get(name, False) or set(first) == {Verdict.AC}
            flaky += [name] if first != second else []
        if set(first) != {Verdict.AC}:
            notes.setdefault(bool(first), _note(name, why))
    return RewardReport(
        rows=len(prompts),
        references=len(passed),
        failing=tuple(name for name, right in passed.items() if not right),
        flaky=tuple(dict.fromkeys(flaky)),
        judging_s=time.monotonic() - begun,
        notes=tuple(notes.values()),
    )


def _note(name: str, reason: str) -> str:
    return printable(f"{name}: {reason:.300}")


def judged_twice(
    samples: Sequence[TrainingSample],
    prompts: Mapping[str, TrainingPrompt],
    verifier: ExecutionVerifier,
    extraction: Extraction,
    step: int,
) -> tuple[list[TrainingSample], RewardReport]:
    """Return judged samples, and their report with the rows that judge a program in two ways."""
    begun = time.monotonic()
    first, second = list[TrainingSample](), list[TrainingSample]()
    for judged in (first, second):
        judge_samples(samples, prompts, verifier, extraction, judged.extend, {}, step)
    flaky = [
        one.prompt
        for one, two in zip(first, second, strict=True)
        if None not in (one.verdict, two.verdict)
        and (one.verdict, one.cases_passed) != (two.verdict, two.cases_passed)
    ]
    figures = rewards_of(first, time.monotonic() - begun)
    return first, figures.model_copy(update={"flaky": tuple(dict.fromkeys(flaky))})


def rewards_of(judged: Sequence[TrainingSample], judging_s: float) -> RewardReport:
    """Return the figures of judged samples.

    Args:
        judged: Samples with rewards, except those without a verdict.
        judging_s: What judging them took, in seconds.
    """
    scored = [each for each in judged if each.reward is not None]
    groups: dict[str, list[TrainingSample]] = defaultdict(list)
    for each in scored:
        groups[each.prompt].append(each)
    several = [group for group in groups.values() if len(group) > 1]
    equal = [group for group in several if len({each.reward for each in group}) == 1]
    return RewardReport(
        completions=len(judged),
        without_code=sum(bool(each.reason) for each in scored),
        unjudged=len(judged) - len(scored),
        groups=len(several),
        without_variance=len(equal),
        always_passed=sum(all(each.passed for each in group) for group in equal),
        judging_s=judging_s,
        notes=tuple(_note(each.prompt, each.reason) for each in judged if each.reward is None)[:1],
    )
