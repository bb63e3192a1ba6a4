"""Find how long a reply may be for a server whose context is short.

Most servers check that a request and its reply's limit fit into the context together, and refuse
the request with a message that has the numbers. They name the context, the request's tokens, and
what was asked for; no two servers use the same words.
"""

import re

from steelyard.models._request import Request, most_tokens_in

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
