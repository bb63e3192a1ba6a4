"""What a model is asked, and what it answers: the two records of every exchange."""

import hashlib
import json
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, JsonValue

from steelyard.schemas import Record

__all__ = ["Message", "Reply", "Request", "most_tokens_in"]

_FRAME_TOKENS = 16
"""About four times what chat formats put around a message."""


def _encodable(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")


Encodable = Annotated[str, AfterValidator(_encodable)]
"""Text in which `?` stands for what UTF-8 cannot hold: JSON may name half of a surrogate pair."""


class Message(Record):
    """One turn of the talk. The system prompt is no message: see `Request.system`."""

    author: Literal["user", "assistant"]
    text: str


class Request(Record):
    """All that shapes a reply: two requests that are equal may share one."""

    provider: str
    """The part of the model's name before the colon, such as `openai`."""
    model: str
    """The part after the colon, such as `gpt-4.1`."""
    base_url: str | None = None
    """Where the provider is reached, if the model's name says so; no key is ever part of it."""
    role: str
    prompt: str
    """The system prompt's name and version, such as `coder@1`."""
    system: str
    """The system prompt, as rendered."""
    messages: tuple[Message, ...] = Field(min_length=1)
    """From the first user turn to the turn that is to be answered."""
    reply_schema: dict[str, JsonValue]
    """The JSON Schema of the reply's type."""
    temperature: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """None: the model's own."""
    max_tokens: int = Field(ge=1)
    """The most tokens that the reply may have."""
    seed: int | None = None
    """Sent to providers that take one; a part of the key everywhere."""
    attempt: int = Field(default=0, ge=0)
    """Which try of the role this is, counted from 0."""

    @property
    def key(self) -> str:
        """The SHA-256 of the request's canonical JSON, in hex."""
        canonical = json.dumps(
            self.model_dump(mode="json"), sort_keys=True, separators=(",", ":"), allow_nan=False
        )
        return hashlib.sha256(canonical.encode("ascii")).hexdigest()


class Reply(Record):
    """What came back, and what it cost."""

    text: Encodable
    tokens_in: int = Field(default=0, ge=0)
    tokens_out: int = Field(default=0, ge=0)
    cost_usd: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """None: the model's price is not known."""
    model: Encodable
    """The model, as the server named it."""
    finish: Literal["stop", "length", "refusal", "too-large", "other"] = "stop"
    """Why the text ended: `length` is the token limit, `refusal` the provider's filter.
    `too-large`: the response was not read to its end, and the text only says so."""
    temperature_refused: bool = False
    """The model takes no temperature and was asked again without one."""
    retries: int = Field(default=0, ge=0)
    """How often the call failed and was made again before this reply came."""
    from_cache: bool = False
    """Nothing was paid for this reply: it was remembered, recorded or scripted."""
    not_kept: str = ""
    """Why the cache could not keep the reply, in one line."""
    seconds: float = Field(default=0.0, ge=0, allow_inf_nan=False)
    """Wall time of the call, with its retries."""


def most_tokens_in(request: Request) -> int:
    """The most tokens that a request can have: tokenizers give a byte one token at most."""
    texts = (request.system, *(each.text for each in request.messages))
    return sum(len(text.encode("utf-8", "replace")) + _FRAME_TOKENS for text in texts)
