"""List what this machine offers: `GET /v1/languages` and `GET /v1/isolation`."""

import asyncio

from fastapi import Depends, Request, Response
from pydantic import BaseModel

from steelyard.schemas import Isolation
from steelyard.service._auth import allow
from steelyard.service._body import new_router
from steelyard.service._etags import fresh_or
from steelyard.service._state import services_of
from steelyard.toolchains import languages as all_languages

router = new_router("/v1", tag="machine")


class Compiler(BaseModel, frozen=True):
    """One compiler, and its state on this machine."""

    language: str
    title: str
    compiler: str
    aliases: tuple[str, ...]
    """Further names of the language."""
    extensions: tuple[str, ...]
    installed: bool
    version: str
    runnable: bool
    """False if its programs cannot run on this machine."""


class Languages(BaseModel, frozen=True):
    """The languages that can be judged."""

    languages: tuple[Compiler, ...]


@router.get(
    "/languages",
    response_model=Languages,
    responses={304: {"description": "As the client has it."}},
    dependencies=[Depends(allow("judge"))],
)
async def languages(request: Request) -> Response:
    """Return the compilers of every language, in the order in which they are preferred."""
    found = await asyncio.to_thread(all_languages)
    rows = [{name: getattr(each, name) for name in Compiler.model_fields} for each in found]
    return fresh_or(request, Languages.model_validate({"languages": rows}).model_dump_json())


@router.get(
    "/isolation",
    response_model=Isolation,
    responses={304: {"description": "As the client has it."}},
    dependencies=[Depends(allow("judge"))],
)
async def isolation(request: Request) -> Response:
    """Return the isolation of every run on this machine."""
    return fresh_or(request, services_of(request).pool.isolation.model_dump_json())
