"""The page for administrators: health, and tokens."""

import asyncio
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated, Any, get_args

from fastapi import Depends, Form, Path, Request, Response

from steelyard.schemas import Scope, StoredToken
from steelyard.service._auth import LOCAL, Caller, allow
from steelyard.service._health import health_of
from steelyard.service._state import Services, services_of
from steelyard.service._tokens import new_token
from steelyard.service.pages._render import check_csrf, csrf_of, page, sign_in_with
from steelyard.service.pages._route import page_router, redirect
from steelyard.storage import has_tokens, is_last_admin, list_tokens, revoke_token, store_token

router = page_router()
_Id = r"^[0-9a-f]{12}$"


@dataclass(frozen=True)
class _Made:
    """A token that was made now."""

    text: str
    is_first: bool
    """True if there was no other before: it has all scopes."""


@router.get("/service")
async def service(request: Request, _: Caller = Depends(allow("admin"))) -> Response:
    """Show health and tokens."""
    return await _page(request)


@router.post("/service/tokens", dependencies=[Depends(check_csrf)])
async def create(
    request: Request,
    name: Annotated[str, Form(min_length=1, max_length=100, pattern=r"^[^\x00]*$")],
    days: Annotated[int, Form(ge=1, le=3_650)],
    scope: Annotated[list[Scope], Form()] = [],  # noqa: B006  (the first token has all)
    owner: Annotated[str, Form(pattern=f"{_Id}|^$")] = "",
    caller: Caller = Depends(allow("admin")),
) -> Response:
    """Make a token, and show it once. The first one signs its maker in."""
    scopes = tuple(dict.fromkeys(scope))
    lifetime = timedelta(days=days)
    made = await asyncio.to_thread(_store, services_of(request), name, scopes, owner, lifetime)
    if made is None:
        return await _page(request, status=422, fault="choose a scope for the token")
    signs_in = made.is_first and caller == LOCAL
    shown = await _page(request, made=made, signed_in=made.text if signs_in else "")
    if signs_in:
        sign_in_with(shown, request, made.text)
    return shown


@router.post("/service/tokens/{token_id}/revoke", dependencies=[Depends(check_csrf)])
async def revoke(
    token_id: Annotated[str, Path(pattern=_Id)],
    request: Request,
    last: Annotated[bool, Form()] = False,
    _: Caller = Depends(allow("admin")),
) -> Response:
    """Revoke a token. That of the last administrator asks once more."""
    if not await asyncio.to_thread(_revoke, services_of(request), token_id, last=last):
        return await _page(request, status=409, last=token_id)
    return redirect(request, "/pages/service")


async def _page(
    request: Request,
    *,
    status: int = 200,
    made: _Made | None = None,
    signed_in: str = "",
    last: str = "",
    fault: str = "",
) -> Response:
    services = services_of(request)
    tokens = await asyncio.to_thread(_tokens, services)
    health = await health_of(request)
    more: dict[str, Any] = {"csrf": csrf_of(signed_in)} if signed_in else {}
    return page(
        request,
        "service.html",
        status=status,
        health=health,
        tokens=tokens,
        made=made,
        last=last,
        fault=fault,
        scopes=get_args(Scope),
        now=services.clock(),
        **more,
    )


def _tokens(services: Services) -> tuple[StoredToken, ...]:
    with services.database.read() as reader:
        return list_tokens(reader)


def _store(
    services: Services, name: str, scopes: tuple[Scope, ...], owner: str, lifetime: timedelta
) -> _Made | None:
    """Store a new token; None if it has no scope.

    The first one has all: with it alone, others can be made from then on.
    """
    with services.database.change() as change:
        is_first = not has_tokens(change)
        scopes = get_args(Scope) if is_first else scopes
        if not scopes:
            return None
        made, stored = new_token(name, scopes, now=services.clock(), owner=owner, lifetime=lifetime)
        store_token(change, stored)
    return _Made(made, is_first)


def _revoke(services: Services, token_id: str, *, last: bool) -> bool:
    """Revoke a token; return False for that of the last administrator, unless `last` allows it."""
    with services.database.change() as change:
        now = services.clock()
        if is_last_admin(change, token_id, now) and not last:
            return False
        revoke_token(change, token_id, now)
    return True
