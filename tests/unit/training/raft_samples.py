"""Judged samples for tests of what a cycle keeps and counts."""

from typing import Any

from steelyard.judging import LoadedTask
from steelyard.schemas import Task, TestCase, TestSuite, TrainingSample
from steelyard.training.raft._prompts import TrainingPrompt

ROW = LoadedTask(
    Task(id="1", prompt=""), TestSuite(cases=(TestCase(name="1", input=b"1", expected=b"1"),))
)


def sample(prompt: str, number: int, *, passed: bool = True, **more: Any) -> TrainingSample:
    """A sample whose reward is the ladder's, unless `reward` is given."""
    fields: dict[str, Any] = {
        "completion": f"{prompt}{number}",
        "reward": 1.0 if passed else 0.5,
    } | more
    return TrainingSample(prompt=prompt, sample=number, passed=passed, **fields)


def prompt(name: str, difficulty: float = 0.0) -> TrainingPrompt:
    """A prompt with one case."""
    return TrainingPrompt(name, f"solve {name}", ROW, difficulty=difficulty)
