"""Find tables that exceed the memory limit."""

from __future__ import annotations

from collections.abc import Iterator

import re2

from steelyard.schemas import PruneFinding
from steelyard.solving.pruning._paths import Path, Paths
from steelyard.solving.pruning._rules import Rules, count, finding, mebibytes
from steelyard.solving.pruning._sizes import magnitude

_TYPES = {
    "bitset": 0.125,
    "bool": 1,
    "char": 1,
    "int8_t": 1,
    "uint8_t": 1,
    "boolean": 1,
    "byte": 1,
    "short": 2,
    "int16_t": 2,
    "int": 4,
    "float": 4,
    "unsigned": 4,
    "int32_t": 4,
    "uint32_t": 4,
    "long long": 8,
    "ll": 8,
    "long": 8,
    "double": 8,
    "int64_t": 8,
    "uint64_t": 8,
    "i64": 8,
    "integer": 4,
    "integers": 4,
    "zeros": 4,
}
_DECLARED = re2.compile(
    r"\b(bool|char|short|int|float|double|long long|long|ll|unsigned|u?int(?:8|16|32|64)_t|i64)\s+"
    r"\*?(\w+)\s*((?:\[[^\[\]]+\]\s*)+)"
)
_VECTOR = re2.compile(
    r"vector<\s*vector<\s*([\w ]+?)\s*>\s*>\s*\w+\s*[({]\s*([^,(){}]+?)\s*,\s*vector<[^<>]*>\s*"
    r"[({]\s*([^,(){}]+)"
)
_FLAT = re2.compile(r"vector<\s*([\w ]+?)\s*>\s*\w+\s*[({]\s*([^,(){}]+?)\s*[,)}]")
_NESTED_LIST = re2.compile(
    r"\[\s*\[[^\[\]]*\]\s*\*\s*\(?([^\[\]]+?)\)?\s+for\s+\w+\s+in\s+x?range\s*\(([^\[\]]+)\)\s*\]"
)
_FLAT_LIST = re2.compile(r"=\s*\[\s*[\w.\-']+\s*\]\s*\*\s*\(?([^\[\]()]+(?:\([^()]*\))?)\)?\s*$")
_WRITTEN = re2.compile(
    r"(?i)\b(?:table|matrix|grid|array)\s+(?:of\s+)?(?:size\s+)?\(?([\w+\- ]+?)\)?\s*"
    r"(?:x|\x{d7}|by|\*)\s*\(?([\w+\-]+(?:\s*[+\-]\s*\d+)?)"
)
_ARRAY = re2.compile(r"(?i)\barray\s+of\s+(?:size\s+|length\s+)?([\w^*]+(?:\s*[+\-]\s*\d+)?)")
_INDEXED = re2.compile(r"^\W*([A-Za-z_]\w*)\s*((?:\[[^\[\]]+\]\s*){2,})\s*(?:=|\+=|←|:=)")
_SUBSCRIPT = re2.compile(r"\[\s*([^\[\]]+?)\s*\]")
_PLAIN = re2.compile(r"^([A-Za-z_]\w*)(?:\s*[+-]\s*\d+)?$")
_PYTHON_CELL = 8.0


def table_findings(
    paths: Paths, rules: Rules, limit_bytes: float, *, filled: bool
) -> Iterator[PruneFinding]:
    """Yield the largest table if it exceeds the limit.

    Args:
        paths: The paths of the text.
        rules: The rules.
        limit_bytes: The memory limit.
        filled: Whether a table that is only filled counts too: a plan declares few of them.
    """
    rule = rules.table_memory
    if not rule.enabled:
        return
    largest, shown, cells_of = 0.0, "", 0.0
    for path in paths.all:
        for cells, cell_bytes in _tables(path, paths, rule.cell_bytes, filled=filled):
            if cells * cell_bytes > largest:
                largest, shown, cells_of = cells * cell_bytes, path.line.text, cells
    if largest > limit_bytes * rule.slack:
        yield finding(
            "table-memory",
            shown,
            f"a table of {count(cells_of)} cells takes {mebibytes(largest)}, "
            f"the limit is {mebibytes(limit_bytes)}",
        )


def _tables(
    path: Path, paths: Paths, cell_bytes: float, *, filled: bool
) -> Iterator[tuple[float, float]]:
    resolve = paths.reading.resolver(path.frames)
    text = path.line.text

    def cells(*sides: str) -> float | None:
        total = 1.0
        for side in sides:
            value = magnitude(side, resolve)
            if value is None:
                return None
            total = min(1e300, total * max(1.0, value))
        return total

    found: list[tuple[float | None, float]] = []
    if declared := _DECLARED.search(text):
        sides = _SUBSCRIPT.findall(declared.group(3))
        found.append((cells(*sides), _TYPES.get(declared.group(1), cell_bytes)))
    if vector := _VECTOR.search(text):
        found.append((cells(vector.group(2), vector.group(3)), _of_type(vector.group(1))))
    elif flat := _FLAT.search(text):
        bits = 0.125 if flat.group(1) == "bool" else _of_type(flat.group(1))
        found.append((cells(flat.group(2)), bits))
    if nested := _NESTED_LIST.search(text):
        found.append((cells(nested.group(1), nested.group(2)), _PYTHON_CELL))
    elif listed := _FLAT_LIST.search(text):
        found.append((cells(listed.group(1)), _PYTHON_CELL))
    if filled:
        if written := _WRITTEN.search(text):
            found.append((cells(written.group(1), written.group(2)), cell_bytes))
        elif array := _ARRAY.search(text):
            found.append((cells(array.group(1)), 0.125 if "true" in text else cell_bytes))
        found.append((_filled(path), cell_bytes))
    for size, each in found:
        if size is not None:
            yield size, each


def _of_type(name: str) -> float:
    return _TYPES.get(name.strip(), 4.0)


def _filled(path: Path) -> float | None:
    """Return the cells of `dp[i][j] = ...`, each index with its own loop; not a rolling row."""
    found = _INDEXED.search(path.line.text)
    if found is None:
        return None
    tops = {name: frame.extent.top for frame in path.frames for name in frame.variables}
    total, used = 1.0, set()
    for subscript in _SUBSCRIPT.findall(found.group(2)):
        plain = _PLAIN.search(subscript)
        if plain is None or plain.group(1) in used:
            return None
        top = tops.get(plain.group(1))
        if top is None:
            return None
        used.add(plain.group(1))
        total = min(1e300, total * max(1.0, top))
    return total
