"""Read a compiler's output as `Diagnostic` records.

The text is hostile: a source can add text of its own (`#error`, `#line`, `.print`). So nothing
here decides whether a program compiled; the compiler's exit status does. The parsers are linear
and bounded, and forged text can add to a source's warnings but never hide one.

1. GCC up to version 14 writes JSON, from 15 SARIF, each followed by the linker's text.
2. rustc writes one JSON object per line.
3. `incell/check.py` writes a JSON list for a Python source.
4. All others write plain text, which `_diagnostics_text` reads.
5. A C or C++ source that turns its own warnings off gets one for that: a program that compiles
   without warnings earns more, so a source must not gain by silencing the compiler. GCC and Clang
   have no switch that ignores such directives. The text is read as the preprocessor does: with
   lines spliced and without comments.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

import re2
from pydantic import BaseModel, TypeAdapter, ValidationError

from steelyard.schemas import Execution, Limits, StopReason
from steelyard.toolchains._diagnostics_text import (
    DiagnosticsSoFar,
    read_clang,
    read_go,
    read_javac,
    read_linker,
    read_node,
    read_text,
)
from steelyard.toolchains._languages import DiagnosticsFormat

_FALLBACK_CHARS = 400
JsonValue: TypeAlias = bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"] | None
_DECODER = json.JSONDecoder(strict=False)
_MAX_CHILDREN = 32
_SPACE = " \t\r\n"
_MAX_RUSTC_LINES = 5_000
_HINT = re2.compile(rb"ignored|system_header|(?m:^[ \t]*(?:#|%:|\?\?=).*[0-9])")
_SILENCER = re2.compile(
    rb"\bdiagnostic\s+ignored\b"  # in a #pragma, or in the string that _Pragma takes
    rb"|\bsystem_header\b"
    rb'|(?m:^[ \t]*(?:#|%:|\?\?=)[ \t]*[0-9]+[ \t]+"(?:[^"\\\n]|\\.)*"[ \t0-9]*\b3\b)'  # marker
)
_BUILT_PRAGMA = re2.compile(rb'_Pragma\s*\(\s*[^"\s]')
_BUILT_SILENCER = re2.compile(rb"\bignored\b|\bdiagnostic\b")
_COMMENT = rb"//[^\n]*|/\*"
_RAW_STRING = rb'|\b(?:u8|[uUL])?R"([^()\\\s"]{0,16})\('
_NUMBER = rb"|\b[0-9](?:[0-9A-Za-z_.]|'[0-9A-Za-z_])*"  # its ' starts no character literal
_LITERAL = rb"""|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?"""
_CPP_TOKEN = re2.compile(_COMMENT + _RAW_STRING + _NUMBER + _LITERAL)
_C_TOKEN = re2.compile(_COMMENT + _LITERAL)
_MAX_READ_BYTES = 1 << 20


def read_diagnostics(
    form: DiagnosticsFormat, execution: Execution, source: str, limits: Limits
) -> DiagnosticsSoFar:
    """Return what a compile's output contains, and the limit that ended it, if any.

    Args:
        form: The compiler's own format.
        execution: The compile.
        source: The source file's name.
        limits: The compile's limits.
    """
    succeeded = execution.stop is StopReason.EXITED and execution.exit_code == 0
    findings = DiagnosticsSoFar(source, succeeded)
    reached = _limit_reached(execution, limits)
    if reached:
        findings.add("error", reached)
    output = execution.stdout if form == "python" else execution.stderr
    text = output.decode(errors="replace")
    _READERS[form](text, findings)
    if succeeded and (execution.stdout_truncated or execution.stderr_truncated):
        findings.add("warning", "the compiler printed more than its output limit")
    if not succeeded and not findings.errors:
        findings.add("error", _last_words(execution))
    return findings


def _limit_reached(execution: Execution, limits: Limits) -> str:
    match execution.stop:
        case StopReason.CPU_LIMIT:
            return f"compiling took more than {limits.cpu_ms} ms of CPU time"
        case StopReason.WALL_LIMIT:
            return f"compiling took more than {limits.wall_ms} ms"
        case StopReason.MEMORY_LIMIT:
            return f"compiling took more than {limits.memory_mib} MiB of memory"
        case StopReason.OUTPUT_LIMIT:
            return f"the compiler printed more than {limits.output_mib} MiB"
        case _:
            return ""


def _last_words(execution: Execution) -> str:
    """Return a reason if the compiler gave none in its own format."""
    text = (execution.stderr or execution.stdout).decode(errors="replace").strip()
    if execution.signal is not None:
        return f"the compiler was ended by signal {execution.signal} {text[:_FALLBACK_CHARS]}"
    return text[-_FALLBACK_CHARS:] or f"the compiler ended with status {execution.exit_code}"


def is_answer(output: bytes) -> bool:
    """Return True if the checking script finished, with or without findings."""
    try:
        _FINDINGS.validate_json(output)
    except ValidationError:
        return False
    return True


def read_gcc(text: str, findings: DiagnosticsSoFar) -> None:
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


def _read_elements(text: str, position: int, findings: DiagnosticsSoFar) -> int | None:
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
class _Location:
    file: str = ""
    line: int | None = None
    column: int | None = None


def _add_gcc(element: JsonValue, findings: DiagnosticsSoFar) -> None:
    """Add one diagnostic, and those that GCC grouped under it (a note is not a diagnostic)."""
    for each in (element, *_items(_get(element, "children"))[:_MAX_CHILDREN]):
        severity = _severity(_text(each, "kind"))
        if severity is not None:
            locations = [
                _gcc_location(location) for location in _items(_get(each, "locations"))[:1]
            ]
            _add(severity, _text(each, "message"), locations, findings)


def _gcc_location(location: JsonValue) -> _Location:
    caret = _get(location, "caret")
    column = _number(caret, "byte-column") or _number(caret, "column")
    return _Location(_text(caret, "file"), _number(caret, "line"), column)


def _read_sarif(text: str, start: int, findings: DiagnosticsSoFar) -> int | None:
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
            locations = [_sarif_location(each) for each in found]
            _add(severity, _text(_get(result, "message"), "text"), locations, findings)
    return end


def _includes(location: JsonValue) -> bool:
    kinds = (_get(each, "kinds") for each in _items(_get(location, "relationships")))
    return any("includes" in _items(each) for each in kinds)


def _sarif_location(location: JsonValue) -> _Location:
    physical = _get(location, "physicalLocation")
    region = _get(physical, "region")
    return _Location(
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
    locations: list[_Location],
    findings: DiagnosticsSoFar,
) -> None:
    """Add a diagnostic at its position in the source, which may be a template's instantiation."""
    own = (
        location for location in locations if location.file.rpartition("/")[2] == findings.source
    )
    location = next(own, locations[0] if locations else _Location())
    findings.add(severity, message, file=location.file, line=location.line, column=location.column)


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


class _Span(BaseModel):
    file_name: str = ""
    line_start: int = 0
    column_start: int = 0
    is_primary: bool = False


class _Note(BaseModel):
    message: str = ""


class _Message(BaseModel):
    message: str
    level: str
    spans: list[_Span] = []
    children: list[_Note] = []


def read_rustc(text: str, findings: DiagnosticsSoFar) -> None:
    """Read the objects of `--error-format=json`; other lines do not come from rustc."""
    for line in text.splitlines()[:_MAX_RUSTC_LINES]:
        if not line.startswith("{"):
            continue
        try:
            message = _Message.model_validate_json(line)
        except ValidationError:
            if findings.succeeded:
                findings.add("warning", "the compiler gave a warning that could not be parsed")
            continue
        _add_message(message, findings)


def _add_message(message: _Message, findings: DiagnosticsSoFar) -> None:
    severity: Literal["error", "warning"]
    if message.level.startswith("error"):
        severity = "error"
    elif message.level == "warning":
        severity = "warning"
    else:
        return
    if not message.spans and _is_summary(message.message):
        return
    text = message.message
    if not message.spans and text.startswith("linking with"):
        text = _linker_complaint(message)
    span = next((each for each in message.spans if each.is_primary), _Span())
    findings.add(
        severity,
        text,
        file=span.file_name,
        line=span.line_start or None,
        column=span.column_start or None,
    )


def _is_summary(text: str) -> bool:
    return text.startswith("aborting due to ") or text.endswith(" emitted")


def _linker_complaint(message: _Message) -> str:
    """Return the linker's message, which rustc puts in a note below the whole command line."""
    for note in message.children:
        _, marker, complaint = note.message.partition("error: ")
        if marker:
            return complaint.partition("\n")[0]
        at = note.message.find("undefined reference to ")
        if at >= 0:
            return note.message[at:].partition("\n")[0]
    return message.message


class _Finding(BaseModel):
    severity: Literal["error", "warning"]
    message: str
    line: int | None
    column: int | None


_FINDINGS = TypeAdapter(list[_Finding])


def read_python(text: str, findings: DiagnosticsSoFar) -> None:
    """Read the checking script's JSON list; read nothing if the interpreter itself failed."""
    try:
        found = _FINDINGS.validate_json(text)
    except ValidationError:
        return
    for each in found:
        findings.add(
            each.severity, each.message, file=findings.source, line=each.line, column=each.column
        )


_READERS: Mapping[DiagnosticsFormat, Callable[[str, DiagnosticsSoFar], None]] = {
    "gcc": read_gcc,
    "clang": read_clang,
    "rustc": read_rustc,
    "javac": read_javac,
    "node": read_node,
    "go": read_go,
    "python": read_python,
    "text": read_text,
}


def silences_warnings(source: bytes) -> bool:
    """Return True if the text has a directive that makes GCC or Clang hide warnings."""
    text = _splice(source)
    if not _HINT.search(text):
        return False
    if len(text) > _MAX_READ_BYTES:  # not worth the time; its comments are read as code
        return _has_silencer(text)
    return any(_has_silencer(_without_comments(text, as_cpp=as_cpp)) for as_cpp in (True, False))


def _has_silencer(text: bytes) -> bool:
    if _SILENCER.search(text):
        return True
    return bool(_BUILT_PRAGMA.search(text) and _BUILT_SILENCER.search(text))


def _splice(source: bytes) -> bytes:
    spliced: bytes = re2.sub(rb"(?:\\|\?\?/)[ \t\r]*\n", b"", source)
    return spliced


def _without_comments(text: bytes, *, as_cpp: bool) -> bytes:
    """Return the text with a space for each comment; string and character literals are kept.

    Args:
        text: The source, spliced.
        as_cpp: True if raw strings and digit separators exist, which strict C lacks.
    """
    token = _CPP_TOKEN if as_cpp else _C_TOKEN
    kept: list[bytes] = []
    position = 0
    while match := token.search(text, position):
        start, end = match.span()
        kept.append(text[position:start])
        opening = text[start : start + 2]
        if opening == b"//":
            kept.append(b" ")
        elif opening == b"/*":
            end = _after(text, b"*/", end)
            kept.append(b" ")
        else:
            if as_cpp and match.group(1) is not None:
                end = _after(text, b")" + match.group(1) + b'"', end)
            kept.append(text[start:end])
        position = end
    kept.append(text[position:])
    return b"".join(kept)


def _after(text: bytes, closing: bytes, position: int) -> int:
    found = text.find(closing, position)
    return len(text) if found < 0 else found + len(closing)
