"""Keep what pages follow: work under way, and what ended within the last hour.

It is kept in memory, so a service that starts again has forgotten it.
"""

import secrets
import time
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from fastapi import Request
from fastapi.responses import StreamingResponse

from steelyard.service._auth import Caller
from steelyard.service._problems import Problem
from steelyard.service._rights import may_see
from steelyard.service._shares import has_room
from steelyard.service.pages._stream import part_stream

_KEPT_S = 3_600.0
T = TypeVar("T", bound="Followed")


@dataclass(kw_only=True)
class Followed(ABC):
    """Work that a page follows."""

    owner: str
    """The account of the caller."""
    id: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    started: float = field(default_factory=time.monotonic)

    @property
    @abstractmethod
    def is_done(self) -> bool:
        """True if nothing more will happen."""

    @property
    @abstractmethod
    def shown(self) -> int:
        """The number of results so far: the page changes with it."""


class LiveBook:
    """The work of one kind that pages follow.

    Args:
        most: Limit on what is kept.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[str, Followed] = OrderedDict()

    def add(self, work: Followed) -> None:
        """Keep work.

        Raises:
            Problem: 429 if too much is kept that has not ended.
        """
        until = time.monotonic() - _KEPT_S
        for each in list(self._kept.values()):
            if each.is_done and (each.started < until or len(self._kept) >= self._most):
                del self._kept[each.id]
        unfinished = [each.owner for each in self._kept.values() if not each.is_done]
        if not has_room(unfinished.count(work.owner), len(unfinished), self._most):
            raise Problem(
                429,
                "queue-full",
                "Too many requests wait",
                f"{len(unfinished)} others wait already, {unfinished.count(work.owner)} of them "
                "this caller's; try again later",
                headers={"Retry-After": "5"},
            )
        self._kept[work.id] = work

    def find(self, live_id: str) -> Followed | None:
        """Return work, if it is kept."""
        return self._kept.get(live_id)


def book_of(request: Request, kind: type[Followed], most: int) -> LiveBook:
    """Return the book of a request's application for one kind of work."""
    state = request.app.state
    if not hasattr(state, "live"):
        state.live = {}
    books: dict[type[Followed], LiveBook] = state.live
    return books.setdefault(kind, LiveBook(most))


def found_live(book: LiveBook, kind: type[T], caller: Caller, live_id: str) -> T:
    """Return the work that a path names.

    Raises:
        Problem: 404 if it is not kept, or another caller's.
    """
    work = book.find(live_id)
    if not isinstance(work, kind) or not may_see(caller, "page", work.owner):
        raise Problem(
            404,
            "not-stored",
            "It is not under way",
            "it ended more than an hour ago, or the service has started again since; look at the "
            "list of submissions, and submit again if it is not there",
        )
    return work


def live_stream(request: Request, work: Followed, text: Callable[[], str]) -> StreamingResponse:
    """Return a stream of a part of a page, sent again with each new result until the work ends.

    Args:
        request: The request that it answers.
        work: What the part shows.
        text: Returns the part as HTML.
    """
    shown = -1

    async def look() -> str | None:
        nonlocal shown
        if work.is_done:
            return None
        if work.shown == shown:
            return ""
        shown = work.shown
        return text()

    return part_stream(request, look)
