"""A request is bounded before it is read as a whole, and holds every option."""

import json

import pytest

from steelyard.jobs import job
from steelyard.judging import JudgeOptions
from steelyard.service import Problem
from steelyard.service._body import read_json


async def test_lists_and_objects_are_counted_outside_of_texts() -> None:
    with pytest.raises(Problem, match="2,000,000") as refused:
        await read_json(b"[" + b"[]," * 2_000_001 + b"1]")
    assert refused.value.code == "body-too-complex"
    text = "[{" * 2_000_001
    assert await read_json(json.dumps([text]).encode()) == [text]


def test_every_option_of_judge_can_be_sent() -> None:
    sent = job("judge").body.model_fields
    # An object of Python, a path of the server, and what the service itself decides.
    own = {"pool", "on_event", "binary_cache_dir"}
    assert JudgeOptions.model_fields.keys() - sent.keys() == own
    assert sent.keys() - JudgeOptions.model_fields.keys() == {
        "program",
        "task",
        "tests",
    }
    for name in sent.keys() & JudgeOptions.model_fields.keys():
        default = JudgeOptions.model_fields[name].default
        given = sent[name].default
        assert (tuple(given) if isinstance(given, list) else given) == default, name
