"""The files in deploy/ for one machine: nginx and Caddy in front of a real service, and the unit.

A proxy on the same machine connects from loopback: without a token it opens nothing.
"""

import http.client
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.http_server import Service, a_token, running_service

pytestmark = pytest.mark.xdist_group("proxies")
DEPLOY = Path(__file__).parents[2] / "deploy"
BODY = {"program": "print(1)", "language": "python", "tests": [{"input": "", "expected": "1"}]}
PATHS = ("/v1/isolation", "/v1/runs", "/v1/problems", "/v1/submissions", "/metrics")
BARE = "server {{ listen 127.0.0.1:{port}; location / {{ proxy_pass {url}; }} }}"
"""What most people write first: no header, and HTTP/1.0 to the service."""


@dataclass(frozen=True)
class Proxy:
    """A proxy that runs."""

    port: int
    cafile: Path | None
    folder: Path

    def connect(self) -> http.client.HTTPConnection:
        """Return a connection of one's own."""
        if self.cafile is None:
            return http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        context = ssl.create_default_context(cafile=str(self.cafile))
        context.check_hostname = False  # it is asked by its address
        return http.client.HTTPSConnection("127.0.0.1", self.port, timeout=120, context=context)

    def ask(
        self, path: str, *, token: str = "", body: object = None, host: str = "judge.example.org"
    ) -> tuple[int, bytes]:
        """Send a request; return the status and the body of the response."""
        with closing(self.connect()) as connection:
            content = body if isinstance(body, bytes) else body and json.dumps(body).encode()
            headers = {"Host": host, "Content-Type": "application/json"}
            if token:
                headers["Authorization"] = f"Bearer {token}"
            connection.request("POST" if body else "GET", path, content or None, headers)
            response = connection.getresponse()
            return response.status, response.read()


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def replaced(text: str, *pairs: tuple[str, str]) -> str:
    for old, new in pairs:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def needed(command: str) -> str:
    found = shutil.which(command) or shutil.which(command, path="/usr/sbin:/sbin")
    if found is None:
        pytest.skip(f"{command} is not installed; .ci/packages installs it")
    return found


@contextmanager
def running(command: Sequence[str], proxy: Proxy) -> Iterator[Proxy]:
    """Run a proxy until the block ends."""
    with (proxy.folder / "proxy.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, cwd=proxy.folder)
        try:
            for _ in range(1_200):
                with suppress(OSError), closing(proxy.connect()) as connection:
                    connection.connect()
                    break
                assert process.poll() is None, (proxy.folder / "proxy.log").read_text()
                time.sleep(0.1)
            yield proxy
        finally:
            process.terminate()
            process.wait(60)


@contextmanager
def nginx(folder: Path, server: str, port: int, cafile: Path | None) -> Iterator[Proxy]:
    """Run nginx with a file that belongs into its context `http`."""
    command = needed("nginx")
    (folder / "server.conf").write_text(server)
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    whole = f"""
daemon off; master_process off; pid {folder}/pid; error_log {folder}/error.log;
events {{}}
http {{ access_log off;
{temporary}include {folder}/server.conf; }}
"""
    (folder / "whole.conf").write_text(whole)
    arguments = [command, "-p", str(folder), "-c", str(folder / "whole.conf")]
    tested = subprocess.run([*arguments, "-t"], capture_output=True, text=True, check=False)
    assert tested.returncode == 0, tested.stderr
    with running(arguments, Proxy(port, cafile, folder)) as proxy:
        yield proxy


@contextmanager
def in_front(kind: str, folder: Path, service: Service) -> Iterator[Proxy]:
    """Run a proxy of deploy/, or nginx with as little as it needs, in front of a service."""
    port, address = free_port(), service.url.removeprefix("http://")
    if kind == "bare nginx":
        with nginx(folder, BARE.format(port=port, url=service.url), port, None) as proxy:
            yield proxy
    elif kind == "nginx":
        certificate, key = folder / "certificate.pem", folder / "key.pem"
        subprocess.run(
            [
                needed("openssl"),
                "req",
                "-x509",
                "-newkey",
                "rsa:2048",
                "-nodes",
                "-days",
                "2",
                "-subj",
                "/CN=judge.example.org",
                "-keyout",
                key,
                "-out",
                certificate,
            ],
            check=True,
            capture_output=True,
        )
        server = replaced(
            (DEPLOY / "proxy/nginx.conf").read_text(),
            ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
            ("127.0.0.1:8080", address),
            ("/etc/ssl/steelyard/fullchain.pem", str(certificate)),
            ("/etc/ssl/steelyard/privkey.pem", str(key)),
            ("/var/log/nginx/steelyard.log", f"{folder}/access.log"),
        )
        with nginx(folder, server, port, certificate) as proxy:
            yield proxy
    else:
        file = folder / "Caddyfile"
        own = replaced(
            (DEPLOY / "proxy/Caddyfile").read_text(),
            ("\njudge.example.org {", f"\nhttp://judge.example.org:{port} {{"),
            ("127.0.0.1:8080", address),
        )
        file.write_text(f"{{\n\tadmin off\n}}\n{own}")
        arguments = [needed("caddy"), "run", "--adapter", "caddyfile", "--config", str(file)]
        with running(arguments, Proxy(port, None, folder)) as proxy:
            yield proxy


@pytest.fixture(scope="module")
def open_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service without a token."""
    with running_service(tmp_path_factory.mktemp("open")) as service:
        yield service


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with a token."""
    folder = tmp_path_factory.mktemp("guarded")
    token = a_token(folder, "judge", "admin")
    with running_service(folder, token=token) as service:
        yield service


@pytest.mark.parametrize("kind", ["bare nginx", "nginx", "caddy"])
def test_without_a_token_a_proxy_opens_nothing(
    open_service: Service, tmp_path: Path, kind: str
) -> None:
    with in_front(kind, tmp_path, open_service) as proxy:
        hosts = ("judge.example.org",) if kind == "caddy" else ("judge.example.org", "localhost")
        found = {(path, host): proxy.ask(path, host=host)[0] for path in PATHS for host in hosts}
        assert found == dict.fromkeys(found, 401)
        assert proxy.ask("/v1/judge", body=BODY)[0] == 401
        assert proxy.ask("/healthz")[0] == 200
    assert {open_service.get(path).status for path in PATHS} == {200}


@pytest.mark.parametrize("kind", ["nginx", "caddy"])
def test_with_a_token_a_proxy_passes_all_on(guarded: Service, tmp_path: Path, kind: str) -> None:
    with in_front(kind, tmp_path, guarded) as proxy:
        status, body = proxy.ask("/v1/judge?x=secret", token=guarded.token, body=BODY)
        assert (status, json.loads(body)["reward"]) == (200, 1.0)
        assert proxy.ask("/v1/judge", body=BODY)[0] == 401
        assert proxy.ask("/v1/judge", token=guarded.token, body=b"x" * (33 << 20))[0] == 413
        log = tmp_path / "access.log"
        if kind == "nginx":
            assert '"POST /v1/judge" 200' in log.read_text()
            assert "secret" not in log.read_text()


@pytest.mark.parametrize("kind", ["nginx", "caddy"])
def test_a_proxy_passes_verdicts_on_as_they_come(
    guarded: Service, tmp_path: Path, kind: str
) -> None:
    slow = {**BODY, "program": "while True: pass", "limits": {"cpu_ms": 20_000}}
    lines = "\n".join(map(json.dumps, (BODY, slow))).encode()
    headers = {
        "Authorization": f"Bearer {guarded.token}",
        "Host": "judge.example.org",
        "Content-Type": "application/x-ndjson",
    }
    with in_front(kind, tmp_path, guarded) as proxy:
        with closing(proxy.connect()) as connection:
            connection.request("POST", "/v1/judge/batch", lines, headers)
            first = json.loads(connection.getresponse().readline())
            assert (first["index"], first["result"]["reward"]) == (0, 1.0)
            assert guarded.get("/healthz").json["working"] > 0  # the second one
        # The client is gone, and so is its work, through the proxy as well.
        while guarded.get("/healthz").json["working"]:
            time.sleep(0.2)


def test_the_unit_is_valid_and_gives_what_the_service_needs(tmp_path: Path) -> None:
    unit = (DEPLOY / "systemd/steelyard.service").read_text()
    lines = [line for line in unit.splitlines() if re.match(r"\w+=", line)]
    for needed_line in (
        "Delegate=cpu memory pids",
        "StateDirectory=steelyard",
        "Environment=STEELYARD_SECRETS=%d",
        "LoadCredential=steelyard_database_url:/etc/steelyard/database_url",
    ):
        assert needed_line in lines
    analyze = needed("systemd-analyze")
    own = tmp_path / "steelyard.service"
    own.write_text(replaced(unit, ("/opt/steelyard/bin/steelyard", needed("true"))))
    done = subprocess.run([analyze, "verify", own], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_credential_is_read_as_the_unit_gives_it(tmp_path: Path) -> None:
    credentials = tmp_path / "credentials"
    credentials.mkdir()
    database = tmp_path / "state" / "steelyard.sqlite3"
    (credentials / "steelyard_database_url").write_text(f"{database}\n")
    own = {name: text for name, text in os.environ.items() if name != "STEELYARD_DATABASE_URL"}
    done = subprocess.run(
        [sys.executable, "-m", "steelyard", "db", "upgrade"],
        env=own | {"STEELYARD_SECRETS": str(credentials)},
        check=False,
    )
    assert (done.returncode, database.exists()) == (0, True)
