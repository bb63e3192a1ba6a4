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

White space separates them, and line breaks are for people only. `format_of` describes this text to
a reader, and `match_mode_of` chooses the mode that compares answers written so.
"""

import re
from collections.abc import Iterator, Sequence
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
        case "union":
            cases = (f"{number} and {_prose(each)}" for number, each in enumerate(kind.items, 1))
            return ", or ".join(cases)
        case "list" | "set":
            return f"the number of items, then each item: {_prose(kind.items[0])}"
        case "dict":
            pair = f"its key ({_prose(kind.key)}) and its value: {_prose(kind.items[0])}"
            return f"the number of pairs, then for each pair {pair}"
        case "tuple":
            return ", then ".join(_prose(each) for each in kind.items)
        case _:
            return _SIMPLE[kind.kind]


def _has(kind: PlainType, name: str) -> bool:
    return kind.kind == name or kind.kind == "dict" or any(_has(each, name) for each in kind.items)


_TOKEN = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)"|([^\s"]+))', re.DOTALL)
_MOST_DIGITS = 4_300


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
            case "union":
                at = self._int()
                if not 1 <= at <= len(kind.items):
                    self._fault(f"a number from 1 to {len(kind.items)}")
                return self.value(kind.items[at - 1])
            case "list" | "set":
                return [self.value(kind.items[0]) for _ in self._count()]
            case "dict":
                return {str(self.value(kind.key)): self.value(kind.items[0]) for _ in self._count()}
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


def text_of_arguments(spec: Specification, args: Sequence[JsonValue]) -> str:
    """Return the standard input of a call: each argument on a line of its own, or on several.

    Raises:
        SpecificationError: if an argument cannot be written, such as an integer of 5,000 digits or
            half of a surrogate pair.
    """
    kinds = (parse_type(each.type) for each in spec.parameters)
    return "".join(f"{_text(kind, each)}\n" for kind, each in zip(kinds, args, strict=True))


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
        return f"{_text(kind, value)}\n"
    lines = ["1"] if kind is not base else []
    lines += [str(len(value))] if is_list else []
    kinds = base.items * len(value) if is_list else base.items
    lines += [_text(item, each, " ") for item, each in zip(kinds, value, strict=True)]
    return "\n".join(lines) + "\n"


def _text(kind: PlainType, value: Any, between: str = "\n") -> str:
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
