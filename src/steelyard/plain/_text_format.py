"""Describe the text of a specification's arguments and answer, and how answers are compared."""

from typing import Literal

from steelyard.plain._types import PlainType, parse_type
from steelyard.schemas import Specification

_SIMPLE = {
    "int": "an integer",
    "float": "a number",
    "bool": "1 for true or 0 for false",
    "str": 'a text in double quotes, in which \\ precedes each " and \\',
    "none": "0",
}


def match_mode_of(spec: Specification) -> Literal["exact", "tokens", "float_tokens", "unordered"]:
    """Return the match mode that compares answers as text."""
    kind = parse_type(spec.returns)
    if spec.match_mode == "unordered":
        return "unordered"
    if spec.match_mode == "numeric":
        return "float_tokens"
    return "exact" if _has(kind, "str") else "tokens"


def format_of(spec: Specification) -> str:
    """Return the format of standard input and standard output, in a few lines of prose."""
    lines = ["Input, separated by white space:"]
    lines += [f"- {each.name}: {_prose(parse_type(each.type))}" for each in spec.parameters]
    kind = parse_type(spec.returns)
    lines += ["", f"Output: {_prose(kind)}."]
    if spec.match_mode == "unordered" and kind.base.kind in ("list", "tuple"):
        lines[-1] += _any_order(kind)
    elif match_mode_of(spec) == "exact" and kind.kind in ("list", "dict"):
        lines[-1] += " The count and each item have a line of their own."
    return "\n".join(lines)


def _any_order(kind: PlainType) -> str:
    """Return which parts of an answer have lines of their own, if its items may have any order."""
    before = ["the 1"] if kind is not kind.base else []
    before += ["the count"] if kind.base.kind == "list" else []
    if not before:
        return " Each item has a line of its own, in any order."
    parts = f"{', '.join(before)} and each item"
    return f" {parts[0].upper()}{parts[1:]} have a line of their own; items in any order."


def _prose(kind: PlainType) -> str:
    match kind.kind:
        case "optional":
            return f"0 if there is none, else 1 and {_prose(kind.items[0])}"
        case "list":
            return f"the number of items, then each item: {_prose(kind.items[0])}"
        case "dict":
            pair = f"its key ({_SIMPLE['str']}) and its value: {_prose(kind.items[0])}"
            return f"the number of pairs, then for each pair {pair}"
        case "tuple":
            return ", then ".join(_prose(each) for each in kind.items)
        case _:
            return _SIMPLE[kind.kind]


def _has(kind: PlainType, name: str) -> bool:
    return kind.kind == name or kind.kind == "dict" or any(_has(each, name) for each in kind.items)
