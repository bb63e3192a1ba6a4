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
from tests.exported_rows import exported_rows
from tests.unit.datasets.known_rows import FORMS, HALO_FORGE, HALO_FORGE_TIER
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


def test_rows_of_every_known_data_set_are_prompts(tmp_path: Path) -> None:
    for name, row in FORMS.items():
        file = tmp_path / "rows.json"
        file.write_text(json.dumps([row]))
        (found,) = read_prompts(file, STDIO)
        assert found.text.strip(), name
        assert found.row.suite.cases, name
        assert read_prompts([row], STDIO)[0].row.suite == found.row.suite


def test_prompts_of_halo_forge_are_read_as_they_are() -> None:
    begun = {
        **HALO_FORGE,
        "task_id": "HumanEval/0",
        "prompt": 'def add(a, b):\n    """Add."""\n',
        "tests": "def check(candidate):\n    assert candidate(1, 2) == 3\n",
    }
    asserts, continued, tier = read_prompts([HALO_FORGE, begun, HALO_FORGE_TIER], STDIO)
    assert asserts.id == str(HALO_FORGE["task_id"])
    right, body = "def add(a, b):\n    return a + b\n", "    return a + b\n"
    programs = [asserts.program_of(right), continued.program_of(body), continued.program_of(right)]
    rows = [asserts.row, continued.row, continued.row]
    assert [each.passed for each in STDIO.verify_batch(programs, suites=rows)] == [True] * 3
    wrong = continued.program_of(body.replace("+", "-"))
    assert not STDIO.verify_batch([wrong], suites=[continued.row])[0].passed
    assert (tier.id, tier.difficulty) == (HALO_FORGE_TIER["id"], 1.0)
    assert tier.row.task.match_mode == "contains"
    hello = '#include <cstdio>\nint main() { puts("Hello"); }'
    assert ExecutionVerifier().verify_batch([hello], suites=[tier.row])[0].passed


def test_exported_rows_are_judged_as_their_tasks() -> None:
    rows = [{**each.row, "id": f"{number}"} for number, each in enumerate(exported_rows())]
    prompts = read_prompts(rows, STDIO)
    results = STDIO.verify_batch(
        [
            prompt.program_of(each.completion)
            for prompt, each in zip(prompts, exported_rows(), strict=True)
        ],
        suites=[prompt.row for prompt in prompts],
    )
    assert [each.reward for each in results] == [each.reward for each in exported_rows()]


def test_what_is_null_is_left_out() -> None:
    row = {"prompt": "p", "tests": CASES, "difficulty": None, "prefix": None, "id": None}
    (found,) = read_prompts([row], STDIO)
    assert (found.id, found.prefix, found.difficulty) == ("1", "", 1.0)


def test_where_a_row_comes_from_is_no_part_of_a_run(tmp_path: Path) -> None:
    digests = set()
    for name in ("a.jsonl", "b.jsonl"):
        (tmp_path / name).write_text(json.dumps(HALO_FORGE))
        digests.add(digest_of(read_prompts(tmp_path / name, STDIO)))
    assert len(digests) == 1


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"text": "p"}, "prompts:1: prompt must be a text, got None"),
        ({"prompt": "  "}, "prompt must be a text"),
        (7, "prompts:1 is neither a text nor an object"),
        ({"prompt": "add"}, "has no tests, and its text shows no example"),
        ({"prompt": "add", "tests": "a.json"}, "prompts:1: tests: not JSON"),
        ({"prompt": "add", "tests": 5}, "prompts:1: tests are int; give a list of cases"),
        ({"prompt": "add \ud800", "tests": CASES}, "prompt has half of a character"),
        ({"prompt": "add", "id": "\udfff", "tests": CASES}, "id has half of a character"),
        ({"prompt": "add", "tests": CASES, "difficulty": math.nan}, "hard, got nan"),
        ({"prompt": "add", "tests": [{"input": 1}]}, "prompts:1: .*"),
        ({"prompt": "add", "tests": CASES, "difficulty": "odd"}, "easy, medium, hard, got 'odd'"),
        ({"prompt": "add", "tests": CASES, "difficulty": True}, "got True"),
        ({"prompt": "add", "tests": CASES, "entry": "procedure:f"}, "prompts:1: .*procedure"),
        ({"prompt": "add", "entry": "function:f"}, "prompts:1 has no tests"),
        ({**HALO_FORGE, "tests": ""}, "prompts:1: "),
        ({**HALO_FORGE_TIER, "test_cases": [{"type": "exit", "value": "0"}]}, "prompts:1: .*exit"),
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
