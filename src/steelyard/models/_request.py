"""The interface of a language model, and its two records: the request and the reply."""

import hashlib
import json
from typing import Annotated, Literal, Protocol

from pydantic import AfterValidator, Field, JsonValue

from steelyard.schemas import Record

_FRAME_TOKENS = 16
"""About four times the tokens that chat formats add to a message."""


def encodable(text: str) -> str:
    """Return the text with a question mark for each lone surrogate, which UTF-8 cannot encode."""
    return text.encode("utf-8", "replace").decode("utf-8")


Encodable = Annotated[str, AfterValidator(encodable)]
"""Text with `?` for what UTF-8 cannot encode: JSON may have half of a surrogate pair."""


class ChatTurn(Record):
    """One turn of the conversation. The system prompt is separate: see `Request.system`."""

    author: Literal["user", "assistant"]
    text: str


class Request(Record):
    """Everything that determines a reply: two equal requests may share a reply."""

    provider: str
    """The part of the model's name before the colon, such as `openai`."""
    model: str
    """The part after the colon, such as `gpt-4.1`."""
    base_url: str | None = None
    """The provider's address, if the model's name has one; it never contains a key."""
    role: str
    prompt: str
    """The system prompt's name and version, such as `coder@1`."""
    system: str
    """The system prompt, as rendered."""
    messages: tuple[ChatTurn, ...] = Field(min_length=1)
    """From the first user turn to the turn to answer."""
    reply_schema: dict[str, JsonValue]
    """The JSON Schema of the reply's type."""
    temperature: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """None for the model's default."""
    max_tokens: int = Field(ge=1)
    """Limit on the reply's tokens, those of its thinking included."""
    affordable_tokens: int | None = Field(default=None, ge=1)
    """A lower limit that the rest of a budget sets; no part of the key."""
    reasoning_effort: str | None = None
    """Sent to models that take one."""
    seed: int | None = None
    """Sent to providers that accept a seed; a part of the key with every provider."""
    attempt: int = Field(default=0, ge=0)
    """Number of the role's attempt, from 0."""

    @property
    def most_tokens_out(self) -> int:
        """The limit on the reply's tokens that is sent."""
        return min(self.max_tokens, self.affordable_tokens or self.max_tokens)

    @property
    def key(self) -> str:
        """The SHA-256 of the request's canonical JSON, in hex."""
        shaping = self.model_dump(mode="json", exclude={"affordable_tokens"})
        canonical = json.dumps(shaping, sort_keys=True, separators=(",", ":"), allow_nan=False)
        return hashlib.sha256(canonical.encode("ascii")).hexdigest()


Finish = Literal["stop", "length", "context", "refusal", "too-large", "other"]


class Reply(Record):
    """A model's reply and its cost."""

    text: Encodable
    tokens_in: int = Field(default=0, ge=0)
    tokens_out: int = Field(default=0, ge=0)
    cost_usd: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """None if the model's price is unknown."""
    model: Encodable
    """The model, as the server named it."""
    finish: Finish = "stop"
    """The reason why the text ended: `length` is the token limit, `context` a lower one that the
    server's context set, `refusal` the provider's filter.
    `too-large`: the response was not read completely, and the text only states that."""
    temperature_refused: bool = False
    """True if the model accepts no temperature and the request was repeated without it."""
    retries: int = Field(default=0, ge=0)
    """Number of failed calls before this reply."""
    from_cache: bool = False
    """True if this reply cost nothing: it was cached, recorded or scripted."""
    not_kept: str = ""
    """The reason why the cache could not store the reply, in one line."""
    seconds: float = Field(default=0.0, ge=0, allow_inf_nan=False)
    """Wall time of the call, with its retries."""


def most_tokens_in(request: Request) -> int:
    """Return an upper limit of a request's tokens: a byte is at most one token."""
    texts = (request.system, *(each.text for each in request.messages))
    return sum(len(text.encode("utf-8", "replace")) + _FRAME_TOKENS for text in texts)


class Model(Protocol):
    """Anything that answers requests: a vendor's model, a script, a recording, a cached model.

    Several tasks of one event loop may use an implementation at the same time.
    """

    @property
    def name(self) -> str:
        """The name that opens this model, such as `openai:gpt-4.1`."""

    async def complete(self, request: Request) -> Reply:
        """Return the reply to one request; no part of the call runs on afterwards.

        Raises:
            ModelError: if no reply came.
            SettingsError: if a key or an extra is missing.
        """
