"""Samples of a cycle are judged once each, and never scored by a machine's fault."""

from typing import Any

import pytest

from steelyard import ExecutionVerifier, InfrastructureError, pass_rate
from steelyard.schemas import TrainingSample, Verdict
from steelyard.training import Annealed
from steelyard.training.raft._collecting import Known, judge_samples
from steelyard.training.raft._figures import signals_in
from steelyard.training.raft._prompts import TrainingPrompt, read_prompts

VERIFIER = ExecutionVerifier(language="python")
PROMPTS = read_prompts(
    [
        {"id": name, "prompt": name, "prefix": "print(", "tests": [{"input": "", "expected": name}]}
        for name in ("1", "2")
    ],
    VERIFIER,
)
BY_ID: dict[str, TrainingPrompt] = {each.id: each for each in PROMPTS}


def judged(
    completions: list[tuple[str, str]],
    known: Known,
    verifier: ExecutionVerifier = VERIFIER,
    step: int = 1,
) -> list[TrainingSample]:
    samples = [
        TrainingSample(prompt=prompt, sample=number, completion=text)
        for number, (prompt, text) in enumerate(completions)
    ]
    found: list[TrainingSample] = []
    judge_samples(samples, BY_ID, verifier, "whole", found.extend, known, step)
    return found


def test_each_prompt_has_its_own_tests_and_the_order_stays() -> None:
    found = judged([("1", "1)"), ("2", "1)"), ("2", "2)"), ("1", "(")], {})
    assert [(each.prompt, each.passed) for each in found] == [
        ("1", True),
        ("2", False),
        ("2", True),
        ("1", False),
    ]
    assert [each.verdict for each in found][1:] == [Verdict.WA, Verdict.AC, Verdict.CE]
    assert [each.reward for each in found] == [1.0, 0.5, 1.0, 0.0]


def test_a_program_is_judged_once_in_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    verify = ExecutionVerifier.verify_batch

    def counted(self: Any, programs: Any, **rest: Any) -> Any:
        asked.append(len(programs))
        return verify(self, programs, **rest)

    monkeypatch.setattr(ExecutionVerifier, "verify_batch", counted)
    known: Known = {}
    first = judged([("1", "1)"), ("1", "1)"), ("2", "1)")], known)
    again = judged([("1", "1)"), ("1", "0)")], known)
    assert asked == [2, 1]
    assert first[0].reward == first[1].reward == again[0].reward == 1.0


def test_a_fault_of_the_machine_is_no_reward_and_is_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def failing(*_: Any, **__: Any) -> Any:
        raise InfrastructureError("the cell was lost; try again")

    known: Known = {}
    with monkeypatch.context() as patch:
        patch.setattr(ExecutionVerifier, "_verify", failing)
        (lost,) = judged([("1", "1)")], known)
    assert (lost.reward, lost.passed, lost.verdict) == (None, False, None)
    assert "the cell was lost" in lost.reason
    assert judged([("1", "1)")], known)[0].passed


def test_completions_that_no_file_can_hold_are_scored() -> None:
    found = judged([("1", "1)\x00"), ("1", "#" * 1_000_000), ("1", "")], {})
    assert [each.reward for each in found] == [0.0, 0.0, 0.0]


def test_a_reward_changes_with_the_cycle() -> None:
    policy = Annealed(pass_rate, lambda _: 0.0, steps=4, start=1)
    verifier = ExecutionVerifier(language="python", reward=policy)
    rewards = [judged([("1", "1)")], {}, verifier, step)[0].reward for step in (1, 3, 5)]
    assert rewards == [1.0, 0.5, 0.0]


def test_signals_of_gaming_are_those_of_the_samples() -> None:
    texts = [
        ("1", "1)"),
        ("2", "1)"),
        ("2", "2) if open('/proc/self/maps') else 0"),
        ("1", "("),
    ]
    found = signals_in(judged(texts, {}), BY_ID)
    assert (found.completions, found.repeated, found.sandbox_attempts) == (4, 2, 1)
    assert (found.visible_pass_rate, found.hidden_pass_rate) == (None, 0.5)
    assert found.reward_by_length[-1].completions == 1
