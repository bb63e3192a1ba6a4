"""Make lists and texts from others at any size: drawn from them, planted, repeated, edited."""

from typing import Any

from steelyard.inputs._choices import Rota
from steelyard.inputs._ground import ASCENDING, DESCENDING, DIFFERENT, Ground
from steelyard.inputs._made import Made, call
from steelyard.inputs._relations import alike

_FORMS = (
    "planted", "short part", "drawn", "mixed", "planted", "part", "edited", "short part",
    "planted", "shuffled", "equal", "cycled", "mixed", "short part", "doubled", "reversed",
)  # fmt: skip
"""Relations of two arguments. Those in which one contains the other come most often."""
ITEM_FORMS = (
    "shuffled", "edited", "shuffled", "part", "equal", "shuffled", "mixed", "doubled", "reversed",
)  # fmt: skip
"""Relations of two items of one list. Items with equal counts are what most programs compare."""
_DIFFERENT_FORMS = ("part", "shuffled", "equal", "sampled", "reversed")
_FIXED = frozenset({"tree", "forest", "permutation", "level_order", "parents", "balanced"})


def are_kin(source: Ground, target: Ground) -> bool:
    """Return True if a list or text can be made from the items, keys or characters of another."""
    if not target.is_sequence or target.flags & _FIXED or target.slope or target.graph:
        return False
    if source.kind == "dict":
        return alike(source.listed_keys(), target)
    return source.is_sequence and not source.graph and alike(source, target)


def kin(
    source: Made, target: Made, ground: Ground, rota: Rota, forms: tuple[str, ...] = _FORMS
) -> tuple[Made, str] | None:
    """Return a value made from another, with the name of the relation; None if it would not fit.

    Args:
        source: A list, text or dict that is `kin` to the target.
        target: The value in the place of which the result comes: it gives the length, and strays.
        ground: What the result may be.
        rota: Gives each relation its turn.
        forms: The relations.
    """
    if not source.value or not target.value:
        return None
    is_text = isinstance(target.value, str)
    given = call("letters", source) if isinstance(source.value, str) else source
    if isinstance(source.value, dict):
        given = call("keys_of", source)
    own = call("letters", target) if is_text else target
    form = rota.next(_DIFFERENT_FORMS if ground.flags & DIFFERENT else forms)
    found = _formed(form, given, own, rota)
    if not _fits(found.value, ground):
        return None
    if ground.flags & ASCENDING:
        found = call("ascending", found)
    elif ground.flags & DESCENDING:
        found = call("descending", found)
    return (call("joined", found) if is_text else found), form


def _formed(form: str, given: Made, own: Made, rota: Rota) -> Made:
    dice, n, size = rota.dice, len(own.value), len(given.value)
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
        case "shuffled":
            return call("shuffled", given, seed)
        case "cycled":
            return call("cycled", given, n)
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
