"""Answer what clients read: lists page by page, and 304 for what a client has already.

1. `?limit=&cursor=` gives `{"items": [...], "next": CURSOR or null}`. A cursor holds the key of the
   last item, so a page costs the same wherever it is in the list, and what is added meanwhile moves
   no item.
2. Responses have ETags: a client that has one already gets 304 and no body.

Source: https://www.rfc-editor.org/rfc/rfc9110#name-if-none-match.
"""

import base64
import hashlib
import json
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Generic, TypeVar

from fastapi import Request, Response
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from steelyard.schemas import ProblemName
from steelyard.service._error_responses import Problem

T = TypeVar("T")
_MOST = 200
Text = Annotated[str, StringConstraints(max_length=200, pattern=r"^[^\x00]*$")]
"""A text to find records by."""


class PageQuery(BaseModel):
    """The part of a list to return. Parameters that the list does not have are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    limit: int = Field(default=50, ge=1, le=_MOST)
    """Number of items."""
    cursor: str = Field(default="", max_length=1_000)
    """`next` of the page before; empty for the first page."""

    def after(self, *kinds: type) -> tuple[Any, ...] | None:
        """Return the key that the cursor holds; None for the first page.

        Args:
            *kinds: The types of the key's parts.

        Raises:
            Problem: 422 if it is not a cursor of such a list.
        """
        if not self.cursor:
            return None
        try:
            key = json.loads(base64.b64decode(self.cursor.encode(), b"-_", validate=True))
            types = [type(part) for part in key]
            if isinstance(key, list) and types == list(kinds) and all(map(_is_usual, key)):
                return tuple(key)
        except (ValueError, TypeError, RecursionError):
            pass
        raise cursor_invalid()


def cursor_invalid() -> Problem:
    """Return the problem of a cursor that is not of the list."""
    return Problem(
        422,
        "cursor-invalid",
        "The cursor is not of this list",
        "the cursor is malformed; send `next` of the page before, or no cursor",
    )


def _is_usual(part: str | int) -> bool:
    return part.isprintable() if isinstance(part, str) else 0 <= part < 1 << 31


class ProblemFilter(PageQuery):
    """The part of a list of records of problems."""

    problem: ProblemName | None = None
    """Only those of this problem."""


class Page(BaseModel, Generic[T]):
    """A part of a list."""

    model_config = ConfigDict(frozen=True)

    items: tuple[T, ...]
    next: str | None
    """The cursor of the page after this one; null if this is the last one."""


def page_of(
    found: Sequence[T], query: PageQuery, key_of: Callable[[T], tuple[object, ...]]
) -> Page[T]:
    """Return a page of items, which were read with one more than the limit.

    Args:
        found: Up to `limit + 1` items.
        query: With the limit.
        key_of: Gives the key that sorts an item.
    """
    items = tuple(found[: query.limit])
    if len(found) <= query.limit:
        return Page(items=items, next=None)
    key = json.dumps(key_of(items[-1]), separators=(",", ":")).encode()
    return Page(items=items, next=base64.urlsafe_b64encode(key).decode())


def fresh_or(
    request: Request, content: str | bytes, *, digest: str = "", immutable: bool = False
) -> Response:
    """Return a JSON response with an ETag, or 304 if the client has it.

    Args:
        request: With the `If-None-Match` of what the client has.
        content: The JSON text.
        digest: What identifies the content; by default it is hashed.
        immutable: The content at this path never changes, so a client need not ask again.
    """
    return etagged(
        request, content, digest=digest, immutable=immutable, media_type="application/json"
    )


def etagged(
    request: Request,
    content: str | bytes,
    *,
    digest: str = "",
    immutable: bool = False,
    media_type: str,
) -> Response:
    """Return a response of any type as `fresh_or` does."""
    body = content.encode() if isinstance(content, str) else content
    tag = f'"{digest or hashlib.sha256(body).hexdigest()[:32]}"'
    control = "private, max-age=31536000, immutable" if immutable else "private, no-cache"
    headers = {"ETag": tag, "Cache-Control": control}
    known = [
        each.strip().removeprefix("W/")
        for each in request.headers.get("if-none-match", "").split(",")
    ]
    if tag in known or "*" in known:
        return Response(status_code=304, headers=headers)
    return Response(body, media_type=media_type, headers=headers)
