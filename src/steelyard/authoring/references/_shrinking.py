"""Make an input smaller while it stays valid and still shows the same fault."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from pydantic import JsonValue

from steelyard.authoring.references._smaller import smaller_arguments
from steelyard.constraints import Validator
from steelyard.plain import canonical_json

Args = tuple[JsonValue, ...]

_MOST_CANDIDATES = 20_000
_MOST_TRIED = 1_000
_MOST_CHARS = 20_000_000
"""Work in all: candidates, those that are valid and tried, and the characters of their JSON."""
_BATCH, _BATCH_CHARS = 32, 1 << 18


def shrink(
    args: Args, shows_fault: Callable[[Sequence[Args]], Sequence[bool]], validator: Validator
) -> Args:
    """Return a smaller input that shows the fault; the input itself if there is none.

    Args:
        args: An input that shows it.
        shows_fault: Returns for each of several inputs if it shows the fault.
        validator: Only inputs that it accepts are tried.
    """
    search, best = _Search(validator), tuple(args)
    while batch := search.batch(best):
        shown = [each for each, shows in zip(batch, shows_fault(batch), strict=True) if shows]
        if shown:
            best = min(shown, key=_size)
            search.restart()
    return best


class _Search:
    """Candidates for one best input after the other, and what is left of the bounds."""

    def __init__(self, validator: Validator) -> None:
        self._validator = validator
        self._types = tuple(validator.types.values())
        self._seen: set[int] = set()
        self._candidates, self._tried, self._chars = _MOST_CANDIDATES, _MOST_TRIED, _MOST_CHARS
        self._left: Iterator[Args] | None = None

    def restart(self) -> None:
        """Begin with the largest steps again."""
        self._left = None

    def batch(self, best: Args) -> list[Args]:
        """Return the next smaller valid inputs; empty at the end of the search."""
        if self._left is None:
            self._left = smaller_arguments(self._types, best)
        size, enough = _size(best), self._chars - _BATCH_CHARS
        found: list[Args] = []
        while len(found) < min(_BATCH, self._tried) and self._chars > (enough if found else 0):
            each = next(islice(self._left, 1), None)
            if each is None or not self._candidates:
                break
            self._candidates -= 1
            own = _size(each)
            self._chars -= own[0]
            if own >= size or hash(own) in self._seen:
                continue
            self._seen.add(hash(own))
            if self._validator.is_valid(each):
                found.append(each)
        self._tried -= len(found)
        return found


def _size(args: Args) -> tuple[int, str]:
    """Return the order of inputs: the shorter as JSON, then the one with smaller items."""
    text = canonical_json(list(args)).replace("false", "0").replace("true", "1")
    return len(text), text
