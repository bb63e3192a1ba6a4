"""`RAFTTrainer`: sample, judge, keep what is right, fine-tune on it, again."""

import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

from steelyard.errors import UsageError
from steelyard.judging import ExecutionVerifier
from steelyard.schemas import TRAINING_VERSION, TrainingHistory
from steelyard.training.raft._config import RAFTConfig
from steelyard.training.raft._curriculum import prompts_by_cycle, read_stats
from steelyard.training.raft._folder import RunFolder
from steelyard.training.raft._opening import check_folder
from steelyard.training.raft._prompts import (
    PromptSource,
    TrainingPrompt,
    digest_of,
    read_prompts,
    split_prompts,
)
from steelyard.training.raft._run import Run
from steelyard.training.raft._selection import most_kept

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
        with RunFolder(Path(config.output_dir), head, resume=resume) as folder:
            return Run(config, self.verifier, trained, held_out, folder, stats, begun).finish()


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
