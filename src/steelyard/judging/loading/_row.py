"""One case as it was read, and its name in messages."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

_KINDS: dict[type, str] = {
    bool: "a boolean",
    int: "a number",
    float: "a number",
    str: "text",
    bytes: "bytes",
    list: "a list",
    tuple: "a list",
    dict: "an object",
    type(None): "null",
}
_EXCERPT = 40


@dataclass(frozen=True, slots=True)
class Row:
    """One case as it was read, with its position."""

    value: object
    file: str = ""
    line: int | None = None

    def label(self, number: int) -> str:
        """Return the row's name in messages: `tests.jsonl:3: case 3 ("name")`."""
        where = ":".join(str(part) for part in (self.file, self.line) if part)
        name = self.value.get("name") if isinstance(self.value, Mapping) else None
        called = f" ({quote(name)})" if isinstance(name, str) and name else ""
        return f"{where}: case {number}{called}" if where else f"case {number}{called}"


def quote(text: str) -> str:
    """Return a text for a message: quoted, on one line, and short."""
    short = text if len(text) <= _EXCERPT else text[:_EXCERPT] + "..."
    return json.dumps(short, ensure_ascii=not short.isprintable())


def kind_of(value: object) -> str:
    """Return the kind of a value, in the words of JSON."""
    return _KINDS.get(type(value), f"of type {type(value).__name__}")
