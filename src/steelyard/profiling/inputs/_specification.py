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
from steelyard.profiling.inputs._sizes import LARGEST, ladder
from steelyard.reports import counted, visible
from steelyard.sandbox import Blob
from steelyard.schemas import AuthoredCase, Specification, values
from steelyard.values import layout_of

_PROBED = 5_000
"""Sizes up to this one are tried beforehand; what most of them have is the kind."""
_TRIED = 8
"""Inputs of one size among which the kind is looked for."""
_EXTREME = re.compile("all-equal|killer|repeated")
"""Kinds that are the best or the worst case of some programs: others are preferred."""
_WORK_A_SECOND, _LEAST_S = 40_000_000, 5.0
"""Counted work for the inputs of all sizes, for each second of the budget, and the least budget.
That much takes about a second."""


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
        budget_s: Bounds the counted work for the inputs of all sizes, as if in seconds.

    Raises:
        SpecificationError: if a type or a constraint cannot be read, or nothing grows.
    """

    def __init__(
        self,
        spec: Specification,
        *,
        calls: bool = False,
        seed: int = 0,
        budget_s: float = _LEAST_S,
    ) -> None:
        self._inputs = inputs_of(spec, seed=seed)
        self._most = int(_WORK_A_SECOND * max(budget_s, _LEAST_S))
        self._size = self._inputs.size
        self._layout = None if calls else layout_of(spec)
        self._kept = Kept()
        self._found: dict[int, dict[str, AuthoredCase]] = {}
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
        if max_n is None and size.most > LARGEST:
            raise UsageError(
                f"{size.quantity} has no upper bound within 10^18; set one, or give max_n"
            )
        sizes = ladder(max(size.least, min_n or 0), max_n or size.most)
        probed = [n for n in sizes if n <= _PROBED] or sizes[:1]
        tried = {n: self._tried(n, self._most // 4) for n in probed}
        for _ in range(_TRIED):
            for n, cases in tried.items():
                if self._left <= self._most // 2:
                    break
                for kind, case in islice(cases, 1):
                    self._found.setdefault(n, {}).setdefault(kind, case)
            found = Counter(kind for each in self._found.values() for kind in each)
            usual = {kind: n for kind, n in found.items() if not _EXTREME.search(kind)}
            self._kind = max(usual or found, key=found.__getitem__, default="")
            if usual.get(self._kind) == len(self._found):
                break
        if not found:
            raise GeneratorError(
                f"no input with {size.quantity} from {sizes[0]:,} to {probed[-1]:,} was found; "
                "widen the bounds of n"
            )
        # Where half of the work was spent, a larger size may have inputs.
        tried_out = max(self._found) if self._left <= self._most // 2 else probed[-1]
        return tuple(Point(n) for n in sizes if n in self._found or n > tried_out)

    def get(self, point: Point, seed: int) -> Input:  # noqa: ARG002 - the same for every seed
        """Return the input of this size.

        Raises:
            GeneratorError: if there is none, or the work for inputs is spent.
        """
        return self._kept.get(point, 0) or self._kept.put(Input(point, self._made(point.n)), 0)

    def _made(self, n: int) -> Blob:
        found = self._found.setdefault(n, {})
        for kind, case in () if found else self._tried(n, self._left // 2):
            found.setdefault(kind, case)
            if kind == self._kind:
                break
        if not found and self._left <= 0:
            raise GeneratorError(
                f"inputs end below n = {n:,}, where the work for them is spent; raise the budget "
                "for larger ones"
            )
        if not found:
            raise GeneratorError(f"no input with {self._size.quantity} == {n:,} was found")
        kind = self._kind if self._kind in found else next(iter(found))
        case = found[kind]
        self._found[n] = {kind: case}
        if kind != self._kind:
            self._others.add(n)
        if self._layout is None:
            text = values.encode([self._inputs.typed(case), None, 0])
        else:
            text = self._layout.write(args_of(case.input))
        return Blob(text.encode())

    @property
    def _left(self) -> int:
        """The counted work that is left."""
        return self._most - self._inputs.work.steps

    def _tried(self, n: int, work: int) -> Iterator[tuple[str, AuthoredCase]]:
        """Yield a few large inputs of a size with their kinds, each made when it is asked for."""
        for case in islice(self._inputs.large(n, work=work), _TRIED):
            # The values alone: one argument may be made from the size of another, or by itself.
            yield case.origin.rpartition(": ")[2].removeprefix("family "), case
