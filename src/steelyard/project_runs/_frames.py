"""What a run told: the frames of its channel, each with a seal that only our own code can make."""

import hashlib
import hmac
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from steelyard.project_runs._shapes import fits
from steelyard.project_runs.incell.channel import SEAL_BYTES, cut_blobs

_HEAD_BYTES = 4
_MOST_BYTES = 1 << 30


@dataclass(frozen=True, slots=True)
class Frame:
    """One thing that a run told; all of it was in the reach of the candidate."""

    kind: str
    said: dict[str, Any]
    blobs: dict[str, bytes] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Told:
    """All that a run told."""

    frames: tuple[Frame, ...]
    forged: bool
    """Whether something else than the run's own code wrote to the channel."""

    def of(self, kind: str) -> Iterator[Frame]:
        """The frames of one kind."""
        return (frame for frame in self.frames if frame.kind == kind)

    def last(self, kind: str) -> Frame | None:
        """The last frame of a kind, or None."""
        return next((frame for frame in reversed(self.frames) if frame.kind == kind), None)


def read_frames(channel: int, key: bytes, run: str) -> Told:
    """Reads a channel from its start.

    A frame that breaks off is where the run ended. One with a wrong seal, or that holds what such a
    run does not tell, is a forgery, and nothing after it is believed.

    Args:
        channel: The memory file.
        key: Of the run.
        run: Its kind.
    """
    size = min(os.fstat(channel).st_size, _MOST_BYTES)
    data = b""
    while len(data) < size and (part := os.pread(channel, size - len(data), len(data))):
        data += part
    frames: list[Frame] = []
    at = 0
    while at + _HEAD_BYTES + SEAL_BYTES <= len(data):
        length = int.from_bytes(data[at : at + _HEAD_BYTES], "little")
        start = at + _HEAD_BYTES + SEAL_BYTES
        body = data[start : start + length]
        if len(body) < length:
            break
        numbered = len(frames).to_bytes(8, "little") + body
        seal = hashlib.blake2b(numbered, key=key, digest_size=SEAL_BYTES).digest()
        if not hmac.compare_digest(seal, data[at + _HEAD_BYTES : start]):
            return Told(tuple(frames), forged=True)
        frame = _frame(body)
        if frame is None or not fits(run, frame.kind, frame.said, frame.blobs):
            return Told(tuple(frames), forged=True)
        frames.append(frame)
        at = start + length
    return Told(tuple(frames), forged=False)


def _frame(body: bytes) -> Frame | None:
    head, _, rest = body.partition(b"\n")
    try:
        said = json.loads(head)
        kind, sizes = said.pop("kind"), said.pop("blobs")
        blobs = cut_blobs(rest, sizes)
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
        return None
    return Frame(kind, said, blobs) if isinstance(kind, str) else None
