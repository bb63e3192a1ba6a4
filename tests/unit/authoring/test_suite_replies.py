"""Replies of models that write and review suites, in and out of form."""

import json
from typing import Any

import pytest

from steelyard.authoring.pytests._improving import REVIEWER, TESTER, code_in
from steelyard.models._replies import Found, ReplyFault, read_reply
from steelyard.schemas import PerfectReply, ReviewReply, UpdatedReply

CODE = "test_m.py\nfrom m import f\n\n\ndef test_normal_f():\n    assert f(2) == 4\n"
PERFECT = {"status": "perfect", "message": "All is covered."}
UPDATED: dict[str, Any] = {
    "status": "updated",
    "issues_found": ["a"],
    "improvements_made": ["b"],
    "test_code": CODE,
}


def review(text: str) -> ReviewReply | str:
    found = read_reply(text, ReviewReply)
    return found.value if isinstance(found, Found) else found.reason


@pytest.mark.parametrize("around", ["{}", "Sure!\n\n{}\n\nDone.", "```json\n{}\n```"])
@pytest.mark.parametrize("reply", [PERFECT, UPDATED], ids=["perfect", "updated"])
def test_both_forms_are_read_in_prose_and_fences(reply: dict[str, Any], around: str) -> None:
    found = review(around.replace("{}", json.dumps(reply)))
    assert isinstance(found, ReviewReply)
    expected = PerfectReply if reply is PERFECT else UpdatedReply
    assert found.root == expected.model_validate(
        reply | {name: tuple(value) for name, value in reply.items() if isinstance(value, list)}
    )


@pytest.mark.parametrize(
    "reply",
    [
        {"status": "Perfect", "message": "x"},
        {"status": "pending"},
        {"message": "x"},
        {"status": "perfect"},
        {**PERFECT, "test_code": CODE},
        {**UPDATED, "message": "x"},
        {**UPDATED, "test_code": ""},
        {**UPDATED, "issues_found": "a"},
        {name: value for name, value in UPDATED.items() if name != "improvements_made"},
    ],
)
def test_no_other_form_is_read(reply: dict[str, Any]) -> None:
    assert isinstance(review(json.dumps(reply)), str)


@pytest.mark.parametrize(
    "text",
    [
        f"Here:\n```python\n{CODE}```\n",
        f"```\nnot this\n```\nand\n```py\n{CODE}```",
        CODE,
        json.dumps({**UPDATED, "status": "done"}),
        json.dumps(UPDATED)[:-1] + ', "more": [1, 2',
        json.dumps(UPDATED).replace('"a"', "'a'"),
        f"<think>```python\ndef test_draft(): assert x\n{'#' * 999}\n```</think>```py\n{CODE}```",
    ],
)
def test_a_suite_in_an_unreadable_reply_is_found(text: str) -> None:
    assert (code_in(text) or "").strip() == CODE.strip()


@pytest.mark.parametrize(
    "text", ["", "I cannot.", "```python\nx = 1\n```", '{"test_code": "', "```" * 10_000]
)
def test_a_reply_without_a_suite_has_none(text: str) -> None:
    assert code_in(text) is None


def test_a_large_reply_is_read_in_time() -> None:
    assert code_in('"test_code": "' * 50_000) is None
    assert isinstance(read_reply("{" * 1_000_000, ReviewReply), ReplyFault)


def test_temperatures() -> None:
    assert (TESTER.temperature, REVIEWER.temperature) != (None, None)
    assert [role.temperature.at(4) for role in (TESTER, REVIEWER) if role.temperature] == [0.7, 0.0]
