"""Compile a Python source and report its errors and warnings as JSON.

The source is only compiled, so nothing of it runs. The code is stored next to it.
"""

from __future__ import annotations

import json
import marshal
import os
import sys
import types
import warnings
from collections.abc import Callable
from contextlib import suppress

MAX_REPORTS = 100


Examine = Callable[[bytes, str], "list[dict[str, object]]"]


def check(path: str, *examine: Examine) -> int:
    """Print one JSON list of findings; return 0 if the source compiles without errors, else 1.

    Args:
        path: The source file.
        examine: Functions that return the errors in a source that compiles, from its text and path.
    """
    with open(path, "rb") as file:
        source = file.read()
    findings: list[dict[str, object]] = []
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
                _keep(code, path)
    findings.extend(
        finding("warning", str(warning.message), warning.lineno, None)
        for warning in caught[:MAX_REPORTS]
        if issubclass(warning.category, SyntaxWarning)
    )
    json.dump(findings, sys.stdout)
    return status


def _refusal(error: Exception) -> dict[str, object]:
    return finding("error", f"{type(error).__name__}: {error}", None, None)


def _keep(code: types.CodeType, path: str) -> None:
    """Store the code for the runs; without it they compile the source themselves."""
    with suppress(OSError, ValueError), open(f".{path}.code", "wb") as file:
        marshal.dump(code, file)


def finding(severity: str, message: str, line: int | None, column: int | None) -> dict[str, object]:
    """Return one finding; lines and columns start at 1, None if unknown."""
    return {"severity": severity, "message": message[:500], "line": line, "column": column}
