"""Arrays of two snapshots."""

from steelyard.equivalence.comparator import _arrays
from steelyard.equivalence.comparator._document import (
    Entry,
    Item,
    UnreadableError,
)
from steelyard.equivalence.comparator._findings import Findings, Kind, same
from steelyard.equivalence.comparator._paths import Path


class Elements(Findings):
    """Compares arrays."""

    def _of_arrays(self, path: Path, left: Entry, right: Entry) -> bool:
        (dtype, shape, code, data), (other_dtype, other_shape, other_code, other) = (
            left[1],
            right[1],
        )
        if dtype != other_dtype or shape != other_shape:
            kind: Kind = "type" if dtype != other_dtype else "value"
            self._differ(path, kind, _arrays.header(left), _arrays.header(right))
            return False
        if code != other_code:
            raise UnreadableError("arrays that are not what they say")
        if data == other and type(data) is not list:
            return True
        if type(data) is str and type(other) is str:
            found, note = _arrays.differing(left, right, self._rules.tolerance)
            for at, element in enumerate(found):
                text = element.candidate
                if note and not at:
                    text += f" ({note})"
                self._differ(path.to(element.label), "value", element.original, text)
        elif code is None:
            self._elements(path, shape, data, other)
        else:
            self._array_digests(path, left, data, other)
        return True

    def _array_digests(self, path: Path, left: Entry, data: Item, other: Item) -> None:
        """Content too long for the snapshot, of which only digests are known."""
        if data == other:
            return
        inexact = self._rules.tolerance is not None and left[1][2].strip("<>=")[0] in "fcb"
        texts = [part[1] if type(part) is list else "shorter" for part in (data, other)]
        kind: Kind = "not-comparable" if inexact or "shorter" in texts else "value"
        self._differ(path, kind, *(f"{_arrays.header(left)}, digest {text}" for text in texts))

    def _elements(self, path: Path, shape: list[int], mine: list[Item], theirs: list[Item]) -> None:
        if len(mine) != len(theirs):
            raise UnreadableError("an array without all its elements")
        for at, (one, other) in enumerate(zip(mine, theirs, strict=True)):
            if not same(one, other):
                self._later(path.to(_arrays.label_of(at, shape)), one, other)
