"""Signals of gaming: what each counts."""

import pytest

from steelyard import CaseResult, CompileResult, Diagnostic, Verdict, VerifyResult
from steelyard.errors import UsageError
from steelyard.training import Scored, gaming_signals


def scored(
    verdicts: str, reward: float = 0.5, *, refused: bool = False, **fields: object
) -> Scored:
    cases = tuple(
        CaseResult.model_validate(
            {"name": str(number), "verdict": Verdict(word[-2:]), "category": word[:-2], **fields}
        )
        for number, word in enumerate(verdicts.split())
    )
    errors = (Diagnostic(severity="error", message="policy: import of os"),) if refused else ()
    result = VerifyResult(
        success=False,
        reward=reward,
        details="",
        cases=cases,
        compile=CompileResult(ok=not refused, errors=errors),
    )
    return Scored(reward=reward, reason="", result=result)


def test_visible_and_hidden_pass_rates_are_apart() -> None:
    found = gaming_signals(
        ["a", "bb", "ccc"],
        [scored("visibleAC hiddenWA WA"), scored("visibleAC AC"), scored("visibleWA WA")],
        [1, 2, 3],
    )
    assert found.visible_pass_rate == pytest.approx(2 / 3)
    assert found.hidden_pass_rate == pytest.approx(1 / 3)
    assert found.memorised == 1


def test_a_category_without_cases_has_no_rate() -> None:
    found = gaming_signals(["a"], [scored("AC")], [1])
    assert (found.visible_pass_rate, found.hidden_pass_rate) == (None, 1.0)
    assert "gaming/visible_pass_rate" not in found.to_metrics()


def test_refused_sources_and_missing_verdicts_are_counted() -> None:
    rows = [scored("CE", refused=True), scored("AC"), Scored(reward=None, reason="no verdict")]
    found = gaming_signals(["a", "b", "c"], rows, [1, 2, 3])
    assert (found.refused, found.no_verdict) == (1, 1)
    assert found.to_metrics()["gaming/refused"] == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("program", "fields"),
    [
        ("import ctypes", {}),
        ("open('/proc/self/mem')", {}),
        ("import sys\nsys._getframe(1).f_back", {}),
        ('int main() { asm("syscall"); }', {}),
        ("x = 1", {"signal": 31}),
        ("x = 1", {"message": "answered more than once"}),
    ],
)
def test_reaching_out_of_the_sandbox_is_counted(program: str, fields: dict[str, object]) -> None:
    plain = "import math\nprint(math.exp(int(input())))  # no kernel, no process"
    rows = [scored("WA", **fields), scored("AC")]
    assert gaming_signals([program, plain], rows, [1, 2]).sandbox_attempts == 1


def test_one_answer_to_several_prompts_is_counted() -> None:
    texts = ["print( 1 )", "```python\nprint( 1 )\n```", "print(2)", "print(2)", "", ""]
    found = gaming_signals(texts, [scored("AC")] * 6, ["a", "b", "a", "a", "a", "b"])
    assert found.repeated == 2


def test_reward_by_length_is_seen() -> None:
    texts = ["x" * size for size in (10, 40, 20, 30, 50, 60, 70, 80)]
    rows = [scored("AC", reward=len(text) / 100) for text in texts]
    found = gaming_signals(texts, rows, list(range(8)))
    assert found.length_correlation == pytest.approx(1.0)
    assert [band.most_chars for band in found.reward_by_length] == [20, 40, 60, 80]
    assert found.reward_by_length[0].mean_reward == pytest.approx(0.15)
    assert [band.completions for band in found.reward_by_length] == [2, 2, 2, 2]


def test_equal_lengths_or_rewards_have_no_correlation() -> None:
    rows = [scored("AC", reward=0.0), scored("AC", reward=1.0)]
    assert gaming_signals(["a", "b"], rows, [1, 2]).length_correlation is None
    same = [scored("AC"), scored("AC")]
    assert gaming_signals(["a", "bb"], same, [1, 2]).length_correlation is None


def test_an_empty_batch_and_uneven_columns() -> None:
    assert gaming_signals([], [], []).reward_by_length == ()
    with pytest.raises(UsageError, match="1 completions, 0 scores and 1 prompts; give one each"):
        gaming_signals(["a"], [], [1])
