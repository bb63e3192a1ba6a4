"""The face of `steelyard.training`: its names, its keywords, and its page."""

import inspect
import re
from pathlib import Path

import pytest

from steelyard import training
from steelyard.training import Reward, RewardOptions, reward

PAGE = Path(__file__).parents[2] / "docs/reference/api/training.md"


def test_reward_takes_the_fields_of_its_options_with_their_defaults() -> None:
    parameters = dict(inspect.signature(reward).parameters)
    del parameters["test_cases"]
    fields = dict(RewardOptions.model_fields)
    del fields["on_event"]
    assert parameters.keys() == fields.keys()
    for name, parameter in parameters.items():
        assert parameter.kind is inspect.Parameter.KEYWORD_ONLY
        assert parameter.default == fields[name].default, name


def test_the_async_twin_has_the_same_arguments() -> None:
    assert inspect.iscoroutinefunction(Reward.ascore)
    assert inspect.signature(Reward.ascore) == inspect.signature(Reward.score)


@pytest.mark.parametrize(
    "name", re.findall(r"^::: steelyard\.training\.(\w+)$", PAGE.read_text(), re.MULTILINE)
)
def test_the_names_of_the_reference_are_public_and_documented(name: str) -> None:
    assert name in training.__all__
    assert inspect.getdoc(getattr(training, name))
