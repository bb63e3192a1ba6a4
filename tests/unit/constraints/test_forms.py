"""Forms of constraints as public statements write them are read, and mean what they mean there."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from steelyard.constraints import Validator
from steelyard.errors import UsageError
from steelyard.schemas import Parameter, Specification

CORPUS = Path(__file__).parents[2] / "corpus/constraints/forms.toml"
FORMS = tomllib.loads(CORPUS.read_text())["form"]


def validator_of(form: dict[str, Any]) -> Validator:
    parameters = tuple(Parameter(name=name, type=kind) for name, kind in form["parameters"].items())
    return Validator.of(
        Specification(
            title="t",
            description="d",
            parameters=parameters,
            returns="int",
            constraints=(form["text"],),
        )
    )


@pytest.mark.parametrize(
    "form",
    [each for each in FORMS if "refused" not in each],
    ids=lambda form: form["text"],
)
def test_a_form_accepts_what_is_valid_and_nothing_else(form: dict[str, Any]) -> None:
    validator = validator_of(form)
    assert len(form["valid"]) == len(form["invalid"]) == 3
    for text in form["valid"]:
        assert validator.is_valid(json.loads(text)), text
    for text in form["invalid"]:
        assert not validator.is_valid(json.loads(text)), text


@pytest.mark.parametrize(
    "form", [each for each in FORMS if "refused" in each], ids=lambda form: form["text"]
)
def test_a_form_that_is_not_read_is_refused_with_a_reason(form: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        validator_of(form)
