"""Health of rewards: references that fail, flaky rows, replies without code, equal groups.

1. `check_references` judges the right solutions that rows hold.
2. `rewards_of` counts the figures of a model's judged samples.
3. `reward_report` does both for rows and completions of any trainer; a run does so for its own.

A row is flaky if one program gets two verdicts from it.
"""

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from steelyard._printable import printable
from steelyard.errors import UsageError
from steelyard.judging import ExecutionVerifier, LoadedTask
from steelyard.sandbox import shared_pool
from steelyard.schemas import RewardReport, TrainingSample, Verdict, VerifyResult
from steelyard.training._extraction import Completion, Extraction, text_of
from steelyard.training._reward import IN_FLIGHT
from steelyard.training.raft._judging import judge_samples
from steelyard.training.raft._prompts import PromptSource, TrainingPrompt, prompt_of, rows_of


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
