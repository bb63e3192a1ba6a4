"""Answer with ETags: a client that has a response already gets 304 and no body.

Source: https://www.rfc-editor.org/rfc/rfc9110#name-if-none-match.
"""

import hashlib

from fastapi import Request, Response


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
    known = [each.strip().removeprefix("W/") for each in _if_none_match(request).split(",")]
    if tag in known or "*" in known:
        return Response(status_code=304, headers=headers)
    return Response(body, media_type=media_type, headers=headers)


def _if_none_match(request: Request) -> str:
    return request.headers.get("if-none-match", "")
