"""Run in a cell: results that give their items one by one, as a generator does."""

from __future__ import annotations

import itertools
import types
from typing import Any

_LAZY = frozenset(
    {
        types.GeneratorType,
        zip,
        map,
        filter,
        enumerate,
        *(
            getattr(itertools, name)
            for name in (
                "accumulate",
                "batched",
                "chain",
                "combinations",
                "combinations_with_replacement",
                "compress",
                "dropwhile",
                "filterfalse",
                "groupby",
                "islice",
                "pairwise",
                "permutations",
                "product",
                "starmap",
                "takewhile",
                "zip_longest",
            )
            if hasattr(itertools, name)
        ),
    }
)
_MOST_DRAINED = 100_000


def is_lazy(value: object) -> bool:
    """Return whether a result is a generator, or an iterator that takes the place of one."""
    return type(value) in _LAZY


def drained(items: Any) -> list[Any]:
    """Return the items; of endless ones the first."""
    return list(itertools.islice(items, _MOST_DRAINED))


def close_early(items: Any) -> None:
    """Close what can be closed, as its user does who needs no more items."""
    close = getattr(items, "close", None)
    if close is not None:
        close()
