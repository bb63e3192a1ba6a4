r"""Write values as text that a C++ program reads with `std::cin >>`, and read it back.

| type | text |
|---|---|
| `int` | its digits |
| `float` | the shortest digits that give the same number |
| `bool` | `1` or `0` |
| `str` | in double quotes; `"` and `\` have a `\` before them (`std::quoted` reads it) |
| `list[T]`, `set[T]` | the number of items, then the items |
| `dict[K, T]` | the number of pairs, then each key with its value |
| `tuple[A, B]` | its items |
| `T \| None` | `0` for None, else `1` and the value |
| `A \| B` | the number of the value's type, from 1, and the value |

White space separates them, and line breaks are for people only. `prose` describes this text to a
reader, and `match_mode_of` chooses the mode that compares answers written so.
"""

import re
from typing import Any, Literal, NoReturn

from pydantic import JsonValue

from steelyard.errors import SpecificationError
from steelyard.schemas import Specification
from steelyard.values._types import PlainType, parse_type

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


def answer_format_of(spec: Specification) -> str:
    """Return the format of standard output in a line of prose."""
    kind = parse_type(spec.returns)
    text = f"Output: {prose(kind)}."
    if spec.match_mode == "unordered" and kind.base.kind in ("list", "tuple"):
        return text + _any_order(kind)
    if match_mode_of(spec) == "exact" and kind.kind in ("list", "dict"):
        return text + " The count and each item have a line of their own."
    return text


def _any_order(kind: PlainType) -> str:
    """Return which parts of an answer have lines of their own, if its items may have any order."""
    before = ["the 1"] if kind is not kind.base else []
    before += ["the count"] if kind.base.kind == "list" else []
    if not before:
        return " Each item has a line of its own, in any order."
    parts = f"{', '.join(before)} and each item"
    return f" {parts[0].upper()}{parts[1:]} have a line of their own; items in any order."


def prose(kind: PlainType) -> str:
    """Return how a value of a type is written, in words."""
    match kind.kind:
        case "optional":
            return f"0 if there is none, else 1 and {prose(kind.items[0])}"
        case "union":
            cases = (f"{number} and {prose(each)}" for number, each in enumerate(kind.items, 1))
            return ", or ".join(cases)
        case "list" | "set":
            return f"the number of items, then each item: {prose(kind.items[0])}"
        case "dict":
            pair = f"its key ({prose(kind.key)}) and its value: {prose(kind.items[0])}"
            return f"the number of pairs, then for each pair {pair}"
        case "tuple":
            return ", then ".join(prose(each) for each in kind.items)
        case _:
            return _SIMPLE[kind.kind]


def _has(kind: PlainType, name: str) -> bool:
    return kind.kind == name or kind.kind == "dict" or any(_has(each, name) for each in kind.items)


_TOKEN = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)"|([^\s"]+))', re.DOTALL)
_WORD = re.compile(r"\s*(\S+)")
_MOST_DIGITS = 4_300


class Reader:
    """Reads values from a text, from its start on; a fault is an error that names the line."""

    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0
        self._items, self._most = 0, 2 * len(text) + 2

    def value(self, kind: PlainType) -> JsonValue:
        """Return the next value, which is of this type."""
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
                return None if not self._flag() else self.fault("0")
            case "optional":
                return self.value(kind.items[0]) if self._flag() else None
            case "tuple":
                return [self.value(each) for each in kind.items]
            case "union":
                at = self._int()
                if not 1 <= at <= len(kind.items):
                    self.fault(f"a number from 1 to {len(kind.items)}")
                return self.value(kind.items[at - 1])
            case "list" | "set":
                return [self.value(kind.items[0]) for _ in self._count()]
            case "dict":
                return {str(self.value(kind.key)): self.value(kind.items[0]) for _ in self._count()}
            case _:
                return self.fault(str(kind))

    def end(self) -> None:
        """Check that only white space is left."""
        if self._text[self._at :].strip():
            self.fault("the end")

    def line(self) -> str:
        """Return what is left of the line."""
        if self._at > len(self._text):
            self.fault("a line")
        begun, end = self._at, self._text.find("\n", self._at)
        self._at = len(self._text) if end < 0 else end
        return self._text[begun : self._at].removesuffix("\r")

    def end_line(self) -> None:
        """Go to the next line; only white space may be left of this one."""
        if self.line().strip():
            self.fault("the end of the line")
        self._at += 1

    def word(self) -> str:
        """Return the next characters up to white space."""
        found = _WORD.match(self._text, self._at)
        if found is None:
            self.fault("a word")
        self._at = found.end()
        return found[1]

    def has_more(self, *, in_line: bool = False) -> bool:
        """Return True if the text, or the line, has more."""
        if not in_line:
            return self._at < len(self._text)
        end = self._text.find("\n", self._at)
        return bool(self._text[self._at : None if end < 0 else end].strip())

    def counted(self, count: int) -> range:
        """Return the numbers of this many items, each of which but one takes a character."""
        self._items += count
        if not 0 <= count <= len(self._text) - self._at + 1 or self._items > self._most:
            self.fault("a count")
        return range(count)

    def _count(self) -> range:
        return self.counted(self._int())

    def _int(self) -> int:
        word = self._word()
        if not re.fullmatch(r"[+-]?[0-9]+", word) or len(word) > _MOST_DIGITS:
            self.fault("an integer")
        return int(word)

    def _float(self) -> float:
        word = self._word()
        if not re.fullmatch(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,4})?", word):
            self.fault("a number")
        return float(word)

    def _flag(self) -> bool:
        word = self._word()
        if word not in ("0", "1"):
            self.fault("0 or 1")
        return word == "1"

    def _quoted(self) -> str:
        found = self._next()
        if found[1] is None:
            self.fault("a text in double quotes")
        return re.sub(r"\\(.)", r"\1", found[1] or "", flags=re.DOTALL)

    def _word(self) -> str:
        return self._next()[2] or ""

    def _next(self) -> "re.Match[str]":
        found = _TOKEN.match(self._text, self._at)
        if found is None:
            self.fault("more")
        self._at = found.end()
        return found

    def fault(self, wanted: str) -> NoReturn:
        """Raise the error that something else was expected in this line."""
        line = self._text.count("\n", 0, self._at) + 1
        raise SpecificationError(
            f"expected {wanted} in line {line}: the text does not hold this type; "
            "write it in the documented format"
        )


def text_of_answer(spec: Specification, value: JsonValue) -> str:
    """Return the standard output for an answer; with `unordered`, each item has its own line.

    Raises:
        SpecificationError: if the answer cannot be written.
    """
    kind = parse_type(spec.returns)
    base = kind.base
    is_list = base.kind == "list"
    has_items = is_list or base.kind == "tuple"
    if spec.match_mode != "unordered" or not isinstance(value, list) or not has_items:
        return f"{text_of(kind, value)}\n"
    lines = ["1"] if kind is not base else []
    lines += [str(len(value))] if is_list else []
    kinds = base.items * len(value) if is_list else base.items
    lines += [text_of(item, each, " ") for item, each in zip(kinds, value, strict=True)]
    return "\n".join(lines) + "\n"


def text_of(kind: PlainType, value: Any, between: str = "\n") -> str:
    """Return a value's text.

    Args:
        kind: The value's type.
        value: The value.
        between: Written between a list's parts: a line break at the top, a space inside a line.
    """
    try:
        return _plain(kind, value, between)
    except (TypeError, ValueError, AttributeError) as error:
        raise SpecificationError(
            f"a value of type {kind} cannot be written as text ({str(error)[:100]}); "
            "use smaller values"
        ) from error


def _plain(kind: PlainType, value: Any, between: str) -> str:
    match kind.kind:
        case "int":
            return str(int(value))
        case "float":
            return repr(float(value))
        case "bool":
            return "1" if value else "0"
        case "str":
            value.encode()  # half of a surrogate pair has no text
            escaped = value.replace("\\", "\\\\").replace('"', '\\"')
            return f'"{escaped}"'
        case "none":
            return "0"
        case "optional":
            return "0" if value is None else f"1 {_plain(kind.items[0], value, ' ')}"
        case "tuple":
            pairs = zip(kind.items, value, strict=True)
            parts = [_plain(item, each, " ") for item, each in pairs]
            return (between if any(map(_is_long, kind.items)) else " ").join(parts)
        case "dict":
            item = kind.items[0]
            rows = [
                f"{_plain(kind.key, key, ' ')} {_plain(item, each, ' ')}"
                for key, each in value.items()
            ]
            return between.join([str(len(rows)), *rows])
        case "union":
            at = next(at for at, each in enumerate(kind.items) if not each.fault_of(value))
            return f"{at + 1} {_plain(kind.items[at], value, ' ')}"
        case "list" | "set":
            item = kind.items[0]
            rows = [_plain(item, each, " ") for each in value]
            if between == "\n" and rows and not (_is_long(item) or _has_text(item)):
                return f"{len(rows)}\n{' '.join(rows)}"
            return between.join([str(len(rows)), *rows])
        case _:
            raise ValueError(f"no text for {kind}")


def _has_text(kind: PlainType) -> bool:
    """Return True for a type with texts, which may hold white space."""
    return kind.kind == "str" or any(map(_has_text, kind.items))


def _is_long(kind: PlainType) -> bool:
    """Return True for a type whose values have a line of their own in a list."""
    return kind.kind in ("list", "set", "dict", "tuple") or any(map(_is_long, kind.items))
