"""What a run told: the records of its channel, each with a seal that only our own code can make."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from steelyard.project_runs.incell.channel import sealed_frames
from steelyard.project_runs.incell.records import MisfitError, unpacked

T = TypeVar("T")
_MOST_BYTES = 1 << 30


@dataclass(frozen=True, slots=True)
class Told:
    """All that a run told; all of it was in the reach of the candidate."""

    records: tuple[object, ...]
    forged: bool
    """Whether something else than the run's own code wrote to the channel."""

    def of(self, kind: type[T]) -> Iterator[T]:
        """The records of one kind."""
        return (record for record in self.records if isinstance(record, kind))

    def last(self, kind: type[T]) -> T | None:
        """The last record of a kind, or None."""
        return next((each for each in reversed(self.records) if isinstance(each, kind)), None)


def read_frames(channel: int, key: bytes, kinds: Iterable[type]) -> Told:
    """Reads a channel from its start.

    A frame that breaks off is where the run ended. One with a wrong seal, or that holds what such a
    run does not tell, is a forgery, and nothing after it is believed.

    Args:
        channel: The memory file.
        key: Of the run.
        kinds: The records that such a run tells.
    """
    size = min(os.fstat(channel).st_size, _MOST_BYTES)
    data = b""
    while len(data) < size and (part := os.pread(channel, size - len(data), len(data))):
        data += part
    known = {kind.__name__.encode(): kind for kind in kinds}
    records: list[object] = []
    for body, is_sealed in sealed_frames(data, key):
        name, _, rest = body.partition(b"\n")
        if not is_sealed or name not in known:
            return Told(tuple(records), forged=True)
        try:
            records.append(unpacked(known[name], rest))
        except MisfitError:
            return Told(tuple(records), forged=True)
    return Told(tuple(records), forged=False)
