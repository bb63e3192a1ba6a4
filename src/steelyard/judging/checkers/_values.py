"""Check the outcome of a call against the expected value or exception.

Values are compared as trees and never built: a candidate that chooses its hashes cannot slow the
judge down, and its classes do not exist in this process.
"""

import json
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, get_args

from steelyard._arguments import checks_arguments
from steelyard.errors import TestsError, UsageError
from steelyard.judging.checkers._outcome import ACCEPTED, Checker, Outcome
from steelyard.judging.checkers.modes._numbers import NumberTolerance
from steelyard.schemas import TestCase

ValueMode = Literal["exact", "numeric", "unordered"]
"""The way values are compared."""
VALUE_MODES: tuple[ValueMode, ...] = get_args(ValueMode)
"""The modes that `value_checker_for` accepts."""
SEQUENCES = ("list", "tuple")
_SHOWN = 80
_ALIKE = {"frozenset": "set", "bytearray": "bytes"}
_NUMBERS = ("number", "complex")
_MOST_TIMES_LONGER, _ALWAYS_READ_BYTES = 16, 1 << 16


@checks_arguments
def value_checker_for(
    mode: ValueMode,
    *,
    abs_tol: float | None = None,
    rel_tol: float | None = None,
    sequences_alike: bool = False,
) -> "ValueChecker":
    """Return the checker of values for a match mode.

    Args:
        mode: `exact`: equal as Python compares them, and NaN equals NaN. `numeric`: numbers may
            be off by max(abs_tol, rel_tol x |expected|), both 1e-6 if neither is given, which
            leaves integers exact. `unordered`: the items of the outermost list or tuple may be
            in any order.
        abs_tol: For `numeric`, the largest absolute difference.
        rel_tol: For `numeric`, the largest difference relative to the expected number.
        sequences_alike: A list equals a tuple with the same items.

    Raises:
        UsageError: for an unknown mode, or a tolerance that is out of range or does not apply.
    """
    if mode not in VALUE_MODES:
        raise UsageError(
            f"match mode '{mode}' compares no values; use one of {', '.join(VALUE_MODES)}"
        )
    if mode != "numeric" and (abs_tol is not None or rel_tol is not None):
        raise UsageError(f"match mode '{mode}' takes no tolerance; use numeric, or leave it out")
    return ValueChecker(mode, NumberTolerance.of(abs_tol, rel_tol), sequences_alike)


@dataclass(frozen=True, slots=True)
class ValueChecker(Checker):
    """Decides on the outcome of a call, as `steelyard.toolchains` encodes it."""

    mode: ValueMode
    tolerance: NumberTolerance
    sequences_alike: bool = False
    one_item_lists: bool = False
    """An expected list of one item equals that item."""

    def check(self, case: TestCase, output: bytes) -> Outcome:
        """Accept the expected value, or the expected exception."""
        if output == case.expected:
            return ACCEPTED
        if len(output) > _MOST_TIMES_LONGER * len(case.expected) + _ALWAYS_READ_BYTES:
            return Outcome(False, "the value is far longer than the expected one")
        try:
            kind, *rest = read(output)
            wanted_kind, *wanted = json.loads(case.expected)
            return self._decide(kind, rest, wanted_kind, wanted)
        except (TypeError, ValueError, LookupError, ArithmeticError, RecursionError):
            return Outcome(False, "the outcome of the call cannot be read", crashed=True)

    def validate(self, case: TestCase) -> None:
        """Refuse a case that is not for calls."""
        try:
            kind = json.loads(case.expected)[0]
        except (ValueError, TypeError, KeyError, IndexError, RecursionError):
            kind = None
        if kind not in ("ok", "raised"):
            raise TestsError(f'case "{case.name}" is not a call; load the tests for this entry')

    def _decide(self, kind: str, rest: list[Any], wanted_kind: str, wanted: list[Any]) -> Outcome:
        if kind == "failed":
            return Outcome(False, bounded(str(rest[0]), 300), crashed=True)
        if kind == "unplain":
            return Outcome(False, f"returned {bounded(str(rest[0]), 300)}")
        if kind == "raised":
            names, message = rest
            if wanted_kind == "raised" and wanted[0] in names:
                return ACCEPTED
            shown_error = bounded(f"{names[0]}: {message}" if message else str(names[0]), 300)
            return Outcome(False, f"raised {shown_error}", crashed=True)
        if kind != "ok":
            raise ValueError(kind)
        if wanted_kind == "raised":
            return Outcome(False, f"returned {shown(rest[0])}; expected {wanted[0]} to be raised")
        parts = self._parts(wanted[0], rest[0], "", top=True)
        if parts and self.one_item_lists and kind_of(wanted[0]) == "list":
            items = inner(wanted[0])
            if len(items) == 1 and self._parts(items[0], rest[0], "", top=True) is None:
                parts = None
        for number, name in enumerate(("argument ", "keyword argument "), start=1):
            if parts is None and len(wanted) > number:
                parts = self._parts(wanted[number], rest[number], name, top=False)
        if parts is None:
            return ACCEPTED
        path, expected, got = parts
        where = f"at {path.rstrip()}: " if path else ""
        return Outcome(False, f"{where}expected {expected}, got {got}")

    def _parts(
        self, expected: Any, got: Any, path: str, *, top: bool
    ) -> tuple[str, str, str] | None:
        """Return the path of the first difference with both parts; None if the values are equal."""
        kind, got_kind = self._kind_of(expected), self._kind_of(got)
        if kind == got_kind == "number":
            same = self._same_number(number_of(expected), number_of(got))
        elif kind in _NUMBERS and got_kind in _NUMBERS:
            pairs = zip(_parts_of_complex(expected), _parts_of_complex(got), strict=True)
            same = all(self._same_number(one, two) for one, two in pairs)
        elif kind != got_kind:
            same = False
        elif kind in SEQUENCES:
            return self._parts_of_sequences(inner(expected), inner(got), path, top=top)
        elif kind == "dict":
            return self._parts_of_dictionaries(inner(expected), inner(got), path)
        elif kind == "set":
            same = Counter(map(canonical, inner(expected))) == Counter(map(canonical, inner(got)))
        elif kind == "bytes":
            same = expected["v"] == got["v"]
        else:
            same = expected == got
        return None if same else (path, shown(expected), shown(got))

    def _kind_of(self, tree: Any) -> str:
        """Return the kind; kinds that Python compares with each other are one."""
        kind = kind_of(tree)
        return "list" if self.sequences_alike and kind == "tuple" else _ALIKE.get(kind, kind)

    def _parts_of_sequences(
        self, expected: list[Any], got: list[Any], path: str, *, top: bool
    ) -> tuple[str, str, str] | None:
        if self.mode == "unordered" and top:
            named = partial(canonical, sequences_alike=self.sequences_alike)
            wanted, has = Counter(map(named, expected)), Counter(map(named, got))
            lacking, extra = wanted - has, has - wanted
            if not lacking and not extra:
                return None
            return path, _item_of(expected, lacking, named), _item_of(got, extra, named)
        for index, (one, two) in enumerate(zip(expected, got, strict=False)):
            parts = self._parts(one, two, f"{path}[{index}]", top=False)
            if parts:
                return parts
        if len(expected) == len(got):
            return None
        return path, f"{len(expected)} items", f"{len(got)}"

    def _parts_of_dictionaries(
        self, expected: list[Any], got: list[Any], path: str
    ) -> tuple[str, str, str] | None:
        has = {canonical(key): item for key, item in got}
        for key, item in expected:
            name = canonical(key)
            at = f"{path}[{shown(key)}]"
            if name not in has:
                return at, shown(item), "no such key"
            parts = self._parts(item, has.pop(name), at, top=False)
            if parts:
                return parts
        if not has:
            return None
        key, item = next(pair for pair in got if canonical(pair[0]) in has)
        return f"{path}[{shown(key)}]", "no such key", shown(item)

    def _same_number(self, expected: float, got: float) -> bool:
        if expected == got or (expected != expected and got != got):
            return True
        tolerance = self.tolerance
        integers = isinstance(expected, int) and isinstance(got, int)
        if self.mode != "numeric" or (tolerance.integers_exact and integers):
            return False
        try:
            difference = abs(expected - got)
            allowed = max(tolerance.abs_tol, tolerance.rel_tol * abs(expected))
        except OverflowError:  # an integer beyond all floats
            return False
        return difference <= allowed < math.inf


def _parts_of_complex(tree: Any) -> list[float]:
    return [number_of(part) for part in (inner(tree) if kind_of(tree) == "complex" else (tree, 0))]


def _item_of(items: list[Any], wanted: Counter[str], named: Callable[[Any], str]) -> str:
    found = next((item for item in items if named(item) in wanted), None)
    return shown(found) if wanted else "no other item"


def read(output: bytes) -> Any:
    """Return the tree that a text holds.

    Raises:
        ValueError, RecursionError: if the text is malformed.
    """
    return json.loads(output, parse_constant=_refuse)


def _refuse(word: str) -> Any:
    raise ValueError(word)


def kind_of(tree: Any) -> str:
    """Return `number`, or the name of the type."""
    if isinstance(tree, dict):
        kind = str(tree["$"])
        return "number" if kind in ("int", "float") else kind
    if isinstance(tree, bool | int | float):
        return "number"
    return type(tree).__name__


def inner(tree: Any) -> list[Any]:
    """Return the items of a container."""
    inside = tree["v"] if isinstance(tree, dict) else tree
    if not isinstance(inside, list):
        raise TypeError(type(inside))
    return inside


def number_of(tree: Any) -> float:
    """Return the number; an int remains an int."""
    if not isinstance(tree, dict):
        return float(tree) if isinstance(tree, float) else int(tree)
    text = tree["v"]
    return int(text, 16) if tree["$"] == "int" else float(text)


def canonical(tree: Any, *, sequences_alike: bool = False) -> str:
    """Return a text that equal values share, in any order of their sets and dictionaries."""

    def text_of(each: Any) -> str:
        return canonical(each, sequences_alike=sequences_alike)

    kind = kind_of(tree)
    if kind == "number":
        return _canonical_number(number_of(tree))
    if kind in SEQUENCES:
        name = "list" if sequences_alike else kind
        return f"{name}({','.join(map(text_of, inner(tree)))})"
    if kind in ("set", "frozenset"):
        return f"set({','.join(sorted(map(text_of, inner(tree))))})"
    if kind == "dict":
        pairs = (f"{text_of(key)}:{text_of(item)}" for key, item in inner(tree))
        return f"dict({','.join(sorted(pairs))})"
    if kind == "complex":
        real, imaginary = (_canonical_number(number_of(part)) for part in inner(tree))
        return real if imaginary == "0" else f"complex({real},{imaginary})"
    if kind in ("bytes", "bytearray"):
        return f"bytes {json.dumps(tree['v'])}"
    return f"{kind} {json.dumps(tree)}"


def _canonical_number(number: float) -> str:
    whole = isinstance(number, int) or number.is_integer()
    return f"{int(number):x}" if whole else repr(number)


def shown(tree: Any) -> str:
    """Return a value as Python writes it, shortened to one line."""
    return bounded(_written(tree, _SHOWN), _SHOWN)


def _written(tree: Any, room: int) -> str:
    if room <= 0:
        return "..."
    if isinstance(tree, str):
        return repr(tree[: room + 1])
    if not isinstance(tree, list | dict):
        return repr(tree)
    kind = kind_of(tree)
    content: Any = tree["v"] if isinstance(tree, dict) else tree
    if kind == "number":
        text = str(content)
        return text if len(text) <= _SHOWN else f"an integer of {len(text) - 2:,} hex digits"
    if kind in ("bytes", "bytearray"):
        text = repr(str(content)[: room + 1].encode("latin-1"))
        return text if kind == "bytes" else f"bytearray({text})"
    if kind == "complex":
        return f"complex({content[0]}, {content[1]})"
    if kind == "dict":
        half = room // 2
        pairs = (f"{_written(key, half)}: {_written(item, half)}" for key, item in content)
        return f"{{{_few(pairs, room)}}}"
    items = _few((_written(item, room // 2) for item in content), room)
    if kind == "tuple":
        return f"({items},)" if len(content) == 1 else f"({items})"
    empty = {"set": "set()", "frozenset": "frozenset()"}
    if kind in empty:
        return f"{{{items}}}" if items else empty[kind]
    return f"[{items}]"


def _few(parts: Any, room: int) -> str:
    """Return parts joined by commas, up to a length."""
    shown: list[str] = []
    for part in parts:
        if room < 0:
            shown.append("...")
            break
        shown.append(part)
        room -= len(part)
    return ", ".join(shown)


def bounded(text: str, size: int) -> str:
    """Return the text on one line, printable and cut to a size."""
    line = text[: size + 1]
    if not line.isprintable():
        line = "".join(char if char.isprintable() else " " for char in line)
    return line if len(line) <= size else line[:size] + "..."
