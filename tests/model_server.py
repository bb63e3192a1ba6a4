"""A small server on loopback that speaks OpenAI's and Anthropic's wire formats, faults included.

    with ModelServer() as server:
        server.then(fails(429, headers={"Retry-After": "7"}), says('{"answer": 42}'))
        ... ask a model at server.openai or server.anthropic ...
        server.asked  # what came in

Sources: https://platform.openai.com/docs/api-reference/chat/object and
https://docs.anthropic.com/en/api/messages, with their pages on errors.
"""

import json
import select
import socket
import struct
import threading
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

ANTHROPIC_STOPS = {"stop": "end_turn", "length": "max_tokens", "refusal": "refusal"}
OPENAI_STOPS = {"stop": "stop", "length": "length", "refusal": "content_filter"}
ANTHROPIC_ERRORS = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    429: "rate_limit_error",
    529: "overloaded_error",
}


@dataclass(frozen=True)
class Asked:
    """A request as it came over the wire."""

    path: str
    headers: dict[str, str]
    """With lower-case names."""
    body: dict[str, Any]

    @property
    def speaks_anthropic(self) -> bool:
        return "/messages" in self.path

    @property
    def key(self) -> str | None:
        """The key that it carried."""
        return self.headers.get("authorization", "").removeprefix("Bearer ") or None


class Exchange:
    """One request under way: what was asked, and the connection to answer it on."""

    def __init__(self, server: "ModelServer", handler: BaseHTTPRequestHandler, asked: Asked):
        self.server = server
        self.asked = asked
        self._handler = handler

    def send(
        self,
        status: int,
        body: object,
        headers: dict[str, str] | None = None,
        content_type: str = "application/json",
    ) -> None:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.begin(status, len(content), headers, content_type)
        self.write(content)

    def begin(
        self,
        status: int,
        length: int,
        headers: dict[str, str] | None = None,
        content_type: str = "application/json",
    ) -> None:
        self._handler.send_response(status)
        self._handler.send_header("Content-Type", content_type)
        self._handler.send_header("Content-Length", str(length))
        for name, value in (headers or {}).items():
            self._handler.send_header(name, value)
        self._handler.end_headers()

    def write(self, content: bytes) -> None:
        self._handler.wfile.write(content)
        self._handler.wfile.flush()

    def cut(self) -> None:
        """Reset the connection, as a machine that dies does."""
        connection = self._handler.connection
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()
        self._handler.close_connection = True

    def wait_until_gone(self) -> None:
        """Until the client hangs up, or the server is released."""
        while not self.server.released.is_set():
            readable, _, _ = select.select([self._handler.connection], [], [], 0.02)
            if readable:
                with self.server.lock:
                    self.server.hung_up += 1
                self.cut()
                return


Behaviour = Callable[[Exchange], None]


def says(
    text: str,
    *,
    finish: str = "stop",
    tokens_in: int = 100,
    tokens_out: int = 20,
    model: str | None = None,
    refusal: str | None = None,
) -> Behaviour:
    """A reply. The text may be anything."""

    def behave(exchange: Exchange) -> None:
        named = model or exchange.asked.body["model"]
        if exchange.asked.speaks_anthropic:
            body: dict[str, Any] = {
                "id": "msg_1",
                "type": "message",
                "role": "assistant",
                "model": named,
                "content": [{"type": "text", "text": text}] if text else [],
                "stop_reason": ANTHROPIC_STOPS[finish],
                "stop_sequence": None,
                "usage": {"input_tokens": tokens_in, "output_tokens": tokens_out},
            }
        else:
            body = {
                "id": "chatcmpl-1",
                "object": "chat.completion",
                "created": 1_700_000_000,
                "model": named,
                "choices": [
                    {
                        "index": 0,
                        "message": {
                            "role": "assistant",
                            "content": None if refusal else text,
                            "refusal": refusal,
                        },
                        "logprobs": None,
                        "finish_reason": OPENAI_STOPS[finish],
                    }
                ],
                "usage": {
                    "prompt_tokens": tokens_in,
                    "completion_tokens": tokens_out,
                    "total_tokens": tokens_in + tokens_out,
                },
            }
        exchange.send(200, body)

    return behave


def fails(
    status: int,
    message: str = "it failed",
    *,
    headers: dict[str, str] | None = None,
    code: str | None = None,
) -> Behaviour:
    """An error in the provider's own format."""

    def behave(exchange: Exchange) -> None:
        if exchange.asked.speaks_anthropic:
            kind = ANTHROPIC_ERRORS.get(status, "api_error")
            body: dict[str, Any] = {"type": "error", "error": {"type": kind, "message": message}}
        else:
            error = {"message": message, "type": "some_error", "param": None, "code": code}
            body = {"error": error}
        exchange.send(status, body, headers)

    return behave


def sends(
    content: bytes, *, headers: dict[str, str] | None = None, content_type: str = "application/json"
) -> Behaviour:
    """Status 200 with any body."""
    return lambda exchange: exchange.send(200, content, headers, content_type)


def streams(*parts: str, ends: bool = True) -> Behaviour:
    """A reply as server-sent events, whatever was asked for."""

    def behave(exchange: Exchange) -> None:
        if exchange.asked.speaks_anthropic:
            message = {
                "id": "m",
                "type": "message",
                "role": "assistant",
                "content": [],
                "model": exchange.asked.body["model"],
                "stop_reason": None,
                "stop_sequence": None,
                "usage": {"input_tokens": 100, "output_tokens": 1},
            }
            events: list[Any] = [{"type": "message_start", "message": message}]
            events += [
                {
                    "type": "content_block_delta",
                    "index": 0,
                    "delta": {"type": "text_delta", "text": part},
                }
                for part in parts
            ]
            if ends:
                events.append(
                    {
                        "type": "message_delta",
                        "delta": {"stop_reason": "end_turn"},
                        "usage": {"output_tokens": 20},
                    }
                )
        else:
            chunk = {
                "id": "c",
                "object": "chat.completion.chunk",
                "created": 1,
                "model": exchange.asked.body["model"],
            }
            events = [
                {
                    **chunk,
                    "choices": [{"index": 0, "delta": {"content": part}, "finish_reason": None}],
                }
                for part in parts
            ]
            if ends:
                events.append(
                    {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
                )
                events.append(
                    {
                        **chunk,
                        "choices": [],
                        "usage": {
                            "prompt_tokens": 100,
                            "completion_tokens": 20,
                            "total_tokens": 120,
                        },
                    }
                )
        lines = [f"data: {json.dumps(event)}\n\n" for event in events]
        body = "".join([*lines, "data: [DONE]\n\n"]).encode()
        exchange.send(200, body, content_type="text/event-stream")

    return behave


def cuts_at_once(exchange: Exchange) -> None:
    """The connection is reset before the response begins."""
    exchange.cut()


def cuts_within(exchange: Exchange) -> None:
    """The connection is reset in the middle of the body."""
    exchange.begin(200, 1_000)
    exchange.write(b'{"id": "chatcmpl-1", "choices": [')
    exchange.cut()


def drips(exchange: Exchange) -> None:
    """The body begins and never ends."""
    exchange.begin(200, 1_000)
    exchange.write(b'{"id": ')
    exchange.wait_until_gone()


def holds(exchange: Exchange) -> None:
    """Nothing is sent while the client waits; once the server is released, a reply is."""
    exchange.wait_until_gone()
    if exchange.server.released.is_set():
        says('{"answer": 1}')(exchange)


def refuses_temperature(then: Behaviour) -> Behaviour:
    """What a reasoning model says to a temperature, and what it does without one."""
    message = "Unsupported value: 'temperature' does not support 0.2 with this model."
    refuse = fails(400, message, code="unsupported_value")
    return lambda exchange: (refuse if "temperature" in exchange.asked.body else then)(exchange)


class _HTTPServer(ThreadingHTTPServer):
    request_queue_size = 64
    """Of the 5 by default a sixth connection at once waits for a second."""


class ModelServer:
    """Answers with one behaviour after the other; the last one stays."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.hung_up = 0
        self.under_way = 0
        self.most_under_way = 0
        self.released = threading.Event()
        self.lock = threading.Lock()
        self._behaviours: list[Behaviour] = [says("{}")]
        self._http = _HTTPServer(("127.0.0.1", 0), self._handler_class())
        self._http.daemon_threads = False
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,))

    def then(self, *behaviours: Behaviour) -> None:
        """What to do with the next requests."""
        self._behaviours = list(behaviours)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    @property
    def openai(self) -> str:
        """The base URL for OpenAI's format."""
        return f"{self.url}/v1"

    @property
    def anthropic(self) -> str:
        """The base URL for Anthropic's format."""
        return self.url

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        type_: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.released.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def _take(self) -> Behaviour:
        return self._behaviours.pop(0) if len(self._behaviours) > 1 else self._behaviours[0]

    def _handler_class(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                headers = {name.lower(): value for name, value in self.headers.items()}
                asked = Asked(self.path, headers, body)
                with server.lock:
                    server.asked.append(asked)
                    behave = server._take()
                    server.under_way += 1
                    server.most_under_way = max(server.most_under_way, server.under_way)
                try:
                    behave(Exchange(server, self, asked))
                except OSError:  # the client hung up
                    self.close_connection = True
                finally:
                    with server.lock:
                        server.under_way -= 1

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                pass

        return Handler
