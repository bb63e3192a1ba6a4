"""Send a part of a page again whenever it changes, as server-sent events.

The page also asks for the part now and then, so it works where events do not come through.
Source: https://html.spec.whatwg.org/multipage/server-sent-events.html.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable

from fastapi import Request
from fastapi.responses import StreamingResponse
from fastapi.sse import format_sse_event

_LOOK_S = 0.25
_PING_S = 15.0


def part_stream(request: Request, look: Callable[[], Awaitable[str | None]]) -> StreamingResponse:
    """Return a stream of a part of a page, until the work that it shows has ended.

    Args:
        request: The request that it answers.
        look: Returns the part as HTML, empty if it has not changed; None at the end.
    """
    return StreamingResponse(
        _messages(request, look),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


async def _messages(
    request: Request, look: Callable[[], Awaitable[str | None]]
) -> AsyncGenerator[bytes, None]:
    sent = time.monotonic()
    async for part in _parts(request, look):
        if part:
            sent = time.monotonic()
            yield format_sse_event(data_str=part)
        elif time.monotonic() - sent > _PING_S:
            sent = time.monotonic()
            yield b": waiting\n\n"  # finds out whether the browser is still there
    if not request.app.state.ending:
        yield format_sse_event(event="end", data_str="end")


async def _parts(request: Request, look: Callable[[], Awaitable[str | None]]) -> AsyncIterator[str]:
    while not request.app.state.ending:
        part = await look()
        if part is None:
            return
        yield part
        await asyncio.sleep(_LOOK_S)
