"""What each frame must hold: a candidate that got at the key may have sealed anything."""

import math
from collections.abc import Callable, Mapping
from typing import Any

Check = Callable[[object], bool]
_MOST = 1 << 62


def _text(value: object) -> bool:
    return isinstance(value, str)


def _flag(value: object) -> bool:
    return isinstance(value, bool)


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < _MOST


def _count(value: object) -> bool:
    return isinstance(value, int) and _whole(value) and value >= 0


def _number(value: object) -> bool:
    return _whole(value) or (isinstance(value, float) and math.isfinite(value))


def _mapping(value: object) -> bool:
    return isinstance(value, dict)


def _list_of(check: Check, length: int | None = None) -> Check:
    def is_one(value: object) -> bool:
        return (
            isinstance(value, list)
            and (length is None or len(value) == length)
            and all(check(each) for each in value)
        )

    return is_one


def _loop(value: object) -> bool:
    match value:
        case [str(), bool(), list(times)]:
            return all(_count(each) for each in times)
    return False


def _looks(value: object) -> bool:
    return isinstance(value, dict) and all(map(_look, value.values()))


def _look(value: object) -> bool:
    match value:
        case [list(new), list(given)]:
            return all(map(_flag, new)) and all(map(_text, given))
    return False


_BLOB = "blob "
_TEXTS = _list_of(_text)
_CALL: dict[str, Check] = {
    "test": _text,
    "iteration": _count,
    "how": _text,
    "items": _TEXTS,
    f"{_BLOB}after": bool,
    f"{_BLOB}before": bool,
}
_MADE: dict[str, dict[str, Check]] = {
    "made": {f"{_BLOB}call": bool},
    "notes": {"notes": _TEXTS},
}
_LOST: dict[str, Check] = {"signal": _text, "status": _whole}
_ODD: dict[str, Check] = {
    "case": _count,
    f"{_BLOB}original": bool,
    f"{_BLOB}candidate": bool,
}
_SHAPES: dict[str, dict[str, dict[str, Check]]] = {
    "tests": {
        "begin": {"test": _text},
        "call": _CALL,
        "test": {
            "test": _text,
            "passed": _flag,
            "skipped": _flag,
            "why": _text,
            "said": _mapping,
            "calls": _count,
        },
        "collecting": {"test": _text},
        "uncollected": {"test": _text, "why": _text},
        "session": {
            "status": _whole,
            "changes": _mapping,
            "sys_path": _TEXTS,
            "modules": _TEXTS,
            "own": _TEXTS,
            "pid": _count,
            "watched": _TEXTS,
            "address_bytes": _count,
        },
    },
    "suite": {
        "collecting": {"test": _text},
        "uncollected": {"test": _text, "why": _text},
        "collected": {"tests": _TEXTS},
        "begin": {"test": _text},
        "test": {
            "test": _text,
            "passed": _flag,
            "skipped": _flag,
            "asserted": _flag,
            "lost": _flag,
            "why": _text,
            "ms": _count,
        },
        "coverage": {
            "lines": _count,
            "lines_covered": _count,
            "branches": _count,
            "branches_covered": _count,
            "missing": _list_of(_count),
            "missing_branches": _list_of(_list_of(_whole, 2)),
        },
        "session": {"status": _whole},
    },
    "script": {"call": _CALL, "script": {"status": _whole}},
    "calls": {
        "begin": {"place": _count},
        "call": {"place": _count, "again": _flag, "said": _mapping, f"{_BLOB}after": bool},
        "changed": {"place": _count, "donor": _count, "said": _mapping, f"{_BLOB}after": bool},
        "elsewhere": {"place": _count, "said": _mapping, f"{_BLOB}after": bool},
        "session": {"changes": _mapping, "pid": _count, "watched": _TEXTS},
    },
    "making": _MADE,
    "concolic": _MADE,
    "planting": _MADE,
    "shrinking": _MADE,
    "covering": {
        "coverage": {
            "lines": _count,
            "lines_covered": _count,
            "branches": _count,
            "branches_covered": _count,
            "missing": _list_of(_count),
        },
    },
    "measuring": {
        "memory": {"peak_bytes": _count, "blocks": _count},
        "lines": {"lines": _list_of(_list_of(lambda _: True, 4))},
        "unusable": {"what": _text},
    },
    "pairs": {"odd": _ODD, "lost": _LOST},
    "apart": {
        "apart": {
            "overall": _number,
            "works_on": _list_of(_flag, 2),
            "elsewhere": _list_of(_number, 2),
            "first_ns": _list_of(_whole, 2),
            "again_ns": _list_of(_whole, 2),
            "timed_ns": _list_of(_whole, 2),
            "untimed_ns": _list_of(_whole, 2),
            "heated": _flag,
        },
        "odd": _ODD,
        "lost": _LOST,
    },
    "loops": {
        "loop": {"index": _count, "tests": _list_of(_loop)},
        "looks": {"index": _count, "tests": _looks},
        "elsewhere": {"ns": _whole, "timed_ns": _count},
    },
}
"""By the kind of run and the kind of frame: fields, and blobs, that must be there."""
_ANY_RUN: dict[str, dict[str, Check]] = {"failed": {"what": _text}}


def fits(run: str, kind: str, said: Mapping[str, Any], blobs: Mapping[str, bytes]) -> bool:
    """Whether a frame holds what our own code tells in such a run."""
    shape = _SHAPES.get(run, {}).get(kind) or _ANY_RUN.get(kind, {})
    return all(
        name.removeprefix(_BLOB) in blobs if name.startswith(_BLOB) else check(said.get(name))
        for name, check in shape.items()
    )
