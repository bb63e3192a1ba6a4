"""Read, compare and show values as trees (see steelyard.schemas.values)."""

import json
from typing import Any

SEQUENCES = ("list", "tuple")

_SHOWN = 80


def read(output: bytes) -> Any:
    """Return the tree that a text holds.

    Raises:
        ValueError, RecursionError: if the text is malformed.
    """
    return json.loads(output, parse_constant=_refuse)


def _refuse(word: str) -> Any:
    raise ValueError(word)


def kind_of(tree: Any) -> str:
    """Return `number`, or the name of the type."""
    if isinstance(tree, dict):
        kind = str(tree["$"])
        return "number" if kind in ("int", "float") else kind
    if isinstance(tree, bool | int | float):
        return "number"
    return type(tree).__name__


def inner(tree: Any) -> list[Any]:
    """Return the items of a container."""
    inside = tree["v"] if isinstance(tree, dict) else tree
    if not isinstance(inside, list):
        raise TypeError(type(inside))
    return inside


def number_of(tree: Any) -> float:
    """Return the number; an int remains an int."""
    if not isinstance(tree, dict):
        return float(tree) if isinstance(tree, float) else int(tree)
    text = tree["v"]
    return int(text, 16) if tree["$"] == "int" else float(text)


def canonical(tree: Any, *, sequences_alike: bool = False) -> str:
    """Return a text that equal values share, in any order of their sets and dictionaries."""

    def text_of(each: Any) -> str:
        return canonical(each, sequences_alike=sequences_alike)

    kind = kind_of(tree)
    if kind == "number":
        return _canonical_number(number_of(tree))
    if kind in SEQUENCES:
        name = "list" if sequences_alike else kind
        return f"{name}({','.join(map(text_of, inner(tree)))})"
    if kind in ("set", "frozenset"):
        return f"set({','.join(sorted(map(text_of, inner(tree))))})"
    if kind == "dict":
        pairs = (f"{text_of(key)}:{text_of(item)}" for key, item in inner(tree))
        return f"dict({','.join(sorted(pairs))})"
    if kind == "complex":
        real, imaginary = (_canonical_number(number_of(part)) for part in inner(tree))
        return real if imaginary == "0" else f"complex({real},{imaginary})"
    if kind in ("bytes", "bytearray"):
        return f"bytes {json.dumps(tree['v'])}"
    return f"{kind} {json.dumps(tree)}"


def _canonical_number(number: float) -> str:
    whole = isinstance(number, int) or number.is_integer()
    return f"{int(number):x}" if whole else repr(number)


def shown(tree: Any) -> str:
    """Return a value as Python writes it, shortened to one line."""
    return bounded(_written(tree, _SHOWN), _SHOWN)


def _written(tree: Any, room: int) -> str:
    if room <= 0:
        return "..."
    if isinstance(tree, str):
        return repr(tree[: room + 1])
    if not isinstance(tree, list | dict):
        return repr(tree)
    kind = kind_of(tree)
    content: Any = tree["v"] if isinstance(tree, dict) else tree
    if kind == "number":
        text = str(content)
        return text if len(text) <= _SHOWN else f"an integer of {len(text) - 2:,} hex digits"
    if kind in ("bytes", "bytearray"):
        text = repr(str(content)[: room + 1].encode("latin-1"))
        return text if kind == "bytes" else f"bytearray({text})"
    if kind == "complex":
        return f"complex({content[0]}, {content[1]})"
    if kind == "dict":
        half = room // 2
        pairs = (f"{_written(key, half)}: {_written(item, half)}" for key, item in content)
        return f"{{{_few(pairs, room)}}}"
    items = _few((_written(item, room // 2) for item in content), room)
    if kind == "tuple":
        return f"({items},)" if len(content) == 1 else f"({items})"
    empty = {"set": "set()", "frozenset": "frozenset()"}
    if kind in empty:
        return f"{{{items}}}" if items else empty[kind]
    return f"[{items}]"


def _few(parts: Any, room: int) -> str:
    """Return parts joined by commas, up to a length."""
    shown: list[str] = []
    for part in parts:
        if room < 0:
            shown.append("...")
            break
        shown.append(part)
        room -= len(part)
    return ", ".join(shown)


def bounded(text: str, size: int) -> str:
    """Return the text on one line, printable and cut to a size."""
    line = text[: size + 1]
    if not line.isprintable():
        line = "".join(char if char.isprintable() else " " for char in line)
    return line if len(line) <= size else line[:size] + "..."
