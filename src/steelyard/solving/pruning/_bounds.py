"""Find the largest sizes of the input by the names and nouns that plans and programs use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import re2

from steelyard.solving.pruning._tree import readable

_AFFIX = re2.compile(r"^(?:max|num|number_of|count_of)_?|_?(?:max|limit|count)$")
_LONGEST_NAME = 100
_MAIN = ("n", "length", "len", "size", "s_length", "string_length", "array_size", "n_elements")
_VALUES = re2.compile(
    r"^(?:[a-z]_?i|[a-z]_?ij|[a-z]_?max|max_?[a-z]|a|w|c|x|y|s|mod|k|.*(?:value|values|weight|cost"
    r"|price|coord|coordinate|coordinates|time|sum|height|target|element|elements|capacity).*)$"
)
_ROLES: Mapping[str, tuple[str, ...]] = {
    "query": ("q", "queries", "operations", "ops", "updates", "events", "commands", "m"),
    "edge": ("m", "e", "edges", "roads", "links", "k"),
    "vertex": ("n", "v", "vertices", "nodes", "cities"),
    "test": ("t", "tests", "test_cases", "testcases"),
    "row": ("h", "rows", "r", "height", "n"),
    "column": ("w", "cols", "columns", "c", "width", "m"),
}
_NOUNS: Mapping[str, str] = {
    "query": "query",
    "queries": "query",
    "operation": "query",
    "operations": "query",
    "op": "query",
    "ops": "query",
    "update": "query",
    "updates": "query",
    "event": "query",
    "events": "query",
    "command": "query",
    "edge": "edge",
    "edges": "edge",
    "road": "edge",
    "roads": "edge",
    "cable": "edge",
    "cables": "edge",
    "vertex": "vertex",
    "vertices": "vertex",
    "node": "vertex",
    "nodes": "vertex",
    "city": "vertex",
    "cities": "vertex",
    "test": "test",
    "tests": "test",
    "testcase": "test",
    "row": "row",
    "rows": "row",
    "column": "column",
    "columns": "column",
}


@dataclass(frozen=True, slots=True)
class Size:
    """A size of the input at its largest."""

    name: str
    value: float


class Sizes:
    """The known sizes of the input.

    Args:
        bounds: The largest value of each, by name.
        statement: The problem's words: `the sum of n over all tests` makes tests share n.
    """

    def __init__(self, bounds: Mapping[str, int], statement: str = "") -> None:
        self._by_name: dict[str, Size] = {}
        for name, value in list(bounds.items())[:100]:
            shown = readable(name, _LONGEST_NAME)
            size = Size(shown, float(min(max(value, 0), 10**300)))
            for key in (shown.lower(), _AFFIX.sub("", shown.lower())):
                self._by_name.setdefault(key, size)
        self.shared_by_tests = any(key.startswith(("sum", "total")) for key in self._by_name) or (
            "sum of" in statement.lower() and "test" in statement.lower()
        )
        self.main = self._main()
        self.least = min((size.value for size in self._by_name.values()), default=0.0)
        """Return the smallest size: enumerations are often over that one."""

    def named(self, name: str) -> Size | None:
        """Return the size of this name, in any case, with or without `max_` and the like."""
        key = name.lower()
        return self._by_name.get(key) or self._by_name.get(_AFFIX.sub("", key) or key)

    def of_role(self, role: str) -> Size | None:
        """Return the size of queries, edges, vertices, tests, rows or columns."""
        for name in _ROLES[role]:
            if name in self._by_name:
                return self._by_name[name]
        return None

    def of_noun(self, noun: str) -> Size | None:
        """Return the number of items that a noun names, such as `queries`."""
        named = self.named(noun)
        if named is None and len(noun) > 1:
            named = self.named(noun + "s") or self.named(noun.removesuffix("s"))
        if named is not None:
            return named
        role = _NOUNS.get(noun.lower())
        return self.of_role(role) if role else None

    def _main(self) -> Size | None:
        for name in _MAIN:
            if name in self._by_name:
                return self._by_name[name]
        if rows := self._by_name.get("h") or self._by_name.get("rows"):
            columns = self._by_name.get("w") or self._by_name.get("cols") or rows
            return max(rows, columns, key=lambda size: size.value)
        plain = [size for key, size in self._by_name.items() if not _VALUES.search(key)]
        if plain:
            return max(plain, key=lambda size: size.value)
        every = list(self._by_name.values())
        return every[0] if every else None
