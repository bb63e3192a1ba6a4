"""Find out who calls, what it may see, and how much it may ask for.

1. The caller is found by the token of a request, with its scopes and its limits.
2. Everything that a service keeps belongs to an account, its owner, which is never found by a name.
   A caller sees what is its own, and what its scopes open of all others'.
3. Each token has limits: requests per minute, and requests under way.
"""

import asyncio
import ipaddress
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal
from urllib.parse import urlsplit

from fastapi import Depends, Request
from fastapi.security import HTTPBearer

from steelyard.errors import DatabaseError
from steelyard.logs import logger
from steelyard.schemas import Scope
from steelyard.service._error_responses import Problem, problem_of
from steelyard.service._state import services_of

_log = logger("service")
_ALL: frozenset[Scope] = frozenset({"judge", "author", "admin"})
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_FORWARDING = re.compile(
    r"via|cdn-loop|.*(?:forward|proxy|proxied|client-?ip|connecting-?ip|real-?ip|remote-?(?:addr|ip)).*|"
    r"x-(?:original|envoy|amzn|amz-cf|azure|arr|vercel|varnish|cloud-trace)-.*|"
    r"(?:cf|fastly|fly|akamai|ali|true)-.*"
)
"""The headers that proxies add: standard ones, and those of usual servers and networks."""
_bearer = HTTPBearer(auto_error=False, description="`Authorization: Bearer TOKEN`")
_MOST_RATES = 10_000


@dataclass(frozen=True, slots=True)
class CallerLimits:
    """The limits of one caller."""

    requests_per_minute: int
    concurrency: int
    """Requests under way at once."""


@dataclass(frozen=True, slots=True)
class Caller:
    """The maker of a request."""

    owner: str
    """The account, by which all is decided; empty on loopback, as long as no token was created."""
    name: str
    """For people: any two accounts may have the same one."""
    scopes: frozenset[Scope]
    limits: CallerLimits | None = None
    """None for a caller on loopback."""
    token_id: str = ""
    """For its limits and for logs: an account may have several tokens."""


Kept = Literal["run", "submission", "challenge", "test", "page", "peer"]
"""What a service keeps. `test`: tests of stored problems that their statements do not show, with
inputs, expected outputs and whatever quotes them. `page`: work that a page follows. `peer`: what
clients of other judges leave for an hour."""
_READERS: dict[Kept, frozenset[Scope]] = {
    "run": frozenset({"admin"}),
    "submission": frozenset({"admin"}),
    "challenge": frozenset({"author", "admin"}),
    "test": frozenset({"author", "admin"}),
    "page": frozenset({"admin"}),
    "peer": frozenset(),
}
"""The scopes that open what is not the caller's own."""


IN_PROCESS = "steelyard.local"
"""In the scope of a request that this machine's user makes inside this process, not by a socket."""
LOCAL = Caller("", "local", _ALL)
"""The caller on loopback, as long as no token was created."""


async def caller_of(request: Request, _: object = Depends(_bearer)) -> Caller:
    """Return who makes a request.

    Raises:
        Problem: 401 without a valid token; 403 for a request that a foreign page makes.
    """
    kind, _, given = request.headers.get("authorization", "").partition(" ")
    if kind and kind.lower() != "bearer":
        raise _unauthorized("token-invalid", "use the scheme Bearer: Authorization: Bearer TOKEN")
    return await caller_with(request, given.strip() if kind else None)


async def caller_with(request: Request, given: str | None) -> Caller:
    """Return who makes a request with a token, or without one.

    Raises:
        Problem: as `caller_of`; 503 if the tokens cannot be read.
    """
    try:
        return await _caller_with(request, given)
    except DatabaseError as error:  # its text names a file, and anybody may ask
        _log.warning("tokens cannot be read", reason=str(error))
        fault = "the tokens cannot be read; the log of the service has the reason"
        raise problem_of(DatabaseError(fault)) from error


async def _caller_with(request: Request, given: str | None) -> Caller:
    services = services_of(request)
    book = services.tokens
    if given is None and request.scope.get(IN_PROCESS):
        return LOCAL
    if given is None:
        empty = book.known_empty
        if await asyncio.to_thread(book.is_empty) if empty is None else empty:
            _check_local(request)
            return LOCAL
        raise _unauthorized("token-missing", "send the header Authorization: Bearer TOKEN")
    found = book.find(given) if book.remembers(given) else await asyncio.to_thread(book.find, given)
    if found is None:
        raise _unauthorized("token-invalid", "there is no such token; check it, or ask for one")
    if found.fault:
        raise _unauthorized(f"token-{found.fault}", f"the token is {found.fault}; ask for another")
    token, own = found.token, services.settings.service
    limits = CallerLimits(
        token.requests_per_minute or own.requests_per_minute,
        token.concurrency or own.concurrency,
    )
    return Caller(token.owner, token.name, frozenset(token.scopes), limits, token.id)


def require_scope(caller: Caller, *scopes: Scope) -> None:
    """Require that a caller's token has one of these scopes, or `admin`.

    Raises:
        Problem: 403.
    """
    if not caller.scopes & {*scopes, "admin"}:
        raise Problem(
            403,
            "scope-missing",
            "The token lacks a scope",
            f"this needs the scope {' or '.join(scopes)}; "
            f"the token has {', '.join(sorted(caller.scopes))}",
        )


def allow(
    *scopes: Scope, identify: Callable[..., Awaitable[Caller]] = caller_of
) -> Callable[..., AsyncIterator[Caller]]:
    """Return a dependency that gives the caller of a request, if its token has one of the scopes.

    It also counts the request against the token's limits. `admin` includes the other scopes.

    Args:
        *scopes: The scopes of which the token must have one.
        identify: The dependency that finds out who calls.

    Raises:
        Problem: 401 without a valid token, 403 without such a scope, 429 beyond the limits.
    """

    async def allowed(
        request: Request, caller: Caller = Depends(identify)
    ) -> AsyncIterator[Caller]:
        request.scope["state"]["caller"] = caller
        require_scope(caller, *scopes)
        if caller.limits is None:
            yield caller
            return
        rates: Rates = request.app.state.rates
        rates.spend(caller.token_id, caller.limits.requests_per_minute)
        with rates.under_way(caller.token_id, caller.limits.concurrency):
            yield caller

    return allowed


@lru_cache(64)
def is_loopback(host: str) -> bool:
    """Return True for an address, or a name, of this machine alone."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _check_local(request: Request) -> None:
    """Refuse what another machine asks, or a page of another site in a browser on this one.

    The peer of a request is not its maker if a proxy on this machine passes it on.
    """
    if request.client is None or not is_loopback(request.client.host):
        raise _unauthorized("token-missing", "create one: steelyard tokens create")
    if is_forwarded(request):
        raise _unauthorized(
            "token-missing",
            "a proxy passed the request on, and without a token only this machine itself is "
            "served; create one: steelyard tokens create",
        )
    hosts = request.headers.getlist("host")
    origin = request.headers.get("origin")
    try:
        is_ours = len(hosts) == 1 and is_loopback(urlsplit(f"//{hosts[0]}").hostname or "")
        foreign = origin is not None and urlsplit(origin).netloc != hosts[0]
    except (ValueError, IndexError):  # a header that is no host
        is_ours = foreign = False
    if not is_ours or (foreign and request.method not in _SAFE):
        raise Problem(
            403,
            "foreign-origin",
            "Another site made this request",
            "without a token only this machine's own clients are served; create a token",
        )


def is_forwarded(request: Request) -> bool:
    """Return True for a request that a proxy passed on, by its headers or its version.

    nginx and others speak HTTP/1.0 to a server behind them, and no client of today does.
    """
    old = request.scope.get("http_version") == "1.0"
    return old or any(map(_is_forwarding, request.headers))


@lru_cache(1_024)
def _is_forwarding(header: str) -> bool:
    return _FORWARDING.fullmatch(header) is not None


def _unauthorized(code: str, what: str) -> Problem:
    return Problem(
        401, code, "The request has no valid token", what, headers={"WWW-Authenticate": "Bearer"}
    )


def may_see(caller: Caller, kept: Kept, owner: str | None = None) -> bool:
    """Return True if a caller may see something.

    Args:
        caller: The caller.
        kept: The kind of thing.
        owner: The account that it belongs to; None for anybody's.
    """
    return owner == caller.owner or not caller.scopes.isdisjoint(_READERS[kept])


def owner_seen(caller: Caller, kept: Kept) -> str | None:
    """Return the only account whose things of a kind a caller may see; None if it sees all."""
    return None if may_see(caller, kept) else caller.owner


@dataclass(slots=True)
class _Use:
    allowance: float
    """Requests that may come at once now."""
    updated: float = field(default_factory=time.monotonic)
    under_way: int = 0


class Rates:
    """Counts the requests of each token. Used from one event loop.

    A token may use up a minute's requests at once; its allowance then grows evenly.
    """

    def __init__(self) -> None:
        self._uses: dict[str, _Use] = {}

    def spend(self, token_id: str, per_minute: int) -> None:
        """Count one request.

        Raises:
            Problem: 429 if the token has made too many.
        """
        now = time.monotonic()
        use = self._use(token_id, per_minute)
        grown = use.allowance + (now - use.updated) * per_minute / 60
        use.allowance, use.updated = min(grown, float(per_minute)), now
        if use.allowance < 1:
            wait_s = (1 - use.allowance) * 60 / per_minute
            raise Problem(
                429,
                "rate-exceeded",
                "Too many requests in a minute",
                f"this token may make {per_minute:,} requests per minute; wait {wait_s:.1f} s",
                headers={"Retry-After": str(max(1, round(wait_s + 0.5)))},
            )
        use.allowance -= 1

    @contextmanager
    def under_way(self, token_id: str, most: int) -> Iterator[None]:
        """Count a request as long as the block runs.

        Raises:
            Problem: 429 if too many of the token's requests are under way.
        """
        use = self._use(token_id, most)
        if use.under_way >= most:
            raise Problem(
                429,
                "concurrency-exceeded",
                "Too many requests at once",
                f"this token may have {most:,} requests under way; wait for one to end",
                headers={"Retry-After": "1"},
            )
        use.under_way += 1
        try:
            yield
        finally:
            use.under_way -= 1

    def _use(self, token_id: str, allowance: int) -> _Use:
        use = self._uses.get(token_id)
        if use is None:
            if len(self._uses) >= _MOST_RATES:
                self._uses = {name: each for name, each in self._uses.items() if each.under_way}
            use = self._uses[token_id] = _Use(float(allowance))
        return use
