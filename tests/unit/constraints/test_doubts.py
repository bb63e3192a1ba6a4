"""A constraint that allows more than is usually meant is named."""

import pytest

from steelyard.constraints import Validator, doubts_of, parse_constraint
from steelyard.inputs._make import derive_inputs
from steelyard.schemas import Specification
from steelyard.values import parse_type


@pytest.mark.parametrize(
    ("parameters", "constraints", "too"),
    [
        ({"c": "str"}, ["c in '.#'"], ["''"]),
        ({"c": "str | None"}, ["c is None or c in 'LR'"], ["''"]),
        ({"c": "str"}, ["c in 'LR'", "c != ''"], ["'LR'"]),
        ({"c": "str"}, ["c in 'ab' or c in 'cd'"], ["''"]),
        ({"g": "list[list[str]]"}, ["g[i][j] in '.#'"], ["''"]),
        ({"w": "list[str]"}, ["all(x in '.#' for x in w)"], ["''"]),
        ({"c": "str"}, ["c in '.#'", "len(c) == 1"], []),
        ({"g": "list[list[str]]"}, ["g[i][j] in '.#'", "len(g[i][j]) == 1"], []),
        ({"g": "list[str]"}, ["g[i][j] in '.#'"], []),
        ({"s": "str"}, ["all(x in '.#' for x in s)"], []),
        ({"s": "str"}, ["set(s) <= set('.#')"], []),
        ({"c": "str"}, ["c in ('.', '#')"], []),
    ],
)
def test_a_part_of_a_text_may_be_empty(
    parameters: dict[str, str], constraints: list[str], too: list[str]
) -> None:
    types = {name: parse_type(kind) for name, kind in parameters.items()}
    checked = Validator(types, tuple(parse_constraint(text, types) for text in constraints))
    found = doubts_of(checked)
    assert [each.split(" allows ")[1].split(" too:")[0] for each in found] == too
    assert all(repr(constraints[0]) in each and "list the texts" in each for each in found)


def test_doubts_are_notes_of_the_inputs() -> None:
    spec = Specification.model_validate(
        {
            "title": "t",
            "description": "d",
            "returns": "int",
            "parameters": [{"name": "c", "type": "str"}],
            "constraints": ["c in '.#'"],
            "examples": [{"args": ["#"], "expected": 1}],
        }
    )
    assert any("allows '' too" in note for note in derive_inputs(spec, seed=0, count=3).notes)
