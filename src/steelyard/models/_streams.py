"""Read a streamed reply (server-sent events) as the whole reply that was asked for."""

import json
from collections.abc import Iterator
from typing import Any


def is_stream(content_type: str, body: bytes) -> bool:
    """Return True if a body is a stream of events."""
    return content_type.startswith("text/event-stream") or body.lstrip()[:6] in (
        b"data: ",
        b"event:",
    )


def whole_reply(body: bytes) -> bytes | None:
    """Return the JSON of the whole reply; None if the events are of neither vendor's format.

    Source: the streaming pages of OpenAI's chat completions and of Anthropic's messages.
    """
    events = list(_events(body))
    try:
        whole = _anthropic(events) if _is_anthropic(events) else _openai(events)
    except (AttributeError, KeyError, TypeError, IndexError):
        return None
    return None if whole is None else json.dumps(whole).encode()


def _events(body: bytes) -> Iterator[dict[str, Any]]:
    for line in body.decode("utf-8", "replace").splitlines():
        if not line.startswith("data:"):
            continue
        try:
            event = json.loads(line[5:])
        except (ValueError, RecursionError):
            continue  # [DONE], or a line of another protocol
        if isinstance(event, dict):
            yield event


def _is_anthropic(events: list[dict[str, Any]]) -> bool:
    return any(event.get("type") == "message_start" for event in events)


def _openai(events: list[dict[str, Any]]) -> dict[str, Any] | None:
    if failed := next((event for event in events if "error" in event), None):
        return failed
    chunks = [event for event in events if event.get("object") == "chat.completion.chunk"]
    if not chunks:
        return None
    choices = [chunk["choices"][0] for chunk in chunks if chunk.get("choices")]
    deltas = [choice.get("delta") or {} for choice in choices]
    ended = [choice["finish_reason"] for choice in choices if choice.get("finish_reason")]
    text = "".join(delta.get("content") or "" for delta in deltas)
    refusal = "".join(delta.get("refusal") or "" for delta in deltas)
    usage = next((chunk["usage"] for chunk in reversed(chunks) if chunk.get("usage")), None)
    return {
        "id": chunks[0].get("id", ""),
        "object": "chat.completion",
        "created": chunks[0].get("created", 0),
        "model": chunks[0].get("model", ""),
        "choices": [
            {
                "index": 0,
                "finish_reason": ended[-1] if ended else "length",
                "logprobs": None,
                "message": {"role": "assistant", "content": text, "refusal": refusal or None},
            }
        ],
        "usage": usage,
    }


def _anthropic(events: list[dict[str, Any]]) -> dict[str, Any]:
    if failed := next((event for event in events if event.get("type") == "error"), None):
        return failed
    message: dict[str, Any] = next(
        event["message"] for event in events if event.get("type") == "message_start"
    )
    text, stop, usage = "", "max_tokens", dict(message.get("usage") or {})
    for event in events:
        delta = event.get("delta") or {}
        if event.get("type") == "content_block_delta" and delta.get("type") == "text_delta":
            text += delta["text"]
        if event.get("type") == "message_delta":
            stop = delta.get("stop_reason") or stop
            usage |= event.get("usage") or {}
    content = [{"type": "text", "text": text}] if text else []
    return message | {"content": content, "stop_reason": stop, "usage": usage}
