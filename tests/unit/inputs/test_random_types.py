"""Inputs are made for every type: no maker fails, and all that is made is valid."""

import random
from itertools import islice

import pytest

from steelyard.constraints import Work
from steelyard.families import args_of
from steelyard.inputs._changed import changed_inputs
from steelyard.inputs._exhaustive import exhaustive_inputs
from steelyard.inputs._make import derive_inputs
from steelyard.inputs._near_invalid import near_invalid
from steelyard.inputs._stress import stress_inputs
from steelyard.inputs._workshop import Workshop
from steelyard.schemas import Specification

WORK = 3_000_000
LONGEST = 100  # characters of a type that a specification takes
MIXED = [
    ["list[tuple[int, str]]", "int"],
    ["tuple[int, list[int], list[float]]", "int"],
    ["tuple[float, bool, None]", "float"],
    ["list[tuple[int, str, int | None]]", "list[int]"],
    ["dict[str, tuple[int, str]]", "int", "list[tuple[str, int]]"],
    ["int", "list[int] | None"],
    ["int", "list[int] | None", "list[list[float]]"],
    ["set[int]", "int", "set[str] | None", "list[int]"],
    ["dict[int, int]", "int", "list[int]", "set[tuple[int, str]]"],
    ["dict[int, set[int]]", "list[tuple[set[int], str]]"],
    ["int | str", "list[int | str | None]", "list[int]", "str"],
    ["dict[str, int | list[int]]", "set[int | str]", "tuple[int | str, int]"],
]


def random_type(dice: random.Random, deep: int) -> str:
    pick = dice.random()
    if not deep or pick < 0.35:
        return dice.choice(("int", "int", "float", "bool", "str"))
    if pick < 0.6:
        return f"list[{random_type(dice, deep - 1)}]"
    if pick < 0.85:
        items = [random_type(dice, deep - 1) for _ in range(dice.randrange(1, 4))]
        return f"tuple[{', '.join(items)}]"
    if pick < 0.93:
        return f"dict[str, {random_type(dice, deep - 1)}]"
    return f"{dice.choice(('int', 'str', 'list[int]', 'bool', 'tuple[int, str]'))} | None"


def specification(types: list[str], dice: random.Random) -> Specification:
    constraints = []
    for at, kind in enumerate(types):
        if kind.startswith(("list", "dict", "str")) and "None" not in kind:
            constraints.append(f"len(p{at}) <= {dice.choice((2, 5, 30))}")
        if kind == "int" and dice.random() < 0.5:
            constraints.append(f"0 <= p{at} <= {dice.choice((1, 9, 10**9))}")
    parameters = [{"name": f"p{at}", "type": kind} for at, kind in enumerate(types)]
    return Specification.model_validate(
        {
            "title": "t",
            "description": "d",
            "returns": "int",
            "parameters": parameters,
            "constraints": constraints,
            "examples": [],
        }
    )


def kinds_of(seed: int) -> list[str]:
    dice = random.Random(seed)
    kinds = (random_type(dice, 3) for _ in range(dice.randrange(1, 4)))
    return [kind if len(kind) <= LONGEST else "int" for kind in kinds]


@pytest.mark.parametrize("types", [*MIXED, *map(kinds_of, range(12))], ids="; ".join)
def test_inputs_of_any_type_are_made(types: list[str]) -> None:
    check(types)


@pytest.mark.exhaustive
@pytest.mark.parametrize("start", range(100, 2_100, 100))
def test_inputs_of_many_types_are_made(start: int) -> None:
    for seed in range(start, start + 100):
        check(kinds_of(seed))


def check(types: list[str]) -> None:
    spec = specification(types, random.Random(0))
    shop = Workshop(spec, 0)
    made = derive_inputs(spec, seed=0, count=12, work=WORK).cases
    made += changed_inputs(spec, [case.input for case in made], seed=0, count=4)
    every = [args_of(case.input) for case in made]
    assert every
    for args in every:
        assert shop.validator.broken(args) == ()
    for args, text in near_invalid(spec, every[:4], seed=0, count=2):
        assert shop.validator.broken(args) == (text,)
    for args in exhaustive_inputs(spec, 20)[0]:
        assert shop.validator.broken(args) == ()
    large = stress_inputs(spec, seed=0, work=WORK, counter=Work(), bases=every[:2])
    for _, case in islice(large, 4):
        assert shop.validator.broken(args_of(case.input)) == ()
