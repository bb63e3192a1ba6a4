"""`steelyard author spec`: one JSON specification without faults, or one clear line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from steelyard.schemas import Specification
from tests.e2e.conftest import Run
from tests.model_server import Exchange, ModelServer, says

SUM = {
    "title": "Sum",
    "description": "The sum of numbers.",
    "returns": "int",
    "parameters": [{"name": "nums", "type": "list[int]"}],
    "constraints": ["0 <= len(nums) <= 10", "all(0 <= x <= 9 for x in nums)"],
    "examples": [{"args": [[1, 2]], "expected": 3}],
}
UNREADABLE = {**SUM, "constraints": ["all(0 <= y <= 9 for x in nums)"]}
BREAKS = {**SUM, "constraints": ["3 <= len(nums) <= 10"]}
CLASHES = {**SUM, "constraints": ["len(nums) > 5", "len(nums) < 3"], "examples": []}
HOSTILE = {**SUM, "constraints": ["__import__('os').system('touch /tmp/owned')"]}

Scripted = Callable[..., str]


@pytest.fixture
def scripted(tmp_path: Path) -> Scripted:
    """Writes a script for the specifier; returns the model's name."""

    def write(*replies: Any) -> str:
        file = tmp_path / "replies.json"
        file.write_text(json.dumps({"specifier": list(replies)}))
        return f"scripted:{file}"

    return write


def test_a_request_becomes_a_specification(
    steelyard: Run, scripted: Scripted, tmp_path: Path
) -> None:
    model = scripted({**SUM, "questions": ["May it be empty? Yes: its sum is 0."]})
    out = tmp_path / "spec.json"
    done = steelyard("author", "spec", "add numbers up", "--models", model, "--out", out, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == json.loads(out.read_text())
    assert Specification.model_validate_json(done.stdout) == Specification.model_validate(SUM)
    assert "the request leaves open: May it be empty?" in done.stderr


def test_the_request_may_be_a_file(steelyard: Run, scripted: Scripted, tmp_path: Path) -> None:
    request = tmp_path / "request.txt"
    request.write_text("add numbers up")
    done = steelyard("author", "spec", "--file", request, "--models", scripted(SUM))
    assert done.returncode == 0, done.stderr
    assert "solve(nums: list[int]) -> int" in done.stdout
    assert "solve([1, 2]) == 3" in done.stdout


def test_what_was_understood_is_shown_without_a_model(steelyard: Run, tmp_path: Path) -> None:
    partly = "sum(x % 7 for x in nums) != 3"
    file = tmp_path / "spec.json"
    file.write_text(json.dumps({**SUM, "constraints": [*SUM["constraints"], partly]}))
    done = steelyard("author", "spec", "--spec", file)
    assert done.returncode == 0, done.stderr
    assert "each item of nums is from 0 to 9" in done.stdout
    lines = done.stdout.splitlines()
    (line,) = (each for each in lines if each.startswith(partly))
    assert "read in part" in line
    assert any(each.split() == ["len(nums)", "0", "10"] for each in lines)
    kinds = [each.split("  ")[0] for each in lines]
    assert (kinds.count("small"), kinds.count("large"), kinds.count("not valid")) == (5, 2, 3)
    both = steelyard("author", "spec", "add", "--spec", file)
    assert both.returncode == 2
    assert "one of the three" in both.stderr


def test_faults_go_back_with_the_reason(steelyard: Run, tmp_path: Path) -> None:
    asked: list[dict[str, Any]] = []
    replies = ["Sure! What numbers?", UNREADABLE, BREAKS, SUM]

    def answer(exchange: Exchange) -> None:
        asked.append(exchange.asked.body)
        reply = replies[len(asked) - 1]
        says(reply if isinstance(reply, str) else json.dumps(reply))(exchange)

    with ModelServer() as server:
        server.then(answer)
        model = f"openai:m@{server.openai}"
        done = steelyard(
            "author",
            "spec",
            "add numbers up",
            "--models",
            model,
            STEELYARD_CACHE__DIR=str(tmp_path / "cache"),
        )
    assert done.returncode == 0, done.stderr
    last = [each["messages"][-1]["content"] for each in asked]
    assert "add numbers up" in last[0]
    assert "no JSON object" in last[1]
    assert "'y'" in last[2]
    assert "example 1 breaks the constraint '3 <= len(nums) <= 10'" in last[3]
    assert {each["temperature"] for each in asked} == {0.0}


@pytest.mark.parametrize(
    ("replies", "words"),
    [
        ([CLASHES] * 4, "no arguments meet these constraints together"),
        ([HOSTILE] * 4, "no reply was a specification without faults"),
        (["no"] * 4, "gave no valid value in 4 replies"),
        ([{**SUM, "nothing_asked": "It greets."}], "asks for nothing that a function computes"),
    ],
)
def test_a_reply_that_stays_unusable_is_one_line(
    steelyard: Run, scripted: Scripted, replies: list[Any], words: str
) -> None:
    done = steelyard("author", "spec", "add numbers up", "--models", scripted(*replies), "--json")
    assert done.returncode == (3 if replies == ["no"] * 4 else 2)
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert json.loads(done.stdout)["error"]["message"] in done.stderr
    assert not Path("/tmp/owned").exists()


@pytest.mark.parametrize("text", ["", "   ", "?!", "123 ..."])
def test_a_request_without_words_asks_for_nothing(steelyard: Run, text: str) -> None:
    done = steelyard("author", "spec", text)
    assert done.returncode == 2
    assert "the request asks for nothing" in done.stderr


def test_a_wrong_call_is_one_line(steelyard: Run, scripted: Scripted, tmp_path: Path) -> None:
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe")
    for args, words in [
        ((), "give one request: TEXT, or --file FILE"),
        (("text", "--file", binary), "give one request"),
        (("--file", binary), "it is not UTF-8"),
        (("--file", tmp_path / "none"), "No such file"),
        (("text", "--max-cost", "-1"), "--max-cost"),
        (("text", "--models", "nobody"), "nobody"),
    ]:
        done = steelyard("author", "spec", *args)
        assert done.returncode == 2, args
        assert words in done.stderr
        assert len(done.stderr.splitlines()) == 1
