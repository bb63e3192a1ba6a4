"""Modules whose functions return something else, whatever they are given."""

import ast
import types

import pytest

from steelyard.authoring.pytests._module import FOREIGN, NOTHING, altered_source

MODULE = '''
"""A module."""
from __future__ import annotations

import dataclasses
import enum
import functools


class Colour(enum.Enum):
    RED = 1


@dataclasses.dataclass(frozen=True, order=True, slots=True)
class Point:
    x: int


class Account:
    def __init__(self, balance):
        self.balance = balance

    @property
    def double(self):
        return 2 * self.balance


@functools.lru_cache
def square(value):
    return value * value


def count(stop):
    for value in range(stop):
        yield value


async def later(value):
    return value


TABLE = {name: square(name) for name in range(3)}
add = lambda one, other: one + other
'''


@pytest.fixture(params=[FOREIGN, NOTHING])
def altered(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    module = types.ModuleType("altered_by_test")
    monkeypatch.setitem(__import__("sys").modules, module.__name__, module)
    exec(altered_source(ast.parse(MODULE), request.param), module.__dict__)
    return module


@pytest.mark.parametrize(
    "claim",
    [
        "square(7) == 49",
        "list(count(3)) == [0, 1, 2]",
        "add(1, 2) == 3",
        "Account(5).balance == 5",
        "Account(5).double == 10",
    ],
)
def test_no_claim_on_a_function_survives(altered: types.ModuleType, claim: str) -> None:
    with pytest.raises((AssertionError, AttributeError)):
        assert eval(claim, vars(altered))


def test_what_is_computed_at_import_is_as_ever(altered: types.ModuleType) -> None:
    assert altered.TABLE == {0: 0, 1: 1, 2: 4}
    assert altered.__doc__ == "A module."


@pytest.mark.parametrize("claim", ["Point(1).x == 1", "Colour.RED.value == 1", "square(7) != 3"])
def test_a_foreign_value_survives_no_comparison(
    claim: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = types.ModuleType("altered_by_test")
    monkeypatch.setitem(__import__("sys").modules, module.__name__, module)
    exec(altered_source(ast.parse(MODULE), FOREIGN), module.__dict__)
    with pytest.raises(AssertionError, match="foreign value"):
        assert eval(claim, vars(module))
