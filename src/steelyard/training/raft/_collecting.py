"""Sample prompts and judge the samples meanwhile; both resume where they were interrupted.

Each distinct program is judged once in the whole run.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, Protocol

from steelyard.judging import ExecutionVerifier, as_entry, rewarded, take_code
from steelyard.judging import Reward as RewardPolicy
from steelyard.reports import percent
from steelyard.schemas import Entry, ErrorResult, TrainingSample, Verdict, VerifyResult
from steelyard.toolchains import source_bytes
from steelyard.training._reward_policies import at_step
from steelyard.training._score_completions import Extraction, extracted
from steelyard.training._signals import program_bytes, traits_of
from steelyard.training.raft._config import RAFTConfig
from steelyard.training.raft._folder import RaftFolder, lines_of
from steelyard.training.raft._language_model import Completion
from steelyard.training.raft._prompts import TrainingPrompt

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
    config: RAFTConfig,
    *,
    temperature: float,
    seed: int,
    known: Sequence[TrainingSample] = (),
) -> Iterator[list[TrainingSample]]:
    """Sample every prompt, and yield the samples of each batch, except those that are known.

    Each batch has a seed of its own, so an interrupted run resumes with the samples that it would
    have had.

    Args:
        prompts: What to complete.
        each: Samples of each prompt.
        sampler: Completes them.
        config: Limits batches and completions.
        temperature: 0 takes the likeliest token.
        seed: Of this cycle.
        known: Samples that an interrupted run has left: whole batches, from the first.
    """
    step = max(1, config.sampling_batch_size // each)
    done = {(sample.prompt, sample.sample) for sample in known}
    for start in range(0, len(prompts), step):
        repeated = [prompt for prompt in prompts[start : start + step] for _ in range(each)]
        if all((prompt.id, number % each) in done for number, prompt in enumerate(repeated)):
            continue
        completions = sampler.sample(
            repeated, temperature, (seed * _PRIME + start) % (1 << 31), config.max_new_tokens
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
        yield [sample for sample in found if (sample.prompt, sample.sample) not in done]


class Collection(NamedTuple):
    """One collection of a run: which samples, and where they are kept."""

    prompts: Sequence[TrainingPrompt]
    each: int
    """Samples of each prompt."""
    temperature: float
    seed: int
    step: int
    """The cycle, for reward policies that change with it."""
    files: tuple[str, str]
    """Files of the run's folder for the samples, without and with rewards."""
    stages: tuple[str, str]
    """Names of sampling and of judging."""


Known = dict[tuple[str, str], dict[str, Any]]
"""Figures of judged programs, by the prompt's id and the program."""


def collect(
    what: Collection,
    folder: RaftFolder,
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
    sampled, judged = map(folder.samples, what.files)
    total = len(what.prompts) * what.each
    begun, tokens = time.monotonic(), 0
    sampling, judging = (each.replace("_", " ") for each in what.stages)
    by_id = {each.id: each for each in what.prompts}

    def keep(samples: Sequence[TrainingSample]) -> None:
        folder.append_lines(what.files[1], lines_of(samples))
        judged.extend(samples)
        passed = sum(each.passed for each in judged) / max(len(judged), 1)
        line = f"{judging} {len(judged):,} of {total:,}, {percent(passed)} pass"
        on_progress(line, len(judged) / total)

    def judge(samples: Sequence[TrainingSample]) -> None:
        judge_samples(samples, by_id, verifier, config.extraction, keep, known, what.step)

    thread = ThreadPoolExecutor(1, "steelyard-judge")  # judges in order while the model samples
    try:
        blocks = [thread.submit(judge, sampled[len(judged) :])]
        for samples in sample_prompts(
            what.prompts,
            what.each,
            sampler,
            config,
            temperature=what.temperature,
            seed=what.seed,
            known=tuple(sampled),
        ):
            folder.append_lines(what.files[0], lines_of(samples))
            sampled += samples
            for each in blocks:
                if each.done():
                    each.result()  # a fault of judging ends the sampling
            blocks.append(thread.submit(judge, samples))
            tokens += sum(each.tokens for each in samples)
            rate = tokens / max(time.monotonic() - begun, 1e-9)
            line = f"{sampling} {len(sampled):,} of {total:,}, {rate:,.0f} tokens a second"
            on_progress(line, len(sampled) / total)
        waited = time.monotonic()
        for each in blocks:
            each.result()
    finally:
        thread.shutdown(cancel_futures=True)
    return judged, time.monotonic() - waited


_BLOCK = 512
"""Samples that are judged before their rewards are handed out."""


def judge_samples(
    samples: Sequence[TrainingSample],
    prompts: Mapping[str, TrainingPrompt],
    verifier: ExecutionVerifier,
    extraction: Extraction,
    keep: Callable[[Sequence[TrainingSample]], None],
    known: Known,
    step: int,
) -> None:
    """Judge samples block by block.

    What the infrastructure could not judge has no reward, and is neither kept nor counted.

    Args:
        samples: What to judge.
        prompts: By id, with their tests.
        verifier: Judges.
        extraction: Takes the program out of a completion.
        keep: Receives each block with its rewards, in the order of `samples`.
        known: Programs that were judged before, to which this call adds its own: a model that
            improves repeats itself, cycle after cycle. Not for another step, if the reward
            policy changes with it.
        step: The cycle, for reward policies that change with it.

    Raises:
        UsageError: if tests or programs cannot be judged at all, such as for a missing compiler.
    """
    policy = at_step(verifier.reward, step)
    for start in range(0, len(samples), _BLOCK):
        block = samples[start : start + _BLOCK]
        taken = [
            _program_of(prompts[each.prompt], each.completion, verifier.language, extraction)
            for each in block
        ]
        keys = [(each.prompt, program) for each, (program, _) in zip(block, taken, strict=True)]
        new = list(dict.fromkeys(key for key in keys if key not in known))
        results = verifier.verify_batch(
            [program for _, program in new],
            suites=[prompts[name].row for name, _ in new],
            on_error="result",
        )
        now = {
            key: _figures(key[1], as_entry(prompts[key[0]].row.task.entry), result, policy)
            for key, result in zip(new, results, strict=True)
        }
        known.update((key, each) for key, each in now.items() if "reward" in each)
        keep(
            [
                _with(sample, fault, known.get(key) or now[key])
                for sample, key, (_, fault) in zip(block, keys, taken, strict=True)
            ]
        )


def _with(sample: TrainingSample, fault: str, figures: dict[str, Any]) -> TrainingSample:
    """Return a sample with its figures, and the reason if it holds no program."""
    if not fault and figures.get("verdict") is Verdict.CE:
        fenced = take_code(source_bytes(sample.completion), None).fenced
        fault = "" if fenced else "no code: the text has no fenced block, and does not compile"
    return sample.model_copy(update={"reason": fault} | figures)


def _program_of(
    prompt: TrainingPrompt, completion: str, language: str, extraction: Extraction
) -> tuple[str, str]:
    """Return the program that a completion makes, and the reason if it holds none."""
    language = prompt.row.task.language or language
    reply, fault = extracted(prompt.prefix + completion, language, extraction)
    return "" if fault else prompt.program_of(reply), fault


def _figures(
    program: str, entry: Entry, result: VerifyResult | ErrorResult, policy: RewardPolicy
) -> dict[str, Any]:
    """Return what stays of a judgement: its outputs may be large."""
    if isinstance(result, ErrorResult):
        return {"reason": f"no verdict: {result.message}"}
    failed = (each.verdict for each in result.cases if each.verdict is not Verdict.AC)
    return {
        "reward": rewarded(result, policy).reward,
        "passed": result.success,
        "verdict": Verdict.AC if result.success else next(failed, Verdict.CE),
        "cases_passed": sum(each.verdict is Verdict.AC for each in result.cases),
        "cases": len(result.cases),
        **traits_of(program_bytes(program, entry), result)._asdict(),
    }
