"""Compile a Python source, and return its errors and warnings.

The source is only compiled, so nothing of it runs.
"""

from __future__ import annotations

import marshal
import os
import types
import warnings
from collections.abc import Callable
from contextlib import suppress

MAX_REPORTS = 100


Finding = dict[str, object]
Examine = Callable[[bytes, str], list[Finding]]
Keep = Callable[[types.CodeType, str], None]


def store(code: types.CodeType, path: str) -> None:
    """Store the code of a source next to it; without it, runs compile the source themselves."""
    with suppress(OSError, ValueError), open(f".{path}.code", "wb") as file:
        marshal.dump(code, file)


def check(path: str, *examine: Examine, keep: Keep = store) -> tuple[int, list[Finding]]:
    """Return 0 if the source compiles without errors, else 1; and all findings.

    Args:
        path: The source file.
        examine: Functions that return the errors in a source that compiles, from its text and path.
        keep: Called with the code of a source without errors, and its path.
    """
    with open(path, "rb") as file:
        source = file.read()
    findings: list[Finding] = []
    status = 0
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            code = compile(source, f"{os.getcwd()}/{path}", "exec", dont_inherit=True)
        except SyntaxError as error:
            status = 1
            message = f"{type(error).__name__}: {error.msg}"
            findings.append(finding("error", message, error.lineno, error.offset))
        except Exception as error:  # any error of the compiler
            status = 1
            findings.append(_refusal(error))
        else:
            try:
                for each in examine:
                    findings += each(source, path)
            except (RecursionError, MemoryError) as error:  # any other is a bug in `examine`
                findings.append(_refusal(error))
            status = int(bool(findings))
            if not findings:
                keep(code, path)
    findings.extend(
        finding("warning", str(warning.message), warning.lineno, None)
        for warning in caught[:MAX_REPORTS]
        if issubclass(warning.category, SyntaxWarning)
    )
    return status, findings


def _refusal(error: Exception) -> Finding:
    return finding("error", f"{type(error).__name__}: {error}", None, None)


def finding(severity: str, message: str, line: int | None, column: int | None) -> Finding:
    """Return one finding; lines and columns start at 1, None if unknown."""
    return {"severity": severity, "message": message[:500], "line": line, "column": column}
