"""List built-in types whose charge is known without running the program's own code."""

from __future__ import annotations

import itertools
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from typing import Any

Charge = Callable[..., Any]
"""Takes the place, then what it is for."""
TEXTS = frozenset({str, bytes, bytearray})
"""Charged by their length in bytes."""
ITEMS = frozenset(
    {list, tuple, set, frozenset, dict, deque, Counter, OrderedDict, defaultdict, range}
    | {type({}.keys()), type({}.values()), type({}.items())}
)
"""Charged by the number of their elements."""
SEARCHED = frozenset({list, tuple, deque, type({}.values())})
"""Of these, those in which an element is found only by going through them."""
LAZY = frozenset(
    {map, filter, zip, enumerate, reversed, type(iter(int, 0))}
    | {type(iter(kind())) for kind in (list, tuple, str, bytes, set, dict)}
    | {type(iter({}.items())), type(iter({}.values())), type(iter(range(0))), type(reversed([]))}
    | {each for each in vars(itertools).values() if isinstance(each, type)}
)
"""Charged step by step, as they are gone through: they have no length."""
ATOMS = frozenset({int, float, str, bytes, bool})
"""Comparing two of them is of the interpreter's own doing."""
