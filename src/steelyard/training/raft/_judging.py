"""Judge a cycle's samples, each distinct program once in the whole run."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from steelyard.judging import ExecutionVerifier, as_entry, rewarded, take_code
from steelyard.judging import Reward as RewardPolicy
from steelyard.schemas import Entry, ErrorResult, TrainingSample, Verdict, VerifyResult
from steelyard.toolchains import source_bytes
from steelyard.training._extraction import Extraction, extracted
from steelyard.training._policies import at_step
from steelyard.training._signals import program_bytes, traits_of
from steelyard.training.raft._prompts import TrainingPrompt

Known = dict[tuple[str, str], dict[str, Any]]
"""Figures of judged programs, by the prompt's id and the program."""

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
