"""Read rustc's diagnostics: one JSON object per line."""

from typing import Literal

from pydantic import BaseModel, ValidationError

from steelyard.toolchains._findings import Findings

_MAX_LINES = 5_000


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


def read_rustc(text: str, findings: Findings) -> None:
    """Read the objects of `--error-format=json`; other lines do not come from rustc."""
    for line in text.splitlines()[:_MAX_LINES]:
        if not line.startswith("{"):
            continue
        try:
            message = _Message.model_validate_json(line)
        except ValidationError:
            if findings.succeeded:
                findings.add("warning", "the compiler gave a warning that could not be parsed")
            continue
        _add(message, findings)


def _add(message: _Message, findings: Findings) -> None:
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
