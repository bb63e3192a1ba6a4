"""A reply is read out of whatever stands around it; what it lacks is told in one paragraph."""

import json
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, JsonValue

from steelyard.models._replies import MAX_CHARS, Found, ReplyFault, read_reply, shorten


class Code(BaseModel):
    model_config = ConfigDict(extra="forbid")

    code: str
    lines: int = Field(ge=0)
    language: Literal["cpp", "python"] = "cpp"


PLAIN = '{"code": "int main() {}", "lines": 1}'
VALUE = Code(code="int main() {}", lines=1)


def value_of(text: str) -> Code:
    found = read_reply(text, Code)
    assert isinstance(found, Found), found
    return found.value


def reason_of(text: str) -> str:
    fault = read_reply(text, Code)
    assert isinstance(fault, ReplyFault), fault
    return fault.reason


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        f"  \n{PLAIN}\n\n",
        f"```json\n{PLAIN}\n```",
        f"```\n{PLAIN}\n```",
        f"Sure! Here it is:\n\n```json\n{PLAIN}\n```\nI hope that it helps {{really}}.",
        f"````\n```json\n{PLAIN}\n```\n````",
        f"```json\n{PLAIN}\n```\n\n```json\n{PLAIN}\n```",
        f"I write int main() {{ return 0; }} and {{}}, that is {PLAIN}",
        f"<think>{{hm}} {{'a': 1}}</think>{PLAIN}",
        f"[{PLAIN}]",
        f"\ufeff{PLAIN}",
        f"```json\n{PLAIN}",
        PLAIN.replace(" ", "\n\t").replace("int\n\tmain()\n\t{}", "int main() {}"),
    ],
)
def test_what_stands_around_a_reply_does_no_harm(text: str) -> None:
    assert value_of(text) == VALUE


def test_fences_inside_a_string_are_part_of_it() -> None:
    code = "# ```json\n# {\"code\": 1}\n```\nprint('}')\n```"
    text = f"```json\n{json.dumps({'code': code, 'lines': 3})}\n```"
    assert value_of(text).code == code


def test_line_breaks_inside_a_string_are_read() -> None:
    assert value_of('{"code": "a\nb\tc", "lines": 2}').code == "a\nb\tc"


def test_the_last_of_several_is_the_answer() -> None:
    text = 'A draft: {"code": "a", "lines": 1}. Better: {"code": "b", "lines": 1}. {"note": 1}'
    assert value_of(text).code == "b"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        (" \n ", "empty"),
        ("I cannot do that.", "no JSON object"),
        ("[1, 2]", "no JSON object"),
        ("int main() { return 0; }", "no JSON object"),
        ('{"code": "a", "lines": 1', "not valid JSON"),
        ('{"code": "a", "lines": 1,}', "not valid JSON"),
        ("{'code': 'a', 'lines': 1}", "no JSON object"),
        ('{"code": "a"}', "lines: Field required"),
        ('{"code": "a", "lines": "one"}', "lines: Input should be a valid integer"),
        ('{"code": "a", "lines": true}', "lines"),
        ('{"code": "a", "lines": -1}', "greater than or equal to 0"),
        ('{"code": "a", "lines": 1, "language": "rust"}', "'cpp' or 'python'"),
        ('{"code": "a", "code": "b", "lines": 1}', 'key "code" appears twice'),
        ('{"code": "a", "lines": NaN}', "NaN"),
        ('{"code": "a", "lines": 1e999}', "too large"),
        ('{"code": "a", "lines": ' + "9" * 5_000 + "}", "int"),
        ('{"code": "\\ud800", "lines": 1}', "Invalid JSON"),
        ('{"reply": {"code": "a", "lines": 1}}', "reply: Extra inputs"),
    ],
)
def test_what_is_wrong_is_told(text: str, reason: str) -> None:
    told = reason_of(text)
    assert reason in told
    assert len(told) < 1_500


def test_the_reason_is_about_the_longest_piece() -> None:
    text = '{"a": 1} and then {"code": "' + "x" * 500 + '", "lines": "many"} and {"b": 2}'
    assert "lines" in reason_of(text)


@pytest.mark.parametrize(
    "text",
    [
        '{"a":' * 100_000,
        "[" * 1_000_000,
        "{" * 1_999_999,
        '{"' * 999_999,
        '{"a":1}' * 280_000,
        '{"code": "' + "x" * (MAX_CHARS - 100),
        '{"code": ' + "[" * 50_000 + "]" * 50_000 + ', "lines": 1}',
        '{"code": ' + "[" * 100 + "]" * 100 + ', "lines": 1}',
        "x" * (10 << 20),
        "{" + " " * 1_900_000,
    ],
    ids=range(10),
)
def test_hostile_text_ends_in_a_reason(text: str) -> None:
    assert len(reason_of(text)) < 1_500


@given(st.text(), st.text())
def test_any_prose_may_stand_around(before: str, after: str) -> None:
    # Prose that opens an object of its own right before the reply is a broken reply.
    before, after = before.replace("{", "("), after.replace("{", "(")
    assert value_of(f"{before}{PLAIN}{after}") == VALUE


@given(st.text(max_size=200))
def test_any_text_gives_a_value_or_a_reason(text: str) -> None:
    assert isinstance(read_reply(text, Code), Found | ReplyFault)


def test_a_text_is_shortened_in_its_middle() -> None:
    assert shorten("abc", 3) == "abc"
    short = shorten("a" * 600 + "b" * 600, 300)
    assert short.startswith("a" * 200)
    assert short.endswith("b" * 100)
    assert "[... 900 characters ...]" in short


class Anything(BaseModel):
    value: JsonValue


def test_a_value_of_any_shape_is_no_deeper_than_can_be_written_again() -> None:
    deep = '{"value": ' + "[" * 100 + "]" * 100 + "}"
    assert read_reply(deep, Anything) == ReplyFault("The JSON is nested deeper than 64.")


READ = {
    "a number in quotes": ('{"code": "a", "lines": "1,200"}', 1_200, "read as 1200"),
    "a whole float": ('{"code": "a", "lines": 3.0}', 3, "read as 3"),
    "a field too many": ('{"code": "a", "lines": 1, "extra": 2}', 1, "extra was left out"),
    "a fence in a field": ('{"code": "```cpp\\na\\n```", "lines": 1}', 1, "code fence"),
}


@pytest.mark.parametrize(("text", "lines", "noted"), READ.values(), ids=READ)
def test_what_leaves_no_doubt_is_read_and_noted(text: str, lines: int, noted: str) -> None:
    found = read_reply(text, Code)
    assert isinstance(found, Found), found
    assert (found.value.code, found.value.lines) == ("a", lines)
    assert noted in "".join(found.notes)


class Program(BaseModel):
    text: str


FENCED = "Here:\n```cpp\nint main() { return 0; }\n```\nand how to run it:\n```\n./a\n```\n"


def test_a_program_may_be_a_fenced_block_or_json() -> None:
    found = read_reply(FENCED, Program, program="text")
    assert found == Found(Program(text="int main() { return 0; }\n"))
    assert read_reply('{"text": "x"}', Program, program="text") == Found(Program(text="x"))
    cut = read_reply("```cpp\nint main() {", Program, program="text")
    assert isinstance(cut, ReplyFault)
    assert "code block" in cut.reason


@pytest.mark.parametrize(
    "text",
    [
        "```x\n" * 400_000,
        "```\n" * 400_001,
        "``` " * 400_000,
        json.dumps({"text": "```\n" + " \n" * 400_000 + "x```"}),
        json.dumps({"text": "```\n" + " " * 800_000 + "x"}),
    ],
    ids=range(5),
)
def test_a_large_reply_of_fences_is_read_in_linear_time(text: str) -> None:
    assert isinstance(read_reply(text, Program, program="text"), Found | ReplyFault)


@pytest.mark.parametrize(
    "before",
    ['<think>\nPerhaps {"code": "b", "lines": 2}?\n</think>\n', "I think so.\n</think>\n"],
)
def test_thinking_is_no_part_of_the_answer(before: str) -> None:
    found = read_reply(before + '{"code": "a </think>", "lines": 1}', Code)
    assert isinstance(found, Found)
    assert found.value.code == "a </think>"


def test_thinking_without_end_is_no_answer() -> None:
    assert isinstance(read_reply('<think> {"code": "a", "lines": 1}', Code), ReplyFault)
