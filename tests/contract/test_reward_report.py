"""Health of rewards: what `reward_report` finds in rows and in completions."""

import json
from pathlib import Path
from typing import Any

import pytest

from steelyard import ExecutionVerifier, UsageError, reward_report
from steelyard.datasets import write_tasks
from steelyard.schemas import Task, TaskSolution, TestSuite
from steelyard.training import RewardReport, reward
from tests.exported_rows import exported_rows

TESTS = ({"input": "1", "expected": "1"}, {"input": "2", "expected": "2"})
RIGHT = "print(input())"
COIN = "import os\nprint(input() if os.urandom(1)[0] < 128 else 'no')"
MANY = tuple({"input": f"{n}", "expected": f"{n}"} for n in range(40))


def task(name: str, *sources: str, tests: Any = TESTS, **more: Any) -> Task:
    solutions = tuple(TaskSolution(source=each) for each in sources)
    return Task(id=name, prompt=f"Echo {name}.", tests=tests, solutions=solutions, **more)


def test_references_are_judged_and_those_that_fail_or_vary_are_named() -> None:
    rows = [
        task("good", RIGHT),
        task("bad", "print(3)"),
        task("none"),
        task("random", COIN, tests=MANY),
        Task(
            id="wrong ones",
            prompt="Echo.",
            tests=TESTS,
            solutions=(TaskSolution(source="print(3)", label="wrong"),),
        ),
    ]
    report = reward_report(rows)
    assert (report.rows, report.references) == (5, 3)
    assert set(report.failing) <= {"bad", "random"}
    assert "bad" in report.failing
    assert report.flaky == ("random",)
    assert not report.passed
    assert report.notes[0].startswith("bad: compiled; 0 of 2 tests passed")
    assert "5 rows, and the reference of " in str(report)
    assert "1 (random) flaky" in str(report)
    assert "\n" not in str(report)
    assert RewardReport.model_validate_json(report.to_json()) == report


def test_a_row_fails_if_no_language_has_a_right_reference() -> None:
    cpp = "#include <iostream>\nint main() { int n; std::cin >> n; std::cout << n; }"
    both = (TaskSolution(source="print(3)"), TaskSolution(source=cpp, language="cpp"))
    report = reward_report([Task(id="a", prompt="Echo.", tests=TESTS, solutions=both)])
    assert (report.references, report.failing) == (1, ())


def test_groups_and_replies_without_code_are_counted() -> None:
    rows = [task(name) for name in "abcd"]
    completions: list[Any] = [
        [RIGHT, RIGHT, RIGHT],
        [RIGHT, "print(3)", "I cannot solve this."],
        ["print(3)", "print(4)", "```python\nprint(\n```"],
        RIGHT,
    ]
    report = reward_report(rows, completions)
    assert (report.completions, report.without_code, report.unjudged) == (10, 1, 0)
    assert (report.groups, report.without_variance, report.always_passed) == (3, 1, 1)
    assert report.passed
    assert report.judging_s > 0
    assert "1 of 3 groups without variance; 1 of these always pass" in str(report)
    ladder = reward_report(
        rows, completions, verifier=ExecutionVerifier(language="python", partial_credit=False)
    )
    assert (ladder.without_variance, ladder.always_passed) == (2, 1)
    assert not reward_report(rows[:1], completions[:1]).passed


def test_rows_of_one_prompt_are_one_group_and_conversations_count() -> None:
    said = [{"role": "user", "content": "?"}, {"role": "assistant", "content": RIGHT}]
    rows = [
        {"prompt": said[:1], "tests": json.dumps(TESTS)},
        {"prompt": said[:1], "tests": list(TESTS)},
        {"tests": [{"input": "7", "expected": "7"}], "id": None},
    ]
    report = reward_report(rows, [said, "print(3)", [said, said]])
    assert (report.rows, report.groups, report.without_variance) == (2, 2, 1)
    assert report.always_passed == 1


def test_a_program_with_two_verdicts_makes_its_row_flaky() -> None:
    coins = [[f"{COIN}  # {n}" for n in range(9)], [RIGHT]]
    report = reward_report([task("a", tests=MANY), task("b")], coins)
    assert report.flaky == ("a",)


def test_completions_agree_with_reward_in_every_form() -> None:
    rows = exported_rows()
    report = reward_report([each.row for each in rows], [each.completion for each in rows])
    assert (report.completions, report.unjudged, report.groups) == (26, 0, 3)
    scored = reward().score([each.completion for each in rows], [each.row for each in rows])
    assert [each.reward for each in scored] == [each.reward for each in rows]


def test_a_file_of_rows_is_read(tmp_path: Path) -> None:
    write_tasks([task("a", RIGHT), task("b", "print(3)")], tmp_path / "rows.jsonl")
    assert reward_report(tmp_path / "rows.jsonl").failing == ("b",)


def test_what_has_no_verdict_is_noted_and_never_scored() -> None:
    broken = {"prompt": "p", "entry": "asserts", "tests": [{"code": "import not_here"}]}
    hostile = ["\ud800", "\x00", "```" * 1000, "", "def f(x): return x"]
    report = reward_report([broken, task("b")], [["def f(x): return x"], hostile])
    assert (report.unjudged, report.completions) == (1, 6)
    assert report.notes == tuple(each for each in report.notes if each.startswith("1: no verdict"))
    assert len(report.notes) == 1


@pytest.mark.parametrize(
    ("rows", "completions", "said"),
    [
        ([task("a")], ["x", "y"], "1 rows but completions of 2; give one each"),
        ([{"prompt": "p"}], [], "prompts:1 has no tests"),
        ([7], [], "prompts:1 is neither a text nor an object"),
        ([task("a")], [[7]], "a completion is int"),
        ([TestSuite()], [], "prompts:1 is neither a text nor an object"),
        ("/nowhere.jsonl", [], "no such file or folder"),
    ],
)
def test_a_wrong_call_is_one_line(rows: Any, completions: Any, said: str) -> None:
    with pytest.raises(UsageError, match=said) as raised:
        reward_report(rows, completions)
    assert "\n" not in str(raised.value)
