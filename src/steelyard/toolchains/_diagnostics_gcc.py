"""Read GCC's diagnostics: JSON up to version 14, SARIF from 15, and the linker's text."""

import json
from dataclasses import dataclass
from typing import Literal, TypeAlias

from steelyard.toolchains._diagnostics_text import read_linker
from steelyard.toolchains._findings import Findings

JsonValue: TypeAlias = bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"] | None

_DECODER = json.JSONDecoder(strict=False)
_MAX_CHILDREN = 32
_SPACE = " \t\r\n"


def read_gcc(text: str, findings: Findings) -> None:
    """Read what GCC, its assembler and its linker wrote to standard error.

    The compiler proper writes one document before the assembler and the linker start, so the
    first document in the text is its own; the rest is read as plain text.
    """
    start = _document_start(text)
    if start is None:
        read_linker(text, findings)
        return
    read_linker(text[:start], findings)
    if text[start] == "[":
        end = _read_elements(text, start + 1, findings)
    else:
        end = _read_sarif(text, start, findings)
    if end is None:
        if findings.succeeded:
            findings.add("warning", "the compiler gave warnings that could not be parsed")
        return
    read_linker(text[end:], findings)


def _document_start(text: str) -> int | None:
    position = 0
    while position < len(text):
        if text[position] in "[{":
            return position
        newline = text.find("\n", position)
        if newline < 0:
            return None
        position = newline + 1
    return None


def _read_elements(text: str, position: int, findings: Findings) -> int | None:
    """Read a JSON array's diagnostics one by one, so that a cut array still gives its first ones.

    Returns:
        The end of the array, or None if the text ends before it.
    """
    while True:
        position = _skip(text, position, _SPACE + ",")
        if text.startswith("]", position):
            return position + 1
        try:
            element, position = _DECODER.raw_decode(text, position)
        except (ValueError, RecursionError):
            return None
        _add_gcc(element, findings)


def _skip(text: str, position: int, characters: str) -> int:
    while position < len(text) and text[position] in characters:
        position += 1
    return position


@dataclass(frozen=True, slots=True)
class _Place:
    file: str = ""
    line: int | None = None
    column: int | None = None


def _add_gcc(element: JsonValue, findings: Findings) -> None:
    """Add one diagnostic, and those that GCC grouped under it (a note is not a diagnostic)."""
    for each in (element, *_items(_get(element, "children"))[:_MAX_CHILDREN]):
        severity = _severity(_text(each, "kind"))
        if severity is not None:
            places = [_gcc_place(place) for place in _items(_get(each, "locations"))[:1]]
            _add(severity, _text(each, "message"), places, findings)


def _gcc_place(location: JsonValue) -> _Place:
    caret = _get(location, "caret")
    column = _number(caret, "byte-column") or _number(caret, "column")
    return _Place(_text(caret, "file"), _number(caret, "line"), column)


def _read_sarif(text: str, start: int, findings: Findings) -> int | None:
    try:
        document, end = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    for run in _items(_get(document, "runs")):
        for result in _items(_get(run, "results")):
            severity = _severity(_text(result, "level"))
            if severity is None:
                continue
            nearby = _items(_get(result, "relatedLocations"))[:_MAX_CHILDREN]
            # Lines with `#include` are listed too: they are not where the error is.
            found = [
                *_items(_get(result, "locations")),
                *(each for each in nearby if not _includes(each)),
            ]
            places = [_sarif_place(each) for each in found]
            _add(severity, _text(_get(result, "message"), "text"), places, findings)
    return end


def _includes(location: JsonValue) -> bool:
    kinds = (_get(each, "kinds") for each in _items(_get(location, "relationships")))
    return any("includes" in _items(each) for each in kinds)


def _sarif_place(location: JsonValue) -> _Place:
    physical = _get(location, "physicalLocation")
    region = _get(physical, "region")
    return _Place(
        _text(_get(physical, "artifactLocation"), "uri"),
        _number(region, "startLine"),
        _number(region, "startColumn"),
    )


def _severity(kind: str) -> Literal["error", "warning"] | None:
    if kind == "warning":
        return "warning"
    return "error" if "error" in kind or kind == "sorry, unimplemented" else None


def _add(
    severity: Literal["error", "warning"],
    message: str,
    places: list[_Place],
    findings: Findings,
) -> None:
    """Add a diagnostic at its position in the source, which may be a template's instantiation."""
    own = (place for place in places if place.file.rpartition("/")[2] == findings.source)
    place = next(own, places[0] if places else _Place())
    findings.add(severity, message, file=place.file, line=place.line, column=place.column)


def _get(value: JsonValue, key: str) -> JsonValue:
    return value.get(key) if isinstance(value, dict) else None


def _items(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []


def _text(value: JsonValue, key: str) -> str:
    found = _get(value, key)
    return found if isinstance(found, str) else ""


def _number(value: JsonValue, key: str) -> int | None:
    found = _get(value, key)
    return found if isinstance(found, int) and not isinstance(found, bool) else None
