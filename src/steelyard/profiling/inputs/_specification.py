"""Inputs that a specification describes: large ones of growing size, all of one kind."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from steelyard.errors import GeneratorError, UsageError
from steelyard.families import args_of
from steelyard.inputs import inputs_of
from steelyard.profiling._records import Input, Point
from steelyard.profiling.inputs._generator import Kept
from steelyard.profiling.inputs._sizes import ladder
from steelyard.reports import counted, visible
from steelyard.sandbox import Blob
from steelyard.schemas import AuthoredCase, Specification, values
from steelyard.values import layout_of

_PROBED = 5_000
"""Sizes up to this one are tried beforehand; what most of them have is the kind."""
_TRIED = 8
"""Inputs of one size among which the kind is looked for."""
_EXTREME = re.compile("all-equal|killer")
"""Kinds that are the best or the worst case of some programs: others are preferred."""
_WORK, _WORK_EACH, _MOST_ITEMS = 20_000_000, 1_000, 200_000
"""Limit on the counted work for inputs of one size: a fixed part, and one for each item. No input
that is made has more items. 40 million units take about a second."""


class SpecificationSource:
    """Large inputs of a specification, of one kind at all sizes. `get` ignores the seed.

    n is the specification's main size: its longest list or text, else its largest whole number. No
    code of a specification runs: the inputs are made in this process, within limits of counted
    work.

    Args:
        spec: The specification.
        calls: Whether the program is a function or method. Else it reads the specification's
            input format.
        seed: Seed of the inputs.

    Raises:
        SpecificationError: if a type or a constraint cannot be read, or nothing grows.
    """

    def __init__(self, spec: Specification, *, calls: bool = False, seed: int = 0) -> None:
        self._inputs = inputs_of(spec, seed=seed)
        self._size = self._inputs.size
        self._layout = None if calls else layout_of(spec)
        self._kept = Kept()
        self._kind = ""
        self._others: set[int] = set()

    @property
    def description(self) -> str:
        """One line for the report, with the kind of the inputs."""
        title = visible(self._inputs.spec.title)
        text = f"large inputs of {title!r}, n is {self._size.quantity}; kind: {self._kind}"
        others = counted(len(self._others), "size")
        return f"{text}, and another one at {others}" if self._others else text

    def points(self, min_n: int | None, max_n: int | None) -> tuple[Point, ...]:
        """Return the sizes within some bounds, and choose the kind of the inputs.

        Sizes that have no input are left out as far as they are small.

        Raises:
            UsageError: if the specification has no inputs within the bounds.
        """
        size = self._size
        if max_n is not None and max_n > size.most:
            raise UsageError(
                f"the specification allows {size.quantity} up to {size.most:,}, and the largest n "
                f"is {max_n:,}; lower max_n"
            )
        sizes = ladder(max(size.least, min_n or 0), max_n or size.most)
        probed = [n for n in sizes if n <= _PROBED] or sizes[:1]
        kinds = {n: [kind for kind, _ in self._tried(n)] for n in probed}
        found = Counter(kind for each in kinds.values() for kind in dict.fromkeys(each))
        if not found:
            raise GeneratorError(
                f"no input with {size.quantity} from {sizes[0]:,} to {probed[-1]:,} was found; "
                "widen the bounds of n"
            )
        usual = {kind: n for kind, n in found.items() if not _EXTREME.search(kind)} or found
        self._kind = max(usual, key=usual.__getitem__)
        return tuple(Point(n) for n in sizes if kinds.get(n) != [])

    def get(self, point: Point, seed: int) -> Input:  # noqa: ARG002 - the same for every seed
        """Return the input of this size.

        Raises:
            GeneratorError: if there is none.
        """
        return self._kept.get(point, 0) or self._kept.put(Input(point, self._made(point.n)), 0)

    def _made(self, n: int) -> Blob:
        found: dict[str, AuthoredCase] = {}
        for kind, case in self._tried(n):
            found.setdefault(kind, case)
            if kind == self._kind:
                break
        if not found:
            raise GeneratorError(f"no input with {self._size.quantity} == {n:,} was found")
        if self._kind not in found:
            self._others.add(n)
        case = found.get(self._kind) or next(iter(found.values()))
        if self._layout is None:
            text = values.encode([self._inputs.typed(case), None, 0])
        else:
            text = self._layout.write(args_of(case.input))
        return Blob(text.encode())

    def _tried(self, n: int) -> Iterator[tuple[str, AuthoredCase]]:
        """Yield a few large inputs of a size with their kinds, each made when it is asked for."""
        work = _WORK + _WORK_EACH * min(n, _MOST_ITEMS)
        for case in islice(self._inputs.large(n, work=work), _TRIED):
            # The values alone: one argument may be made from the size of another, or by itself.
            yield case.origin.rpartition(": ")[2].removeprefix("family "), case
