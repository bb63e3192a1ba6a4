"""Send a result to an address that a caller names, if it is a public one.

The name is resolved once, and the connection is made to the address that was checked. No redirect
is followed, and the answer is not read.
"""

import http.client
import ipaddress
import socket
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

MOST_TRIES = 3
TIMEOUT_S = 5.0
_LONGEST = 2_000
_UNICAST = ipaddress.IPv6Network("2000::/3")
"""All of IPv6 that is public. Outside are addresses that hold one of IPv4 (`::a.b.c.d`,
`::ffff:0:a.b.c.d`, `64:ff9b::a.b.c.d`), private ones and groups.

Source: https://www.iana.org/assignments/ipv6-address-space."""
_RESERVED = tuple(
    map(ipaddress.ip_network, ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"))
)
"""Of those, tunnels that lead to an address of IPv4 (Teredo, 6to4), and examples."""
_ISATAP = (0x0000_5EFE, 0x0200_5EFE)
"""The third quarter of an address of IPv6 that leads to the IPv4 address in its last quarter.

Source: https://www.rfc-editor.org/rfc/rfc5214#section-6.1."""
_RELAYS = ipaddress.ip_network("192.88.99.0/24")
_PORTS = (80, 443)
"""Ports below 1024 are other protocols' (mail is 25), which a request could speak to."""
_OTHER_PROTOCOLS = frozenset(
    {
        1719,
        1720,
        1723,
        2049,
        3659,
        4045,
        4190,
        5060,
        5061,
        6000,
        6379,
        6566,
        6665,
        6666,
        6667,
        6668,
        6669,
        6679,
        6697,
        10080,
        11211,
    }
)
"""Source: https://fetch.spec.whatwg.org/#port-blocking, with Redis and memcached."""


class CallbackError(Exception):
    """An address to which nothing is sent; its text is the reason."""


@dataclass(frozen=True, slots=True)
class CallbackAddress:
    """An address to which a result is sent."""

    secure: bool
    host: str
    """As the URL has it."""
    address: str
    """The IP address."""
    port: int
    path: str


def is_public(address: str) -> bool:
    """Return True if an IP address is one of the public internet."""
    found = ipaddress.ip_address(address)
    if isinstance(found, ipaddress.IPv6Address):
        found = found.ipv4_mapped or found
    if isinstance(found, ipaddress.IPv6Address):
        tunnels = any(found in network for network in _RESERVED)
        if found not in _UNICAST or tunnels or (int(found) >> 32) & 0xFFFF_FFFF in _ISATAP:
            return False
    elif found in _RELAYS:
        return False
    return found.is_global and not found.is_multicast


def target_of(url: str, allowed: Callable[[str], bool] = is_public) -> CallbackAddress:
    """Resolve a URL.

    Args:
        url: `http://` or `https://`.
        allowed: Returns True for an IP address to which a result may be sent.

    Raises:
        CallbackError: if it is malformed, has the port of another protocol or no address, or has
            an address that is not allowed.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise CallbackError("is not a URL") from error
    plain = url.isascii() and url.isprintable() and " " not in url and len(url) <= _LONGEST
    if not plain or parts.scheme not in ("http", "https") or not host or "@" in parts.netloc:
        raise CallbackError("is not a URL of the form http://HOST/PATH")
    secure = parts.scheme == "https"
    port = (443 if secure else 80) if port is None else port
    if (port < 1_024 and port not in _PORTS) or port in _OTHER_PROTOCOLS:
        raise CallbackError("has a port of another protocol; use 80, 443, or one from 1024")
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise CallbackError("has a host without an address") from error
    addresses = [str(each[4][0]) for each in found]
    if not all(map(allowed, addresses)):
        raise CallbackError("leads to a private address")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return CallbackAddress(secure, host, addresses[0], port, path)


def deliver(url: str, body: bytes, allowed: Callable[[str], bool] = is_public) -> bool:
    """Send a result by PUT, and return True if it was accepted.

    Args:
        url: As for `target_of`.
        body: JSON.
        allowed: As for `target_of`.
    """
    for _ in range(MOST_TRIES):
        try:
            if _put(target_of(url, allowed), body) < 300:
                return True
        except (CallbackError, OSError, http.client.HTTPException):
            continue
    return False


class _PinnedConnection(http.client.HTTPConnection):
    """A connection to an address that was checked."""

    def __init__(self, target: CallbackAddress) -> None:
        super().__init__(target.host, target.port, timeout=TIMEOUT_S)
        self._target = target

    def connect(self) -> None:
        target = self._target
        self.sock = socket.create_connection((target.address, target.port), TIMEOUT_S)
        if target.secure:
            context = ssl.create_default_context()
            self.sock = context.wrap_socket(self.sock, server_hostname=target.host)


def _put(target: CallbackAddress, body: bytes) -> int:
    connection = _PinnedConnection(target)
    try:
        connection.request("PUT", target.path, body, {"Content-Type": "application/json"})
        return connection.getresponse().status
    finally:
        connection.close()
