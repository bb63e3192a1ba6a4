"""A real service on loopback: `steelyard serve` in a process of its own.

def test_it_judges(service: Service) -> None:
    answer = service.post("/v1/judge", {"program": "print(1)", "tests": [...]})
    assert answer.status == 200
"""

import http.client
import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from steelyard.schemas import Scope
from steelyard.storage import open_database, store_token
from tests import warm_process
from tests.processes import children
from tests.warm_process import WarmProcess

_STOP_S = 60
Process = WarmProcess | subprocess.Popen[bytes]


@dataclass(frozen=True)
class Answer:
    """A response as it came over the wire."""

    status: int
    headers: dict[str, str]
    """With lower-case names."""
    body: bytes

    @property
    def json(self) -> Any:
        """The body's value."""
        return json.loads(self.body)

    @property
    def code(self) -> str:
        """The code of a problem document."""
        assert self.headers["content-type"] == "application/problem+json", self.body
        return str(self.json["code"])


@dataclass(frozen=True)
class Service:
    """A running service."""

    url: str
    process: Process
    folder: Path
    """Its database is `steelyard.sqlite3` in it, and its log `log.jsonl`."""
    token: str = ""

    @property
    def database(self) -> Path:
        """The file of its database."""
        return self.folder / "steelyard.sqlite3"

    @property
    def log(self) -> str:
        """What it has logged so far."""
        return (self.folder / "log.jsonl").read_text("utf-8")

    def request(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        headers: Mapping[str, str] | None = None,
        token: str | None = None,
    ) -> Answer:
        """Send one request: `bytes` as they are, anything else as JSON."""
        given = dict(headers or {})
        token = self.token if token is None else token
        if token:
            given.setdefault("Authorization", f"Bearer {token}")
        content = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        if content is not None:
            given.setdefault("Content-Type", "application/json")
        connection = self.connect()
        try:
            connection.request(method, path, content, given)
            response = connection.getresponse()
            named = {name.lower(): value for name, value in response.getheaders()}
            return Answer(response.status, named, response.read())
        finally:
            connection.close()

    def get(self, path: str, **how: Any) -> Answer:
        """GET a path."""
        return self.request("GET", path, **how)

    def post(self, path: str, body: object, **how: Any) -> Answer:
        """POST a body."""
        return self.request("POST", path, body, **how)

    def connect(self) -> http.client.HTTPConnection:
        """Return a connection of one's own."""
        parts = urlsplit(self.url)
        assert parts.hostname
        return http.client.HTTPConnection(parts.hostname, parts.port, timeout=120)


@contextmanager
def running_service(
    folder: Path, *arguments: str, environment: Mapping[str, str] | None = None, token: str = ""
) -> Iterator[Service]:
    """Start a service with its files in a folder, and stop it at the end.

    Args:
        folder: For its database and its log.
        arguments: Further arguments of `steelyard serve`.
        environment: Further variables, such as `STEELYARD_SERVICE__MAX_TESTS`.
        token: What its requests send by default.
    """
    process = start_service(folder, *arguments, environment=environment)
    try:
        yield Service(address_of(process, folder), process, folder, token)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(_STOP_S)
            finally:
                process.kill()
        assert process.stdout
        process.stdout.close()


def start_service(
    folder: Path, *arguments: str, environment: Mapping[str, str] | None = None
) -> WarmProcess:
    """Start a service; `address_of` waits for it."""
    environment = {
        **os.environ,
        "STEELYARD_DATABASE_URL": str(folder / "steelyard.sqlite3"),
        "STEELYARD_SERVICE__WORKERS": "0",
        **(environment or {}),
    }
    with (folder / "log.jsonl").open("ab") as log:
        words = ("serve", "--port", "0", "--json", *arguments)
        return warm_process.start(words, cwd=Path.cwd(), environment=environment, stderr=log)


def a_token(folder: Path, *scopes: Scope) -> str:
    """Create a token in the database of a service; by default to judge."""
    from steelyard.service import new_token  # slow to import

    token, stored = new_token("test", scopes or ("judge",), now=datetime.now(UTC))
    with open_database(folder / "steelyard.sqlite3") as database, database.change() as change:
        store_token(change, stored)
    return token


def address_of(process: Process, folder: Path) -> str:
    """Return the URL that a service prints once it listens."""
    assert process.stdout
    text = b""
    for line in process.stdout:
        text += line
        if line.startswith(b"}"):
            return str(json.loads(text)["url"])
    raise AssertionError(f"the service ended: {(folder / 'log.jsonl').read_text('utf-8')}")


def without_cells(service: Service, answer: Future[Answer]) -> Answer:
    """Kill every cell of a service, again and again, until it has answered a request."""
    until = time.monotonic() + _STOP_S
    while not answer.done() and time.monotonic() < until:
        for cell in children(service.process.pid):
            with suppress(ProcessLookupError):
                os.kill(cell, signal.SIGKILL)
        time.sleep(0.2)
    return answer.result(timeout=_STOP_S)
