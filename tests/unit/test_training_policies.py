"""Reward policies as functions of a result."""

import pickle
from typing import Any

import pytest

from steelyard import CaseResult, CompileResult, Verdict, VerifyResult, binary, graduated, pass_rate
from steelyard.errors import UsageError
from steelyard.training import Annealed, Blend, ByCategory, Efficient, RewardOptions, hidden_only


def result(verdicts: str, *, cpu_ms: float = 0.0, compiled: bool = True) -> VerifyResult:
    """A result of cases such as `visible:AC hidden:WA`."""
    cases = []
    for number, word in enumerate(verdicts.split()):
        category, _, verdict = word.rpartition(":")
        cases.append(
            CaseResult(name=str(number), verdict=Verdict(verdict), category=category, cpu_ms=cpu_ms)
        )
    passed = all(case.verdict is Verdict.AC for case in cases)
    return VerifyResult(
        success=compiled and passed,
        reward=0.0,
        details="",
        compile=CompileResult(ok=compiled),
        cases=tuple(cases),
    )


def test_hidden_cases_alone_count() -> None:
    assert hidden_only(result("visible:AC visible:AC hidden:WA large:AC")) == 0.5
    assert hidden_only(result("visible:CE hidden:CE", compiled=False)) == 0.0
    with pytest.raises(UsageError, match="no case is hidden"):
        hidden_only(result("visible:AC"))


def test_categories_are_weighted_whatever_their_number_of_cases() -> None:
    policy = ByCategory({"visible": 1, "hidden": 3})
    assert policy(result("visible:AC visible:AC visible:AC hidden:WA")) == 0.25
    assert policy(result("visible:WA hidden:AC hidden:WA")) == 0.375
    assert policy(result("hidden:AC")) == 1.0
    assert policy(result("visible:CE hidden:CE", compiled=False)) == 0.0
    with pytest.raises(UsageError, match="category 'large' has no weight; weights are given for"):
        policy(result("large:AC"))


@pytest.mark.parametrize(
    ("cpu_ms", "reward"), [(1, 1.0), (10, 1.0), (20, 1.0), (44.72136, 0.75), (100, 0.5), (1e4, 0.5)]
)
def test_speed_counts_only_for_programs_that_pass(cpu_ms: float, reward: float) -> None:
    policy = Efficient(reference_cpu_ms=20)
    assert policy(result("AC AC", cpu_ms=cpu_ms)) == pytest.approx(reward, abs=1e-6)
    assert policy(result("AC WA", cpu_ms=cpu_ms)) == 0.0


def test_the_reference_may_be_a_judged_program() -> None:
    policy = Efficient.against(result("AC AC", cpu_ms=3))
    assert policy.reference_cpu_ms == 6
    with pytest.raises(UsageError, match="the reference fails"):
        Efficient.against(result("WA"))


def test_a_policy_turns_into_another_over_the_steps() -> None:
    policy = Annealed(pass_rate, binary, steps=10, start=5)
    half = result("AC WA")
    found = [policy.at(step)(half) for step in (0, 5, 10, 15, 99)]
    assert found == [0.5, 0.5, 0.25, 0.0, 0.0]
    assert policy(half) == 0.5


def test_parts_of_a_blend_follow_the_steps() -> None:
    policy = Blend([(0.5, Annealed(pass_rate, binary, steps=2)), (-1.0, graduated)])
    half = result("AC WA")
    assert policy(half) == 0.25 - 0.75
    assert policy.at(2)(half) == -0.75


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ByCategory({"a": -1}), "weights.a: .* greater than or equal to 0, got -1"),
        (lambda: ByCategory({"a": float("nan")}), "weights.a: .* a finite number, got nan"),
        (lambda: ByCategory({"a": 0}), "no category has a weight above 0"),
        (lambda: Efficient(0), "reference_cpu_ms: .* greater than 0, got 0"),
        (lambda: Efficient(5, passing=1.5), "passing: .* less than or equal to 1, got 1.5"),
        (lambda: Efficient(5, free=9, limit=3), "free must be below limit, got 9.0 and 3.0"),
        (lambda: Annealed(binary, binary, steps=0), "steps: .* greater than or equal to 1, got 0"),
    ],
)
def test_wrong_parameters_are_one_line(make: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message) as raised:
        make()
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    "policy",
    [
        ByCategory({"": 1.0}),
        Efficient(3.0),
        Blend([(1.0, binary)]),
        Annealed(binary, pass_rate, steps=3),
    ],
)
def test_policies_can_be_sent_to_another_process(policy: Any) -> None:
    assert pickle.loads(pickle.dumps(policy)) == policy


def test_policies_have_names_for_configuration_files() -> None:
    assert RewardOptions.of(reward="hidden_only").reward is hidden_only


@pytest.mark.parametrize(
    ("given", "made"),
    [
        ("hidden_only", hidden_only),
        ({"efficient": {"reference_cpu_ms": 20}}, Efficient(reference_cpu_ms=20)),
        ({"by_category": {"weights": {"a": 1}}}, ByCategory({"a": 1})),
        (
            {"annealed": {"first": "pass_rate", "last": "binary", "steps": 5, "start": 1}},
            Annealed(pass_rate, binary, steps=5, start=1),
        ),
        (
            {"blend": {"parts": [[0.8, "binary"], [-0.2, {"by_category": {"weights": {"a": 1}}}]]}},
            Blend([(0.8, binary), (-0.2, ByCategory({"a": 1}))]),
        ),
        (binary, binary),
    ],
)
def test_a_file_names_a_policy_with_its_arguments(given: Any, made: object) -> None:
    assert RewardOptions.of(reward=given).reward == made


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("annealed", "annealed needs arguments"),
        (7, "a policy's name, .*, got 7"),
        ({"binary": {}}, "binary takes no arguments; use one of"),
        ({"best": {}}, "unknown reward policy 'best'; .* one of annealed, "),
        (
            {"blend": {"parts": []}, "efficient": {}},
            "a mapping with one such key, .*, got {'blend'",
        ),
        ({"blend": [[1, "binary"]]}, "Blend: .*; its arguments are parts"),
        ({"blend": {"parts": [1, 2]}}, "parts.1: .* a valid tuple, got 2"),
        ({"blend": {"parts": "binary"}}, "parts: .*, got 'binary'"),
        ({"blend": {"parts": [["1", "binary"]]}}, "parts.0.0: .* a valid number, got '1'"),
        ({"annealed": {"first": "binary", "steps": 5}}, "Annealed.last: Field required"),
        ({"annealed": {"first": "binary", "last": "best", "steps": 5}}, "policy 'best'"),
        (
            {"annealed": {"first": "binary", "last": "binary", "steps": "5"}},
            "steps: .* a valid integer, got '5'",
        ),
        (
            {"efficient": {"reference": 5}},
            "reference: Unexpected .*; its arguments are reference_cpu_ms",
        ),
        ({"by_category": {"weights": [1]}}, "weights: .*, got \\[1\\]"),
    ],
)
def test_a_policy_that_a_file_cannot_have_is_one_line(given: Any, said: str) -> None:
    with pytest.raises(UsageError, match=said) as raised:
        RewardOptions.of(reward=given)
    assert "\n" not in str(raised.value)
