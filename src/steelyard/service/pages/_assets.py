"""Serve the pages' style and scripts. Scripts are built by `make assets`."""

import hashlib
from functools import cache
from pathlib import Path

from fastapi import APIRouter, Request, Response

from steelyard.service._etags import etagged
from steelyard.service._problems import Problem

__all__ = ["asset_url", "router"]

router = APIRouter(prefix="/pages/assets", include_in_schema=False)
_OWN = Path(__file__).parent
_FILES = {
    "style.css": (_OWN / "style.css", "text/css; charset=utf-8"),
    "icon.svg": (_OWN / "icon.svg", "image/svg+xml"),
    "pages.js": (_OWN / "built" / "pages.js", "text/javascript; charset=utf-8"),
    "licences.txt": (_OWN / "built" / "licences.txt", "text/plain; charset=utf-8"),
}


@router.get("/{name}")
def asset(name: str, request: Request) -> Response:
    """Return a file. Its address changes with its content, so it may be kept for ever."""
    found = _read(name)
    if found is None:
        raise Problem(404, "not-found", "There is nothing at this path", "there is no such file")
    content, digest = found
    return etagged(
        request, content, digest=digest, immutable="v" in request.query_params,
        media_type=_FILES[name][1],
    )  # fmt: skip


def asset_url(name: str) -> str:
    """Return the address of a file; empty if it was not built."""
    found = _read(name)
    return f"/pages/assets/{name}?v={found[1]}" if found else ""


@cache
def _read(name: str) -> tuple[bytes, str] | None:
    path, _ = _FILES.get(name, (None, ""))
    if path is None or not path.is_file():
        return None
    content = path.read_bytes()
    return content, hashlib.sha256(content).hexdigest()[:16]
