"""`judge` in one call: its options, its events, its report."""

import json
from pathlib import Path

import pytest

import steelyard
from steelyard import VerifyResult
from steelyard.errors import TestsError, UsageError
from steelyard.sandbox import CellPool
from steelyard.schemas import Event

TESTS = [{"input": "", "expected": "1"}, {"input": "", "expected": "2"}]


def test_each_case_is_an_event(pool: CellPool) -> None:
    events: list[Event] = []
    result = steelyard.judge("print(1)", TESTS, pool=pool, on_event=events.append)
    assert [event.job for event in events] == ["judge", "judge"]
    assert [event.share for event in events] == [0.5, 1.0]
    assert [event.stage for event in events] == ["1 of 2 cases", "2 of 2 cases"]
    by_name = {event.case.name: event.case for event in events if event.case}
    assert tuple(by_name[case.name] for case in result.cases) == result.cases


def test_a_result_is_a_report(pool: CellPool) -> None:
    result = steelyard.judge("```python\nprint(1)\n```", TESTS, pool=pool)
    assert (result.passed, result.pass_rate) == (False, 0.5)
    assert result.seconds > 0
    assert str(result).startswith("failed, reward 0.75: compiled; 1 of 2 tests passed")
    data = json.loads(result.to_json())
    assert (data["passed"], data["success"], data["pass_rate"]) == (False, False, 0.5)
    assert data["notes"] == ["judged fenced `python` block 1 of 1 of the reply"]
    assert VerifyResult.model_validate_json(result.to_json()) == result
    assert "VerifyResult: did not pass" in result._repr_html_()


async def test_the_twin_gives_the_same(pool: CellPool) -> None:
    result = await steelyard.ajudge("print(1)", TESTS, pool=pool, reward=steelyard.binary)
    assert (result.reward, result.pass_rate) == (0.0, 0.5)


def test_a_text_of_tests_is_a_path(pool: CellPool, tmp_path: Path) -> None:
    file = tmp_path / "tests.jsonl"
    file.write_text('{"input": "", "expected": "1"}\n')
    assert steelyard.judge("print(1)", str(file), pool=pool).passed
    with pytest.raises(TestsError, match="no such file or folder"):
        steelyard.judge("print(1)", '[{"input": "", "expected": "1"}]', pool=pool)


def test_a_wrong_option_says_which(pool: CellPool) -> None:
    with pytest.raises(UsageError, match=r"^match_mode: input should be 'exact'.*got 'fuzzy'"):
        steelyard.judge("print(1)", TESTS, match_mode="fuzzy", pool=pool)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"^compile_timeout_s: "):
        steelyard.judge("print(1)", TESTS, compile_timeout_s=0, pool=pool)
