"""Find tables that exceed the memory limit."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import re2

from steelyard.schemas import PruneFinding
from steelyard.solving.pruning._paths import LoopPath, Paths
from steelyard.solving.pruning._rules import PruningRules, count, finding, mebibytes
from steelyard.solving.pruning._sizes import magnitude

_TYPES = {
    "bitset": 0.125,
    "bool": 1,
    "char": 1,
    "int8_t": 1,
    "uint8_t": 1,
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
}
_DECLARED = re2.compile(
    r"\b(bool|char|short|int|float|double|long long|long|ll|unsigned|u?int(?:8|16|32|64)_t|i64)\s+"
    r"\*?(\w+)\s*((?:\[[^\[\]]+\]\s*)+)"
)
_VECTOR = re2.compile(
    r"vector<\s*vector<\s*([\w ]+?)\s*>\s*>\s*\w+\s*[({]\s*([^,(){}]+?)\s*,\s*vector<[^<>]*>\s*"
    r"[({]\s*([^,(){}]+)"
)
_NESTED_LIST = re2.compile(
    r"\[\s*\[[^\[\]]*\]\s*\*\s*\(?([^\[\]]+?)\)?\s+for\s+\w+\s+in\s+x?range\s*\(([^\[\]]+)\)\s*\]"
)
_INDEXED = re2.compile(r"^\W*([A-Za-z_]\w*)\s*((?:\[[^\[\]]+\]\s*){2,})\s*(?:=|\+=|←|:=)")
_SUBSCRIPT = re2.compile(r"\[\s*([^\[\]]+?)\s*\]")
_PLAIN = re2.compile(r"^([A-Za-z_]\w*)(?:\s*[+-]\s*\d+)?$")
_PYTHON_CELL = 8.0


def table_findings(
    paths: Paths, rules: PruningRules, limit_bytes: float, *, filled: bool
) -> Iterator[PruneFinding]:
    """Yield the largest table if it exceeds the limit.

    Args:
        paths: The paths of the text.
        rules: The rules.
        limit_bytes: The memory limit.
        filled: Whether a table that is only filled counts too: a plan declares few of them.
    """
    rule = rules.table_memory
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
    path: LoopPath, paths: Paths, cell_bytes: float, *, filled: bool
) -> Iterator[tuple[float, float]]:
    resolve = paths.reading.resolver(path.frames)
    text = path.line.text

    def cells(*sides: str) -> float:
        known = [magnitude(side, resolve) for side in sides]
        return _product(value or 0.0 for value in known) if all(known) else 0.0

    if declared := _DECLARED.search(text):
        sides = _SUBSCRIPT.findall(declared.group(3))
        yield cells(*sides), _TYPES[declared.group(1)]
    if vector := _VECTOR.search(text):
        yield cells(vector.group(2), vector.group(3)), _TYPES.get(vector.group(1).strip(), 4.0)
    if nested := _NESTED_LIST.search(text):
        yield cells(nested.group(1), nested.group(2)), _PYTHON_CELL
    if filled:
        yield _filled(path), cell_bytes


def _filled(path: LoopPath) -> float:
    """Return the cells of `dp[i][j] = ...`, each index with its own loop; not a rolling row."""
    found = _INDEXED.search(path.line.text)
    if found is None:
        return 0.0
    tops = {name: frame.extent.top for frame in path.frames for name in frame.variables}
    indexes = [_PLAIN.sub(r"\1", each) for each in _SUBSCRIPT.findall(found.group(2))]
    sizes = [tops.get(each) for each in indexes]
    own = len(set(indexes)) == len(indexes)
    return _product(size or 0.0 for size in sizes) if own and None not in sizes else 0.0


def _product(sizes: Iterable[float]) -> float:
    return min(1e300, math.prod(max(1.0, size) for size in sizes))
