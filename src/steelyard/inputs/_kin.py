"""Make lists and texts from others at any size: drawn from them, planted, repeated, edited."""

from typing import Any

from steelyard.families import Dice
from steelyard.inputs._ground import ASCENDING, DESCENDING, Ground
from steelyard.inputs._made import Made, call
from steelyard.inputs._relations import alike

FORMS = (
    "planted",
    "short part",
    "drawn",
    "mixed",
    "overlapped",
    "part",
    "edited",
    "short part",
    "renamed",
    "planted",
    "shuffled",
    "equal",
    "cycled",
    "mixed",
    "overlapped",
    "doubled",
    "reversed",
    "drawn",
    "overlapped",
    "mixed",
    "drawn",
)
"""Relations of two arguments. Those in which one contains the other come most often."""
ITEM_FORMS = (
    "shuffled",
    "edited",
    "shuffled",
    "part",
    "equal",
    "shuffled",
    "mixed",
    "doubled",
    "reversed",
    "renamed",
)
"""Relations of two items of one list. Items with equal counts are what most programs compare."""
LARGE_FORMS = (
    "cycled",
    "drawn",
    "half",
    "overlapped",
    "planted",
    "part",
    "mixed",
    "equal",
    "shuffled",
)
"""Relations of two large arguments."""
PARTS = frozenset({"part", "short part", "half", "sampled"})
"""Relations whose result is mostly the smaller of the two."""
_COPIES, _MOST_COPIED = 4, 400
"""Copies that overlap: a text has room for so many, up to this length."""
DIFFERENT_FORMS = ("part", "shuffled", "equal", "sampled", "reversed")
_EDITED = 0.3
"""Share of merged lists and texts that are edited, or have two values in each other's place."""
FIXED = frozenset({"tree", "forest", "permutation", "level_order", "parents", "balanced"})
"""Flags of lists in which an item cannot be chosen by itself."""


def are_kin(source: Ground, target: Ground) -> bool:
    """Return True if a list or text can be made from the items, keys or characters of another."""
    if not target.is_sequence or target.flags & FIXED or target.slope or target.graph:
        return False
    if source.kind == "dict":
        return alike(source.listed_keys(), target)
    return source.is_sequence and not source.graph and alike(source, target)


def kin(source: Made, target: Made, ground: Ground, form: str, dice: Dice) -> Made | None:
    """Return a value made from another; None if it would not fit.

    Args:
        source: A list, text or dict, of which `are_kin` is true with the target.
        target: The value in the place of which the result comes: it gives the length, and strays.
        ground: What the result may be.
        form: The relation.
        dice: Chooses what the relation leaves open.
    """
    if not source.value or not target.value:
        return None
    is_text = isinstance(target.value, str)
    given = call("letters", source) if isinstance(source.value, str) else source
    if isinstance(source.value, dict):
        given = call("keys_of", source)
    own = call("letters", target) if is_text else target
    found = _formed(form, given, own, ground, dice)
    return _finished(found, ground, is_text=is_text)


def merged(one: Made, other: Made, target: Made, ground: Ground, dice: Dice) -> Made | None:
    """Return a list or text made from two others, each in its own order; None if it cannot be.

    Args:
        one: A list or text, of which `are_kin` is true with the target.
        other: Another one.
        target: The value in the place of which the result comes; it gives strays.
        ground: What the result may be.
        dice: Chooses how they are merged, and if the result is edited.
    """
    is_text = isinstance(target.value, str)
    given = [
        call("letters" if isinstance(each.value, str) else "keys_of", each)
        if isinstance(each.value, str | dict)
        else each
        for each in (one, other)
    ]
    found = call("interleaved", *given, dice.below(1_000_000))
    if dice.chance(_EDITED):
        form = dice.pick(("edited", "renamed"))
        own = [call("letters", target) if is_text else target] * (form == "edited")
        found = call(form, found, *own, dice.below(1_000_000))
    return _finished(found, ground, is_text=is_text)


def _finished(found: Made, ground: Ground, *, is_text: bool) -> Made | None:
    if not _fits(found.value, ground):
        return None
    if ground.flags & ASCENDING:
        found = call("ascending", found)
    elif ground.flags & DESCENDING:
        found = call("descending", found)
    return call("joined", found) if is_text else found


def _formed(form: str, given: Made, own: Made, ground: Ground, dice: Dice) -> Made:
    n, size = len(own.value), len(given.value)
    seed, start = dice.below(1_000_000), dice.below(size)
    match form:
        case "drawn" | "sampled":
            return call(form, given, n, seed)
        case "mixed":
            return call("mixed", call("drawn", given, n, seed), own, seed)
        case "planted" if size < n:
            return call("planted", own, given, seed)
        case "planted":
            return call("part", given, start, start + 1 + dice.below(max(1, n // 2)))
        case "part":
            return call("part", given, start, start + 1 + dice.below(size - start))
        case "short part":
            return call("part", given, start, start + 1 + dice.below(3))
        case "edited":
            return call("edited", given, own, seed)
        case "half":
            return call("part", given, 0, (size + 1) // 2)
        case "shuffled" | "renamed":
            return call(form, given, seed)
        case "cycled":
            return call("cycled", given, n)
        case "overlapped":
            room = min(_COPIES * size, ground.longest, _MOST_COPIED)
            return call(form, given, max(n, room), seed)
        case "doubled":
            return call("cycled", given, 2 * size)
        case "reversed":
            return call("backwards", given)
    return given


def _fits(items: list[Any], ground: Ground) -> bool:
    """Return True if the length and the items are allowed, as far as is easily seen."""
    if len(items) not in ground.lengths:
        return False
    if ground.kind == "str":
        return set(items) <= set(ground.letters)
    item = ground.items[0]
    if item.kind in ("int", "float"):
        return all(each is None or each in item.numbers for each in items)
    return True
