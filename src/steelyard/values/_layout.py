"""Layouts of standard input, described once: arguments to text, text to arguments, and in words.

A specification states its layout in `input_format`, with a line for each line of an input:

| in a line | in the input |
|---|---|
| `n` | a size: the length of a list or text that has `[n]` |
| `k` | a parameter: a number, or a word; a text alone in its line is the whole line |
| `nums[n]` | n items in one line; also `[n-1]`, `[2]`, and `[]` for all that the line has |
| `grid[r][c]...` | r lines with an item each, which has c parts |
| `t:` | in the first line: the number of tests, each of which has the lines below |

Any other value has its counts first, as in `values._text`. So have all values, a line each, if
`input_format` is empty.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import JsonValue

from steelyard.errors import SpecificationError
from steelyard.schemas import Specification
from steelyard.values._text import Reader, answer_format_of, prose, text_of
from steelyard.values._types import PlainType, parse_type

_FIELD = re.compile(r"([A-Za-z]\w*)((?:\[[^\[\]\s]*\])*)(\.\.\.)?")
_SIZE = re.compile(r"([A-Za-z]\w*)?([+-]?\d{1,9})?")
_TESTS = re.compile(r"[A-Za-z]\w*:")
_INT = PlainType("int")
_LISTS = ("list", "set")
Args = tuple[JsonValue, ...]
Sizes = tuple[tuple[str, int] | None, ...]
"""Names with what is added to them; an empty name for a number, None for all that there is."""


@dataclass(frozen=True, slots=True)
class _Field:
    """One value of a layout."""

    name: str
    kind: PlainType
    sizes: Sizes = ()
    by_line: bool = False
    """Each item has a line of its own."""
    is_alone: bool = True
    """It is the only value in its line."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The layout of a specification's standard input."""

    names: tuple[str, ...]
    """The parameters."""
    lines: tuple[tuple[_Field, ...], ...]
    is_stated: bool = False
    """False: each value has its counts first, texts have quotes, white space separates all."""
    has_tests: bool = False

    def write(self, args: Sequence[JsonValue]) -> str:
        """Return the standard input of one call.

        Raises:
            SpecificationError: if the arguments have no such text, such as a list with another
                length than its size.
        """
        values: dict[str, Any] = dict(zip(self.names, args, strict=True))
        lines = ["1"] if self.has_tests else []
        try:
            for field in (each for line in self.lines for each in line if each.sizes):
                _measure(field.name, field.sizes, values[field.name], values)
            for line in self.lines:
                lines += self._written(line, values)
        except (TypeError, ValueError, AttributeError) as error:
            raise SpecificationError(
                f"the arguments cannot be written in the input format: {str(error)[:200]}; "
                "change them or the format"
            ) from error
        return "".join(f"{line}\n" for line in lines)

    def _written(self, line: Sequence[_Field], values: dict[str, Any]) -> list[str]:
        if not self.is_stated:
            return [text_of(each.kind, values[each.name]) for each in line]
        if line[0].by_line:
            kind, rows = line[0].kind.items[0], values[line[0].name]
            return [_text(kind, line[0].sizes[1:], row, alone=True) for row in rows]
        texts = [
            # The size of the rows of an empty list is not known.
            _text(each.kind, each.sizes, values.get(each.name, 0), alone=each.is_alone)
            for each in line
        ]
        return [" ".join(texts)]

    def read(self, text: str) -> list[Args]:
        """Return the arguments of each call that a standard input holds, and nothing else.

        Raises:
            SpecificationError: if the text has another layout; the message names the line.
        """
        reader, tests = Reader(text), range(1)
        if self.has_tests:
            tests = reader.counted(int(str(reader.value(_INT))))
            reader.end_line()
        found = [self._read(reader) for _ in tests]
        reader.end()
        return found

    def _read(self, reader: Reader) -> Args:
        values: dict[str, Any] = {}
        for line in self.lines:
            if line[0].by_line:
                values[line[0].name] = [*_rows(reader, line[0], values)]
                continue
            for each in line:
                if self.is_stated:
                    value = _value(reader, each.kind, each.sizes, values, alone=each.is_alone)
                else:
                    value = reader.value(each.kind)
                values[each.name] = value
            if self.is_stated:
                reader.end_line()
        return tuple(values[name] for name in self.names)

    def in_words(self) -> str:
        """Return the layout in a few lines of prose."""
        head = "Input, a line each:" if self.is_stated else "Input, separated by white space:"
        if self.has_tests:
            head = "Input: the number of tests, and for each test, a line each:"
        lines = ("; ".join(f"{each.name}: {self._words(each)}" for each in x) for x in self.lines)
        return "\n".join([head, *(f"- {line}" for line in lines)])

    def _words(self, field: _Field) -> str:
        if not self.is_stated:
            return prose(field.kind)
        if field.name not in self.names:
            fields = (each for line in self.lines for each in line)
            sized = [each.name for each in fields if (field.name, 0) in each.sizes]
            return f"the size {field.name} of {' and '.join(sized) or 'what follows'}"
        if field.by_line:
            count = _count(field.sizes[0])
            item = _prose(field.kind.items[0], field.sizes[1:], alone=True)
            return f"{count or 'all other'} lines, each {item}"
        return _prose(field.kind, field.sizes, alone=field.is_alone)


def layout_of(spec: Specification) -> Layout:
    """Return the layout of a specification's standard input.

    Raises:
        SpecificationError: if a type or the input format cannot be read.
    """
    kinds = {each.name: parse_type(each.type) for each in spec.parameters}
    texts = spec.input_format.strip().splitlines()
    if not texts:
        return Layout((*kinds,), tuple((_Field(name, kind),) for name, kind in kinds.items()))
    has_tests = bool(_TESTS.fullmatch(texts[0].strip()))
    lines: list[tuple[_Field, ...]] = []
    seen: dict[str, PlainType] = {}
    for number, text in enumerate(texts, start=1):
        try:
            if number > 1 or not has_tests:
                lines.append(tuple(_fields(text.split(), kinds, seen)))
        except ValueError as error:
            raise SpecificationError(f"input_format, line {number}: {error}") from error
    lines = [line for line in lines if line]
    fault = _fault(lines, kinds, has_tests)
    if fault:
        raise SpecificationError(f"input_format: {fault}")
    return Layout((*kinds,), tuple(lines), is_stated=True, has_tests=has_tests)


def _fields(
    words: Sequence[str], kinds: Mapping[str, PlainType], seen: dict[str, PlainType]
) -> Iterator[_Field]:
    """Yield the values of a line.

    Raises:
        ValueError: if one cannot be read, or its size is not known by then.
    """
    for at, word in enumerate(words, start=1):
        found = _FIELD.fullmatch(word)
        if found is None:
            raise ValueError(f"{word!r} is not a value; write n, nums[n] or grid[r][c]...")
        name, by_line = found[1], bool(found[3])
        kind, sizes = kinds.get(name, _INT), tuple(map(_size, found[2][1:-1].split("][")))
        sizes = sizes if found[2] else ()
        inner = sizes[1:] if by_line else sizes
        unknown = [each[0] for each in sizes if each and each[0] and seen.get(each[0]) != _INT]
        if name in seen:
            raise ValueError(f"{name} is there twice; remove one")
        if any(each and not each[0] and each[1] < 0 for each in sizes):
            raise ValueError(f"{word} has a negative size; write [n], [n-1], [2] or []")
        if len(sizes) > _depth(kind):
            raise ValueError(f"{word} has {len(sizes)} sizes and the type {kind}; remove some")
        if unknown:
            raise ValueError(f"the size {unknown[0]} of {name} must come before it, as an integer")
        if by_line and (len(words) > 1 or not sizes or kind.kind not in _LISTS):
            raise ValueError(f"{word} must be a list with a size, alone in its line")
        if None in inner[:-1] or (None in inner and at < len(words)):
            raise ValueError(f"[] of {name} must be the last in its line; give the size")
        seen[name] = kind
        yield _Field(name, kind, sizes, by_line, len(words) == 1)


def _fault(
    lines: Sequence[Sequence[_Field]], kinds: Mapping[str, PlainType], has_tests: bool
) -> str:
    """Return what is missing, is not used, or has no end; empty if nothing."""
    fields = [each for line in lines for each in line]
    named = {*kinds, *(size[0] for each in fields for size in each.sizes if size)}
    missing = sorted({*kinds} - {each.name for each in fields})
    unused = [each.name for each in fields if each.name not in named]
    open_ = [each for each in fields if each.by_line and each.sizes[0] is None]
    if missing:
        return f"the parameter {missing[0]} is missing; add it"
    if unused:
        return f"{unused[0]} is not a parameter or size; remove it, or give a list [{unused[0]}]"
    if open_ and (has_tests or open_ != fields[-1:]):
        return f"other lines follow those of {open_[0].name}; give their number"
    return ""


def _size(text: str) -> tuple[str, int] | None:
    found = _SIZE.fullmatch(text)
    if found is None:
        raise ValueError(f"[{text}] is not a size; write [n], [n-1], [2] or []")
    return (found[1] or "", int(found[2] or 0)) if text else None


def _depth(kind: PlainType) -> int:
    """Return how many sizes a value may have."""
    return 1 + _depth(kind.items[0]) if kind.kind in _LISTS else int(kind.kind == "str")


def _measure(path: str, sizes: Sizes, value: Any, known: dict[str, Any]) -> None:
    """Enter the sizes of a value.

    Raises:
        SpecificationError: if a size is another one by now.
    """
    if sizes and sizes[0] is not None:
        name, more = sizes[0]
        known.setdefault(name, len(value) - more if name else 0)
        if len(value) != known[name] + more:
            raise SpecificationError(
                f"input_format: {path} has length {len(value)}, and [{_count(sizes[0])}] is "
                f"{known[name] + more}; add a constraint that makes them equal, or write []"
            )
    for each in value if sizes[1:] else ():
        _measure(f"{path}[i]", sizes[1:], each, known)


def _text(kind: PlainType, sizes: Sizes, value: Any, *, alone: bool) -> str:
    if kind.kind == "str":
        if not re.fullmatch(r"[^\r\n]*" if alone else r"\S+", value):
            raise ValueError(f"{value[:40]!r} is not one {'line' if alone else 'word'}")
        value.encode()  # half of a surrogate pair has no text
        return str(value)
    kinds = kind.items if kind.kind == "tuple" else kind.items * len(value) if sizes else ()
    if not kinds:
        return "" if sizes else text_of(kind, value, " ")
    pairs = zip(kinds, value, strict=True)
    return " ".join(_text(item, sizes[1:], each, alone=False) for item, each in pairs)


def _rows(reader: Reader, field: _Field, known: Mapping[str, Any]) -> Iterator[JsonValue]:
    size = field.sizes[0]
    for _ in reader.counted(_number(size, known)) if size else iter(reader.has_more, False):
        yield _value(reader, field.kind.items[0], field.sizes[1:], known, alone=True)
        reader.end_line()


def _value(
    reader: Reader, kind: PlainType, sizes: Sizes, known: Mapping[str, Any], *, alone: bool
) -> JsonValue:
    size = sizes[0] if sizes else None
    if kind.kind == "str":
        text = reader.line() if alone else reader.word()
        if size and len(text) != _number(size, known):
            reader.fault(f"a text of {_number(size, known)} characters")
        return text
    kinds: Iterable[PlainType] = kind.items
    if size:
        kinds = (kind.items[0] for _ in reader.counted(_number(size, known)))
    elif sizes:
        kinds = (kind.items[0] for _ in iter(lambda: reader.has_more(in_line=True), False))
    elif kind.kind != "tuple":
        return reader.value(kind)
    return [_value(reader, each, sizes[1:], known, alone=False) for each in kinds]


def _number(size: tuple[str, int], known: Mapping[str, Any]) -> int:
    return size[1] + (int(known[size[0]]) if size[0] else 0)


def _count(size: tuple[str, int] | None) -> str:
    """Return a size as it is written; empty if there is none."""
    name, more = size or ("", 0)
    return f"{name}{more:+}" if name and more else name or (str(more) if size else "")


def _prose(kind: PlainType, sizes: Sizes, *, alone: bool) -> str:
    count = _count(sizes[0]) if sizes else ""
    if kind.kind == "str":
        text = "a text up to the end of the line" if alone else "a word"
        return f"{text}, of {count} characters" if count else text
    if sizes:
        items = f"{count} items" if count else "items up to the end of the line"
        return f"{items}, each {_prose(kind.items[0], sizes[1:], alone=False)}"
    if kind.kind == "tuple":
        return ", then ".join(_prose(each, (), alone=False) for each in kind.items)
    return prose(kind)


def format_of(spec: Specification) -> str:
    """Return the format of standard input and standard output, in a few lines of prose."""
    return f"{layout_of(spec).in_words()}\n\n{answer_format_of(spec)}"


def text_of_arguments(spec: Specification, args: Sequence[JsonValue]) -> str:
    """Return the standard input of a call.

    Raises:
        SpecificationError: if an argument cannot be written, such as an integer of 5,000 digits or
            half of a surrogate pair.
    """
    return layout_of(spec).write(args)
