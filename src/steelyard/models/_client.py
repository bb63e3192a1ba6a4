"""The HTTP client under the vendors' SDKs: it limits sizes and follows no redirects."""

import json
import ssl
from functools import cache
from typing import Any

import httpx2

__all__ = ["BoundedClient"]

CONNECT_S = 10.0
HIDDEN_KEY = b"[key]"


class BodyTooLargeError(Exception):
    """A response was larger than the limit."""


class BoundedClient(httpx2.AsyncClient):
    """A client for one request that limits the response's size and records its status.

    If a response echoes the key, the key is removed before anything else reads the response.
    """

    def __init__(
        self,
        *,
        base_url: str,
        key: str | None,
        max_body_bytes: int,
        timeout_s: float,
        loopback: bool,
    ) -> None:
        super().__init__(
            verify=_certificates() if base_url.startswith("https:") else _no_certificates(),
            timeout=httpx2.Timeout(timeout_s, connect=min(CONNECT_S, timeout_s)),
            trust_env=not loopback,  # a proxy of the environment cannot reach this machine
        )
        self._key = key.encode() if key else None
        self._max_body_bytes = max_body_bytes
        self.status: int | None = None
        self.temperature_sent = False
        self.body_too_large = False
        self.body_begins = b""
        """The first byte, after white space, of a body that was too large; empty without one."""

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """Return the complete response; a redirect is a response like any other."""
        self.temperature_sent = "temperature" in json.loads(request.content or b"{}")
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
        content = bytes(body).replace(self._key, HIDDEN_KEY) if self._key else bytes(body)
        return httpx2.Response(
            response.status_code, headers=headers, content=content, request=request
        )


@cache
def _certificates() -> ssl.SSLContext:
    """Return the certificates, which take a fifth of a second to read."""
    return httpx2.create_ssl_context()


@cache
def _no_certificates() -> ssl.SSLContext:
    """Return a context for plain HTTP, made quickly, that trusts no TLS server."""
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
