"""Requests and replies for tests that need some."""

from typing import Any

from steelyard.models import ChatTurn, Reply, Request

KEY = bytes(range(32))
OTHER_KEY = bytes(range(1, 33))


def a_request(**changes: Any) -> Request:
    plain: dict[str, Any] = {
        "provider": "openai",
        "model": "gpt-4.1",
        "role": "coder",
        "prompt": "coder@1",
        "system": "You write programs about unicorns.",
        "messages": (ChatTurn(author="user", text="Sum two numbers about unicorns."),),
        "reply_schema": {"type": "object"},
        "max_tokens": 100,
    }
    return Request(**plain | changes)


def a_reply(text: str = '{"answer": "narwhal"}', **changes: Any) -> Reply:
    plain: dict[str, Any] = {
        "tokens_in": 12,
        "tokens_out": 5,
        "cost_usd": 0.25,
        "model": "gpt-4.1-2025-04-14",
        "seconds": 1.5,
        "retries": 2,
    }
    return Reply(text=text, **plain | changes)
