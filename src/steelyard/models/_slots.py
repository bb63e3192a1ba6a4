"""Limit the requests under way at one address, over all models of an event loop."""

import asyncio
import threading
from weakref import WeakKeyDictionary

_by_loop: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[tuple[str, int], asyncio.Semaphore]] = (
    WeakKeyDictionary()
)
_lock = threading.Lock()


def slots(address: str, limit: int) -> asyncio.Semaphore:
    """Return the address's slots of the running event loop."""
    with _lock:
        return _by_loop.setdefault(asyncio.get_running_loop(), {}).setdefault(
            (address, limit), asyncio.Semaphore(limit)
        )
