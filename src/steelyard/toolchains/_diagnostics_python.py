"""Read the output of the script that checks Python sources (`incell/check.py`)."""

from typing import Literal

from pydantic import BaseModel, TypeAdapter, ValidationError

from steelyard.toolchains._findings import Findings


class _Finding(BaseModel):
    severity: Literal["error", "warning"]
    message: str
    line: int | None
    column: int | None


_FINDINGS = TypeAdapter(list[_Finding])


def is_answer(output: bytes) -> bool:
    """Return True if the checking script finished, with or without findings."""
    try:
        _FINDINGS.validate_json(output)
    except ValidationError:
        return False
    return True


def read_python(text: str, findings: Findings) -> None:
    """Read the checking script's JSON list; read nothing if the interpreter itself failed."""
    try:
        found = _FINDINGS.validate_json(text)
    except ValidationError:
        return
    for each in found:
        findings.add(
            each.severity, each.message, file=findings.source, line=each.line, column=each.column
        )
