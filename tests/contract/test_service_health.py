"""What a service says about itself: when it cannot do its work, and in spans."""

import json
from pathlib import Path
from typing import Any

import pytest
from opentelemetry import trace

from steelyard.settings import SandboxSettings, ServiceSettings, Settings
from tests.warm_command import WarmCommand

WEAK = {
    "STEELYARD_SANDBOX__REQUIRE": "full",
    "STEELYARD_SANDBOX__ACCOUNTING": "none",  # without counters the level is partial at most
}


class Recorder(trace.TracerProvider, trace.Tracer):
    """Keeps the names and the attributes of spans."""

    def __init__(self) -> None:
        self.spans: list[tuple[str, dict[str, Any]]] = []

    def get_tracer(self, *_: Any, **__: Any) -> trace.Tracer:
        return self

    def start_span(self, name: str, *_: Any, **given: Any) -> trace.Span:
        self.spans.append((name, dict(given.get("attributes") or {})))
        return trace.INVALID_SPAN

    def start_as_current_span(self, name: str, *_: Any, **__: Any) -> Any:
        raise AssertionError(f"a span within a request: {name}")


async def health_of(app: Any) -> tuple[int, dict[str, Any]]:
    """Ask an application in this process."""
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": "/healthz",
        "raw_path": b"/healthz",
        "root_path": "",
        "query_string": b"",
        "headers": [(b"host", b"localhost")],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 2),
    }
    await app(scope, receive, send)
    body = b"".join(each.get("body", b"") for each in sent[1:])
    return sent[0]["status"], json.loads(body)


async def test_a_service_that_can_make_no_cell_is_not_healthy(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    from steelyard.service import create_app

    settings = Settings(
        database_url=str(tmp_path / "steelyard.sqlite3"),
        service=ServiceSettings(workers=0, cells=1),
    )
    app = create_app(settings)
    async with app.router.lifespan_context(app):
        assert (await health_of(app))[0] == 200
        app.state.trial = type(app.state.trial)()  # it remembers for two seconds
        app.state.services.pool.close()
        status, health = await health_of(app)
    assert (status, health["status"], health["database"]) == (503, "failing", "ok")
    assert health["sandbox"] in health["faults"][0]
    assert "closed" not in json.dumps(health)
    assert "the pool is closed" in caplog.text


async def test_its_health_names_no_file(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    from steelyard.service import create_app

    settings = Settings(
        database_url=str(tmp_path / "steelyard.sqlite3"),
        sandbox=SandboxSettings(accounting="none"),
        service=ServiceSettings(workers=0, cells=1),
    )
    app = create_app(settings)
    async with app.router.lifespan_context(app):
        assert (await health_of(app))[1]["isolation"]["missing"]
        (tmp_path / "steelyard.sqlite3").rename(tmp_path / "moved")
        app.state.services.database.close()
        status, health = await health_of(app)
    assert (status, health["status"]) == (503, "failing")
    assert "/" not in json.dumps(health), health
    assert str(tmp_path) in caplog.text


async def test_each_request_is_a_span_of_the_program_that_serves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from steelyard.service import create_app

    recorder = Recorder()
    # As `set_tracer_provider`, which could not be undone for the tests after this one.
    monkeypatch.setattr(trace, "_TRACER_PROVIDER", recorder)
    settings = Settings(
        database_url=str(tmp_path / "steelyard.sqlite3"),
        service=ServiceSettings(workers=0, cells=1),
    )
    app = create_app(settings)
    async with app.router.lifespan_context(app):
        assert (await health_of(app))[0] == 200
    ((name, attributes),) = recorder.spans
    assert name.startswith("GET")
    assert attributes["url.path"] == "/healthz"


def test_a_service_with_weaker_isolation_than_required_does_not_start(
    tmp_path: Path, warm: WarmCommand
) -> None:
    database = str(tmp_path / "none.sqlite3")
    done = warm.run("serve", "--port", "0", "--db", database, cwd=tmp_path, **WEAK)
    assert done.status == 3
    assert "sandbox.require=full is not met" in done.said[-1]
    assert "Traceback" not in done.stderr
