"""Read a row's fields, each with the type that its data set documents, and HTML as Markdown."""

import functools
import re
from collections.abc import Mapping
from datetime import date, datetime
from importlib.util import find_spec
from math import isfinite
from typing import Any, TypeVar, cast

from pydantic import TypeAdapter

from steelyard._installation import install_command
from steelyard.datasets.rows import RowError, decode_json
from steelyard.judging import kind_of

_MAX_AMOUNT = 1e9
_MAX_LINE = 200
_MAX_LISTED = 100
_QUOTED = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"")
_T = TypeVar("_T")


class Fields:
    """The fields of one row. A field of another type than asked for is a `RowError`."""

    def __init__(self, row: Mapping[str, object]) -> None:
        self.row = row

    def text(self, name: str) -> str:
        """Return a text that must be there, and not be blank."""
        value = self.row.get(name)
        if not isinstance(value, str):
            raise _other_type(name, value, "text")
        if not value.strip():
            raise RowError(f'"{name}" is empty; fill it in')
        return value

    def text_if_any(self, *names: str) -> str:
        """Return the first of these that holds text; empty if none does."""
        return next(filter(None, (self._held(name, str, "text") for name in names)), "")

    def identifier(self, name: str) -> str:
        """Return an identifier: text, or a whole number."""
        value = self.row.get(name)
        return str(value) if type(value) is int else self.text(name)

    def line(self, name: str) -> str:
        """Return a text or a number as one short line; empty if it is missing."""
        value = self.row.get(name)
        if type(value) in (int, float):
            return f"{value:g}" if isinstance(value, float) else str(value)
        return one_line(self.text_if_any(name))

    def number(self, name: str) -> float | None:
        """Return a number that may be missing."""
        value = self.row.get(name)
        if value is None or (type(value) in (int, float) and isfinite(cast("float", value))):
            return cast("float | None", value)
        raise _other_type(name, value, "a number")

    def amount(self, name: str, factor: float = 1) -> int | None:
        """Return a number times a factor, rounded, and at least 1; None if it is missing or 0."""
        value = self.number(name)
        if not value:
            return None
        if not 0 < value * factor < _MAX_AMOUNT:
            raise RowError(f'"{name}" is {value:g}, which is out of range; give a smaller number')
        return max(1, round(value * factor))

    def texts(self, name: str) -> list[str]:
        """Return a list of texts; empty if it is missing."""
        return self._items(name, str, "a list of texts")

    def listed(self, name: str) -> list[str]:
        """Return the texts in a list, or in one that is written as Python does; or the one text."""
        value = self.row.get(name)
        if not isinstance(value, str):
            return self.texts(name)[:_MAX_LISTED]
        if not value.lstrip().startswith(("[", "(")):
            return [value]
        return [a or b for a, b in _QUOTED.findall(value)][:_MAX_LISTED]

    def objects(self, name: str) -> list["Fields"]:
        """Return a list of objects; empty if it is missing."""
        return [Fields(each) for each in self._items(name, dict, "a list of objects")]

    def within(self, name: str) -> "Fields":
        """Return an object; one without fields if it is missing."""
        return Fields(self._held(name, dict, "an object") or {})

    def decoded(self, name: str) -> object:
        """Return a value that may be written as JSON text; None if it is missing or empty."""
        value = self.row.get(name)
        if not isinstance(value, str):
            return value
        try:
            return decode_json(value) if value.strip() else None
        except RowError as error:
            raise RowError(f'"{name}": {error}') from error

    def in_json(self, name: str) -> "Fields":
        """Return the fields with this one decoded, for a look at it by another type."""
        return Fields({**self.row, name: self.decoded(name)})

    def day(self, name: str) -> date | None:
        """Return the day of a moment: text in ISO form, or seconds since 1970."""
        value = self.row.get(name)
        try:
            return _moment().validate_python(value).date() if value not in (None, "") else None
        except (ValueError, OverflowError) as error:
            raise RowError(f'"{name}" is not a date; write YYYY-MM-DD') from error

    def _held(self, name: str, kind: type[_T], wanted: str) -> _T | None:
        """Return a value of a type; None if there is none, or it is empty."""
        value = self.row.get(name) or None
        if value is not None and not isinstance(value, kind):
            raise _other_type(name, value, wanted)
        return value

    def _items(self, name: str, kind: type[_T], wanted: str) -> list[_T]:
        found = self._held(name, list, wanted) or []
        for item in found:
            if not isinstance(item, kind):
                raise _other_type(name, item, wanted)
        return found


def one_line(text: str) -> str:
    """Return a text as one line without control characters, shortened."""
    line = " ".join("".join(each if each.isprintable() else " " for each in text).split())
    return line if len(line) <= _MAX_LINE else f"{line[: _MAX_LINE - 3]}..."


def _other_type(name: str, value: object, wanted: str) -> RowError:
    if value is None:
        return RowError(f'"{name}" is missing; add it')
    return RowError(f'"{name}" is or holds {kind_of(value)}, not {wanted}; write {wanted}')


@functools.cache
def _moment() -> TypeAdapter[datetime]:
    """Return the reader of moments, made when it is needed: a frozen `datetime` has no schema."""
    return TypeAdapter(datetime)


_BLOCKS = frozenset(
    {"p", "div", "ul", "ol", "li", "pre", "center", "table", "tr", "h1", "h2", "h3", "h4"}
)
_LISTS = frozenset({"ul", "ol", "table", "tbody", "tr"})
_SIGNS = {"sup": "^", "sub": "_"}
_MAX_DEPTH = 60


def markdown_of(node: Any, depth: int = 0) -> str:
    """Return the text of a parsed element; what nests too deep is plain text."""
    if depth > _MAX_DEPTH:
        return str(node.text())
    parts = []
    for child in node.iter(include_text=True):
        if child.tag == "-text" and node.tag in _LISTS and not child.text(deep=False).strip():
            continue
        if child.tag == "-text":
            text = child.text(deep=False)
            parts.append(text if node.tag == "pre" else re.sub(r"\s+", " ", text))
        elif child.tag == "br":
            parts.append("\n")
        elif child.tag not in ("script", "style"):
            inner = markdown_of(child, depth + 1)
            if child.tag == "li":
                inner = f"- {inner.strip()}"
            parts.append(f"{_SIGNS.get(child.tag, '')}{inner}")
            if child.tag in _BLOCKS:
                parts.append("\n" if child.tag == "li" else "\n\n")
    return "".join(parts)


def tidy(text: str) -> str:
    """Return Markdown with one dollar sign around formulas, and one blank line between blocks."""
    text = text.replace("$$$", "$").replace("\xa0", " ")
    return re.sub(r"[ \t]*\n(?:[ \t]*\n)+", "\n\n", text).strip()


_CLOSED_BLOCK = re.compile(r"</(?:p|div|pre|ul|ol|table|h[1-6])\s*>", re.IGNORECASE)


def statement_of(text: str) -> str:
    """Return a statement as Markdown; a text without HTML blocks stays as it is.

    Raises:
        RowError: if it is HTML, and the parser is not installed or finds no text.
    """
    if _CLOSED_BLOCK.search(text) is None:
        return text
    body = parsed_html(text, "its statement is HTML").body
    try:
        read = tidy(markdown_of(body)) if body is not None else ""
    except RecursionError as error:
        raise RowError("its statement nests too deep; write it as text") from error
    if not read:
        raise RowError("its statement is HTML without text; write it as text")
    return read


def parsed_html(text: str, what: str) -> Any:
    """Return the tree of a page or of a part of one.

    Raises:
        RowError: with `what`, if the parser is not installed.
    """
    if find_spec("selectolax") is None:
        raise RowError(f"{what}; run: {install_command('datasets')}")
    from selectolax.lexbor import LexborHTMLParser  # an extra  # noqa: PLC0415

    return LexborHTMLParser(text)
