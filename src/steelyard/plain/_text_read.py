"""Read values from the text that a program reads, or writes to standard output."""

import re
from collections.abc import Iterator, Sequence
from typing import NoReturn

from pydantic import JsonValue

from steelyard.errors import SpecificationError
from steelyard.plain._types import PlainType

_TOKEN = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)"|([^\s"]+))', re.DOTALL)
_MOST_DIGITS = 4_300


def read_value(kind: PlainType, text: str) -> JsonValue:
    """Return the value of a type that a text holds, and nothing else.

    Raises:
        SpecificationError: if the text is not a value of this type; the message names the line.
    """
    reader = _Reader(text)
    value = reader.value(kind)
    reader.end()
    return value


def read_arguments(kinds: Sequence[PlainType], text: str) -> tuple[JsonValue, ...]:
    """Return the arguments of a call that a standard input holds, and nothing else.

    Raises:
        SpecificationError: if the text does not hold values of these types; the message names the
            line.
    """
    reader = _Reader(text)
    args = tuple(reader.value(kind) for kind in kinds)
    reader.end()
    return args


class _Reader:
    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0

    def value(self, kind: PlainType) -> JsonValue:
        match kind.kind:
            case "int":
                return self._int()
            case "float":
                return self._float()
            case "bool":
                return self._flag()
            case "str":
                return self._quoted()
            case "none":
                return None if not self._flag() else self._fault("0")
            case "optional":
                return self.value(kind.items[0]) if self._flag() else None
            case "tuple":
                return [self.value(each) for each in kind.items]
            case "list":
                return [self.value(kind.items[0]) for _ in self._count()]
            case "dict":
                return {self._quoted(): self.value(kind.items[0]) for _ in self._count()}
            case _:
                return self._fault(str(kind))

    def end(self) -> None:
        if self._text[self._at :].strip():
            self._fault("the end")

    def _count(self) -> Iterator[int]:
        count = self._int()
        left = len(self._text) - self._at
        if not 0 <= count <= left:  # each item takes a character at least
            self._fault("a count")
        return iter(range(count))

    def _int(self) -> int:
        word = self._word()
        if not re.fullmatch(r"[+-]?[0-9]+", word) or len(word) > _MOST_DIGITS:
            self._fault("an integer")
        return int(word)

    def _float(self) -> float:
        word = self._word()
        if not re.fullmatch(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,4})?", word):
            self._fault("a number")
        return float(word)

    def _flag(self) -> bool:
        word = self._word()
        if word not in ("0", "1"):
            self._fault("0 or 1")
        return word == "1"

    def _quoted(self) -> str:
        found = self._next()
        if found[1] is None:
            self._fault("a text in double quotes")
        return re.sub(r"\\(.)", r"\1", found[1] or "", flags=re.DOTALL)

    def _word(self) -> str:
        return self._next()[2] or ""

    def _next(self) -> "re.Match[str]":
        found = _TOKEN.match(self._text, self._at)
        if found is None:
            self._fault("more")
        self._at = found.end()
        return found

    def _fault(self, wanted: str) -> NoReturn:
        line = self._text.count("\n", 0, self._at) + 1
        raise SpecificationError(
            f"expected {wanted} in line {line}: the text does not hold this type; "
            "write it in the documented format"
        )
