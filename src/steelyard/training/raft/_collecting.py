"""Sample prompts and judge the samples meanwhile; both resume where they were interrupted."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import NamedTuple

from steelyard.judging import ExecutionVerifier
from steelyard.rendering import percent
from steelyard.schemas import TrainingSample
from steelyard.training.raft._config import RAFTConfig
from steelyard.training.raft._folder import RunFolder
from steelyard.training.raft._judging import Known, judge_samples
from steelyard.training.raft._prompts import TrainingPrompt
from steelyard.training.raft._sampling import Sampler, sample_prompts

__all__ = ["Collection", "collect"]


class Collection(NamedTuple):
    """One collection of a run: which samples, and where they are kept."""

    prompts: Sequence[TrainingPrompt]
    each: int
    """Samples of each prompt."""
    temperature: float
    seed: int
    step: int
    """The cycle, for reward policies that change with it."""
    samples: str
    """File of the run's folder for the samples."""
    judged: str
    """File for the same with rewards."""
    stages: tuple[str, str]
    """Names of sampling and of judging."""


def collect(
    what: Collection,
    folder: RunFolder,
    sampler: Sampler,
    verifier: ExecutionVerifier,
    config: RAFTConfig,
    known: Known,
    on_progress: Callable[[str, float], None],
) -> tuple[list[TrainingSample], float]:
    """Return judged samples; those that an interrupted run has sampled or judged stay.

    Args:
        what: Which samples.
        folder: The run's folder.
        sampler: Completes prompts.
        verifier: Judges.
        config: The options.
        known: Programs that were judged before, to which this call adds its own.
        on_progress: Called with one line and a share of the work, from this thread and another.

    Returns:
        The samples, and the seconds that judging took after the last one was sampled.
    """
    sampled, judged = folder.samples(what.samples), folder.samples(what.judged)
    total = len(what.prompts) * what.each
    begun, tokens = time.monotonic(), 0
    first, second = (each.replace("_", " ") for each in what.stages)
    by_id = {each.id: each for each in what.prompts}

    def keep_judged(samples: Sequence[TrainingSample]) -> None:
        folder.append(what.judged, samples)
        judged.extend(samples)
        passed = sum(each.passed for each in judged) / max(len(judged), 1)
        line = f"{second} {len(judged):,} of {total:,}, {percent(passed)} pass"
        on_progress(line, len(judged) / total)

    def judge(samples: Sequence[TrainingSample]) -> None:
        judge_samples(samples, by_id, verifier, config.extraction, keep_judged, known, what.step)

    def put(samples: Sequence[TrainingSample]) -> None:
        """Judge a block; a fault of an earlier one is raised, so that no more is sampled."""
        for each in blocks:
            if each.done():
                each.result()
        blocks.append(thread.submit(judge, list(samples)))

    def keep(samples: Sequence[TrainingSample]) -> None:
        nonlocal tokens
        folder.append(what.samples, samples)
        sampled.extend(samples)
        put(samples)
        tokens += sum(each.tokens for each in samples)
        rate = tokens / max(time.monotonic() - begun, 1e-9)
        line = f"{first} {len(sampled):,} of {total:,}, {rate:,.0f} tokens a second"
        on_progress(line, len(sampled) / total)

    blocks: list[Future[None]] = []
    thread = ThreadPoolExecutor(1, "steelyard-judge")  # judges in order while the model samples
    try:
        put(sampled[len(judged) :])
        sample_prompts(
            what.prompts, what.each, sampler, temperature=what.temperature, seed=what.seed,
            max_new_tokens=config.max_new_tokens, batch_size=config.sampling_batch_size,
            known=list(sampled), keep=keep,
        )  # fmt: skip
        waited = time.monotonic()
        for each in blocks:
            each.result()
    finally:
        thread.shutdown(cancel_futures=True)
    return judged, time.monotonic() - waited
