"""Who writes the values of which type: what the walk asks before it writes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from steelyard.values.incell import snapshot_types

Entry = list[Any]
Handler = Callable[[Any, Any], Entry]
"""Takes the walk and the value."""

LEAF: dict[int, Handler] = {}
"""By the id of a built-in type: how to write its values where they stand, without its name."""
NODE: dict[int, Handler] = {}
"""By the id of a built-in type: how to write its values on a line of their own, without it."""
KNOWN: dict[int, tuple[Handler, bool]] = {}
"""By the id of a type of the standard library: how to write its values, whether where they stand,
with its name."""
_NAMES: set[str] = set()
LIBRARY: dict[str, tuple[Handler, bool]] = {}
"""By name: how to write a third party's values, and whether where they stand."""
FIRST: list[Callable[[type], tuple[Handler, bool] | None]] = []
"""Asked about a type before its bases are looked up."""
OTHERWISE: list[Callable[[type], Handler]] = []
"""Says how to write a type that nothing else knows."""

ATOMS = frozenset(id(cls) for cls in (type(None), bool, int, float, str))


def know(cls: type, handler: Handler, *, inline: bool) -> None:
    """Says how to write the values of a type of the standard library, and of its subclasses."""
    KNOWN[id(cls)] = handler, inline
    _NAMES.add(snapshot_types.name_of(cls))


def opaque(value: object, why: str = "") -> Entry:
    """Stands for what cannot be compared."""
    return ["n", why[:200], snapshot_types.name_of(type(value))]


class Plan:
    """How the values of one type that is not built in are written."""

    __slots__ = ("handler", "inline", "layout", "name")

    def __init__(self, cls: type) -> None:
        """Finds it in the type's bases."""
        self.name = snapshot_types.name_of(cls)
        taken = id(cls) not in KNOWN and (self.name in _NAMES or self.name in LIBRARY)
        if taken and not snapshot_types.found_by_name(cls):
            self.name += " (not the one)"
        self.layout: snapshot_types.Layout | None = None
        for ask in FIRST:
            found = ask(cls)
            if found is not None:
                self.handler, self.inline = found
                return
        for base in snapshot_types.mro(cls):
            if base is object:
                break
            known = _known(base)
            if known is None:
                continue
            self.handler, self.inline = known
            if base is not cls:
                self.layout = _added(cls, base)
                self.inline = self.inline and self.layout is None
            return
        self.handler, self.inline = OTHERWISE[0](cls), False


def _known(base: type) -> tuple[Handler, bool] | None:
    if id(base) in LEAF:
        return LEAF[id(base)], True
    if id(base) in NODE:
        return NODE[id(base)], False
    if id(base) in KNOWN:
        return KNOWN[id(base)]
    return LIBRARY.get(snapshot_types.name_of(base))


def _added(cls: type, base: type) -> snapshot_types.Layout | None:
    """Where a class keeps what its known base does not."""
    if snapshot_types.name_of(base) in LIBRARY:
        package = snapshot_types.name_of(base).partition(".")[0]
        if snapshot_types.name_of(cls).partition(".")[0] == package:
            return None
    layout = snapshot_types.Layout(cls, base)
    return None if layout.empty else layout
