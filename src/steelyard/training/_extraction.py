"""Take the text out of a completion, and the program out of the text."""

from collections.abc import Mapping, Sequence
from typing import Literal

from steelyard.errors import UsageError
from steelyard.judging import take_code
from steelyard.toolchains import source_bytes

Completion = str | Sequence[Mapping[str, object]]
"""A model's text, or the messages of a conversation, of which the last of the assistant counts."""

Extraction = Literal["reply", "fenced", "whole"]
"""Rule that takes the program out of a text.

`reply`: as `code_of_reply`, so a text without a fenced block is the program. `fenced`: a text
without a fenced block holds no program. `whole`: the text is the program, and a text with a fenced
block or reasoning around it is not one.
"""


def text_of(completion: object) -> str:
    """Return the text of a completion.

    Raises:
        UsageError: if it is neither a text nor messages with a text.
    """
    if isinstance(completion, str):
        return completion
    if not isinstance(completion, Sequence) or isinstance(completion, bytes | bytearray):
        raise UsageError(
            f"a completion is {type(completion).__name__}; give a str, or a list of messages"
        )
    messages = [each for each in completion if _role_of(each) in ("assistant", None)]
    for message in reversed(messages):
        text = _text_of_content(message)
        if text is not None:
            return text
    raise UsageError("the messages of a completion hold no text of the assistant; add it")


def _role_of(message: object) -> object:
    if not isinstance(message, Mapping):
        raise UsageError(
            f"a message is {type(message).__name__}; give an object with role and content"
        )
    return message.get("role")


def _text_of_content(message: Mapping[str, object]) -> str | None:
    """Return the text of a message, whose content may come in parts; None if it has none."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    if not isinstance(content, Sequence):
        return None
    parts = [part.get("text") for part in content if isinstance(part, Mapping)]
    texts = [part for part in parts if isinstance(part, str)]
    return "".join(texts) if texts else None


def extracted(text: str, language: str, extraction: Extraction) -> tuple[str, str]:
    """Return the reply to judge, and the reason if it holds no program; the reply is empty then.

    The judge takes the program out of the reply, as it knows how the program is entered.
    """
    if extraction == "reply":
        return text, ""
    taken = take_code(source_bytes(text), language)
    if extraction == "fenced":
        return (text, "") if taken.fenced else ("", "no code: the reply has no fenced block")
    if taken.wrapped:
        return "", "no code: the text has a fenced block or reasoning, so it is not a program"
    return text, ""
