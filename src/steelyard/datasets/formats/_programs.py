"""Read the programs in a row, in each way that data sets write them."""

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from steelyard.datasets.formats._fields import Fields, one_line
from steelyard.datasets.rows import RowError

__all__ = ["programs_in"]

_BY_NUMBER = MappingProxyType({1: "python2", 2: "cpp", 3: "python", 4: "java"})
_BY_NAME: Mapping[str, str] = MappingProxyType(
    {"py2": "python2", "py3": "python", "python3": "python", "c++": "cpp"}
)
_SOURCES = ("code", "solution", "solution_code", "completion", "source")
_KEPT = ("time_complexity", "memory_complexity", "note", "label")
_FENCED = re.compile(r"\s*```\w*\n(.*?)\n?```\s*", re.DOTALL)


def programs_in(path: str, value: object) -> list[dict[str, Any]]:
    """Return the programs that a column holds, as fields of `TaskSolution`.

    It holds one text, a list of texts, a list of objects, or parallel lists of languages and
    programs; or one of these as JSON text.

    Raises:
        RowError: for anything else.
    """
    if isinstance(value, str) and value.lstrip().startswith("["):
        value = Fields({path: value}).decoded(path)
    if isinstance(value, str):
        return _programs([(value, None, {})])
    if isinstance(value, Mapping):
        held = Fields(value)
        languages, sources = value.get("language"), held.texts("solution")
        if not isinstance(languages, list) or len(languages) != len(sources):
            raise RowError(f'"{path}" has not one language for each program; give as many of each')
        return _programs((*pair, {}) for pair in zip(sources, languages, strict=True))
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return _programs(
            (each.text_if_any(*_SOURCES), each.row.get("language"), each.row)
            for each in Fields({path: value}).objects(path)
        )
    return _programs((text, None, {}) for text in Fields({path: value}).texts(path))


def _programs(
    listed: Iterable[tuple[str, object, Mapping[str, object]]],
) -> list[dict[str, Any]]:
    found = []
    for text, language, more in listed:
        if not text.strip():
            continue
        fenced = _FENCED.fullmatch(text)
        program = {key: more[key] for key in _KEPT if more.get(key)}
        if language is not None:
            program["language"] = _language(language)
        found.append({"source": fenced[1] if fenced else text, **program})
    return found


def _language(value: object) -> str:
    if isinstance(value, str):
        return _BY_NAME.get(value.lower(), one_line(value.lower()))
    return _BY_NUMBER.get(value, "unknown") if isinstance(value, int) else "unknown"
