"""Describe what constraints can call, for people and models who write them."""

from steelyard.constraints._operations import FUNCTIONS, METHODS
from steelyard.constraints._parse import parse_constraint
from steelyard.constraints._predicates import PREDICATES
from steelyard.constraints._prose import prose_of
from steelyard.constraints._sugar import SHORT_FORMS
from steelyard.values import parse_type

_ARGUMENTS = {
    "q": ("x", "y", "list[int]"),
    "i": ("n", "k", "int"),
    "m": ("rows", "rows_2", "list[list[int]]"),
    "e": ("edges", "edges_2", "list[list[int]]"),
    "l": ("x", "y", "list[int | None]"),
}
"""By the code of an argument: the name of the first one, of the second one, and a type."""
_OTHER = {"0": ("1",), "1": ("0", "y")}
"""Other values of an argument than its default: where nodes or items begin, or other items."""


def predicate_calls() -> dict[str, str]:
    """Return calls of each predicate with their meanings; several if an argument is optional."""
    found = {}
    for name, (takes, _, _) in PREDICATES.items():
        required, optional = takes.rstrip("01"), takes[len(takes.rstrip("01")) :]
        names = [
            _ARGUMENTS[code][code in required[:position]] for position, code in enumerate(required)
        ]
        kinds = {"y": parse_type("list[int]")}
        for each, code in zip(names, required, strict=True):
            kinds[each] = parse_type(_ARGUMENTS[code][2])
        for further in ("", *(other for default in optional for other in _OTHER[default])):
            call = f"{name}({', '.join(filter(None, (*names, further)))})"
            found[call] = prose_of(parse_constraint(call, kinds))
    return found


def language_of_calls() -> str:
    """Return everything that constraints can call: functions, methods, and predicates in words."""
    methods = "; ".join(
        f"of {owner}: {', '.join(f'`{name}`' for name in table)}"
        for owner, table in METHODS.items()
    )
    predicates = "\n".join(f"- `{call}`: {meaning}" for call, meaning in predicate_calls().items())
    names = sorted((FUNCTIONS.keys() | SHORT_FORMS) - PREDICATES.keys())
    functions = ", ".join(f"`{name}`" for name in names)
    return f"Functions: {functions}.\nMethods {methods}.\nPredicates:\n{predicates}"
