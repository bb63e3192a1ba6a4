"""Sample a cycle's completions batch by batch, each batch on the disk as soon as it is there."""

from collections.abc import Callable, Sequence
from typing import Protocol

from steelyard.schemas import TrainingSample
from steelyard.training.raft._language_model import Completion
from steelyard.training.raft._prompts import TrainingPrompt

__all__ = ["Sampler", "sample_prompts"]

_PRIME = 1_000_003


class Sampler(Protocol):
    """Whatever completes prompts: the model in this process, or a server."""

    def sample(
        self,
        prompts: Sequence[TrainingPrompt],
        temperature: float,
        seed: int,
        max_new_tokens: int,
    ) -> list[Completion]:
        """Return a completion of each prompt, in order; a prompt may occur often."""


def sample_prompts(
    prompts: Sequence[TrainingPrompt],
    each: int,
    sampler: Sampler,
    *,
    temperature: float,
    seed: int,
    max_new_tokens: int,
    batch_size: int,
    known: Sequence[TrainingSample],
    keep: Callable[[Sequence[TrainingSample]], None],
) -> None:
    """Sample every prompt, except the batches that are known.

    Each batch has a seed of its own, so an interrupted run resumes with the samples that it would
    have had.

    Args:
        prompts: What to complete.
        each: Samples of each prompt.
        sampler: Completes them.
        temperature: 0 takes the likeliest token.
        seed: Of this cycle.
        max_new_tokens: The longest completion.
        batch_size: Completions to a batch, about.
        known: Samples that an interrupted run has left: whole batches, from the first.
        keep: Receives the samples of each batch.
    """
    step = max(1, batch_size // each)
    done = {(sample.prompt, sample.sample) for sample in known}
    for start in range(0, len(prompts), step):
        batch = prompts[start : start + step]
        if all((prompt.id, number) in done for prompt in batch for number in range(each)):
            continue
        repeated = [prompt for prompt in batch for _ in range(each)]
        completions = sampler.sample(
            repeated, temperature, (seed * _PRIME + start) % (1 << 31), max_new_tokens
        )
        found = [
            TrainingSample(
                prompt=prompt.id,
                sample=number % each,
                completion=completion.text,
                tokens=completion.tokens,
                ended=completion.ended,
            )
            for number, (prompt, completion) in enumerate(zip(repeated, completions, strict=True))
        ]
        keep([sample for sample in found if (sample.prompt, sample.sample) not in done])
