"""Prompts and their tests."""

import json
from pathlib import Path

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
    assert [each.suite.cases[0].input for each in (own, common, shown)] == [b"1\n", b"5", b"3\n"]


def test_each_prompt_may_have_its_own_entry() -> None:
    rows = [{"prompt": "p", "entry": "function:g", "tests": [{"args": [1], "expected": 1}]}]
    (found,) = read_prompts(rows, STDIO)
    assert (found.entry.kind, found.entry.name) == ("function", "g")


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"text": "p"}, "prompts:1: prompt must be a text, got None"),
        ({"prompt": "  "}, "prompt must be a text"),
        (7, "neither a text nor an object"),
        ({"prompt": "add"}, "has no tests, and its text shows no example"),
        ({"prompt": "add", "tests": "a.json"}, "tests must be a list of test cases, got 'a.json'"),
        ({"prompt": "add", "tests": [{"input": 1}]}, "prompts:1: .*"),
        ({"prompt": "add", "tests": CASES, "difficulty": "odd"}, "easy, medium, hard, got 'odd'"),
        ({"prompt": "add", "tests": CASES, "difficulty": True}, "got True"),
        ({"prompt": "add", "tests": CASES, "entry": "procedure:f"}, "prompts:1: .*procedure"),
        ({"prompt": "add", "entry": "function:f"}, "has no tests; add tests"),
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
        (b"{", "p.jsonl:1 is not JSON"),
        (b'\n{"prompt": "a", "prompt": "b"}', 'p.jsonl:2: the key "prompt" appears twice'),
        (b"\xff\n", "not UTF-8"),
        (b"\n", "holds no prompt"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, text: bytes, said: str) -> None:
    (tmp_path / "p.jsonl").write_bytes(text)
    with pytest.raises(UsageError, match=said):
        read_prompts(tmp_path / "p.jsonl", STDIO)


def test_prompts_of_one_text_are_held_out_together() -> None:
    prompts = [prompt(f"{name}") for name in range(20)]
    twins = [*prompts, *(each.__class__(f"{each.id}'", each.text, each.suite) for each in prompts)]
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
