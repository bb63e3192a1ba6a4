"""`RAFTTrainer`: sample, judge, keep what is right, fine-tune on it, again.

`plan_training` and `check_training` try everything but the learning, before time is spent.
"""

import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

from steelyard.errors import UsageError
from steelyard.judging import ExecutionVerifier
from steelyard.schemas import (
    TRAINING_VERSION,
    RewardReport,
    TrainingCheck,
    TrainingHistory,
)
from steelyard.training.raft._collecting import Sampler, sample_prompts
from steelyard.training.raft._config import RAFTConfig
from steelyard.training.raft._figures import check_references, figures_of, judged_twice
from steelyard.training.raft._folder import RaftFolder, check_run
from steelyard.training.raft._language_model import LanguageModel, check_folder
from steelyard.training.raft._libraries import check_libraries
from steelyard.training.raft._prompts import (
    PromptSource,
    TrainingPrompt,
    digest_of,
    read_prompts,
    split_prompts,
)
from steelyard.training.raft._run import TrainingRun
from steelyard.training.raft._selection import (
    choose_prompts,
    keep_samples,
    most_kept,
    prompts_by_cycle,
    read_stats,
)
from steelyard.training.raft._server import ServerSampler

Data = tuple[tuple[TrainingPrompt, ...], tuple[TrainingPrompt, ...]]
"""Prompts to train on, and prompts held out."""


class RAFTTrainer:
    """Fine-tunes a language model on those of its own programs that pass their tests (RAFT).

    A cycle samples programs, judges them in cells, keeps distinct ones that pass every test,
    fine-tunes the model on them, and evaluates it on prompts that it is never trained on.

    Args:
        verifier: Judges programs; its tests are those of prompts that have none of their own.
        config: The options.

    Raises:
        UsageError: if the options do not fit together.

    Source: Dong et al., "RAFT: Reward rAnked FineTuning for Generative Foundation Model
    Alignment", 2023.
    """

    def __init__(self, verifier: ExecutionVerifier, config: RAFTConfig | None = None) -> None:
        self.verifier = verifier
        self.config = config or RAFTConfig()
        if not self.config.model:
            raise UsageError("no model is named; set model, as in RAFTConfig(model=...)")

    def run(
        self, prompts: PromptSource, num_cycles: int | None = None, *, resume: bool = False
    ) -> TrainingHistory:
        """Train, and return what happened in each cycle.

        The models are in the run's folder: `cycle_C/model`.

        Args:
            prompts: A JSONL file, or prompts in memory.
            num_cycles: Takes the place of the options' `num_cycles`.
            resume: Resume the run that `output_dir` holds, at the stage where it ended.

        Raises:
            UsageError: if prompts, tests, model or folder are not usable.
            TrainingError: if a cycle keeps too little, or the loss is not a number.
            InfrastructureError: if the machine failed; the run can be resumed.
        """
        begun = time.monotonic()
        config = self.config
        if num_cycles is not None:
            config = config.changed(num_cycles=num_cycles)
        trained, held_out = read_data(prompts, self.verifier, config)
        check_folder(config.model)
        stats = {} if config.curriculum_stats is None else read_stats(config.curriculum_stats)
        head = head_of(config, self.verifier, (trained, held_out))
        with RaftFolder(Path(config.output_dir), head, resume=resume) as folder:
            return TrainingRun(
                config, self.verifier, trained, held_out, folder, stats, begun
            ).finish()


def read_data(prompts: PromptSource, verifier: ExecutionVerifier, config: RAFTConfig) -> Data:
    """Return the prompts to train on, and those held out.

    Raises:
        UsageError: if they cannot be read, a prompt to train on is held out too, they are too few
            for `min_samples_per_cycle`, or the verifier runs no test.
    """
    if verifier.shaping()["compile_only"]:
        raise UsageError(
            "the verifier has compile_only, so no program passes a test; remove it from verifier"
        )
    data = _split(read_prompts(prompts, verifier), verifier, config)
    cycle = min(sizes := prompts_by_cycle(data[0], config), key=sizes.__getitem__)
    most = most_kept(config, sizes[cycle])
    if config.min_samples_per_cycle > most:
        raise UsageError(
            f"min_samples_per_cycle is {config.min_samples_per_cycle}, and cycle {cycle} keeps "
            f"{most} at most; lower it, or give more prompts"
        )
    return data


def _split(
    every: tuple[TrainingPrompt, ...], verifier: ExecutionVerifier, config: RAFTConfig
) -> Data:
    if config.held_out is None:
        return every, ()
    if not isinstance(config.held_out, Path):
        return split_prompts(every, config.held_out, config.fixed_seed())
    held_out = read_prompts(config.held_out, verifier)
    texts = {each.text for each in every}
    both = [each for each in held_out if each.text in texts]
    if both:
        raise UsageError(
            f"{config.held_out}: {len(both)} prompts are trained on too, the first is "
            f"{both[0].id!r}; remove them from one of the files"
        )
    return every, held_out


def head_of(config: RAFTConfig, verifier: ExecutionVerifier, data: Data) -> dict[str, Any]:
    """Return what shapes a run: a folder resumes only with the same."""
    trained, held_out = data
    return {
        "training_version": TRAINING_VERSION,
        "steelyard": version("steelyard"),
        "seed": config.seed,  # before what follows from it
        "prompts": digest_of(trained),
        "held_out_prompts": digest_of(held_out),
        "language": verifier.language,
        "verifier": verifier.shaping(),
        **config.shaping(),
    }


_PROMPTS = 8


def plan_training(
    prompts: PromptSource,
    verifier: ExecutionVerifier,
    config: RAFTConfig,
    *,
    resume: bool = False,
) -> TrainingCheck:
    """Return what a run would do, from its files alone; no model is loaded.

    Raises:
        UsageError: if prompts, tests or the run's folder are not usable.
    """
    data = read_data(prompts, verifier, config)
    check_run(config.output_dir, head_of(config, verifier, data), resume=resume)
    return _plan(data, config)


def _plan(data: Data, config: RAFTConfig) -> TrainingCheck:
    trained, held_out = data
    check_folder(config.model)
    sizes = prompts_by_cycle(trained, config).values()
    least, most = min(sizes), max(sizes)
    varying = f"by curriculum {config.curriculum}, cycles have {least} to {most} prompts"
    return TrainingCheck(
        model=config.model,
        prompts=len(trained),
        held_out=len(held_out),
        samples_per_cycle=most * config.samples_per_prompt,
        most_kept_per_cycle=most_kept(config, most),
        cases=sum(len(prompt.row.suite.cases) for prompt in trained),
        notes=(
            *((varying,) if least != most else ()),
            *(
                ("keep threshold keeps programs that are wrong; keep passing does not",)
                if config.keep == "threshold"
                else ()
            ),
        ),
    )


def check_training(
    prompts: PromptSource, verifier: ExecutionVerifier, config: RAFTConfig
) -> TrainingCheck:
    """Judge all prompts' own solutions, sample and judge eight prompts as the first cycle would.

    The report has the health of rewards, and estimates a whole cycle.

    Raises:
        UsageError: if model, prompts, tests or options are not usable.
        InfrastructureError: if the machine failed.
    """
    begun = time.monotonic()
    trained, held_out = read_data(prompts, verifier, config)
    plan = _plan((trained, held_out), config)
    check_libraries(config.report_to)
    references = check_references((*trained, *held_out), verifier)
    model = LanguageModel(config)
    sampler: Sampler = ServerSampler(config, model, None) if config.sampler == "server" else model
    stats = {} if config.curriculum_stats is None else read_stats(config.curriculum_stats)
    first = choose_prompts(trained, config, 1, stats)
    chosen = first[:: max(1, len(first) // _PROMPTS)][:_PROMPTS]
    model.check_lengths(trained)
    before = time.monotonic()
    batches = sample_prompts(
        chosen,
        config.samples_per_prompt,
        sampler,
        config,
        temperature=config.temperature_of(1),
        seed=config.fixed_seed(),
    )
    samples = [sample for batch in batches for sample in batch]
    sampled = time.monotonic()
    by_id = {each.id: each for each in chosen}
    judged, rewards = judged_twice(samples, by_id, verifier, config.extraction, 1)
    figures = figures_of(1, judged, keep_samples(judged, config, 1), config)
    # A cycle samples its prompts, and then those held out.
    share = (plan.samples_per_cycle + len(held_out) * config.held_out_samples) / len(judged)
    return plan.model_copy(
        update={
            "tried": len(judged),
            "tried_prompts": len(chosen),
            "passed_samples": figures.passed,
            "solved": figures.solved,
            "cut_off": figures.cut_off,
            "kept": figures.kept,
            "rewards": RewardReport.joined((references, rewards)),
            "tokens_per_s": figures.tokens / max(sampled - before, 1e-9),
            "sampling_s_per_cycle": (sampled - before) * share,
            "judging_s_per_cycle": rewards.judging_s / 2 * share,
            "notes": (*plan.notes, *model.notes, *references.notes, *rewards.notes),
            "seconds": time.monotonic() - begun,
        }
    )
