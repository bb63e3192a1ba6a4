"""The files of deploy/ for Compose: their commands and settings start a service and a worker."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.database_server import DatabaseServer
from tests.http_server import Service, address_of

ROOT = Path(__file__).parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "deploy/compose.yaml").read_text())
SERVICES = COMPOSE["services"]
JUDGEMENT = {
    "program": "print(3)",
    "language": "python",
    "tests": [{"input": "", "expected": "3"}],
}
WAITING = ("queued", "running")


def test_secrets_are_made_once_and_only_their_owner_reaches_them(tmp_path: Path) -> None:
    shutil.copy(ROOT / "deploy/secrets.sh", tmp_path)
    shell = ["sh", str(tmp_path / "secrets.sh")]
    subprocess.run(shell, check=True, capture_output=True)
    folder = tmp_path / "secrets"
    made = {file.name: file.read_text() for file in folder.iterdir()}
    assert len(made["database_password"]) == 64
    assert made["database_password"] in made["steelyard_database_url"]
    assert folder.stat().st_mode & 0o077 == 0
    again = subprocess.run(shell, check=True, capture_output=True)
    assert again.stdout == b""
    assert {file.name: file.read_text() for file in folder.iterdir()} == made
    files = {each["file"].removeprefix("secrets/") for each in COMPOSE["secrets"].values()}
    assert files == set(made)


@pytest.mark.exhaustive
def test_the_commands_start_a_service_and_a_worker(
    database_server: DatabaseServer, tmp_path: Path
) -> None:
    secrets = tmp_path / "secrets"
    secrets.mkdir()
    (secrets / "steelyard_database_url").write_text(database_server.new_with_tables())
    service, worker = SERVICES["service"], SERVICES["worker"]
    assert service["environment"] == worker["environment"]
    given = {**service["environment"], "STEELYARD_SECRETS": str(secrets)}
    environment = {**os.environ, **given}
    environment.pop("STEELYARD_DATABASE_URL", None)
    steelyard = [sys.executable, "-m", "steelyard"]
    first = subprocess.run(
        [*steelyard, *["tokens", "create", "first", "--scope", "admin", "--expires", "90d"]],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    token = first.stdout.strip().splitlines()[-1]

    command, *options = service["command"]
    assert (command, options[:4]) == ("serve", ["--host", "0.0.0.0", "--port", "8080"])
    with (tmp_path / "log.jsonl").open("wb") as log:
        process = subprocess.Popen(
            [*steelyard, command, "--json", "--port", "0", *options[4:]],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=log,
        )
        jobs = subprocess.Popen([*steelyard, *worker["command"]], env=environment, stderr=log)
    try:
        running = Service(address_of(process, tmp_path), process, tmp_path, token)
        accepted = running.post("/v1/judge", JUDGEMENT, headers={"Prefer": "respond-async"})
        assert accepted.status == 202
        until = time.monotonic() + 120
        while (run := running.get(accepted.headers["location"]).json)["state"] in WAITING:
            assert time.monotonic() < until
            time.sleep(0.2)
        assert run["result"]["reward"] == 1.0
        assert running.get("/v1/languages").status == 200
        assert running.get("/v1/languages", token="").code == "token-missing"
    finally:
        for each in (process, jobs):
            each.send_signal(signal.SIGTERM)
        ended = [each.wait(60) for each in (process, jobs)]
        assert process.stdout
        process.stdout.close()
    assert ended == [0, 0]


def test_what_others_wait_for_reports_that_it_is_ready() -> None:
    assert SERVICES["database"]["healthcheck"]["test"][0] == "CMD"
    # The image's own check asks a service; test_image.py reads it.
    assert "healthcheck" not in SERVICES["service"]
    assert SERVICES["worker"]["healthcheck"] == {"disable": True}


def test_containers_write_to_volumes_only() -> None:
    volumes = set(COMPOSE["volumes"])
    for name in ("service", "worker"):
        assert SERVICES[name]["read_only"] is True
        assert {each.partition(":")[0] for each in SERVICES[name]["volumes"]} <= volumes
        # Cells run programs there.
        assert all("exec" in each for each in SERVICES[name]["tmpfs"])
