"""Find why a program is hopeless."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from steelyard.schemas import Constraints, PruneFinding
from steelyard.solving.pruning._bounds import Sizes
from steelyard.solving.pruning._loops import loop_findings
from steelyard.solving.pruning._plan import one_of_each
from steelyard.solving.pruning._reading import Reading
from steelyard.solving.pruning._recursion import recursion_findings
from steelyard.solving.pruning._rules import Rules
from steelyard.solving.pruning._tables import table_findings
from steelyard.solving.pruning._tree import readable
from steelyard.solving.pruning._work import Work

_LONGEST = 200_000
"""Most characters of a program that are checked: longer ones are left to the judge."""


def code_findings(
    source: str,
    language: Literal["cpp", "python"],
    bounds: Mapping[str, int],
    limits: Constraints,
    rules: Rules,
) -> tuple[PruneFinding, ...]:
    """Return what a program's loops, recursion and tables break."""
    sizes = Sizes(bounds)
    if sizes.main is None or len(source) > _LONGEST:
        return ()
    source = readable(source, _LONGEST)
    if language == "cpp":
        from steelyard.solving.pruning._cpp import parse_cpp  # noqa: PLC0415 - a native module

        root = parse_cpp(source)
    else:
        from steelyard.solving.pruning._python import parse_python  # noqa: PLC0415 - its sibling

        root = parse_python(source)
    work = Work(Reading(root, sizes))
    found = [
        *loop_findings(work, rules, limits.runtime_limit / 1_000, python=language == "python"),
        *recursion_findings(work, rules, language, source),
        *table_findings(work, rules, limits.memory_limit * 2**20, filled=False),
    ]
    return one_of_each(found)
