"""The message that goes back to a model: what it shows, and what it never shows."""

from pathlib import Path
from typing import Any

import pytest

from steelyard.errors import UsageError
from steelyard.judging import load_tests
from steelyard.sandbox import CellPool
from steelyard.schemas import Entry, Limits
from steelyard.training import feedback, reward
from steelyard.training._turns import Turns
from steelyard.training.adapters._known_adapters import rows_of

TESTS = [
    {"input": "2", "expected": "4", "category": "visible"},
    {"input": "31337", "expected": "62674", "category": "hidden"},
]
DOUBLE = "print(2 * int(input()))"


def message(
    pool: CellPool, reply: str, tests: Any = TESTS, entry: str = "stdio", **options: Any
) -> str | None:
    judge = reward(pool=pool, entry=entry, limits=Limits(cpu_ms=300, wall_ms=3_000))
    [scored] = judge.score([reply], [tests])
    return feedback(scored, load_tests(tests, entry=Entry.parse(entry)), **options)


def test_a_reply_that_passes_gets_no_message(pool: CellPool) -> None:
    assert message(pool, DOUBLE) is None


def test_a_visible_case_is_shown_whole(pool: CellPool) -> None:
    assert message(pool, "print(input())") == (
        "The program fails 2 of 2 tests. Test 1: wrong answer.\n\n"
        "Input:\n2\n\n"
        "line 1, column 1: expected '4', got '2'\n\n"
        "Correct the program and reply with all of it."
    )


@pytest.mark.parametrize(
    ("program", "outcome"),
    [
        ("print(int(input()) ** 2)", "wrong answer"),
        ("x = input()\nif x != '2': raise ValueError(x)\nprint(4)", "run-time error"),
        ("x = input()\nwhile x != '2': pass\nprint(4)", "time limit exceeded"),
    ],
)
def test_of_a_hidden_case_only_the_verdict_is_shown(
    pool: CellPool, program: str, outcome: str
) -> None:
    assert message(pool, program) == (
        f"The program fails 1 of 2 tests. Test 2: {outcome}.\n\n"
        "Correct the program and reply with all of it."
    )
    assert "31337" in str(message(pool, program, show_hidden=True))


def test_a_visible_case_is_chosen_before_an_earlier_hidden_one(pool: CellPool) -> None:
    shown = message(pool, "print(input())", TESTS[::-1])
    assert shown is not None
    assert "Test 2: wrong answer.\n\nInput:\n2" in shown


@pytest.mark.parametrize(
    ("reply", "beginning"),
    [
        ("I would double it.", "The program does not compile:\n1:"),
        ("", "The program does not compile:\nthe program is empty\n"),
        ("<think>What is asked", "The program does not compile:\nthe program is empty\n"),
    ],
)
def test_a_reply_without_a_program(pool: CellPool, reply: str, beginning: str) -> None:
    assert str(message(pool, reply)).startswith(beginning)


def test_calls_and_assertions_are_shown_as_text(pool: CellPool) -> None:
    call = {"args": [[1, 2]], "kwargs": {"by": 3}, "expected": 9, "category": "visible"}
    shown = str(message(pool, "def f(xs, by): return by", [call], "function:f"))
    assert "Arguments:\n[1, 2], by=3\n" in shown
    check = {"code": "assert f(2) == 4", "category": "visible"}
    shown = str(message(pool, "def f(x): return x", [check], "asserts"))
    assert "Assertions:\nassert f(2) == 4\n" in shown


def test_a_huge_input_is_cut(pool: CellPool) -> None:
    tests = [{"input": "7" * 100_000, "expected": "x", "category": "visible"}]
    assert len(str(message(pool, "print(input())", tests))) < 3_000


@pytest.mark.parametrize("turns", [0, -1, True, 1.5, "3"])
def test_turns_are_a_number_above_0(pool: CellPool, turns: Any) -> None:
    with pytest.raises(UsageError, match="turns must be a number above 0, got"):
        Turns(reward(pool=pool), turns)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there are no rows"),
        ("[]\n", ":1: not an object"),
        ('{"prompt": ""}\n{', ":2: not JSON"),
        ("[" * 100_000, ":1: JSON nested too deep"),
        ("\udcff", "is not UTF-8"),
        (None, "no such file"),
    ],
)
def test_a_file_of_rows_that_cannot_be_read_is_one_line(
    tmp_path: Path, text: str | None, message: str
) -> None:
    file = tmp_path / "tasks.jsonl"
    if text is not None:
        file.write_text(text, errors="surrogateescape")
    with pytest.raises(UsageError, match=message) as raised:
        rows_of(file)
    assert "\n" not in str(raised.value)
