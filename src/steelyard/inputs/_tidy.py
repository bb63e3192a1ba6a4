"""Keep what a change must not break: the order of a list, that its items differ, neighbours."""

from typing import Any

from steelyard.families import mended
from steelyard.inputs._ground import ASCENDING, DESCENDING, DIFFERENT, Ground


def tidied(value: Any, ground: Ground) -> Any:
    """Return a changed value in the order that its flags ask for, without repeats if they do."""
    if value is None or not isinstance(value, list | str):
        return value
    if ground.weave and isinstance(value, str):
        return mended(value, ground.weave, ground.longest)
    items = list(value)
    if ground.kind in ("list", "tuple"):
        inner = ground.columns or ground.items * len(items)
        if len(inner) == len(items):
            items = [tidied(item, each) for item, each in zip(items, inner, strict=True)]
    if ground.flags & DIFFERENT:
        items = list({repr(each): each for each in reversed(items)}.values())[::-1]
    if ground.flags & (ASCENDING | DESCENDING) and None not in items:
        items.sort(reverse=bool(ground.flags & DESCENDING))
    return "".join(items) if isinstance(value, str) else items
