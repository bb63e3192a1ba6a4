"""The room for a reply is read from the words in which servers refuse a request."""

import pytest

from steelyard.models._retries import reply_room, stated_room
from tests.unit.models.exchanges import a_request

REQUEST = a_request(
    system="", messages=({"author": "user", "text": "x" * 4_000},), max_tokens=32_192
)
ROOM = {
    # vLLM, of several versions; in the last one 577 is no count, but 32768 - 32192 + 1
    "'max_tokens' or 'max_completion_tokens' is too large: 32192. This model's maximum context "
    "length is 32768 tokens and your request has 992 input tokens (32192 > 32768 - 992).": 31_776,
    "This model's maximum context length is 8192 tokens. However, you requested 33184 tokens (992 "
    "in the messages, 32192 in the completion). Please reduce the length of the messages.": 7_200,
    "You passed 992 input tokens and requested 32192 output tokens. However, the model's context "
    "length is only 32768 tokens, resulting in a maximum input length of 576 tokens.": 31_776,
    "This model's maximum context length is 32768 tokens. However, you requested 32192 output "
    "tokens and your prompt contains at least 577 input tokens, for a total of at least 32769 "
    "tokens.": reply_room(32_768, REQUEST),
    # SGLang
    "Requested token count exceeds the model's maximum context length of 32768 tokens. You "
    "requested a total of 33184 tokens: 992 tokens from the input messages and 32192 tokens for "
    "the completion.": 31_776,
    # llama.cpp, of several versions, TGI, and llama-cpp-python
    "the request exceeds the available context size. try increasing the context size or enable "
    "context shift (n_ctx 4096, n_prompt_tokens 992)": 3_104,
    "request (992 tokens) exceeds the available context size (4096 tokens), try increasing it": (
        3_104
    ),
    "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 992 "
    "`inputs` tokens and 32192 `max_new_tokens`": 3_104,
    "Requested tokens (33184) exceed context window of 8192": reply_room(8_192, REQUEST),
    # limits on replies alone: OpenAI, Anthropic, DeepSeek, Groq
    "max_tokens is too large: 32192. This model supports at most 16384 completion tokens, whereas "
    "you provided 32192.": 16_384,
    "max_tokens: 32192 > 8192, which is the maximum allowed number of output tokens for "
    "claude-3-5-sonnet-20241022": 8_192,
    "Invalid max_tokens value, the valid range of max_tokens is [1, 8192]": 8_192,
    "`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is less "
    "than the `context_window` for this model": 8_192,
    # Anthropic's context
    "input length and `max_tokens` exceed context limit: 992 + 32192 > 32,768, decrease input "
    "length or `max_tokens` and try again": 31_776,
    "This model's maximum context length is 34000 tokens and your request has 3000 input tokens": (
        31_000
    ),
    # no room, or about another thing
    "request (3500 tokens) exceeds the available context size (2048 tokens)": None,
    "the request exceeds the available context size (n_ctx 512, n_prompt_tokens 992)": None,
    "This model's maximum context length is 1000 tokens and your request has 992 input tokens": (
        None
    ),
    "Unsupported parameter: 'max_tokens' is not supported with this model": None,
    "seed must be at most 4294967295": None,
    "": None,
}


@pytest.mark.parametrize("refusal", ROOM)
def test_a_refusal_names_the_room_for_a_reply(refusal: str) -> None:
    assert stated_room(refusal, REQUEST, 32_192) == ROOM[refusal]


def test_a_context_leaves_half_of_it_for_the_reply_to_a_long_request() -> None:
    assert reply_room(100_000, REQUEST) == 100_000 - 4_032
    assert reply_room(6_000, REQUEST) == 3_000
