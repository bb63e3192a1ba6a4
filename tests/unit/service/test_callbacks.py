"""Callbacks of Judge0: results reach public addresses, and nothing else."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from steelyard.service.compat._callbacks import CallbackError, deliver, is_public, target_of

RESULT = b'{"status": {"id": 3}}'


@contextmanager
def receiver(status: int, location: str = "") -> Iterator[tuple[str, list[tuple[str, bytes]]]]:
    """Yield the URL of a server, and what it is sent."""
    received: list[tuple[str, bytes]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_PUT(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            received.append((self.path, body))
            self.send_response(status)
            if location:
                self.send_header("Location", location)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", received
        finally:
            server.shutdown()


def test_public_addresses() -> None:
    addresses = {
        "8.8.8.8": True,
        "2606:4700::1111": True,
        "127.0.0.1": False,
        "10.1.2.3": False,
        "192.168.0.1": False,
        "172.16.0.1": False,
        "169.254.169.254": False,
        "0.0.0.0": False,
        "100.64.0.1": False,
        "224.0.0.1": False,
        "::1": False,
        "fe80::1": False,
        "fd00::1": False,
        "::ffff:10.0.0.1": False,
        "64:ff9b::a00:1": False,
        "2002:a00:1::": False,
        "255.255.255.255": False,
        "::127.0.0.1": False,
        "::8.8.8.8": False,
        "::ffff:0:127.0.0.1": False,
        "64:ff9b:1::7f00:1": False,
        "2001:0:4136:e378:8000:63bf:80ff:fffe": False,
        "2606:4700::5efe:7f00:1": False,
        "2606:4700::200:5efe:a00:1": False,
        "ff0e::1": False,
        "3fff::1": False,
        "2001:db8::1": False,
        "fec0::1": False,
        "4000::1": False,
        "192.88.99.1": False,
        "2a00:1450:4001:81b::200e": True,
        "::ffff:8.8.8.8": True,
    }
    assert {address: is_public(address) for address in addresses} == addresses


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example",
        "ftp://8.8.8.8/",
        "file:///etc/passwd",
        "http://",
        "http://[::",
        "http://a b/",
        "http://me:secret@8.8.8.8/",
        "http://8.8.8.8:99999/",
        "http://8.8.8.8/\r\nHost: a",
        "http://127.0.0.1/",
        "http://localhost/",
        "http://0x7f.1/",
        "http://2130706433/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://" + "a" * 300 + "/",
        "http://[::127.0.0.1]/",
        "http://[::ffff:0:127.0.0.1]/",
        "http://8.8.8.8:0/",
        "http://8.8.8.8:25/",
        "https://8.8.8.8:22/",
        "http://8.8.8.8:6667/",
        "http://8.8.8.8:6379/",
    ],
)
def test_other_targets_are_refused(url: str) -> None:
    with pytest.raises(CallbackError):
        target_of(url)


def test_ports_of_the_web_are_allowed() -> None:
    urls = {
        "http://8.8.8.8/": 80,
        "https://8.8.8.8/": 443,
        "http://8.8.8.8:443/": 443,
        "https://8.8.8.8:8443/a": 8443,
    }
    assert {url: target_of(url).port for url in urls} == urls


def test_a_result_is_delivered_once_and_redirects_are_not_followed() -> None:
    with receiver(200) as (url, received), receiver(302, url) as (elsewhere, tried):
        assert not deliver(f"{url}/a", RESULT)  # a private address
        assert deliver(f"{url}/a?b=1", RESULT, lambda _: True)
        assert received == [("/a?b=1", RESULT)]
        assert not deliver(elsewhere, RESULT, lambda _: True)
        assert (len(tried), len(received)) == (3, 1)
