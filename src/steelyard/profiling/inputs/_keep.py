"""The inputs that were used last, in memory: rounds of runs ask for the same ones again."""

from collections import OrderedDict

from steelyard.profiling._records import Input, Point

_MOST_BYTES = 512 << 20


class Kept:
    """Inputs by size and seed, up to 512 MiB together; the least recently used go first."""

    def __init__(self) -> None:
        self._inputs: OrderedDict[tuple[Point, int], Input] = OrderedDict()
        self._bytes = 0

    def get(self, point: Point, seed: int) -> Input | None:
        """Return the input, if it is still there."""
        found = self._inputs.get((point, seed))
        if found is not None:
            self._inputs.move_to_end((point, seed))
        return found

    def put(self, given: Input, seed: int) -> Input:
        """Return the input, which is kept."""
        old = self._inputs.pop((given.point, seed), None)
        self._bytes += given.content.size - (old.content.size if old else 0)
        self._inputs[given.point, seed] = given
        while self._bytes > _MOST_BYTES and len(self._inputs) > 1:
            self._bytes -= self._inputs.popitem(last=False)[1].content.size
        return given
