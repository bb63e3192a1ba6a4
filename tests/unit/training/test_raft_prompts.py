"""Prompts and their tests."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

from steelyard import ExecutionVerifier, UsageError
from steelyard.training.raft import RAFTConfig
from steelyard.training.raft._prompts import digest_of, read_prompts, split_prompts
from steelyard.training.raft._trainer import read_data
from tests.unit.training.raft_samples import prompt

CASES = [{"input": "1\n", "expected": "2"}]
STDIO = ExecutionVerifier(language="python")


def test_a_prompt_s_own_tests_come_first_then_the_verifier_s_then_its_examples() -> None:
    shared = ExecutionVerifier([{"input": "5", "expected": "6"}], language="python")
    (own,) = read_prompts([{"prompt": "add one", "test_cases": CASES}], shared)
    (common,) = read_prompts(["add one"], shared)
    (shown,) = read_prompts(["add one\n\nInput: 3\nOutput: 4\n"], STDIO)
    assert [each.row.suite.cases[0].input for each in (own, common, shown)] == [
        b"1\n",
        b"5",
        b"3\n",
    ]


def test_each_prompt_may_have_its_own_entry() -> None:
    rows = [{"prompt": "p", "entry": "function:g", "tests": [{"args": [1], "expected": 1}]}]
    (found,) = read_prompts(rows, STDIO)
    assert found.row.task.entry == "function:g"


@pytest.mark.parametrize(
    ("tests", "entry"),
    [
        (CASES, "stdio"),
        (json.dumps(CASES), "stdio"),
        ({"inputs": ["1\n"], "outputs": ["2"]}, "stdio"),
        ('{"inputs": [[1]], "outputs": [2], "fn_name": "f"}', "function:f"),
    ],
)
def test_tests_have_every_form_that_rewards_take(tests: Any, entry: str) -> None:
    (found,) = read_prompts([{"prompt": "add", "tests": tests}], STDIO)
    assert (found.row.task.entry, len(found.row.suite.cases)) == (entry, 1)
    program = "def f(x): return x + 1" if entry != "stdio" else "print(int(input()) + 1)"
    assert STDIO.verify_batch([program], suites=[found.row])[0].passed


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"text": "p"}, "prompts:1: prompt must be a text, got None"),
        ({"prompt": "  "}, "prompt must be a text"),
        (7, "prompts:1 is neither a text nor an object"),
        ({"prompt": "add"}, "has no tests, and its text shows no example"),
        ({"prompt": "add", "tests": "a.json"}, "prompts:1: tests are text that is not JSON"),
        ({"prompt": "add", "tests": 5}, "prompts:1: tests are int; give a list of cases"),
        ({"prompt": "add \ud800", "tests": CASES}, "prompt has half of a character"),
        ({"prompt": "add", "id": "\udfff", "tests": CASES}, "id has half of a character"),
        ({"prompt": "add", "tests": CASES, "difficulty": math.nan}, "hard, got nan"),
        ({"prompt": "add", "tests": [{"input": 1}]}, "prompts:1: .*"),
        ({"prompt": "add", "tests": CASES, "difficulty": "odd"}, "easy, medium, hard, got 'odd'"),
        ({"prompt": "add", "tests": CASES, "difficulty": True}, "got True"),
        ({"prompt": "add", "tests": CASES, "entry": "procedure:f"}, "prompts:1: .*procedure"),
        ({"prompt": "add", "entry": "function:f"}, "prompts:1 has no tests"),
    ],
)
def test_a_prompt_that_cannot_be_used_is_named(row: object, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        read_prompts([row], STDIO)  # type: ignore[list-item]


def test_two_prompts_of_one_id_are_refused() -> None:
    rows = [{"id": "a", "prompt": "p", "tests": CASES}] * 2
    with pytest.raises(UsageError, match="prompts:2: two prompts have the id 'a'"):
        read_prompts(rows, STDIO)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"{", "p.jsonl:1: not JSON"),
        (b'\n{"prompt": "a", "prompt": "b"}', 'p.jsonl:2: the key "prompt" appears twice'),
        (b"\xff\n", "not UTF-8"),
        (b"\n", "holds no prompt"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, text: bytes, said: str) -> None:
    (tmp_path / "p.jsonl").write_bytes(text)
    with pytest.raises(UsageError, match=said):
        read_prompts(tmp_path / "p.jsonl", STDIO)


def test_lines_are_counted_as_an_editor_counts_them(tmp_path: Path) -> None:
    file = tmp_path / "p.jsonl"
    file.write_bytes(b'\xef\xbb\xbf\n{"prompt": "Add."}\n')
    with pytest.raises(UsageError, match=r"p\.jsonl:2 has no tests"):
        read_prompts(file, STDIO)


def test_prompts_of_one_text_are_held_out_together() -> None:
    prompts = [prompt(f"{name}") for name in range(20)]
    twins = [*prompts, *(each.__class__(f"{each.id}'", each.text, each.row) for each in prompts)]
    trained, out = split_prompts(twins, 0.25, seed=1)
    assert (len(trained), len(out)) == (30, 10)
    assert not {each.text for each in trained} & {each.text for each in out}
    assert split_prompts(twins, 0.25, seed=1) == (trained, out) != split_prompts(twins, 0.25, 2)


def test_no_prompt_is_trained_on_and_held_out(tmp_path: Path) -> None:
    file = tmp_path / "held_out.jsonl"
    file.write_text(json.dumps({"prompt": "p", "tests": CASES}))
    with pytest.raises(UsageError, match="1 prompts are trained on too"):
        read_data(file, STDIO, RAFTConfig.of(held_out=file))


def test_a_digest_knows_every_part() -> None:
    digests = {
        digest_of([prompt("a")]),
        digest_of([prompt("b")]),
        digest_of([prompt("a", 2)]),
        digest_of([]),
    }
    assert len(digests) == 4
