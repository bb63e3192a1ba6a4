"""The language's description names everything that constraints can call."""

import pytest

from steelyard.constraints import (
    FUNCTION_NAMES,
    language_of_calls,
    parse_constraint,
    predicate_calls,
)
from steelyard.constraints._operations import METHODS
from steelyard.constraints._predicates import PREDICATES
from steelyard.values import parse_type

TYPES = {
    "x": "list[int | None]",
    "y": "list[int]",
    "n": "int",
    "rows": "list[list[int]]",
    "edges": "list[list[int]]",
}


def test_every_name_that_can_be_called_is_in_the_description() -> None:
    methods = {name for table in METHODS.values() for name in table}
    text = language_of_calls()
    assert {name for name in FUNCTION_NAMES - PREDICATES.keys() if f"`{name}`" not in text} == set()
    assert {name for name in methods if f"`{name}`" not in text} == set()
    assert {name for name in PREDICATES if f"- `{name}(" not in text} == set()


@pytest.mark.parametrize("call", predicate_calls())
def test_every_call_in_the_description_can_be_read(call: str) -> None:
    constraint = parse_constraint(call, {name: parse_type(kind) for name, kind in TYPES.items()})
    assert constraint.text == call


def test_the_meaning_is_the_prose_of_the_call() -> None:
    calls = predicate_calls()
    assert calls["is_tree(n, edges)"].endswith("a tree with nodes 0 to n - 1")
    assert calls["is_tree(n, edges, 1)"].endswith("a tree with nodes 1 to n")
    assert calls["is_permutation(x, y)"] == "x is a permutation of y"
