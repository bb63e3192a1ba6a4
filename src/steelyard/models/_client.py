"""The HTTP client under the vendors' SDKs: it limits sizes and follows no redirects.

A server that does nothing but stream is asked for a stream (server-sent events), which is then read
as the whole reply that the SDK expects.
"""

import json
import ssl
from collections.abc import Iterator
from functools import cache
from typing import Any

import httpx2

PLAIN_HEADERS = frozenset(
    (
        "accept",
        "accept-encoding",
        "anthropic-version",
        "connection",
        "content-length",
        "content-type",
        "host",
        "user-agent",
    )
)
CONNECT_S = 10.0
HIDDEN_KEY = b"[key]"
SHORTEST_SECRET = 12
"""Shorter keys, such as `none` or `ollama`, are placeholders for local servers.

They are no secrets, and replies hold the same letters.
"""


class BodyTooLargeError(Exception):
    """A response was larger than the limit."""


class BoundedClient(httpx2.AsyncClient):
    """A client for one request that limits the response's size and records its status.

    If a response echoes the key, the key is removed before anything else reads the response. The
    vendors' libraries add what they find in the environment: organizations, projects, any header
    of OPENAI_CUSTOM_HEADERS. That is sent to the vendor alone.
    """

    def __init__(
        self,
        *,
        base_url: str,
        key: str | None,
        max_body_bytes: int,
        timeout_s: float,
        loopback: bool,
        only_key: str | None,
    ) -> None:
        """Prepare the client.

        Args:
            base_url: The server's address.
            key: The key that is sent, if any.
            max_body_bytes: Limit on a response.
            timeout_s: Limit on each wait for the server, in seconds.
            loopback: True for a server on this machine.
            only_key: The key that is sent, with nothing else from the environment; None sends all.
        """
        super().__init__(
            verify=_certificates() if base_url.startswith("https:") else _no_certificates(),
            timeout=httpx2.Timeout(timeout_s, connect=min(CONNECT_S, timeout_s)),
            trust_env=not loopback,  # a proxy of the environment cannot reach this machine
        )
        self._secret = key.encode() if key and len(key) >= SHORTEST_SECRET else None
        self._max_body_bytes = max_body_bytes
        self._only_key = only_key
        self.status: int | None = None
        self.temperature_sent = False
        self.body_too_large = False
        self.body_begins = b""
        """The first byte, after white space, of a body that was too large or is not JSON."""
        self.is_not_json = False
        """True if the response is a success that is not JSON."""

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """Return the complete response; a redirect is a response like any other."""
        if self._only_key is not None:
            request.headers = _plain(request.headers, self._only_key)
        asked = json.loads(request.content or b"{}")
        self.temperature_sent = "temperature" in asked
        response = await self._bounded(request, **options)
        refused = response.status_code in (400, 422) and b"stream" in response.content
        if refused and not asked.get("stream"):  # some servers do nothing but stream
            again = self.build_request(
                request.method,
                request.url,
                json={**asked, "stream": True},
                headers=_without(request.headers, "content-length"),
            )
            response = await self._bounded(again, **options)
        content_type = response.headers.get("content-type", "")
        whole = response.content
        if response.status_code < 300 and is_stream(content_type, whole):
            whole = whole_reply(whole) or whole
            headers = [
                *_without(response.headers, "content-type").items(),
                ("content-type", "application/json"),
            ]
            response = httpx2.Response(200, headers=headers, content=whole, request=request)
        if response.status_code < 300 and not _is_json(whole):
            self.is_not_json = True
            self.body_begins = bytes(whole.lstrip()[:1])
        return response

    async def _bounded(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        options |= {"stream": True, "follow_redirects": False}
        response = await super().send(request, **options)
        self.status = response.status_code
        body = bytearray()
        try:
            # Counted after decompression: a small body may decompress to a large one.
            async for chunk in response.aiter_bytes():
                body += chunk
                if len(body) > self._max_body_bytes:
                    self.body_too_large = True
                    self.body_begins = bytes(body.lstrip()[:1])
                    raise BodyTooLargeError
        finally:
            await response.aclose()
        headers = [
            (name, value)
            for name, value in response.headers.multi_items()
            if name not in ("content-encoding", "content-length", "transfer-encoding")
        ]
        content = bytes(body).replace(self._secret, HIDDEN_KEY) if self._secret else bytes(body)
        return httpx2.Response(
            response.status_code, headers=headers, content=content, request=request
        )


def _plain(headers: httpx2.Headers, key: str) -> httpx2.Headers:
    """Return the headers that any server needs, with this key for any other."""
    plain = {name: value for name, value in headers.items() if name in PLAIN_HEADERS}
    if "x-api-key" in headers:
        return httpx2.Headers(plain | {"x-api-key": key})
    return httpx2.Headers(plain | {"authorization": f"Bearer {key}"})


def _without(headers: httpx2.Headers, name: str) -> dict[str, str]:
    return {key: value for key, value in headers.items() if key.lower() != name}


def _is_json(body: bytes) -> bool:
    try:
        json.loads(body)
    except (ValueError, RecursionError):
        return False
    return True


@cache
def _certificates() -> ssl.SSLContext:
    """Return the certificates, which take a fifth of a second to read."""
    return httpx2.create_ssl_context()


@cache
def _no_certificates() -> ssl.SSLContext:
    """Return a context for plain HTTP, made quickly, that trusts no TLS server."""
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


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
        is_anthropic = any(event.get("type") == "message_start" for event in events)
        whole = _anthropic(events) if is_anthropic else _openai(events)
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
