"""What decides a verifier's verdicts, written down."""

import json

import pytest

from steelyard import ExecutionVerifier, Limits, binary, pass_rate
from steelyard.training import Annealed


def shaping(**given: object) -> str:
    verifier = ExecutionVerifier(language="python", **given)  # type: ignore[arg-type]
    return json.dumps(verifier.shaping())


def test_equal_verifiers_are_written_alike_in_every_process() -> None:
    text = shaping(reward=Annealed(pass_rate, binary, steps=5), limits=Limits(cpu_ms=7))
    assert text == shaping(reward=Annealed(pass_rate, binary, steps=5), limits=Limits(cpu_ms=7))
    assert " at 0x" not in text
    assert shaping() == shaping(max_workers=3, test_cases=[{"input": "", "expected": ""}])


@pytest.mark.parametrize(
    "given",
    [
        {"match_mode": "tokens"},
        {"run_timeout": 1},
        {"limits": Limits(memory_mib=99)},
        {"reward": binary},
        {"reward": Annealed(pass_rate, binary, steps=5)},
        {"entry": "function:f"},
        {"policy": "no-imports"},
    ],
)
def test_whatever_changes_a_verdict_is_written(given: dict[str, object]) -> None:
    assert shaping(**given) != shaping()


def test_a_policy_is_written_with_its_arguments() -> None:
    first, second = (Annealed(pass_rate, binary, steps=steps) for steps in (5, 6))
    assert shaping(reward=first) != shaping(reward=second)
