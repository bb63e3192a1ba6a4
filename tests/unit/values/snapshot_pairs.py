"""Pairs of live values for the snapshot's tests, and how they are held against each other."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from steelyard.values.incell.snapshot import snapshot
from steelyard.values.snapshots import Tolerance, compare_snapshots

Make = Callable[[], Any]

EQUAL = ""


def differences(original: object, candidate: object, **options: Any) -> str:
    """What is said of two values, each the `result`, a line for each difference."""
    found = compare_snapshots(
        snapshot({"result": original}), snapshot({"result": candidate}), **options
    )
    return "\n".join(f"{difference.kind} {difference}" for difference in found)


def of_roots(original: Mapping[str, object], candidate: Mapping[str, object]) -> str:
    """The same for several roots."""
    found = compare_snapshots(snapshot(original), snapshot(candidate))
    return "\n".join(f"{difference.kind} {difference}" for difference in found)


def table(*rows: tuple[Any, ...]) -> pytest.MarkDecorator:
    """Cases of a name, two makers of values, and what is to be said of them."""
    return pytest.mark.parametrize(
        ("original", "candidate", "said"), [pytest.param(*row[1:], id=row[0]) for row in rows]
    )


__all__ = ["EQUAL", "Make", "Tolerance", "differences", "of_roots", "table"]
