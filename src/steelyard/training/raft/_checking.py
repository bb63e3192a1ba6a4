"""Try everything but the learning on a few prompts, before time is spent."""

import time

from steelyard.judging import ExecutionVerifier
from steelyard.schemas import TrainingCheck, TrainingSample
from steelyard.training.raft._config import RAFTConfig
from steelyard.training.raft._figures import figures_of
from steelyard.training.raft._folder import check_run
from steelyard.training.raft._judging import judge_samples
from steelyard.training.raft._language_model import LanguageModel, check_folder
from steelyard.training.raft._libraries import check_libraries
from steelyard.training.raft._prompts import PromptSource
from steelyard.training.raft._sampling import Sampler, sample_prompts
from steelyard.training.raft._selection import keep_passing
from steelyard.training.raft._server import ServerSampler
from steelyard.training.raft._trainer import Data, head_of, most_kept, read_data

__all__ = ["check_training", "plan_training"]

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
    return TrainingCheck(
        model=config.model,
        prompts=len(trained),
        held_out=len(held_out),
        samples_per_cycle=len(trained) * config.samples_per_prompt,
        most_kept_per_cycle=most_kept(config, len(trained)),
        cases=sum(len(prompt.suite.cases) for prompt in trained),
        notes=_notes(config),
    )


def check_training(
    prompts: PromptSource, verifier: ExecutionVerifier, config: RAFTConfig
) -> TrainingCheck:
    """Sample and judge eight prompts as the first cycle would, and estimate a whole cycle.

    Raises:
        UsageError: if model, prompts, tests or options are not usable.
        InfrastructureError: if the machine failed.
    """
    begun = time.monotonic()
    trained, held_out = read_data(prompts, verifier, config)
    plan = _plan((trained, held_out), config)
    check_libraries(config.report_to)
    model = LanguageModel(config)
    sampler: Sampler = ServerSampler(config, model, None) if config.sampler == "server" else model
    step = max(1, len(trained) // _PROMPTS)
    chosen = trained[::step][:_PROMPTS]
    model.check_lengths(trained)
    samples: list[TrainingSample] = []
    before = time.monotonic()
    sample_prompts(
        chosen, config.samples_per_prompt, sampler, temperature=config.temperature_of(1),
        seed=config.fixed_seed(), max_new_tokens=config.max_new_tokens,
        batch_size=config.sampling_batch_size, known=(), keep=samples.extend,
    )  # fmt: skip
    sampled = time.monotonic()
    judged: list[TrainingSample] = []
    by_id = {each.id: each for each in chosen}
    judge_samples(samples, by_id, verifier, config.extraction, judged.extend, {}, 1)
    done = time.monotonic()
    figures = figures_of(1, judged, keep_passing(judged, config.keep_per_prompt), config)
    return plan.model_copy(
        update={
            "tried": len(judged),
            "tried_prompts": len(chosen),
            "passed_samples": figures.passed,
            "solved": figures.solved,
            "without_code": figures.without_code,
            "cut_off": figures.cut_off,
            "unjudged": figures.unjudged,
            "kept": figures.kept,
            "tokens_per_s": figures.tokens / max(sampled - before, 1e-9),
            "sampling_s_per_cycle": (sampled - before) * len(trained) / len(chosen),
            "judging_s_per_cycle": (done - sampled) * len(trained) / len(chosen),
            "notes": (*plan.notes, *model.notes),
            "seconds": time.monotonic() - begun,
        }
    )


def _notes(config: RAFTConfig) -> tuple[str, ...]:
    if config.keep == "threshold":
        return ("keep threshold keeps programs that are wrong; keep passing does not",)
    return ()
