"""Serve the pages' style and scripts. Scripts are built by `make assets`."""

import hashlib
from functools import cache
from pathlib import Path

from fastapi import APIRouter, HTTPException, Request, Response

from steelyard.equivalence import reporting as equivalence
from steelyard.profiling import reporting as profiling
from steelyard.rendering import PAGE_STYLE
from steelyard.service._etags import etagged

router = APIRouter(prefix="/pages/assets", include_in_schema=False)
_OWN = Path(__file__).parent
_FILES: dict[str, tuple[Path | None, str]] = {
    "style.css": (_OWN / "style.css", "text/css; charset=utf-8"),
    "icon.svg": (_OWN / "icon.svg", "image/svg+xml"),
    "report.css": (None, "text/css; charset=utf-8"),
    "pages.js": (_OWN / "built" / "pages.js", "text/javascript; charset=utf-8"),
    "licences.txt": (_OWN / "built" / "licences.txt", "text/plain; charset=utf-8"),
}


@router.get("/{name}")
def asset(name: str, request: Request) -> Response:
    """Return a file. Its address changes with its content, so it may be kept for ever."""
    found = _read(name)
    if found is None:
        raise HTTPException(404)
    content, digest = found
    return etagged(
        request,
        content,
        digest=digest,
        immutable="v" in request.query_params,
        media_type=_FILES[name][1],
    )


def asset_url(name: str) -> str:
    """Return the address of a file; empty if it was not built."""
    found = _read(name)
    return f"/pages/assets/{name}?v={found[1]}" if found else ""


@cache
def _read(name: str) -> tuple[bytes, str] | None:
    path, _ = _FILES.get(name, (Path(), ""))
    if path is None:
        # The rules of reports are for whole pages; here they hold inside of one element.
        styles = (PAGE_STYLE, profiling.STYLE, equivalence.STYLE)
        content = f".report {{{''.join(styles)}}}".encode()
    elif path.is_file():
        content = path.read_bytes()
    else:
        return None
    return content, hashlib.sha256(content).hexdigest()[:16]
