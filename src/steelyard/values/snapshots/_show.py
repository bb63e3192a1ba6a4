"""What a snapshot holds, in short, for people."""

import math
from base64 import b64decode
from collections.abc import Callable

from steelyard._printable import printable
from steelyard.values.snapshots import _arrays
from steelyard.values.snapshots._document import (
    FAULTS,
    Document,
    Entry,
    Item,
    SnapshotError,
    fields_of,
    pairs_of,
    plain,
    read,
    type_of,
)

_ARGUMENT = "arguments."
_MOST_DEPTH = 6
_MOST_PARTS = 40
_BRACKETS = {"l": ("[", "]"), "t": ("(", ")"), "s": ("{", "}"), "f": ("{", "}")}


def show_call(snapshot: bytes, *, most_chars: int = 80) -> str:
    """The arguments of a call, as one would write them: the roots named `arguments.NAME`.

    Args:
        snapshot: The document.
        most_chars: The text is cut there, with `...` at its end.

    Returns:
        One printable line; `(unreadable)` for no snapshot.
    """
    try:
        document = read(snapshot)
        named = [
            f"{name.removeprefix(_ARGUMENT)}={brief(document, item, most_chars=most_chars)}"
            for name, item in document.roots.items()
            if name.startswith(_ARGUMENT)
        ]
        return cut(printable(", ".join(named)), most_chars)
    except (SnapshotError, *FAULTS):
        return "(unreadable)"


def brief(document: Document, item: Item, *, most_chars: int = 80) -> str:
    """One item as short text."""
    writer = _ValueWriter(document, most_chars)
    try:
        writer.write(item, 0)
    except _EnoughError:
        pass
    except (SnapshotError, *FAULTS):
        return "(unreadable)"
    return cut(printable("".join(writer.parts)), most_chars)


def cut(text: str, most_chars: int) -> str:
    """The text, or its beginning with `...`."""
    return text if len(text) <= most_chars else f"{text[: max(0, most_chars - 3)]}..."


class _EnoughError(Exception):
    """More text than anyone asked for."""


class _ValueWriter:
    def __init__(self, document: Document, most_chars: int) -> None:
        self.parts: list[str] = []
        self._document = document
        self._left = most_chars + 4
        self._above: set[int] = set()

    def _add(self, text: str) -> None:
        self.parts.append(text)
        self._left -= len(text)
        if self._left < 0:
            raise _EnoughError

    def write(self, item: Item, depth: int) -> None:
        item = plain(item)
        entry, line = self._document.entry(item)
        if entry is None:
            self._add(_atom(item, self._left))
            return
        if line is not None and (line in self._above or depth > _MOST_DEPTH):
            self._add("...")
            return
        if line is not None:
            self._above.add(line)
        self._entry(entry, depth)
        if line is not None:
            self._above.discard(line)

    def _entry(self, entry: Entry, depth: int) -> None:
        tag, body = entry[0], entry[1]
        named = len(entry) > 2 and entry[2]
        if tag in _BRACKETS:
            self._sequence(entry, depth)
        elif tag == "d":
            self._wrapped(named, lambda: self._mapping(entry, depth))
        elif tag in ("a", "A"):
            self._add(_arrays.described(entry))
        elif tag in ("I", "F", "S"):
            self._wrapped(named, lambda: self.write(body, depth + 1))
        elif tag in ("complex", "bytes", "B"):
            text = _complex(body) if tag == "complex" else _bytes(body)
            self._wrapped(named, lambda: self._add(text))
        elif tag == "e":
            self._add(f"{_last(type_of(entry))}.{body}")
        elif tag in ("n", "C"):
            self._add(type_of(entry))
        elif tag == "T":
            self._add(f"{_last(type_of(entry))}({', '.join(map(str, body))}")
            for label, item in fields_of(entry):
                self._add(f", {label[1:]}=")
                self.write(item, depth + 1)
            self._add(")")
        elif tag == "v" and type_of(entry) in _NAMED:
            self._add(_last(str(body)) if type_of(entry) == "type" else str(body))
        elif tag == "#":
            self._add(f"{type_of(entry)} of {body[0]} characters as text")
        elif tag == "range":
            start, stop, step = body
            self._add(f"range({start}, {stop})" if step == 1 else f"range({start}, {stop}, {step})")
        elif tag == "...":
            self._add("...")
        else:
            self._object(entry, depth)

    def _wrapped(self, name: object, inner: Callable[[], None]) -> None:
        if name:
            self._add(f"{_last(str(name))}(")
        inner()
        if name:
            self._add(")")

    def _sequence(self, entry: Entry, depth: int) -> None:
        tag, items = entry[0], entry[1]
        name = entry[2] if len(entry) > 2 else None
        opening, closing = _BRACKETS[tag]
        if tag == "f" or (tag == "s" and not items):
            name = name or type_of(entry)
            if not items:
                opening = closing = ""
        labels = names_of(entry)
        if labels:
            opening = closing = ""
            labels = [f"{label}=" for label in labels]
        if name:
            self._add(f"{_last(name)}(")
        self._add(opening)
        for at, item in enumerate(items[:_MOST_PARTS]):
            self._add((", " if at else "") + (labels[at] if at < len(labels) else ""))
            self.write(item, depth + 1)
        if len(items) > _MOST_PARTS:
            self._add(", ...")
        elif tag == "t" and len(items) == 1 and not labels:
            self._add(",")
        self._add(closing)
        if name:
            self._add(")")

    def _mapping(self, entry: Entry, depth: int) -> None:
        self._add("{")
        for at, (key, item) in enumerate(pairs_of(entry)):
            if at == _MOST_PARTS:
                self._add(", ...")
                break
            self._add(", " if at else "")
            self.write(key, depth + 1)
            self._add(": ")
            self.write(item, depth + 1)
        self._add("}")

    def _object(self, entry: Entry, depth: int) -> None:
        self._add(f"{_last(type_of(entry))}(")
        first = True
        if entry[1] is not None:
            self._add(repr(entry[1]) if type(entry[1]) is not list else str(entry[1])[1:-1])
            first = False
        fields = fields_of(entry)
        if entry[0] == "E" and fields and fields[0][0] == ".args":
            arguments, _ = self._document.entry(fields.pop(0)[1])
            for item in arguments[1] if arguments else []:
                self._add("" if first else ", ")
                self.write(item, depth + 1)
                first = False
        for label, item in fields:
            self._add("" if first else ", ")
            name = label.removeprefix(".")
            if name:
                self._add(f"{name}=")
            self.write(item, depth + 1)
            first = False
        self._add(")")


_NAMED = frozenset(
    {
        "type",
        "function",
        "builtin_function_or_method",
        "module",
        "method_descriptor",
        "wrapper_descriptor",
    }
)


def names_of(entry: Entry) -> list[str]:
    """The names of a named tuple's items."""
    for label, item in fields_of(entry):
        if label == ".<fields>":
            return [str(name) for name in item[1]]
    return []


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _atom(value: object, most: int) -> str:
    if type(value) is str:
        return repr(value[: most + 1])
    if type(value) is int and not -(10**40) < value < 10**40:
        return f"{'-' if value < 0 else ''}{hex(abs(value))[:30]}... ({value.bit_length()} bits)"
    return repr(value)


def _complex(body: list[Item]) -> str:
    real, imag = (float(plain(part)) for part in body)
    if real == 0.0 and math.copysign(1, real) == -1.0:
        return f"(-0{imag:+}j)"
    return repr(complex(real, imag))


def _bytes(body: object) -> str:
    if type(body) is str:
        return repr(b64decode(body[:400]))
    return f"{body[0]} bytes" if type(body) is list else "?"
