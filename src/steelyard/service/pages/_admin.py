"""The page for administrators: health, and tokens."""

import asyncio
from datetime import timedelta
from typing import Annotated

from fastapi import Depends, Form, Path, Request, Response

from steelyard.schemas import Scope, StoredToken
from steelyard.service._auth import Caller, allow
from steelyard.service._health import health_of
from steelyard.service._state import Services, services_of
from steelyard.service._tokens import new_token
from steelyard.service.pages._csrf import check_csrf
from steelyard.service.pages._render import page
from steelyard.service.pages._route import page_router, redirect
from steelyard.storage import list_tokens, revoke_token, store_token

__all__ = ["router"]

router = page_router()


@router.get("/service")
async def service(request: Request, _: Caller = Depends(allow("admin"))) -> Response:
    """Show health and tokens."""
    return await _page(request)


@router.post("/service/tokens", dependencies=[Depends(check_csrf)])
async def create(
    request: Request,
    name: Annotated[str, Form(min_length=1, max_length=100, pattern=r"^[^\x00]*$")],
    days: Annotated[int, Form(ge=1, le=3_650)],
    scope: Annotated[list[Scope], Form(min_length=1)],
    _: Caller = Depends(allow("admin")),
) -> Response:
    """Make a token, and show it once."""
    services = services_of(request)
    scopes = tuple(dict.fromkeys(scope))
    made, stored = new_token(name, scopes, now=services.clock(), lifetime=timedelta(days=days))
    await asyncio.to_thread(_store, services, stored)
    return await _page(request, made=made)


@router.post("/service/tokens/{token_id}/revoke", dependencies=[Depends(check_csrf)])
def revoke(
    token_id: Annotated[str, Path(pattern=r"^[0-9a-f]{12}$")],
    request: Request,
    _: Caller = Depends(allow("admin")),
) -> Response:
    """Revoke a token."""
    services = services_of(request)
    with services.database.change() as change:
        revoke_token(change, token_id, services.clock())
    return redirect(request, "/pages/service")


async def _page(request: Request, *, made: str = "") -> Response:
    services = services_of(request)
    tokens = await asyncio.to_thread(_tokens, services)
    health = await health_of(request)
    return page(
        request, "service.html", health=health, tokens=tokens, made=made, fault="",
        now=services.clock(),
    )  # fmt: skip


def _tokens(services: Services) -> tuple[StoredToken, ...]:
    with services.database.read() as reader:
        return list_tokens(reader)


def _store(services: Services, token: StoredToken) -> None:
    with services.database.change() as change:
        store_token(change, token)
