"""Decide if a failed request is sent again: after which wait, and with which limit on the reply.

Servers with a short context mostly check that a request and its reply's limit fit into it together,
and refuse the request with a message that has the numbers. They name the context, the request's
tokens, and what was asked for; no two servers use the same words.
"""

import asyncio
import math
import random
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from steelyard.models._request import Request, most_tokens_in

FIRST_WAIT_S = 0.5
MAX_WAIT_S = 60.0
MAX_RETRY_AFTER_S = 120.0
"""Limit on the wait that a provider asks for."""
_PASSING = frozenset({408, 409, 429})


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Waits:
    """The waits between tries: doubled each time, with jitter, or as the provider asks."""

    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    chance: Callable[[], float] = random.random
    """From 0 up to 1."""
    now: Callable[[], datetime] = _now

    def seconds(self, failures: int, headers: Mapping[str, str]) -> float:
        """Return the wait after this number of failures; at least what `Retry-After` asks for.

        Jitter spreads requests that failed together: over the upper half of the wait, or over
        one second after the time that the provider asked for.
        """
        asked = retry_after_s(headers, self.now())
        if asked is not None:
            return min(asked, MAX_RETRY_AFTER_S) + self.chance()
        wait = min(FIRST_WAIT_S * math.pow(2, min(failures - 1, 30)), MAX_WAIT_S)
        return wait * (1 + self.chance()) / 2


def may_pass(status: int) -> bool:
    """Return True if a request with this HTTP status may succeed when it is sent again."""
    return status in _PASSING or status >= 500


def retry_after_s(headers: Mapping[str, str], now: datetime) -> float | None:
    """Return the wait that the provider asked for, in seconds; None without a usable header.

    Args:
        headers: The response's headers, with lower-case names.
        now: The current time, with a time zone.

    Source: RFC 9110, section 10.2.3; OpenAI and Azure send `retry-after-ms`.
    """
    for name, unit_s in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers[name]) * unit_s
        except (KeyError, ValueError):
            continue
        if math.isfinite(seconds) and seconds >= 0:
            return seconds
    try:
        moment = parsedate_to_datetime(headers["retry-after"])
    except (KeyError, ValueError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())


LARGER_CONTEXT = "num_ctx in ollama, --ctx-size in llama.cpp, --max-model-len in vLLM"
"""The options of servers, for messages."""
_LEAST = 256
"""Tokens without which a reply is not worth a request."""
_ABOUT_LENGTH = re.compile(
    r"n_ctx|context.{0,9}(length|size|window|limit)|max\w*_tokens|(completion|output) tokens",
    re.IGNORECASE,
)
_EXCEEDED = re.compile(r"(?:>|<=) (\d+)")
_CONTEXT = re.compile(r"(?:context|n_ctx)\D{0,60}?(\d+)", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w.-])\d+(?![\w-]|\.\d)")


def is_about_length(refusal: str) -> bool:
    """Return True if a server's refusal is about the length of the request or of its reply."""
    return bool(_ABOUT_LENGTH.search(refusal) and _NUMBER.search(refusal))


def reply_room(context: int, request: Request) -> int:
    """Return the tokens that a context leaves for a reply: half of it for a long request.

    The tokens of a request are known to the server only; a byte is at most one token.
    """
    return max(context - most_tokens_in(request), context // 2)


def stated_room(refusal: str, request: Request, asked: int) -> int | None:
    """Return the limit on the reply that a server's refusal leaves; None if it leaves none.

    Args:
        refusal: The server's message.
        request: The request.
        asked: The limit that was sent, in tokens.

    Source: messages of vLLM, SGLang, TGI, llama.cpp, llama-cpp-python, OpenAI, Anthropic and
    DeepSeek.
    """
    if not is_about_length(refusal):
        return None
    text = re.sub(r"(?<=\d),(?=\d{3})", "", refusal)
    numbers = {int(each) for each in _NUMBER.findall(text)}
    stated = _EXCEEDED.search(text) or _CONTEXT.search(text)
    context = int(stated[1]) if stated else 0
    names_context = re.search("context|n_ctx|inputs", text, re.IGNORECASE)
    if not context or (context <= asked and not names_context):  # a limit on replies alone
        room = max((each for each in numbers if each < asked), default=0)
    else:
        # "At least 577 input tokens" of a context of 32768 is drawn from the 32192 that were asked.
        totals = {each for each in numbers if each - asked in numbers}
        prompts = numbers - totals - {context, asked, context - asked, context - asked + 1}
        prompts = {each for each in prompts if each <= most_tokens_in(request)}
        room = context - max(prompts) if prompts else reply_room(context, request)
    return room if _LEAST <= room < asked else None
