"""APPS and TACO: one JSON text holds the tests, for standard input or for calls."""

import re
from datetime import date

from steelyard.datasets.formats._fields import Fields, one_line
from steelyard.datasets.formats._format import TaskFields
from steelyard.datasets.rows import RowError
from steelyard.judging import FORMS, Source
from steelyard.schemas import sha256_of

__all__ = ["read_apps", "read_taco"]

_QUOTED = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"")
_AMOUNT = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*([a-z]*)", re.IGNORECASE)
_MS = {"": 1000.0, "s": 1000.0, "ms": 1.0}
_MIB = {"b": 2.0**-20, "k": 2.0**-10, "m": 1.0, "": 1.0, "g": 1024.0}
_MAX_TAGS = 100


def read_apps(row: Fields) -> TaskFields:
    """Return the task of `problem_id, question, solutions, input_output, starter_code, ...`.

    A task's folder has the difficulty and the address in `metadata`.
    """
    if "metadata" in row.row:
        row = Fields({**row.in_json("metadata").within("metadata").row, **row.row})
    return {**_read(row), "id": row.identifier("problem_id")}


def read_taco(row: Fields) -> TaskFields:
    """Return the task of a row of TACO, which has no id: a digest of the question is used.

    Lists such as `skill_types` are Python text. They are read, never evaluated.
    """
    task = _read(row)
    tags = [tag for name in ("tags", "skill_types") for tag in _listed(row.text_if_any(name))]
    return {
        **task,
        "id": row.row.get("id") or f"taco-{_digest(task)}",
        "title": row.line("name"),
        "time_limit_ms": _amount(row.text_if_any("time_limit"), "time_limit", _MS),
        "memory_limit_mib": _amount(row.text_if_any("memory_limit"), "memory_limit", _MIB),
        "time_complexity": row.line("Expected Time Complexity"),
        "memory_complexity": row.line("Expected Auxiliary Space"),
        "tags": list(dict.fromkeys(tags)),
        "published": _day(row.text_if_any("date")),
        "extra": task["extra"] | row.kept("source", "raw_tags"),
    }


def _read(row: Fields) -> TaskFields:
    starter = row.text_if_any("starter_code")
    tests = row.decoded("input_output")
    own = FORMS["apps"].fields(Source(tests or {"inputs": [], "outputs": []}, starter_code=starter))
    return {
        **own,
        "prompt": row.text("question"),
        "starter_code": starter,
        "solutions": [{"source": source} for source in _solutions(row)],
        "difficulty": row.line("difficulty"),
        "provenance": {"url": one_line(row.text_if_any("url"))},
        "extra": {},
    }


def _solutions(row: Fields) -> list[str]:
    held = row.in_json("solutions")
    return [each for each in held.texts("solutions") if each.strip()]


def _digest(task: TaskFields) -> str:
    return sha256_of(task["prompt"])[:16]


def _listed(text: str) -> list[str]:
    """Return the texts in a list as Python writes it."""
    found = [one_line(a or b) for a, b in _QUOTED.findall(text)]
    return [tag for tag in found if tag][:_MAX_TAGS]


def _amount(text: str, name: str, units: dict[str, float]) -> int | None:
    """Return an amount such as `2.0 seconds` or `256 megabytes`, in ms or MiB."""
    if not text.strip():
        return None
    match = _AMOUNT.match(text.strip())
    unit = match[2].lower() if match else ""
    key = unit if unit in units else unit[:1]
    if match is None or key not in units:
        raise RowError(
            f'"{name}" is {one_line(text)!r}, which is not an amount such as 256 megabytes'
        )
    return max(1, round(float(match[1]) * units[key]))


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text[:10]) if text.strip() else None
    except ValueError:
        return None
