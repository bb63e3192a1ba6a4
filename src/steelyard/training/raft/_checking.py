"""Try everything but the learning on a few prompts, before time is spent."""

import time

from steelyard.judging import ExecutionVerifier
from steelyard.schemas import RewardReport, TrainingCheck, TrainingSample
from steelyard.training.raft._collecting import Sampler, sample_prompts
from steelyard.training.raft._config import RAFTConfig
from steelyard.training.raft._curriculum import choose_prompts, prompts_by_cycle, read_stats
from steelyard.training.raft._figures import figures_of
from steelyard.training.raft._folder import check_run
from steelyard.training.raft._health import check_references, judged_twice
from steelyard.training.raft._language_model import LanguageModel
from steelyard.training.raft._libraries import check_libraries
from steelyard.training.raft._opening import check_folder
from steelyard.training.raft._prompts import PromptSource
from steelyard.training.raft._selection import keep_samples, most_kept
from steelyard.training.raft._server import ServerSampler
from steelyard.training.raft._trainer import Data, head_of, read_data

_PROMPTS = 8
_KEEPS_WRONG = "keep threshold keeps programs that are wrong; keep passing does not"


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
            *((_KEEPS_WRONG,) if config.keep == "threshold" else ()),
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
    samples: list[TrainingSample] = []
    before = time.monotonic()
    sample_prompts(
        chosen,
        config.samples_per_prompt,
        sampler,
        temperature=config.temperature_of(1),
        seed=config.fixed_seed(),
        max_new_tokens=config.max_new_tokens,
        batch_size=config.sampling_batch_size,
        known=(),
        keep=samples.extend,
    )
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
