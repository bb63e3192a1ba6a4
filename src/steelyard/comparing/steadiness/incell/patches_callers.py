"""Run in a cell: who asks what the time is.

What waits needs a clock that goes on while it waits: an event loop whose clock stands still sleeps
for the same deadline again and again. So the event loops, queues and locks of the standard library
and of some packages see the real clocks, and so do those who run the tests: their questions
must not move the clocks of the function that is tested.
"""

from __future__ import annotations

import os
import sys
import types

_STANDARD = frozenset(
    {
        "asyncio",
        "concurrent",
        "multiprocessing",
        "queue",
        "selectors",
        "socket",
        "socketserver",
        "ssl",
        "subprocess",
        "threading",
        "unittest",
    }
)
_PACKAGES = frozenset(
    {
        "_pytest",
        "anyio",
        "coverage",
        "curio",
        "eventlet",
        "execnet",
        "gevent",
        "pluggy",
        "pytest_asyncio",
        "pytest_timeout",
        "tornado",
        "trio",
        "twisted",
        "uvloop",
        "xdist",
    }
)
_RELAYS = frozenset({"random", "secrets", "tempfile", "uuid"})
_LIBRARY = os.path.dirname(os.__file__) + os.sep
_seen: dict[str, tuple[bool, bool]] = {}
"""By file: whether it is served really, whether it only passes questions on."""


def is_served_really(frame: types.FrameType | None) -> bool:
    """Whether the code of a frame sees the real world."""
    return frame is not None and _of(frame.f_code.co_filename)[0]


def asker(frame: types.FrameType | None) -> types.FrameType | None:
    """The frame on whose behalf the modules of random numbers and names ask."""
    while frame is not None and _of(frame.f_code.co_filename)[1]:
        frame = frame.f_back
    return frame


def _of(file: str) -> tuple[bool, bool]:
    known = _seen.get(file)
    if known is None:
        known = _seen[file] = _judged(file)
    return known


def _judged(file: str) -> tuple[bool, bool]:
    if file.startswith(_LIBRARY):
        top = file[len(_LIBRARY) :].partition(os.sep)[0].removesuffix(".py")
        if top in _STANDARD or top in _RELAYS:
            return top in _STANDARD, top in _RELAYS
    return any(_is_of(sys.modules.get(name), file) for name in _PACKAGES), False


def _is_of(module: types.ModuleType | None, file: str) -> bool:
    """Whether a file belongs to a package that is loaded."""
    origin = getattr(module, "__file__", None)
    if not isinstance(origin, str):
        return False
    folder, name = os.path.split(origin)
    return file.startswith(folder + os.sep) if name == "__init__.py" else file == origin
