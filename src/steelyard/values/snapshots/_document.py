"""A snapshot as it was written, read back."""

import binascii
import json
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

Item = Any
"""A plain value, a reference `[line, key?, unsure?]`, or an entry that stands for itself."""
Entry = list[Any]
"""`[tag, body, type, fields]`, its end left out where it is empty."""

FORMAT = 1
MUTABLE = frozenset("lsdoaBE")
"""Tags of what can change, so that sharing it is part of the value."""
BEYOND: Entry = ["...", None, "more than the snapshot holds"]

FAULTS = (
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    AttributeError,
    RecursionError,
    OverflowError,
    MemoryError,
    struct.error,
    binascii.Error,
    AssertionError,
)
"""What reading a document that is none can raise."""


class SnapshotError(Exception):
    """The bytes are no snapshot."""


@dataclass(frozen=True)
class Document:
    """One snapshot."""

    roots: dict[str, Item]
    lines: list[Entry]
    shared: list[Any]
    rest: list[Any] | None
    _plain: dict[int, Entry] = field(default_factory=dict)

    def entry(self, item: Item) -> tuple[Entry | None, int | None]:
        """What an item stands for, and its line; no entry where it is a plain value."""
        if type(item) is not list:
            return None, None
        head = item[0]
        if type(head) is str:
            return item, None
        if type(head) is not int or head < 0:
            raise SnapshotError("no item")
        if head >= len(self.lines):
            if self.rest is None:
                raise SnapshotError("a line that is not there")
            return BEYOND, head
        return self.lines[head], head


def read(snapshot: bytes) -> Document:
    """The document that the bytes hold.

    Raises:
        UnreadableError: where they hold none.
    """
    try:
        tree = json.loads(snapshot.decode("utf-8", "surrogatepass"))
        if tree["format"] != FORMAT:
            raise SnapshotError("another format")
        names = tree["roots"]
        roots = dict(zip(names[::2], names[1::2], strict=True))
        lines, shared, rest = tree["lines"], tree["shared"], tree["rest"]
    except FAULTS as error:
        raise SnapshotError(type(error).__name__) from None
    if not all(type(part) is list for part in (names, lines, shared, rest or [])):
        raise SnapshotError("parts of another kind")
    if not all(type(name) is str for name in roots):
        raise SnapshotError("roots without names")
    if not all(type(line) is list and line and type(line[0]) is str for line in lines):
        raise SnapshotError("a line that is not an entry")
    return Document(roots, lines, shared, rest)


def plain(item: Item) -> Item:
    """The item, with numbers that JSON has no word for as what they are."""
    if type(item) is list and len(item) == 2:
        if item[0] == "float":
            return float(item[1])
        if item[0] == "int":
            return int(item[1], 16)
    return item


def type_of(entry: Entry) -> str:
    """The entry's type by name."""
    if len(entry) > 2 and type(entry[2]) is str:
        name: str = entry[2]
        return name
    return _TYPES.get(entry[0], str(entry[0]))


_TYPES = {"l": "list", "t": "tuple", "d": "dict", "s": "set", "f": "frozenset"}


def fields_of(entry: Entry) -> list[tuple[str, Item]]:
    """The entry's labelled parts."""
    if len(entry) < 4 or not entry[3]:
        return []
    flat = entry[3]
    labels = flat[::2]
    if not all(type(label) is str for label in labels):
        raise SnapshotError("a part without a label")
    return list(zip(labels, flat[1::2], strict=True))


def pairs_of(entry: Entry) -> Iterator[tuple[Item, Item]]:
    """A mapping's keys and values."""
    return zip(entry[1][::2], entry[1][1::2], strict=True)


def text_of(tree: object) -> str:
    """The tree as JSON: the same text for the same values of the same types."""
    return json.dumps(tree, ensure_ascii=False, separators=(",", ":"))


def key_of(item: Item) -> str:
    """What tells a dictionary's key, or a set's member, apart from the others."""
    if type(item) is list and type(item[0]) is int:
        return f"#{item[1]}" if len(item) > 1 else f"@{item[0]}"
    return text_of(plain(item))
