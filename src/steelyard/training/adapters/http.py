"""A plain HTTP server for trainers on this machine: rewards, OpenRLHF's and NeMo-Gym's requests.

    from steelyard.training import reward
    from steelyard.training.adapters.http import reward_server

    with reward_server(reward(entry="function:f"), port=8900) as server:
        print(server.url)  # POST {"completions": [...], "suites": [...]} to /score
        server.serve_forever()

It listens on loopback and asks for no token. For other machines, use `steelyard serve`, which has
tokens, limits and metrics: `POST /v1/judge/batch` gives the same rewards.
"""

import json
from collections.abc import Mapping
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from steelyard.errors import SteelyardError, UsageError
from steelyard.schemas import JsonError, decode_json
from steelyard.training._score_completions import Reward
from steelyard.training.adapters._known_adapters import Answer, all_adapters

__all__ = ["RewardServer", "reward_server"]

_MOST_BYTES = 256 << 20
_PATIENCE_S = 60


class RewardServer(ThreadingHTTPServer):
    """Answers `POST /score`, `/get_reward` (OpenRLHF) and `/verify` (NeMo-Gym) with JSON.

    A wrong request is answered with 422 and one line, a machine that failed with 503: never with
    a reward.

    Args:
        reward: Judges.
        port: The port on loopback; 0 picks a free one.
    """

    daemon_threads = True

    def __init__(self, reward: Reward, port: int = 0) -> None:
        others = (getattr(module, "ENDPOINT", None) for module in all_adapters())
        self.answers: Mapping[str, Answer] = {
            "/score": partial(_scores, reward),
            **{each[0]: each[1](reward) for each in others if each is not None},
        }
        super().__init__(("127.0.0.1", port), _Handler)

    @property
    def url(self) -> str:
        """The address, without a path."""
        return f"http://127.0.0.1:{self.server_port}"


def reward_server(reward: Reward, *, port: int = 0) -> RewardServer:
    """Return a server on loopback; call its `serve_forever`.

    Args:
        reward: Judges.
        port: The port; 0 picks a free one.
    """
    return RewardServer(reward, port)


def _scores(reward: Reward, body: Mapping[str, Any]) -> dict[str, Any]:
    known = {"completions", "suites", "prompts", "entries"}
    unknown = sorted(set(body) - known)
    if unknown:
        raise UsageError(f"unknown field {unknown[0]!r}; use one of {', '.join(sorted(known))}")
    for name in sorted(known):
        column = body.get(name)
        if not isinstance(column, list) and (column is not None or name == "completions"):
            raise UsageError(f"{name} is not a list; give a list with an item for each")
    scored = reward.score(**body)
    return {
        "rewards": [each.reward for each in scored],
        "reasons": [each.reason for each in scored],
    }


class _Handler(BaseHTTPRequestHandler):
    """Reads one request, and writes its answer."""

    server: RewardServer
    timeout = _PATIENCE_S

    def do_POST(self) -> None:
        """Answer one request."""
        answer = self.server.answers.get(self.path.split("?")[0])
        size = self.headers.get("Content-Length", "")
        if answer is None:
            self._send(HTTPStatus.NOT_FOUND, {"error": f"use {', '.join(self.server.answers)}"})
        elif not size.isdecimal() or int(size) > _MOST_BYTES:
            error = f"give a Content-Length of at most {_MOST_BYTES:,} bytes"
            self._send(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, {"error": error})
        elif self.headers.get_content_type() != "application/json":  # no web page sends it unasked
            self._send(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, {"error": "send application/json"})
        else:
            try:
                self._send(HTTPStatus.OK, answer(_object_in(self.rfile.read(int(size)))))
            except UsageError as fault:
                self._send(HTTPStatus.UNPROCESSABLE_ENTITY, {"error": str(fault)})
            except SteelyardError as fault:
                self._send(HTTPStatus.SERVICE_UNAVAILABLE, {"error": str(fault)})

    def _send(self, status: HTTPStatus, body: Mapping[str, Any]) -> None:
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: object) -> None:
        """Write no line for each request."""


def _object_in(text: bytes) -> Mapping[str, Any]:
    try:
        value = decode_json(text)
    except JsonError as error:
        raise UsageError(f"the body: {error}") from error
    if not isinstance(value, dict):
        raise UsageError("the body is not an object; send an object")
    return value
